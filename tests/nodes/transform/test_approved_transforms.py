"""Images with text, logos and products, compared with the images that were approved last."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from tests.fixtures.approved import assert_approved, sheet_of

from impasto import Brand
from impasto_nodes.transform.burn_captions import layer
from impasto_nodes.transform.contact_sheet import sheet
from impasto_nodes.transform.overlay_logo import signed, wordmark
from impasto_nodes.transform.overlay_text import Style, lettered
from impasto_nodes.transform.place_product import placed

APPROVED = Path(__file__).parent / "approved"
POSITIONS = (
    "auto",
    "top left",
    "top",
    "top right",
    "left",
    "centre",
    "right",
    "bottom left",
    "bottom",
    "bottom right",
)


def ground(width: int = 180, height: int = 130) -> Image.Image:
    """A graded wall with a bright window near the bottom left."""
    image = Image.linear_gradient("L").resize((width, height)).convert("RGB")
    pen = ImageDraw.Draw(image)
    for left in range(10, 80, 14):
        pen.rectangle((left, height - 50, left + 6, height - 15), fill=(250, 240, 200))
    return image


def see_through(image: Image.Image) -> Image.Image:
    image = image.convert("RGBA")
    image.putalpha(Image.radial_gradient("L").resize(image.size).point(lambda level: 255 - level))
    return image


def mark(width: int = 60, height: int = 24) -> Image.Image:
    """A logo with an empty margin around it."""
    image = Image.new("RGBA", (width + 10, height + 10), (0, 0, 0, 0))
    ImageDraw.Draw(image).ellipse((5, 5, width + 4, height + 4), outline=(30, 60, 160, 255), width=6)
    return image


def test_text_stands_where_its_position_says() -> None:
    styles = [Style(position, 0.12, "Manrope") for position in POSITIONS]  # type: ignore[arg-type]
    images = [lettered(ground(), "Open on Sunday", style) for style in styles]
    assert_approved(sheet_of(images, 450).convert("RGB"), APPROVED / "text-positions.png")


@pytest.mark.parametrize("busy", ["bottom", "top", "both"])
def test_text_is_set_where_the_image_is_calmest(busy: str) -> None:
    image = Image.new("RGB", (160, 160), (40, 60, 80))
    for top in {"bottom": (110,), "top": (0,), "both": (0, 110)}[busy]:
        for left in range(0, 160, 8):
            image.paste((180, 170, 160), (left, top, left + 4, top + 50))
    drawn = lettered(image, "Calm", Style("auto", 0.15, "Manrope"))
    assert_approved(drawn.reduce(2), APPROVED / f"calm-{busy}.png")


def test_text_has_its_weight_color_width_and_margin() -> None:
    words = "A longer line of words\nthat is wrapped"
    styles = [
        Style("top left", 0.1, "Manrope", "light", (200, 30, 30)),
        Style("bottom right", 0.1, "Source Serif Pro", "italic", None, True),
        Style("centre", 0.2, "Manrope", "bold", (255, 255, 255), False, 0.0, 0.5),
        Style("left", 0.3, "Manrope", "regular", (0, 0, 0), True, 0.2, 1.0),
    ]
    images = [lettered(ground(), words, style) for style in styles]
    images += [lettered(see_through(ground()), words, style) for style in styles]
    images += [lettered(ground(40, 300), words, styles[0]), lettered(ground(90, 20), words, styles[0])]
    assert_approved(sheet_of(images, 360), APPROVED / "text-styles.png")


def test_logo_stands_in_its_corner_with_its_space_and_shade() -> None:
    corners = ("top left", "top right", "bottom left", "bottom right", "centre")
    images = [signed(ground(), mark(), corner, 0.3, 0.05, 1.0) for corner in corners]
    images += [
        signed(ground(), mark(), "bottom right", 0.3, 0.0, 0.4, 1.0),
        signed(ground(), mark(20, 90), "top left", 0.5, 0.1, 1.0),
        signed(see_through(ground()), mark(), "bottom left", 0.6, 0.2, 0.7),
        signed(ground(), Image.new("RGB", (40, 20), (220, 40, 40)), "top right", 0.2, 0.03, 1.0, 3.0),
        signed(ground(30, 90), mark(), "centre", 0.6, 0.05, 1.0, 0.5),
    ]
    assert_approved(sheet_of(images, 450), APPROVED / "logos.png")


def test_the_name_of_a_brand_stands_for_its_logo() -> None:
    sign = wordmark(Brand(brand_name="Northbound Coffee"), 160, (200, 40, 30))
    assert_approved(sign, APPROVED / "wordmark.png")


def test_a_contact_sheet_is_laid_out_in_rows() -> None:
    colors = ("#c03020", "#208040", "#3050b0", "#d0a020", "#702080")
    images = [Image.new("RGB", (90, 60 + 10 * number), color) for number, color in enumerate(colors)]
    images[2] = see_through(images[2])
    look = {"ground": (246, 243, 236), "family": "Source Serif Pro"}
    labels = ["One", " ", "Three words here"]
    pages = [
        sheet(iter(images), 5, labels, "Autumn", columns=0, width=320, gap=0.03, cell="as the first", **look),
        sheet(iter(images), 5, [], "", columns=3, width=320, gap=0.0, cell="4:5", **look),
        sheet(iter(images), 5, labels, " ", columns=5, width=400, gap=0.015, cell="1:1", **look),
    ]
    long = "A label that is far too long for the cell below which it stands, and is cut"
    title = "A rather long title above all the images that were made in a late and golden autumn"
    pages += [
        sheet(iter(images), 5, [long] * 5, title, columns=5, width=480, gap=0.05, cell="3:2", **look),
        sheet(iter(images), 5, [long], title, columns=2, width=320, gap=0.02, cell="16:9", **look),
    ]
    assert_approved(sheet_of(pages, 360).convert("RGB"), APPROVED / "contact-sheets.png")


def test_a_product_stands_on_its_floor_with_two_shadows() -> None:
    bottle = Image.new("RGBA", (60, 120), (0, 0, 0, 0))
    ImageDraw.Draw(bottle).rounded_rectangle((15, 10, 45, 109), 8, fill=(30, 90, 160, 255))
    wall = Image.new("RGB", (180, 130), (226, 220, 210))
    images = [
        placed(wall, bottle, 0.6, 0.5, 0.8, 0.55),
        placed(wall, bottle, 1.0, 0.2, 1.0, 1.0),
        placed(wall, bottle, 0.3, 1.0, 0.4, 0.0),
        placed(wall.resize((40, 160)), bottle.resize((240, 60)), 0.5, 0.5, 0.8, 0.8),
    ]
    assert_approved(sheet_of(images, 300).convert("RGB"), APPROVED / "products.png")


def test_captions_stand_clear_of_what_apps_draw_over_a_video() -> None:
    words = "Open on Sunday, and every other day of the week"
    images = []
    for size in ((160, 90), (90, 160), (100, 100)):
        for place in ("top", "centre", "bottom"):
            looks = ("panel", "shadow") if place == "bottom" else ("panel",)
            images += [layer(words, size, "Manrope", place, look, 0.08) for look in looks]  # type: ignore[arg-type]
    images.append(layer("Go", (60, 40), "Manrope", "bottom", "panel", 0.02))
    assert_approved(sheet_of(images, 320), APPROVED / "captions.png")
