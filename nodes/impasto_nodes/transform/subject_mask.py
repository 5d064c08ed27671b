"""Subject mask: the mask of the thing in an image, or of all around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from impasto import Context, Image, Mask, NodeError, Setting, node
from impasto_nodes.transform.files import read_image

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap

_MISSING = [255 if level < 250 else 0 for level in range(256)]


@node(
    id="subject_mask",
    title="Subject mask",
    category="transform_assets",
    keywords=("mask", "select subject", "selection", "inpaint", "background", "invert"),
)
def subject_mask(
    image: Image,
    *,
    part: Annotated[
        str, Setting(title="Covers", choices=("subject", "background"), widget="segmented")
    ] = "subject",
    grow: Annotated[
        float, Setting(title="Grow", ge=-5, le=5, step=0.1, unit="%", help="Of the longer side.")
    ] = 0.0,
    feather: Annotated[
        float, Setting(title="Feather", ge=0, le=5, step=0.1, unit="%", help="Of the longer side.")
    ] = 0.0,
    context: Context,
) -> Mask:
    """The mask of the main thing in an image, or of its background, for an edit of that part.

    The thing is found as by "Remove background"; in an image that is see-through, it is what is not.
    """
    found, method, size = _subject(image, context)
    found = _shaped(found, grow, feather)
    if part == "background":
        found = found.point([255 - level for level in range(256)])
    if found.getbbox() is None:
        raise NodeError(f"The mask of the {part} is empty: choose the other part.", code="nothing_found")
    return _stored(found.resize(size) if found.size != size else found, method, context)


def _subject(image: Image, context: Context) -> tuple[Bitmap, str, tuple[int, int]]:
    """Return the subject in white, at most 1024 pixels a side; how it was found; the size of the image."""
    import numpy as np
    from PIL import Image as Pillow

    from impasto_nodes.media.image.matting import matte

    bitmap = read_image(image, context)
    if bitmap.mode == "RGBA" and bitmap.getchannel("A").point(_MISSING).getbbox():
        alpha = bitmap.getchannel("A")
        alpha.thumbnail((1024, 1024))
        return alpha, "already see-through", bitmap.size
    context.progress(0.1)
    opacity, method = matte(bitmap)
    if float(opacity.max()) < 0.5:
        raise NodeError(
            "Nothing stands out from the background of this image.", code="nothing_found", detail=method
        )
    return Pillow.fromarray((opacity * 255).round().astype(np.uint8)), method, bitmap.size


def _shaped(mask: Bitmap, grow: float, feather: float) -> Bitmap:
    """Return the mask grown (or shrunk, below 0) and feathered by shares of its longer side, in percent."""
    from PIL import ImageFilter

    reach = round(grow / 100 * max(mask.size))
    # A square of 2n + 1 pixels is as n squares of 3, and those take the same time on any content.
    for _ in range(reach):
        mask = mask.filter(ImageFilter.MaxFilter(3))
    for _ in range(-reach):
        mask = mask.filter(ImageFilter.MinFilter(3))
    radius = feather / 100 * max(mask.size)
    return mask.filter(ImageFilter.GaussianBlur(radius)) if radius else mask


def _stored(mask: Bitmap, method: str, context: Context) -> Mask:
    import io

    out = io.BytesIO()
    mask.save(out, "PNG")
    context.record_generation(provider="local", model=method, method="enhanced")
    width, height = mask.size
    stored = context.sync.store(out.getvalue(), "image/png", name="mask.png", width=width, height=height)
    assert isinstance(stored, Image)
    return Mask(image=stored)
