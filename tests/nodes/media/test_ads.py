"""Ads by their boxes: every text in the safe area of its channel, nothing on anything else, all readable."""

from itertools import combinations, product

import numpy as np
import pytest
from PIL import Image
from tests.fixtures.tables import diagonals

from impasto_nodes.media.ad import drawing
from impasto_nodes.media.ad.colors import colors_for
from impasto_nodes.media.ad.drawing import draw_ad, fitted
from impasto_nodes.media.ad.format import Box, Format
from impasto_nodes.media.ad.layout import DESIGNS, AdLayout, AdTexts, lay_out
from impasto_nodes.media.image.color import contrast, difference, from_hex
from impasto_nodes.media.image.subject import subject_box
from impasto_nodes.transform.channels import PACKS

TEXTS = {
    "en": ("First visit free until June", "Gentle check-ups, whitening and implants", "Book an appointment"),
    "de": ("Unser neuer Lastenrad-Laden in Leipzig", "Probefahrt gratis bis Sonntag", "Termin vereinbaren"),
    "pt": ("A nossa nova bicicleta de carga", "Entrega grátis até domingo", "Marque a sua consulta"),
    "ja": ("京都の新しいラーメン店", "日曜日まで味玉を無料でお付けします", "お問い合わせください"),
    "ar": ("متجر عطور جديد في دبي", "خصم ٢٠٪ حتى نهاية الأسبوع", "استفيدوا من العرض"),
    "hi": ("जयपुर में नई ट्यूशन कक्षाएँ", "पहला सप्ताह मुफ़्त, सीटें सीमित हैं", "हमसे संपर्क करें"),
}
PLACEMENTS = [placement for pack in PACKS.values() for placement in pack]
PALETTE = [from_hex(text) for text in ("#0b6e4f", "#f4e9cd", "#fa9f42", "#14213d")]


def composed(language: str, placement: object, design: str, ratio: float = 0.8) -> AdLayout:
    texts = AdTexts(*TEXTS[language], "Radwerk GmbH, Leipzig", 3.5)
    page = Format(placement.width, placement.height, placement.safe)  # type: ignore[attr-defined]
    return lay_out(texts, page, design, "Hanken Grotesk", image_ratio=ratio)  # type: ignore[arg-type]


def is_inside(inner: Box, outer: Box) -> bool:
    return inner.within(outer) == inner


def is_apart(one: Box, other: Box) -> bool:
    both = one.within(other)
    return both.width <= 0 or both.height <= 0


@pytest.mark.parametrize(
    ("language", "place"), diagonals(product(TEXTS, (placement.name for placement in PLACEMENTS)), 3)
)
def test_texts_are_in_the_safe_area_and_nothing_covers_anything(language: str, place: str) -> None:
    placement = next(placement for placement in PLACEMENTS if placement.name == place)
    for design in DESIGNS:
        layout = composed(language, placement, design)
        safe = layout.format.safe_box
        for name, box in layout.boxes.items():
            if name != "image":
                assert is_inside(box, safe), (design, name)
                assert is_inside(box, layout.panel), (design, name)
        for (name, box), (other_name, other) in combinations(layout.boxes.items(), 2):
            assert is_apart(box, other), (design, name, other_name)
        assert layout.call is not None
        assert layout.button is not None
        assert is_inside(layout.call.box, layout.button)
        for line in (layout.headline, layout.call):
            assert "…" not in line.block.lines[-1], (design, line.block.lines)


LONG_NAME = AdTexts("東京・神田の法律事務所「松本総合法律事務所」", "初回30分無料", "お問い合わせください")


@pytest.mark.parametrize("design", DESIGNS)
def test_an_offer_is_smaller_than_its_headline(design: str) -> None:
    for placement in PACKS["Instagram"]:
        page = Format(placement.width, placement.height, placement.safe)
        layout = lay_out(LONG_NAME, page, design, "Hanken Grotesk", image_ratio=0.8)  # type: ignore[arg-type]
        assert layout.offer is not None
        smallest = round(page.unit * 0.026)
        assert layout.offer.block.size <= max(smallest, layout.headline.block.size * 0.85), placement.name


@pytest.mark.parametrize("design", DESIGNS)
def test_a_button_stays_on_one_line_if_slightly_smaller_type_does(design: str) -> None:
    for placement in PACKS["Instagram"]:
        page = Format(placement.width, placement.height, placement.safe)
        layout = lay_out(LONG_NAME, page, design, "Hanken Grotesk", image_ratio=0.8)  # type: ignore[arg-type]
        assert layout.call is not None
        assert len(layout.call.block.lines) == 1, placement.name


