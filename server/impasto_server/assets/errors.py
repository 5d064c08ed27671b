"""What may be wrong with a file."""

from impasto_server.http.errors import Invalid, NotFound, Problem, TooLarge


class AssetNotFound(NotFound):
    """No such asset, or somebody else's."""

    def __init__(self, asset_id: str) -> None:
        super().__init__("asset", asset_id)


class FileInvalid(Invalid):
    """A file that is broken, or not what it says."""

    code, title = "file_refused", "This file cannot be used"


class ImageTooLarge(Invalid):
    """A picture with more pixels than are taken."""

    code, title = "picture_too_large", "Too many pixels"

    def __init__(self, megapixels: int) -> None:
        super().__init__(f"This picture is too large: at most {megapixels} megapixels can be used.")


class UploadTooLarge(TooLarge):
    """An upload with more bytes than are taken."""


class RangeNotSatisfiable(Problem):
    """A range outside of the file."""

    status, code, title = 416, "range_refused", "Not that part"

    def __init__(self, size: int) -> None:
        super().__init__(
            "That part of the file does not exist.", headers={"Content-Range": f"bytes */{size}"}
        )
