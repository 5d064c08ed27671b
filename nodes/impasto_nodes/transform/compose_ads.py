"""Compose ads: image, headline, offer and call to action, laid out for each size of a channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from impasto import Brand, Context, Image, NodeError, Port, Setting, Text, node
from impasto_nodes.transform.channels import PACKS
from impasto_nodes.transform.files import (
    brand_fonts,
    read_image,
    refuse_lost_letters,
    report_missing_font,
    save_image,
)
from impasto_nodes.transform.overlay_logo import brand_sign

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PIL.Image import Image as Bitmap

    from impasto_nodes.media.image.color import RGB

Channel = Literal[
    "Instagram",
    "Facebook",
    "TikTok",
    "YouTube",
    "LinkedIn",
    "X",
    "Pinterest",
    "Display ads",
    "Website",
]
MAX_VARIATIONS = 24
_FAMILIES = ("Hanken Grotesk", "Red Hat Display", "Manrope", "Hanken Grotesk")


def _expected(settings: Mapping[str, object], inputs: Mapping[str, object]) -> dict[str, float]:
    lists = (inputs.get("images"), inputs.get("headlines"))
    number = max((len(each) for each in lists if isinstance(each, list)), default=1)
    return {"usd": 0.0, "seconds": 0.4 * number * len(PACKS[str(settings["sizes"])])}


@node(
    id="compose_ads",
    title="Compose ads",
    category="transform_assets",
    keywords=("advert", "banner", "headline", "call to action", "placement", "layout", "safe area"),
    cost=_expected,
)
def compose_ads(
    images: Annotated[list[Image], Port(title="Images", help="Each is the subject of a variation.")],
    headlines: Annotated[list[Text], Port(title="Headlines", help="One for each variation, in turn.")],
    offer: Annotated[Text, Port(title="Offer", help="A line below the headline.")] = "",
    calls: Annotated[
        list[Text] | None, Port(title="Calls to action", help="The button's text, in turn.")
    ] = None,
    brand: Annotated[Brand | None, Port(title="Brand", help="Colours, font, logo and legal line.")] = None,
    product: Annotated[
        Image | None, Port(title="Product", help="The photo that the images show: no ad cuts its subject.")
    ] = None,
    *,
    sizes: Annotated[
        Channel, Setting(title="Sizes", widget="select", help="Every size of a channel.", main=True)
    ] = "Instagram",
    context: Context,
) -> Annotated[list[Image], Port(title="Ads")]:
    """Set headline, offer and call to action beside an image, composed for each size of a channel.

    There are as many variations as images or headlines, whichever are more, in four designs by turns; at most
    24. Nothing covers the image, and every text is inside the part that the channel's own buttons leave free.
    Colours are the brand's, the main one on every ad; without a brand they are taken from the image.
    """
    said = [text.strip() for text in headlines if text.strip()]
    if not images or not said:
        missing = "an image" if not images else "a headline"
        raise NodeError(f"An ad needs {missing}: connect one.", code="required_input")
    number = max(len(images), len(said))
    if number > MAX_VARIATIONS:
        raise NodeError(
            f"{len(images)} images and {len(said)} headlines would make {number} variations. "
            f"Connect at most {MAX_VARIATIONS} of each.",
            code="too_many_variations",
        )
    family = brand.main_font if brand else ""
    buttons = [text.strip() for text in calls or () if text.strip()] or [""]
    made = []
    with brand_fonts(brand, family, context):
        refuse_lost_letters(" ".join([*said, offer, *buttons]), family or _FAMILIES[0], "black")
        if family:
            report_missing_font(family, context)
        for at in range(number):
            bitmap = read_image(images[at % len(images)], context)
            texts = (said[at % len(said)], offer.strip(), buttons[at % len(buttons)])
            made += _variation(at, bitmap, texts, brand, sizes, context, has_product=product is not None)
            context.progress((at + 1) / number, f"{at + 1} of {number}")
    return made


def _variation(
    at: int,
    bitmap: Bitmap,
    texts: tuple[str, str, str],
    brand: Brand | None,
    sizes: Channel,
    context: Context,
    *,
    has_product: bool,
) -> list[Image]:
    """Draw one variation in every size."""
    from impasto_nodes.media.ad.colors import colors_for
    from impasto_nodes.media.ad.drawing import draw_ad, subject_of
    from impasto_nodes.media.ad.format import Format
    from impasto_nodes.media.ad.layout import DESIGNS, AdTexts, lay_out

    design = DESIGNS[at % len(DESIGNS)]
    colors = colors_for(_palette(bitmap, brand), design)
    family = (brand.main_font if brand else "") or _FAMILIES[at % len(_FAMILIES)]
    sign = brand_sign(brand, colors.text, colors.ground, context) if brand else None
    said = AdTexts(
        *texts,
        legal=brand.legal_line if brand else "",
        sign_ratio=sign.width / sign.height if sign else 0.0,
        sign_space=brand.clear_space if brand else 0.0,
    )
    subject = subject_of(bitmap) if has_product else None
    made = []
    for placement in PACKS[sizes]:
        page = Format(placement.width, placement.height, placement.safe)
        layout = lay_out(said, page, design, family, image_ratio=bitmap.width / bitmap.height)
        ad = draw_ad(layout, bitmap, colors, sign, subject)
        made.append(save_image(ad, context, name=f"ad-{at + 1}-{placement.name}"))
    return made


def _palette(bitmap: Bitmap, brand: Brand | None) -> list[RGB]:
    """Return the brand's colors, or those of the image, a colourful one of medium lightness first."""
    from impasto_nodes.media.image.color import chroma, from_hex, is_hex, lightness
    from impasto_nodes.transform.palette import colors_of

    own = [from_hex(text) for text in brand.palette if is_hex(text)] if brand else []
    if own:
        return own
    found = [from_hex(entry["hex"]) for entry in colors_of(bitmap, 5)]
    return sorted(found, key=lambda color: abs(lightness(color) - 0.5) - 2 * chroma(color))