@pytest.mark.parametrize("space", [0.5, 1.0])
def test_logo_has_the_clear_space_of_its_brand(space: float) -> None:
    for language in ("de", "ar"):
        said = AdTexts(*TEXTS[language], "Radwerk GmbH, Leipzig", 3.5, space)
        for placement in (*PACKS["Instagram"], *PACKS["TikTok"], *PACKS["Display ads"]):
            page = Format(placement.width, placement.height, placement.safe)
            for design in DESIGNS:
                layout = lay_out(said, page, design, "Hanken Grotesk", image_ratio=0.8)
                boxes = layout.boxes
                if (sign := boxes.pop("sign", None)) is None:
                    continue
                around = sign.inset(1 - round(sign.height * space))
                for name, box in boxes.items():
                    assert is_apart(around, box), (language, placement.name, design, name)
                if not page.is_strip:
                    assert is_inside(around, Box(0, 0, page.width, page.height)), (placement.name, design)


@pytest.mark.parametrize("language", TEXTS)
def test_type_is_large_enough_to_be_read(language: str) -> None:
    for placement in (*PACKS["Instagram"], *PACKS["TikTok"]):
        for design in DESIGNS:
            layout = composed(language, placement, design)
            unit = layout.format.unit
            assert layout.headline.block.size >= unit * 0.04, (placement.name, design)
            assert layout.call is not None
            assert layout.call.block.size >= unit * 0.024, (placement.name, design)
            assert layout.offer is not None
            assert layout.offer.block.size >= unit * 0.024, (placement.name, design)


@pytest.mark.parametrize("design", DESIGNS)
def test_formats_are_not_crops_of_one_another(design: str) -> None:
    square, upright, story = (composed("en", placement, design) for placement in PACKS["Instagram"])
    places = {
        (layout.headline.box.left / layout.format.width, layout.headline.box.top / layout.format.height)
        for layout in (square, upright, story)
    }
    assert len(places) == 3
    assert square.is_side_by_side
    assert not upright.is_side_by_side


@pytest.mark.parametrize(
    "palette", [PALETTE, PALETTE[:1], [(222, 79, 42)], [(250, 250, 250), (20, 20, 20)], []]
)
@pytest.mark.parametrize("design", DESIGNS)
def test_every_text_reads_on_its_ground(design: str, palette: list[tuple[int, int, int]]) -> None:
    colors = colors_for(palette, design)  # type: ignore[arg-type]
    assert contrast(colors.text, colors.ground) >= 4.5
    assert contrast(colors.label, colors.button) >= 4.5
    assert difference(colors.button, colors.ground) > 8


@pytest.mark.parametrize("design", DESIGNS)
def test_brand_colors_have_their_share_of_each_ad(design: str) -> None:
    image = Image.new("RGB", (400, 500), (120, 118, 116))
    for placement in PACKS["Instagram"]:
        layout = composed("de", placement, design)
        ad = draw_ad(layout, image, colors_for(PALETTE, design), None)  # type: ignore[arg-type]
        pixels = np.asarray(ad.resize((108, 135), Image.Resampling.NEAREST), int).reshape(-1, 3)
        shares = [float((np.abs(pixels - color).max(1) < 12).mean()) for color in PALETTE]
        assert shares[0] > (0.25 if design in {"split", "arch"} else 0.01), placement.name
        assert sum(shares) > 0.3, placement.name


def test_product_on_an_even_ground_is_shown_whole() -> None:
    photo = Image.new("RGB", (1000, 800), (250, 250, 248))
    photo.paste((200, 30, 30), (100, 250, 900, 550))
    for placement in (*PACKS["Instagram"], *PACKS["Website"]):
        for design in DESIGNS:
            layout = composed("en", placement, design, 1.25)
            ad = np.asarray(draw_ad(layout, photo, colors_for(PALETTE, design), None), int)
            red = (ad[..., 0] > 150) & (ad[..., 1] < 80) & (ad[..., 2] < 80)
            rows, columns = np.nonzero(red)
            across, down = columns.max() - columns.min() + 1, rows.max() - rows.min() + 1
            assert across / down == pytest.approx(800 / 300, rel=0.05), (placement.name, design)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_strip_is_an_image_beside_the_ground(design: str) -> None:
    placement = next(one for one in PACKS["Display ads"] if one.name == "display-leaderboard")
    layout, colors = composed("de", placement, design), colors_for(PALETTE, design)  # type: ignore[arg-type]
    ad = draw_ad(layout, Image.new("RGB", (400, 500), (120, 118, 116)), colors, None)
    beside = [ad.getpixel((layout.image.right + 1, y)) for y in range(ad.height)]
    assert set(beside) == {colors.ground}


