"""Errors of changing assets."""

from impasto_server.http.errors import Conflict, Invalid


class NotNewest(Conflict):
    """The asset has a newer version, which is the one to change."""

    code = "not_newest"

    def __init__(self) -> None:
        super().__init__("This is an older version. Change the newest one, or use this one again first.")


class TooManyVersions(Conflict):
    """The asset has as many versions as are kept."""

    code = "too_many_versions"

    def __init__(self, limit: int) -> None:
        super().__init__(f"An asset has at most {limit} versions. Delete one that you no longer need.")


class NotChangeable(Invalid):
    """The asset cannot be changed in this way."""

    code, title = "not_changeable", "Cannot be changed"
