"""Errors of regenerating assets after a change of a brand."""

from impasto_server.http.errors import Conflict, NotFound


class PublishFirst(Conflict):
    """Assets are made again with published versions only."""

    code = "publish_first"

    def __init__(self) -> None:
        super().__init__("Publish the brand first. Assets are made again with a published version.")


class NothingToRegenerate(Conflict):
    """None of the assets is affected, or their agents cannot run any more."""

    code = "nothing_to_regenerate"

    def __init__(self) -> None:
        super().__init__("None of these assets can be made again with this version.")


class RegenerationNotFound(NotFound):
    """The regeneration does not exist or belongs to another user."""

    def __init__(self, regeneration_id: str) -> None:
        super().__init__("regeneration", regeneration_id[:100])


class NotFinished(Conflict):
    """There is no new asset to decide about."""

    code = "not_finished"

    def __init__(self) -> None:
        super().__init__("This asset has not been made again yet.")