def test_a_headline_too_long_for_a_banner_costs_the_offer_first() -> None:
    texts = AdTexts("A rather long headline about whitening", "And an offer", "Book now")
    layout = lay_out(texts, Format(320, 50), "split", "Hanken Grotesk")
    assert layout.offer is None
    assert "…" not in "".join(layout.headline.block.lines)


def test_a_headline_of_emoji_alone_leaves_its_place_empty() -> None:
    texts = AdTexts("🎉", "offer " * 60, "Book now " * 5, "Legal " * 30, 7.0, 1.2)
    layout = lay_out(texts, Format(1080, 1080), "split", "Hanken Grotesk")
    assert layout.headline.block.lines == ()
    assert "button" in layout.boxes


@pytest.mark.parametrize("design", DESIGNS)
def test_a_call_that_no_page_has_room_for_costs_neither_offer_nor_legal_line(design: str) -> None:
    said = AdTexts(*TEXTS["en"][:2], "Book an appointment " * 30, "Radwerk GmbH, Leipzig")
    for placement in PACKS["Instagram"]:
        page = Format(placement.width, placement.height, placement.safe)
        layout = lay_out(said, page, design, "Hanken Grotesk")  # type: ignore[arg-type]
        assert layout.call is not None
        assert layout.call.block.lines[-1].endswith("…")
        assert layout.offer is not None, placement.name
        assert layout.legal is not None, placement.name


def test_tiny_thing_on_a_large_even_ground_is_not_enlarged_without_limit(monkeypatch):
    monkeypatch.setattr(drawing, "_MAX_PIXELS", 1_000_000)
    sizes, resize = [], Image.Image.resize

    def noted(image, size, *args, **more):
        sizes.append(size)
        return resize(image, size, *args, **more)

    monkeypatch.setattr(Image.Image, "resize", noted)
    image = Image.new("RGB", (800, 800), "white")
    image.paste((0, 0, 0), (300, 300, 400, 400))
    assert fitted(image, (400, 400), (0.0, 0.0, 0.0, 0.0), (9, 9, 9)).size == (400, 400)
    assert max(width * height for width, height in sizes) <= 1_000_000


def box_of_image(
    shape: tuple[int, int],
    size: tuple[int, int],
    insets: tuple[float, float, float, float],
    subject: tuple[float, float, float, float] | None = None,
) -> tuple[int, int, int, int]:
    """Return where in a light field of a size an image of dark noise is seen."""
    noise = np.random.default_rng(1).integers(0, 120, (shape[1], shape[0], 3), np.uint8)
    page = np.asarray(fitted(Image.fromarray(noise), size, insets, (250, 250, 250), subject), int)
    rows, columns = np.nonzero((page < 250).all(2))
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


@pytest.mark.parametrize(
    ("shape", "size", "box"),
    [((400, 40), (101, 201), (0, 95, 101, 105)), ((40, 400), (201, 101), (95, 0, 105, 101))],
    ids=["wide", "tall"],
)
def test_an_image_that_a_crop_would_lose_stands_whole_in_the_middle_of_the_field(
    shape: tuple[int, int], size: tuple[int, int], box: tuple[int, int, int, int]
) -> None:
    assert box_of_image(shape, size, (0.0, 0.0, 0.0, 0.0)) == box


@pytest.mark.parametrize(
    ("shape", "subject", "size", "insets", "box"),
    [
        ((300, 600), (0.1, 0, 0.9, 1), (501, 200), (0.1, 0, 0.3, 0), (150, 0, 250, 200)),
        ((600, 300), (0, 0.1, 1, 0.9), (200, 501), (0, 0.1, 0, 0.3), (0, 150, 200, 250)),
    ],
    ids=["beside", "above and below"],
)
def test_a_subject_that_no_crop_holds_stands_in_the_middle_of_the_safe_part_of_the_field(
    shape: tuple[int, int],
    subject: tuple[float, float, float, float],
    size: tuple[int, int],
    insets: tuple[float, float, float, float],
    box: tuple[int, int, int, int],
) -> None:
    assert box_of_image(shape, size, insets, subject) == box


@pytest.mark.parametrize(("rim", "even"), [(2, False), (3, True)])
def test_the_ground_is_even_if_a_thin_border_has_one_color(rim: int, even: bool) -> None:
    image = Image.fromarray(np.random.default_rng(1).integers(0, 255, (96, 96, 3), np.uint8))
    for box in ((0, 0, 96, rim), (0, 96 - rim, 96, 96), (0, 0, rim, 96), (96 - rim, 0, 96, 96)):
        image.paste((240, 230, 220), box)
    assert drawing.even_rim(image) == ((240, 230, 220) if even else None)


