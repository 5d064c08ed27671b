"""Errors of assets and uploads."""

from impasto_server.http.errors import Conflict, Invalid, NotFound, Problem, TooLarge


class AssetNotFound(NotFound):
    """The asset does not exist or belongs to another user."""

    def __init__(self, asset_id: str) -> None:
        super().__init__("asset", asset_id)


class FileInvalid(Invalid):
    """The file is damaged, or its content does not match its type."""

    code, title = "file_refused", "Invalid file"


class ImageTooLarge(Invalid):
    """The image has more pixels than the limit."""

    code, title = "picture_too_large", "Too many pixels"

    def __init__(self, megapixels: int) -> None:
        super().__init__(f"This image is too large: the limit is {megapixels} megapixels.")


class UploadTooLarge(TooLarge):
    """The upload has more bytes than the limit."""


class TooManyTags(Conflict):
    """An asset would have more tags than are allowed."""

    code = "too_many_tags"

    def __init__(self, name: str, limit: int) -> None:
        super().__init__(f"'{name}' would have more than {limit} tags. Remove one first.")


class RangeNotSatisfiable(Problem):
    """The requested range is outside of the file."""

    status, code, title = 416, "range_refused", "Range not satisfiable"

    def __init__(self, size: int) -> None:
        super().__init__(
            "The requested range is outside of the file.", headers={"Content-Range": f"bytes */{size}"}
        )
