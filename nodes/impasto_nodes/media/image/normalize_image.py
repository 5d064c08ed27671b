"""A picture as services take it: of a kind that all of them read, upright, no larger than they look at."""

from __future__ import annotations

import io

from impasto_nodes.media.image.image_file import MEDIA_TYPES, Format, decode, encode

LONGEST, HEAVIEST = 2048, 4_000_000
_UPRIGHT, _ORIENTATION = {0, 1}, 0x0112


def plain(data: bytes, media_type: str) -> tuple[str, bytes]:
    """Media type and bytes, as they are where that will do. Raises a `NodeError` for what is no picture."""
    from PIL import Image

    if _will_do(data):
        return media_type, data
    picture = decode(data)
    picture.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
    file_format: Format = "PNG" if picture.mode == "RGBA" else "JPEG"
    return MEDIA_TYPES[file_format], encode(picture, file_format)


def _will_do(data: bytes) -> bool:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as picture:
            return (
                picture.format in {"PNG", "JPEG", "WEBP"}
                and picture.mode in {"RGB", "RGBA", "L", "LA", "P", "1"}
                and not getattr(picture, "is_animated", False)
                and max(picture.size) <= LONGEST
                and len(data) <= HEAVIEST
                and picture.getexif().get(_ORIENTATION, 1) in _UPRIGHT
            )
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False
