"""Decoding and encoding of untrusted images: upright 8-bit RGB(A), or an error with one sentence."""

from __future__ import annotations

import functools
import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from impasto.media_types import iso_media_type
from impasto_nodes.media.errors import (
    DamagedImage,
    EmptyFile,
    ImageTooLarge,
    NotAnImage,
    TooLongForFormat,
)

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 100_000_000
_HEAD_BYTES = 256
_WHITE_LEVELS = (255.0, 65535.0, 2.0**24 - 1, 2.0**31, 2.0**32)
Format: TypeAlias = Literal["PNG", "JPEG", "WEBP", "AVIF"]

MEDIA_TYPES: dict[str, str] = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "WEBP": "image/webp",
    "AVIF": "image/avif",
}
_MAX_SIDES: dict[str, int] = {"JPEG": 65_500, "WEBP": 16_383, "AVIF": 65_535}


def decode(source: bytes | Path, *, max_pixels: int = MAX_PIXELS, keeps_profile: bool = False) -> Image:
    """The image, upright, sRGB, 8 bits, RGB or RGBA; of an animation its first frame.

    With `keeps_profile`, an RGB image with a colour profile keeps its values, and the profile in its `info`.

    Raises a `NodeError` that says what is wrong: empty, no image, damaged or cut off, too many pixels.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    _register_heif()
    if not (source.stat().st_size if isinstance(source, Path) else source):
        raise EmptyFile
    with warnings.catch_warnings():
        # Our own limit applies instead of Pillow's warning.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            with Image.open(source if isinstance(source, Path) else io.BytesIO(source)) as image:
                _refuse_large(image.size, max_pixels)
                image.load()
                ImageOps.exif_transpose(image, in_place=True)
                return (_in_own_profile(image) if keeps_profile else None) or _as_srgb(image)
        except UnidentifiedImageError as error:
            raise (DamagedImage if _is_heif(source) else NotAnImage)(str(error)) from error
        except Image.DecompressionBombError as error:
            raise ImageTooLarge(None, max_pixels) from error
        except (OSError, SyntaxError, ValueError, EOFError) as error:
            raise DamagedImage(str(error)) from error


@functools.cache
def _register_heif() -> None:
    """Add HEIC and HEIF to the formats that Pillow reads, without embedded thumbnails and depth maps."""
    import pi_heif

    pi_heif.register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)


def _is_heif(source: bytes | Path) -> bool:
    if isinstance(source, Path):
        with source.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    else:
        head = source[:_HEAD_BYTES]
    return (iso_media_type(head) or "").startswith("image/")


def _refuse_large(size: tuple[int, int], max_pixels: int) -> None:
    if size[0] * size[1] > max_pixels:
        raise ImageTooLarge(size, max_pixels)


def _in_own_profile(image: Image) -> Image | None:
    """Return a copy with its colour profile and no other metadata; None unless it is RGB with a profile."""
    from PIL import ImageCms

    profile = image.info.get("icc_profile")
    if image.mode not in {"RGB", "RGBA"} or "transparency" in image.info or not isinstance(profile, bytes):
        return None
    try:
        if ImageCms.ImageCmsProfile(io.BytesIO(profile)).profile.xcolor_space.strip() != "RGB":
            return None
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None
    kept = image.copy()
    kept.info = {"icc_profile": profile}
    return kept


def in_profile(image: Image, profile: bytes) -> Image:
    """Return an sRGB image with the same colours in an RGB profile; unchanged if the profile cannot do so."""
    from PIL import ImageCms

    try:
        target = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        changed = ImageCms.profileToProfile(image, ImageCms.createProfile("sRGB"), target)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image
    return changed or image


def _as_srgb(image: Image) -> Image:
    """Return a converted copy without metadata; `image` itself may be changed."""
    profile = image.info.get("icc_profile")
    if image.mode.startswith("I") or image.mode == "F":
        return _from_deep(image)
    if image.mode in {"RGB", "RGBA", "CMYK", "L"} and isinstance(profile, bytes):
        image = _by_profile(image, profile)
    sees_through = image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info
    converted = image.convert("RGBA" if sees_through else "RGB")
    converted.info = {}
    return converted


def _from_deep(image: Image) -> Image:
    """Scale greys of more than 8 bits, which Pillow would clip to white, from their own white level."""
    import numpy as np
    from PIL import Image

    plane = np.asarray(image, np.float32)
    white = _white_level(image.mode, float(plane.max()))
    return Image.fromarray(np.maximum(plane * (255 / white), 0).astype(np.uint8)).convert("RGB")


def _white_level(mode: str, highest: float) -> float:
    """Return the value of white: by the mode, else the end of the smallest usual range that has `highest`."""
    if mode.startswith("I;16"):
        return 65535.0
    if mode == "F" and 0 < highest <= 1:
        return 1.0
    return next((level for level in _WHITE_LEVELS if highest <= level), highest)


def _by_profile(image: Image, profile: bytes) -> Image:
    from PIL import ImageCms

    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        target = ImageCms.createProfile("sRGB")
        if image.mode == mode:
            ImageCms.profileToProfile(image, source, target, inPlace=True)
            return image
        changed = ImageCms.profileToProfile(image, source, target, outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError):
        # A broken profile is no reason to refuse the image.
        return image
    return changed or image


def encode(image: Image, file_format: Format = "PNG", *, quality: int = 90) -> bytes:
    """The image as a file. What a format can't hold (see-through in JPEG) is laid on white.

    Raises TooLongForFormat.
    """
    out = io.BytesIO()
    longest = _MAX_SIDES.get(file_format, max(image.size))
    if max(image.size) > longest:
        raise TooLongForFormat(image.size, file_format, longest)
    if file_format == "JPEG":
        return _jpeg(flattened(image), quality)
    if file_format == "PNG":
        image.save(out, "PNG", compress_level=4)
    else:
        image.save(out, file_format, quality=quality)
    return out.getvalue()


def _jpeg(image: Image, quality: int) -> bytes:
    """Progressive and small; noise can outgrow the room that Pillow gives such a file, so then plainly."""
    for better in ({"progressive": True}, {}):
        out = io.BytesIO()
        try:
            image.save(out, "JPEG", quality=quality, subsampling=0, **better)
        except OSError:
            if not better:
                raise
        else:
            break
    return out.getvalue()


def flattened(image: Image, ground: tuple[int, int, int] = (255, 255, 255)) -> Image:
    """Return the image on a plain ground, without transparency."""
    from PIL import Image

    if image.mode == "RGB":
        return image
    under = Image.new("RGB", image.size, ground)
    over = image if image.mode == "RGBA" else image.convert("RGBA")
    under.paste(over, mask=over.getchannel("A"))
    return under
