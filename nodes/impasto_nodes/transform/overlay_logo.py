"""Overlay logo: the brand's logo in a corner, with clear space and enough contrast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from impasto import Brand, Context, Image, NodeError, Setting, node
from impasto_nodes.transform.files import brand_fonts, read_image, save_image

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap

_LIGHT, _SEEN = 0.5, 1.8
"""Luminance above which a colour is set on dark grounds; contrast at which a logo is seen."""
_NAME_WIDTH = 800
"""Width in pixels of a brand's name that is drawn as its logo; ads show it smaller."""
Corner = Literal["top left", "top right", "bottom left", "bottom right", "centre"]


@node(
    id="overlay_logo",
    title="Overlay logo",
    category="transform_assets",
    keywords=("watermark", "stamp", "brand mark", "logo", "badge"),
)
def overlay_logo(
    image: Image,
    logo: Image | None = None,
    brand: Brand | None = None,
    *,
    position: Annotated[Corner, Setting(title="Position", widget="select", main=True)] = "bottom right",
    size: Annotated[
        float,
        Setting(
            title="Size", widget="slider", ge=0.04, le=0.6, step=0.01, help="Share of the image's width."
        ),
    ] = 0.18,
    margin: Annotated[float, Setting(title="Clear space", ge=0, le=0.2, step=0.01, advanced=True)] = 0.05,
    opacity: Annotated[
        float, Setting(title="Opacity", widget="slider", ge=0.1, le=1, step=0.05, advanced=True)
    ] = 1.0,
    context: Context,
) -> Image:
    """Put the logo on an image: the connected one, else the brand's; a brand without one signs by name.

    A connected brand that has neither logo nor name leaves the image as it is. A logo that would drown in
    what is behind it gets a soft shade of the opposite lightness.
    """
    if logo is None and brand is None:
        raise NodeError(
            "There is no logo: connect an image, or a brand that has a logo or a name.", code="no_logo"
        )
    if brand is not None and not (logo or brand.logo or brand.logo_dark or brand.brand_name):
        return image
    bitmap = read_image(image, context)
    if logo is None and brand is not None:
        space = brand.clear_space
        legible = _behind(bitmap, position, size, margin, space)
        logo = _logo_for(brand, legible)
    else:
        space = 0.0
    if logo is not None:
        sign = read_image(logo, context)
    else:
        assert brand is not None
        with brand_fonts(brand, brand.main_font, context):
            sign = wordmark(brand, round(bitmap.width * size * 2), legible)
    return save_image(
        signed(bitmap, sign, position, size, margin, opacity, space),
        context,
        like=image,
        name="with-logo",
    )


def signed(
    bitmap: Bitmap,
    sign: Bitmap,
    position: str,
    size: float,
    margin: float,
    opacity: float,
    space: float = 0.0,
) -> Bitmap:
    """The image with the sign on it, at least `space` times its height from every edge if there is room."""
    from PIL import Image

    from impasto_nodes.media.image.legibility import grounds, steadied
    from impasto_nodes.media.image.scaling import scaled_size

    mark = _trimmed(sign.convert("RGBA"))
    # A tall logo is limited by its height, or it would cover half the image.
    scale = min(bitmap.width * size / mark.width, bitmap.height * size * 0.8 / mark.height)
    mark = mark.resize(scaled_size(mark.size, scale), Image.Resampling.LANCZOS)
    mark.putalpha(mark.getchannel("A").point([round(level * opacity) for level in range(256)]))
    left, top = _corner(bitmap.size, mark.size, position, margin, round(mark.height * space))
    box = (left, top, left + mark.width, top + mark.height)
    under, mean = bitmap, _mean(mark)
    if bitmap.mode == "RGB" and mean is not None and grounds(bitmap, box):
        under = steadied(bitmap, box, mean, 2.2)
    out = under.convert("RGBA")
    out.alpha_composite(mark, (left, top))
    return out if bitmap.mode == "RGBA" else out.convert("RGB")


def _trimmed(sign: Bitmap) -> Bitmap:
    box = sign.getchannel("A").getbbox()
    if box is None:
        raise NodeError("The logo is empty: every pixel of it is see-through.", code="empty_logo")
    return sign.crop(box)


def _mean(mark: Bitmap) -> tuple[int, int, int] | None:
    """The logo's colour, when it has a see-through ground and so no ground of its own."""
    import numpy as np

    pixels = np.asarray(mark, np.float32).reshape(-1, 4)
    if (pixels[:, 3] > 200).mean() > 0.92:
        return None
    red, green, blue = np.average(pixels[:, :3], 0, np.maximum(pixels[:, 3], 1e-3))
    return int(red), int(green), int(blue)


def _corner(
    size: tuple[int, int], mark: tuple[int, int], position: str, margin: float, space: int
) -> tuple[int, int]:
    """Return the mark's left and top: `margin` is a share of the short side, `space` is in pixels."""
    room = min((size[0] - mark[0]) // 2, (size[1] - mark[1]) // 2)
    edge = max(round(min(size) * margin), min(space, room))
    if position == "centre":
        return (size[0] - mark[0]) // 2, (size[1] - mark[1]) // 2
    return (
        edge if "left" in position else size[0] - edge - mark[0],
        edge if "top" in position else size[1] - edge - mark[1],
    )


def _behind(bitmap: Bitmap, position: str, size: float, margin: float, space: float) -> tuple[int, int, int]:
    """Return a readable color for the place of a logo that is four times as wide as high."""
    from impasto_nodes.media.image.image_file import flattened
    from impasto_nodes.media.image.legibility import legible

    mark = (round(bitmap.width * size), round(bitmap.width * size * 0.25))
    left, top = _corner(bitmap.size, mark, position, margin, round(mark[1] * space))
    return legible(flattened(bitmap), (left, top, left + mark[0], top + mark[1]))


def _logo_for(brand: Brand, legible: tuple[int, int, int]) -> Image | None:
    """Return the brand's logo for a ground on which `legible` is a readable colour."""
    from impasto_nodes.media.image.color import luminance

    pair = (brand.logo_dark, brand.logo) if luminance(legible) > _LIGHT else (brand.logo, brand.logo_dark)
    return pair[0] or pair[1]


def brand_sign(
    brand: Brand, text: tuple[int, int, int], ground: tuple[int, int, int], context: Context
) -> Bitmap | None:
    """Return the logo for this ground, or the brand's name in the color of the text; None without either.

    The name also stands for a logo that is hardly seen on the ground.
    """
    from impasto_nodes.media.image.color import contrast

    logo = _logo_for(brand, text)
    mark = _trimmed(read_image(logo, context).convert("RGBA")) if logo is not None else None
    if mark is not None and (not brand.brand_name or contrast(_mean(mark) or text, ground) >= _SEEN):
        return mark
    return _trimmed(wordmark(brand, _NAME_WIDTH, text)) if brand.brand_name else mark


def wordmark(brand: Brand, width: int, color: tuple[int, int, int]) -> Bitmap:
    """Return the brand's name as a logo."""
    from PIL import Image

    from impasto_nodes.media.text import typeset
    from impasto_nodes.media.text.typeset import Face

    family = brand.main_font or "Hanken Grotesk"
    block = typeset.fit(
        brand.brand_name, Face(family, "bold", -0.02, 1.0), (width, width), largest=width // 4
    )
    sign = Image.new("RGBA", (block.width + block.size, block.height + block.size), (*color, 0))
    typeset.draw(sign, block, (block.size // 2, block.size // 2), color)
    return sign
