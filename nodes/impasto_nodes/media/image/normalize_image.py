"""Normalize an image for model providers: a format that all of them read, upright, within their size."""

from __future__ import annotations

import io

from impasto_nodes.media.image.image_file import MEDIA_TYPES, Format, decode, encode

MAX_SIDE, MAX_BYTES = 2048, 4_000_000
_UPRIGHT, _ORIENTATION = {0, 1}, 0x0112


def plain(data: bytes, media_type: str) -> tuple[str, bytes]:
    """Return media type and bytes, unchanged if providers take them. NodeError if it is no image."""
    from PIL import Image

    if _will_do(data):
        return media_type, data
    image = decode(data)
    image.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    file_format: Format = "PNG" if image.mode == "RGBA" else "JPEG"
    return MEDIA_TYPES[file_format], encode(image, file_format)


def _will_do(data: bytes) -> bool:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as image:
            return (
                image.format in {"PNG", "JPEG", "WEBP"}
                and image.mode in {"RGB", "RGBA", "L", "LA", "P", "1"}
                and not getattr(image, "is_animated", False)
                and max(image.size) <= MAX_SIDE
                and len(data) <= MAX_BYTES
                and image.getexif().get(_ORIENTATION, 1) in _UPRIGHT
            )
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False
