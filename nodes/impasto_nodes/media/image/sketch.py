"""Small previews of unfinished results, sent in events and not stored as assets."""

import base64
import io

SIDE = 320
_MAX_PIXELS = 16_000_000
_QUALITY = 70


def sketch_of(data: bytes) -> dict[str, str] | None:
    """Return an image as `{"sketch": address}` for `Context.partial`: a JPEG of at most 320 x 320 pixels.

    The address is a data URL of some 20 kB. None if it cannot be decoded, or has more than 16 megapixels.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("JPEG", "PNG", "WEBP")) as image:
            if image.width * image.height > _MAX_PIXELS:
                return None
            image.draft("RGB", (SIDE, SIDE))
            small = image.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    small.thumbnail((SIDE, SIDE))
    out = io.BytesIO()
    small.save(out, "JPEG", quality=_QUALITY)
    return {"sketch": f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode()}"}
