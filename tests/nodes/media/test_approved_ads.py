"""Ads of every design, compared with the images and the places of their parts that were approved last."""

import json
import os
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from tests.fixtures.approved import assert_approved, sheet_of

from impasto_nodes.media.ad.colors import colors_for
from impasto_nodes.media.ad.drawing import draw_ad
from impasto_nodes.media.ad.format import Format
from impasto_nodes.media.ad.layout import DESIGNS, AdTexts, Design, lay_out
from impasto_nodes.media.image.color import from_hex

APPROVED = Path(__file__).parent / "approved"
PALETTE = [from_hex(text) for text in ("#0b6e4f", "#f4e9cd", "#fa9f42", "#14213d")]
STORY = (0.06, 0.14, 0.06, 0.20)
FORMATS = (
    Format(180, 180),
    Format(144, 180),
    Format(120, 214, STORY),
    Format(240, 126),
    Format(240, 136, (0.0, 0.0, 0.1, 0.1)),
    Format(364, 46),
    Format(900, 160),
    Format(80, 300),
)
LARGE = (
    Format(1080, 1080),
    Format(1080, 1350),
    Format(1080, 1920, STORY),
    Format(1200, 628),
    Format(728, 90),
    Format(970, 250),
    Format(300, 250),
    Format(160, 600),
    Format(121, 121),
    Format(320, 50),
    Format(600, 149),
    Format(600, 150),
)
BOAT = (0.12, 0.37, 0.39, 0.72)
WORDS = {
    "from-the-left": AdTexts("Open on Sunday", "First ride free", "Book now", "Acme Ltd, Leeds", 3.0, 0.6),
    "from-the-right": AdTexts("متجر عطور جديد", "خصم ٢٠٪ اليوم", "اطلب", "دبي", 2.0),
    "few-words": AdTexts("Sale"),
    "many-words": AdTexts(
        "Our new cargo bikes carry everything",
        "Try one for a whole weekend, free of charge until Sunday",
        "Reserve yours now",
        "Radwerk GmbH, Leipzig. Offer valid while stocks last.",
        7.0,
        1.2,
    ),
}
PLACED_WORDS = WORDS | {
    "no-sign": AdTexts("Open on Sunday and Monday", "First ride free", "Book now"),
    "no-call": AdTexts("Open on Sunday and Monday", "First ride free", "", "", 3.0, 1.2),
}


def photo() -> Image.Image:
    """A red boat off the middle of a graded lake."""
    image = Image.linear_gradient("L").resize((320, 240)).rotate(180).convert("RGB")
    ImageDraw.Draw(image).rectangle((40, 90, 120, 170), fill=(190, 40, 30))
    return image


def product() -> Image.Image:
    image = Image.new("RGB", (200, 160), (250, 250, 248))
    image.paste((30, 60, 160), (30, 50, 130, 110))
    return image


def cutout() -> Image.Image:
    image = Image.new("RGBA", (160, 160), (0, 0, 0, 0))
    ImageDraw.Draw(image).ellipse((30, 10, 110, 150), fill=(200, 150, 30, 255))
    return image


def sign() -> Image.Image:
    image = Image.new("RGBA", (90, 30), (0, 0, 0, 0))
    ImageDraw.Draw(image).ellipse((0, 0, 89, 29), fill=(220, 30, 90, 255))
    return image


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("design", DESIGNS)
def test_an_ad_looks_as_approved(design: Design, words: str) -> None:
    image = {"from-the-left": photo, "from-the-right": cutout, "few-words": product}.get(words, photo)()
    subject = BOAT if words in {"from-the-left", "many-words"} else None
    ads = []
    for page in FORMATS:
        layout = lay_out(WORDS[words], page, design, "Hanken Grotesk", image_ratio=image.width / image.height)
        ads.append(draw_ad(layout, image, colors_for(PALETTE, design), sign(), subject))
    assert_approved(sheet_of(ads, 460).convert("RGB"), APPROVED / f"ad-{design}-{words}.png")


@pytest.mark.parametrize("words", PLACED_WORDS)
def test_the_parts_of_an_ad_are_where_they_were_approved(words: str) -> None:
    """Of pages in their real sizes, where a part that moves by a hundredth of the page does so visibly."""
    file = APPROVED / f"ad-places-{words}.json"
    found = {}
    for design in DESIGNS:
        for page in LARGE:
            layout = lay_out(PLACED_WORDS[words], page, design, "Hanken Grotesk", image_ratio=0.8)
            parts = {name: list(box) for name, box in layout.boxes.items()} | {"panel": list(layout.panel)}
            if layout.call is not None:
                parts["call"] = list(layout.call.box)
            parts["size"] = [layout.headline.block.size]
            found[f"{design} {page.width} x {page.height}"] = parts
    if os.environ.get("IMPASTO_APPROVE"):
        lines = (f"  {json.dumps(name)}: {json.dumps(parts)}" for name, parts in found.items())
        file.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    assert found == json.loads(file.read_text())


def test_the_boxes_of_an_ad_are_named() -> None:
    def named(words: str, page: Format) -> list[str]:
        layout = lay_out(WORDS[words], page, "card", "Manrope")
        return sorted(layout.boxes)

    everything = ["button", "headline", "image", "legal", "offer", "sign"]
    assert named("from-the-left", Format(240, 300)) == everything
    assert named("from-the-left", Format(364, 46)) == ["button", "headline", "image", "sign"]
    assert named("from-the-left", Format(900, 160)) == ["button", "headline", "image", "offer", "sign"]
    assert named("few-words", Format(240, 300)) == ["headline", "image"]


@pytest.mark.parametrize("page", [Format(240, 126), Format(364, 46), Format(900, 160), Format(180, 180)])
@pytest.mark.parametrize("design", DESIGNS)
def test_right_to_left_text_mirrors_the_place_of_the_image(design: Design, page: Format) -> None:
    left, right = (
        lay_out(WORDS[words], page, design, "Manrope", image_ratio=0.8)
        for words in ("from-the-left", "from-the-right")
    )
    image = right.image
    assert (left.is_from_the_right, right.is_from_the_right) == (False, True)
    assert left.image[1::2] == image[1::2]
    assert abs(left.image.left - (page.width - image.right)) <= 1
    assert abs(left.image.right - (page.width - image.left)) <= 1
