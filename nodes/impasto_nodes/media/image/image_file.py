"""Pictures in and out, safely: what a person uploads becomes upright 8-bit RGB(A), or one clear sentence."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from impasto_nodes.media.errors import (
    DamagedPicture,
    EmptyFile,
    NotAPicture,
    PictureTooLarge,
    TooLongForFormat,
)

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 100_000_000
Format: TypeAlias = Literal["PNG", "JPEG", "WEBP", "AVIF"]

MEDIA_TYPES: dict[str, str] = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "WEBP": "image/webp",
    "AVIF": "image/avif",
}
_LONGEST: dict[str, int] = {"JPEG": 65_500, "WEBP": 16_383, "AVIF": 65_535}


def decode(source: bytes | Path, *, max_pixels: int = MAX_PIXELS) -> Image:
    """The picture, upright, sRGB, 8 bits, RGB or RGBA; of an animation its first frame.

    Raises a `NodeError` that says what is wrong: empty, no picture, damaged or cut off, too many pixels.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    data = source.read_bytes() if isinstance(source, Path) else source
    if not data:
        raise EmptyFile
    with warnings.catch_warnings():
        # Our own limit speaks instead of Pillow's warning.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            with Image.open(io.BytesIO(data)) as picture:
                _refuse_large(picture.size, max_pixels)
                picture.load()
                upright = ImageOps.exif_transpose(picture)
                return _as_srgb(upright)
        except UnidentifiedImageError as error:
            raise NotAPicture(str(error)) from error
        except Image.DecompressionBombError as error:
            raise PictureTooLarge(None, max_pixels) from error
        except (OSError, SyntaxError, ValueError, EOFError) as error:
            raise DamagedPicture(str(error)) from error


def _refuse_large(size: tuple[int, int], max_pixels: int) -> None:
    if size[0] * size[1] > max_pixels:
        raise PictureTooLarge(size, max_pixels)


def _as_srgb(picture: Image) -> Image:
    from PIL import Image

    profile = picture.info.get("icc_profile")
    if picture.mode.startswith("I") or picture.mode == "F":
        return _from_deep(picture)
    if picture.mode in {"RGB", "RGBA", "CMYK", "L"} and isinstance(profile, bytes):
        picture = _by_profile(picture, profile)
    sees_through = picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info
    converted = picture.convert("RGBA" if sees_through else "RGB")
    plain = Image.new(converted.mode, converted.size)
    plain.paste(converted)
    return plain


def _from_deep(picture: Image) -> Image:
    """16-bit and float greys: Pillow would clip them to white, so scale them."""
    import numpy as np
    from PIL import Image

    plane = np.asarray(picture, np.float32)
    top = float(plane.max()) if plane.size else 0.0
    scale = 255 / 65535 if top > 255 else (255.0 if 0 < top <= 1 and picture.mode == "F" else 1.0)
    return Image.fromarray(np.clip(plane * scale, 0, 255).astype(np.uint8)).convert("RGB")


def _by_profile(picture: Image, profile: bytes) -> Image:
    from PIL import ImageCms

    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        mode = "RGBA" if picture.mode == "RGBA" else "RGB"
        changed = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError):
        # A broken profile is no reason to refuse the picture.
        return picture
    return changed or picture


def encode(picture: Image, file_format: Format = "PNG", *, quality: int = 90) -> bytes:
    """The picture as a file. What a format can't hold (see-through in JPEG) is laid on white.

    Raises TooLongForFormat.
    """
    out = io.BytesIO()
    longest = _LONGEST.get(file_format, max(picture.size))
    if max(picture.size) > longest:
        raise TooLongForFormat(picture.size, file_format, longest)
    if file_format == "JPEG":
        return _jpeg(flattened(picture), quality)
    if file_format == "PNG":
        picture.save(out, "PNG", compress_level=4)
    else:
        picture.save(out, file_format, quality=quality)
    return out.getvalue()


def _jpeg(picture: Image, quality: int) -> bytes:
    """Progressive and small; noise can outgrow the room that Pillow gives such a file, so then plainly."""
    for better in ({"progressive": True, "optimize": True}, {}):
        out = io.BytesIO()
        try:
            picture.save(out, "JPEG", quality=quality, subsampling=0, **better)
        except OSError:
            if not better:
                raise
        else:
            break
    return out.getvalue()


def flattened(picture: Image, ground: tuple[int, int, int] = (255, 255, 255)) -> Image:
    """The picture on a plain ground, without see-through parts."""
    from PIL import Image

    if picture.mode == "RGB":
        return picture
    under = Image.new("RGB", picture.size, ground)
    over = picture.convert("RGBA")
    under.paste(over, mask=over.getchannel("A"))
    return under
