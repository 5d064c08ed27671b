"""Place product: a cut-out product in a scene, standing on the ground with a shadow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from impasto import Context, Image, NodeError, Setting, node
from impasto_nodes.transform.files import read_image, save_image

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap


@node(
    id="place_product",
    title="Place product",
    category="transform_assets",
    keywords=("composite", "packshot", "insert product", "overlay", "mockup"),
)
def place_product(
    ground: Image,
    product: Image,
    *,
    size: Annotated[
        float,
        Setting(
            title="Size", widget="slider", ge=0.1, le=1, step=0.05, help="Share of the height.", main=True
        ),
    ] = 0.55,
    across: Annotated[float, Setting(title="Across", widget="slider", ge=0, le=1, step=0.05)] = 0.5,
    floor: Annotated[
        float,
        Setting(
            title="Floor", widget="slider", ge=0.2, le=1, step=0.05, help="Where it stands, from the top."
        ),
    ] = 0.8,
    shadow: Annotated[float, Setting(title="Shadow", widget="slider", ge=0, le=1, step=0.05)] = 0.55,
    context: Context,
) -> Image:
    """Stand a product in a set: scaled, with a contact shadow and a soft one to the side.

    The product should be see-through around itself: put *Remove background* before it.
    """
    scene, thing = read_image(ground, context), read_image(product, context)
    return save_image(placed(scene, thing, size, across, floor, shadow), context, like=ground, name="placed")


def placed(scene: Bitmap, thing: Bitmap, size: float, across: float, floor: float, shadow: float) -> Bitmap:
    """Return the scene with the product."""
    from PIL import Image

    from impasto_nodes.media.image.scaling import scaled_size

    cut = thing.convert("RGBA")
    box = cut.getchannel("A").point([0 if level < 16 else 255 for level in range(256)]).getbbox()
    if box is None:
        raise NodeError("The product is empty: every pixel of it is see-through.", code="empty_product")
    cut = cut.crop(box)
    scale = min(scene.height * size / cut.height, scene.width * 0.9 / cut.width)
    cut = cut.resize(scaled_size(cut.size, scale), Image.Resampling.LANCZOS)
    left = round(scene.width * across - cut.width / 2)
    top = round(scene.height * floor) - cut.height
    page = _shaded(scene.convert("RGB"), (left, top, left + cut.width, top + cut.height), shadow)
    layer = Image.new("RGBA", page.size)
    layer.paste(cut, (left, top))
    return Image.alpha_composite(page.convert("RGBA"), layer).convert("RGB")


def _shaded(scene: Bitmap, box: tuple[int, int, int, int], strength: float) -> Bitmap:
    """Draw a dark contact shadow on the ground, and a soft shadow beside it."""
    from PIL import Image, ImageDraw, ImageFilter

    left, _, right, bottom = box
    wide = right - left
    mask = Image.new("L", scene.size)
    pen = ImageDraw.Draw(mask)
    pen.ellipse(
        (left + wide * 0.02, bottom - wide * 0.07, right + wide * 0.38, bottom + wide * 0.09),
        fill=round(150 * strength),
    )
    mask = mask.filter(ImageFilter.GaussianBlur(max(2.0, wide * 0.07)))
    touch = Image.new("L", scene.size)
    ImageDraw.Draw(touch).ellipse(
        (left + wide * 0.06, bottom - wide * 0.04, right - wide * 0.04, bottom + wide * 0.035),
        fill=round(235 * strength),
    )
    touch = touch.filter(ImageFilter.GaussianBlur(max(1.5, wide * 0.022)))
    dark = Image.new("RGB", scene.size, (14, 11, 9))
    return Image.composite(dark, Image.composite(dark, scene, mask), touch)
