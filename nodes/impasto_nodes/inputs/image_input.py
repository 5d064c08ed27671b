"""Image: an image file as input."""

from typing import Annotated

from impasto import SKIP, Image, Setting, node


@node(
    id="picture",
    title="Image",
    category="inputs",
    keywords=("image", "photo", "upload", "image input", "file", "reference"),
)
async def picture(
    *,
    picture: Annotated[Image | None, Setting(title="Image", widget="picture", input=True, main=True)] = None,
) -> Image:
    """An image from the user's files or library.

    Left empty, the port is closed: steps that only *may* use an image go on without one, and steps
    that need one are skipped.
    """
    return SKIP if picture is None else picture
