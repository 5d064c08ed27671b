"""Remove background: the thing alone, on nothing or on a colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from impasto import Context, Image, NodeError, Setting, node
from impasto_nodes.transform.files import read_image, save_image

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap


_MISSING = [255 if level < 250 else 0 for level in range(256)]


@node(
    id="remove_background",
    title="Remove background",
    category="transform_assets",
    keywords=("cut out", "cutout", "matting", "transparent", "isolate", "mask"),
)
def remove_background(
    image: Image,
    *,
    ground: Annotated[
        str, Setting(title="New ground", widget="colour", help="A colour to lay it on. Empty: see-through.")
    ] = "",
    trim: Annotated[bool, Setting(title="Trim", help="Cut away what is empty around it.")] = False,
    context: Context,
) -> Image:
    """Cut the main thing out of an image.

    A small network that runs on this machine finds it. Where that network is not installed, what differs
    from the colours of the border is kept: good for plain backgrounds, and said so in the result's lineage.
    """
    from impasto_nodes.media.image.matting import cut_out, matte

    bitmap = read_image(image, context)
    if bitmap.mode == "RGBA" and bitmap.getchannel("A").point(_MISSING).getbbox():
        alone, method = bitmap, "already see-through"
    else:
        context.progress(0.1)
        mask, method = matte(bitmap)
        if float(mask.max()) < 0.5:
            raise NodeError(
                "Nothing stands out from the background of this image.", code="nothing_found", detail=method
            )
        alone = cut_out(bitmap, mask)
    del bitmap  # frees as much memory as the result takes
    context.record_generation(provider="local", model=method, method="enhanced")
    if trim:
        alone = alone.crop(
            alone.getchannel("A").point([0 if level < 8 else 255 for level in range(256)]).getbbox()
        )
    return save_image(_on(alone, ground), context, name="cut-out")


def _on(bitmap: Bitmap, ground: str) -> Bitmap:
    from impasto_nodes.media.image.color import from_hex, is_hex
    from impasto_nodes.media.image.image_file import flattened

    if not ground.strip():
        return bitmap
    if not is_hex(ground):
        raise NodeError(f"'{ground}' is not a colour. Write it like #de4f2a.", code="bad_colour")
    return flattened(bitmap, from_hex(ground))
