"""Untrusted images: decoding within limits, orientation, re-encoding, and covers of agents."""

import asyncio
import functools
import hashlib
import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fastapi import UploadFile
from PIL import Image, ImageOps, UnidentifiedImageError

from impasto_server.assets.errors import FileInvalid, ImageTooLarge
from impasto_server.container import AppState
from impasto_server.marking import watermark

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "AVIF", "HEIF", "BMP", "TIFF")
COVER_FORMATS = ("PNG", "JPEG", "WEBP")
COVER_SIZE = (960, 640)
_MAX_COVER_BYTES = 20 * 2**20
_EIGHT_BIT_MODES = ("L", "LA", "P", "PA", "RGB", "RGBA")
_REWRITE_QUALITY = 95
_UNREADABLE = "This image cannot be read: the file is damaged or not an image."


def measure(path: Path, megapixels: int) -> tuple[int, int]:
    """Decode an image completely and return its displayed width and height in pixels.

    Raises `FileInvalid` or `ImageTooLarge`.
    """
    with _opened(path, megapixels, FORMATS) as image:
        image.load()
        turned = image.getexif().get(0x0112, 1) in (5, 6, 7, 8)
        width, height = image.size
        return (height, width) if turned else (width, height)


def shrink(source: Path | bytes, longest: int, megapixels: int) -> bytes:
    """Return a WebP of an image, scaled to at most `longest` pixels in width and height.

    Raises `FileInvalid` or `ImageTooLarge`.
    """
    with _opened(source, megapixels, FORMATS) as image:
        image.draft("RGB", (longest, longest))
        upright = ImageOps.exif_transpose(image)
        upright.thumbnail((longest, longest), Image.Resampling.LANCZOS)
        return encode_webp(upright)


def grayscale(source: Path | bytes, side: int, megapixels: int) -> Image.Image:
    """Return an image in shades of gray, upright, stretched to a square of `side` pixels.

    Raises `FileInvalid` or `ImageTooLarge`.
    """
    with _opened(source, megapixels, FORMATS) as image:
        image.draft("L", (4 * side, 4 * side))
        upright = ImageOps.exif_transpose(image)
        if "A" in upright.getbands() or "transparency" in upright.info:
            ground = Image.new("RGBA", upright.size, "white")
            ground.alpha_composite(upright.convert("RGBA"))
            upright = ground
        return upright.convert("L").resize((side, side), Image.Resampling.LANCZOS)


def has_watermark(source: Path | bytes, megapixels: int) -> bool:
    """Whether a file is an image with the watermark of images that AI made with Impasto."""
    try:
        gray = grayscale(source, watermark.SIDE, megapixels)
    except (FileInvalid, ImageTooLarge):
        return False
    return watermark.score(gray) >= watermark.FOUND_SCORE


def crop(source: bytes, size: tuple[int, int], megapixels: int) -> bytes:
    """Return a WebP of exactly `size`, cropped from the center of a PNG, JPEG or WebP.

    Raises `FileInvalid` or `ImageTooLarge`.
    """
    with _opened(source, megapixels, COVER_FORMATS) as image:
        upright = ImageOps.exif_transpose(image)
        return encode_webp(ImageOps.fit(upright, size, Image.Resampling.LANCZOS))


def encode_webp(image: Image.Image) -> bytes:
    """Return a WebP without metadata."""
    has_alpha = "A" in image.getbands() or "transparency" in image.info
    data = io.BytesIO()
    image.convert("RGBA" if has_alpha else "RGB").save(data, "WEBP", quality=82, method=4)
    return data.getvalue()


async def read_cover(app_state: AppState, file: UploadFile) -> bytes:
    """Return an uploaded image as a cover. Raises `FileInvalid` or `ImageTooLarge`."""
    data = await file.read(_MAX_COVER_BYTES + 1)
    if len(data) > _MAX_COVER_BYTES:
        raise FileInvalid("This image is too large for a cover: the limit is 20 MiB.")
    return await encode_cover(app_state, data)


async def encode_cover(app_state: AppState, data: bytes) -> bytes:
    """Return an image as a cover: a WebP of `COVER_SIZE`. Raises `FileInvalid` or `ImageTooLarge`."""
    return await asyncio.to_thread(crop, data, COVER_SIZE, app_state.settings.image_megapixels)


def cover_key(cover: bytes) -> str:
    """Return the storage key of a cover. Agents with the same cover share the object."""
    return f"covers/{hashlib.sha256(cover).hexdigest()}"


@functools.cache
def _register_heif() -> None:
    """Add HEIC and HEIF to the formats that Pillow reads, without embedded thumbnails and depth maps."""
    import pi_heif

    pi_heif.register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)


def rewrite(path: Path, megapixels: int, change: Callable[[Image.Image], Image.Image | None]) -> bool:
    """Replace the pixels of a PNG, JPEG or WebP by what `change` returns for them; keep format and profile.

    Returns False, and leaves the file as it is, if `change` returns None, and for animations and images of
    more than 8 bits a channel. Other metadata are lost. Raises `FileInvalid` or `ImageTooLarge`.
    """
    with _opened(path, megapixels, COVER_FORMATS) as image:
        if getattr(image, "n_frames", 1) > 1 or image.mode not in _EIGHT_BIT_MODES:
            return False
        upright = ImageOps.exif_transpose(image)
        has_alpha = "A" in upright.getbands() or "transparency" in upright.info
        colors = "L" if upright.mode == "L" else "RGB"
        changed = change(upright.convert("RGBA" if has_alpha else colors))
        if changed is None:
            return False
        file_format, profile = str(image.format), image.info.get("icc_profile")
    quality = {} if file_format == "PNG" else {"quality": _REWRITE_QUALITY}
    changed.save(path, file_format, icc_profile=profile, **quality)
    return True


def cut(source: Path, target: Path, box: tuple[int, int, int, int], megapixels: int) -> str:
    """Write the part of an image inside of a box to a file; return its media type.

    The box is left, top, right and bottom in pixels of the displayed image. PNG, JPEG and WebP keep their
    format, others become PNG. The color profile is kept, other metadata are not. Raises `FileInvalid` for
    animations and boxes outside of the image, `ImageTooLarge` for too many pixels.
    """
    with _opened(source, megapixels, FORMATS) as image:
        if getattr(image, "n_frames", 1) > 1:
            raise FileInvalid("Only still images can be cropped.")
        upright = ImageOps.exif_transpose(image)
        left, top, right, bottom = box
        if not (0 <= left < right <= upright.width and 0 <= top < bottom <= upright.height):
            raise FileInvalid(
                f"The crop must lie within the image: {upright.width} by {upright.height} pixels."
            )
        part = upright.crop(box)
        file_format = str(image.format) if image.format in COVER_FORMATS else "PNG"
        options = {} if file_format == "PNG" else {"quality": _REWRITE_QUALITY}
        part.save(target, file_format, icc_profile=image.info.get("icc_profile"), **options)
    return f"image/{file_format.lower()}"


@contextmanager
def _opened(source: Path | bytes, megapixels: int, formats: tuple[str, ...]) -> Iterator[Image.Image]:
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the limit below replaces Pillow's
            _register_heif()
            image = Image.open(file, formats=formats)
    except Image.DecompressionBombError as error:
        raise ImageTooLarge(megapixels) from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise FileInvalid(_UNREADABLE) from error
    with image:
        if image.width * image.height > megapixels * 1_000_000:
            raise ImageTooLarge(megapixels)
        try:
            yield image
        except (OSError, ValueError, SyntaxError, EOFError) as error:
            raise FileInvalid(_UNREADABLE) from error
