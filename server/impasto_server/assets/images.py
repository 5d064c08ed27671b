"""Pictures from strangers: decoded within limits, turned upright, re-encoded."""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from impasto_server.assets.errors import FileInvalid, ImageTooLarge

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "AVIF", "BMP", "TIFF")
COVER_FORMATS = ("PNG", "JPEG", "WEBP")
_BROKEN = "This picture cannot be read: the file is damaged or not a picture."


def measure(path: Path, megapixels: int) -> tuple[int, int]:
    """Decode a picture wholly; return its size as shown. Raises `FileInvalid` or `ImageTooLarge`."""
    with _opened(path, megapixels, FORMATS) as picture:
        picture.load()
        turned = picture.getexif().get(0x0112, 1) in (5, 6, 7, 8)
        width, height = picture.size
        return (height, width) if turned else (width, height)


def shrink(source: Path | bytes, longest: int, megapixels: int) -> bytes:
    """Return a WebP of the picture that is at most `longest` pixels wide and high."""
    with _opened(source, megapixels, FORMATS) as picture:
        picture.draft("RGB", (longest, longest))
        upright = ImageOps.exif_transpose(picture)
        upright.thumbnail((longest, longest), Image.Resampling.LANCZOS)
        return encode_webp(upright)


def cover(source: bytes, size: tuple[int, int], megapixels: int) -> bytes:
    """Return a WebP of exactly this size, cut from the middle of a PNG, JPEG or WebP."""
    with _opened(source, megapixels, COVER_FORMATS) as picture:
        upright = ImageOps.exif_transpose(picture)
        return encode_webp(ImageOps.fit(upright, size, Image.Resampling.LANCZOS))


def encode_webp(picture: Image.Image) -> bytes:
    """Return a WebP without any metadata."""
    has_alpha = "A" in picture.getbands() or "transparency" in picture.info
    data = io.BytesIO()
    picture.convert("RGBA" if has_alpha else "RGB").save(data, "WEBP", quality=82, method=4)
    return data.getvalue()


@contextmanager
def _opened(source: Path | bytes, megapixels: int, formats: tuple[str, ...]) -> Iterator[Image.Image]:
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the limit below is ours, not Pillow's
            picture = Image.open(file, formats=formats)
    except Image.DecompressionBombError as error:
        raise ImageTooLarge(megapixels) from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise FileInvalid(_BROKEN) from error
    with picture:
        if picture.width * picture.height > megapixels * 1_000_000:
            raise ImageTooLarge(megapixels)
        try:
            yield picture
        except (OSError, ValueError, SyntaxError, EOFError) as error:
            raise FileInvalid(_BROKEN) from error
