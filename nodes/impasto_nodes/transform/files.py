"""Reading and writing of images between the store and Pillow, for all transforms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from impasto import AssetNotFound, Brand, Context, Image

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap

    from impasto_nodes.media.image.image_file import Format

_FORMATS: dict[str, Format] = {"image/jpeg": "JPEG", "image/webp": "WEBP", "image/avif": "AVIF"}
_ENDINGS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "AVIF": "avif"}


def read_image(image: Image, context: Context) -> Bitmap:
    """Return the asset as an upright sRGB image. Raises a `NodeError` if it cannot be read."""
    from impasto_nodes.media.image.image_file import decode

    with context.sync.open(image) as path:
        return decode(path)


def save_image(bitmap: Bitmap, context: Context, *, like: Image | None = None, name: str) -> Image:
    """Store an image, in the format of `like` where it can hold it; see-through ones become PNG.

    `name` is the file's name without its ending.
    """
    from impasto_nodes.media.image.image_file import MEDIA_TYPES, encode

    wanted = _FORMATS.get(like.media_type, "PNG") if like else "PNG"
    file_format: Format = "PNG" if bitmap.mode == "RGBA" and wanted == "JPEG" else wanted
    data = encode(bitmap, file_format)
    width, height = bitmap.size
    stored = context.sync.store(
        data,
        MEDIA_TYPES[file_format],
        name=f"{name}.{_ENDINGS[file_format]}",
        width=width,
        height=height,
    )
    assert isinstance(stored, Image)
    return stored


@contextmanager
def brand_fonts(brand: Brand | None, family: str, context: Context) -> Iterator[None]:
    """Let `family` be found in the files that the brand brings, for the length of the block."""
    from impasto_nodes.media.text.fonts import own_fonts

    with ExitStack() as stack:
        found = []
        if brand is not None:
            # The first font has a field of its own, so that a change of the others makes no result stale.
            files = brand.main_font_files if family == brand.main_font else brand.font_files
            for file in files:
                try:
                    found.append((stack.enter_context(context.sync.open(file)), file.name or ""))
                except AssetNotFound:
                    continue  # `report_missing_font` reports it
        stack.enter_context(own_fonts(found))
        yield


def report_missing_font(family: str, context: Context) -> None:
    """Report in the step's progress that another font is used than the named one."""
    from impasto_nodes.media.text.fonts import find

    if find(family) is None:
        context.progress(0.0, f"No font here is named '{family[:40]}', so another one is used.")


def refuse_lost_letters(words: str, family: str, weight: str) -> None:
    """Raise NoFont where words would be set without some of their letters."""
    from impasto_nodes.media.errors import NoFont
    from impasto_nodes.media.text.fonts import missing

    if lost := missing(words, family, weight):
        raise NoFont(lost)