def test_a_few_marks_or_a_light_shade_on_the_border_leave_it_even() -> None:
    image = Image.new("RGB", (96, 96), (200, 190, 180))
    image.paste((209, 190, 180), (0, 0, 40, 96))
    assert drawing.even_rim(image) == (200, 190, 180)
    image.paste((210, 190, 180), (0, 0, 40, 96))
    assert drawing.even_rim(image) is None
    marked = Image.new("RGB", (96, 96), (200, 190, 180))
    marked.paste((0, 0, 0), (0, 40, 3, 56))
    assert drawing.even_rim(marked) == (200, 190, 180)
    marked.paste((0, 0, 0), (0, 40, 3, 66))
    assert drawing.even_rim(marked) is None


def test_an_image_with_a_transparent_pixel_is_a_cut_out() -> None:
    image = Image.new("RGBA", (8, 8), (9, 9, 9, 255))
    image.putpixel((3, 3), (9, 9, 9, 200))
    assert drawing.is_see_through(image) is False
    image.putpixel((3, 3), (9, 9, 9, 199))
    assert drawing.is_see_through(image) is True
    assert drawing.is_see_through(image.convert("RGB")) is False
    assert drawing.subject_of(image) is None
    assert drawing.subject_of(Image.new("RGB", (80, 80), "white")) is None


def test_a_thing_that_is_shown_whole_is_no_subject_of_a_photo() -> None:
    product = Image.new("RGB", (80, 80), "white")
    product.paste((200, 30, 30), (20, 20, 50, 60))
    assert subject_box(product, with_network=False) is not None
    assert drawing.subject_of(product) is None
    cut = Image.effect_noise((80, 80), 90).convert("RGBA")
    cut.putalpha(product.getchannel("G").point(lambda level: 255 - level))
    assert drawing.subject_of(cut) is None


def on_two_greys(edge: int, thing: tuple[int, int, int, int], turn: Image.Transpose | None) -> Image.Image:
    """Return a photo of a blue thing on a ground that is slightly darker right of `edge`, turned."""
    photo = Image.new("RGB", (200, 200), (250, 250, 250))
    photo.paste((244, 244, 244), (edge, 0, 200, 200))
    photo.paste((30, 60, 160), thing)
    return photo if turn is None else photo.transpose(turn)


@pytest.mark.parametrize("turn", [None, Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180])
def test_the_ground_of_a_photo_fades_into_that_of_the_ad(turn: Image.Transpose | None) -> None:
    photo = on_two_greys(100, (60, 60, 140, 140), turn)
    page = np.asarray(fitted(photo, (500, 500), (0.0, 0.0, 0.0, 0.0), (9, 9, 9)).convert("L"), int)
    for row in (page[20], page[480], page[:, 20], page[:, 480]):
        assert np.abs(np.diff(row)).max() <= 2
    blue = page < 150
    rows, columns = np.nonzero(blue)
    assert (rows.min() + rows.max(), columns.min() + columns.max()) == (
        pytest.approx(499, abs=3),
        pytest.approx(499, abs=3),
    )
    assert blue.any(0).sum() == pytest.approx(0.86 * 500 * 80 / 84, abs=3), (
        "86 % of the room, with 2 px around"
    )


@pytest.mark.parametrize(
    "turn", [None, Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270]
)
def test_the_edge_of_a_photo_that_is_smaller_than_the_ad_fades(turn: Image.Transpose | None) -> None:
    photo = on_two_greys(140, (20, 20, 180, 180), turn)
    page = np.asarray(fitted(photo, (900, 500), (0.0, 0.0, 0.0, 0.0), (9, 9, 9)).convert("L"), int)
    high = np.asarray(fitted(photo, (500, 900), (0.0, 0.0, 0.0, 0.0), (9, 9, 9)).convert("L"), int)
    for line in (page[15], page[485], high[:, 15], high[:, 485]):
        assert (line[0], line[-1]) == (250, 250)
        assert np.abs(np.diff(line[:300])).max() <= 1
        assert np.abs(np.diff(line[600:])).max() <= 1


def test_a_thing_on_an_even_ground_stands_in_the_safe_part() -> None:
    photo = Image.new("RGB", (100, 100), (250, 250, 250))
    photo.paste((30, 60, 160), (10, 40, 30, 80))
    page = np.asarray(fitted(photo, (400, 300), (0.1, 0.2, 0.3, 0.0), (9, 9, 9)).convert("L"), int)
    rows, columns = np.nonzero(page < 150)
    assert ((columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2) == (
        pytest.approx(160, abs=2),
        pytest.approx(180, abs=2),
    )
    assert rows.max() - rows.min() == pytest.approx(0.86 * 240 * 40 / 44, abs=3)
    empty = fitted(Image.new("RGB", (90, 60), (250, 250, 250)), (60, 90), (0.0, 0.0, 0.0, 0.0), (9, 9, 9))
    assert empty.getpixel((30, 45)) == (250, 250, 250)
