import tracemalloc
from collections.abc import Iterator

import pytest
from PIL import Image, ImageDraw

from impasto_nodes.ai.brand_checks.contrast import check_contrast
from impasto_nodes.ai.brand_checks.logo import check_logo
from impasto_nodes.ai.brand_checks.palette import check_palette, main_colors
from impasto_nodes.ai.brand_checks.wording import check_words

PALETTE = ("#2b2018", "#de8c3c", "#5b7b6b")


def striped(*colors: str) -> Image.Image:
    image = Image.new("RGB", (300, 300))
    pen = ImageDraw.Draw(image)
    for index, color in enumerate(colors):
        pen.rectangle((0, index * 300 // len(colors), 300, (index + 1) * 300 // len(colors)), fill=color)
    return image


def lettered(ink: str, ground: str) -> Image.Image:
    image = Image.new("RGB", (600, 600), ground)
    pen = ImageDraw.Draw(image)
    for row in range(8):
        pen.text(
            (60, 60 + row * 40), "Cold brew for slow mornings, a hand reaching in", fill=ink, font_size=22
        )
    return image


def mark() -> Image.Image:
    logo = Image.new("RGBA", (200, 100), (0, 0, 0, 0))
    pen = ImageDraw.Draw(logo)
    pen.ellipse((0, 10, 80, 90), fill=(20, 20, 20, 255))
    pen.polygon([(100, 90), (150, 5), (199, 90)], fill=(20, 20, 20, 255))
    return logo


def test_the_brands_own_colors_pass() -> None:
    report = check_palette(striped(*PALETTE), PALETTE, 12)
    assert report["passed"] is True
    assert report["distance"] < 1
    assert {row["nearest"] for row in report["colours"]} == set(PALETTE)


def test_foreign_colors_fail_and_neutrals_are_free() -> None:
    assert check_palette(striped("#0040ff", "#00d0ff"), PALETTE, 12)["passed"] is False
    report = check_palette(striped("#ffffff", "#de8c3c", "#101010"), PALETTE, 12)
    assert report["passed"] is True
    assert check_palette(striped("#ffffff"), (), 12)["checked"] is False
    assert check_palette(striped("#ffffff", "#101010"), PALETTE, 12)["checked"] is False


def test_shares_sum_to_the_whole() -> None:
    found = main_colors(striped("#ff0000", "#00ff00"))
    assert sum(share for _, share in found) == pytest.approx(1)


def test_lettering_that_stands_out_passes_and_faint_lettering_fails() -> None:
    assert check_contrast(lettered("#1b1815", "#fffdf8"), 4.5)["passed"] is True
    faint = check_contrast(lettered("#d8d0c0", "#fffdf8"), 4.5)
    assert faint["passed"] is False
    assert faint["ratio"] < 2
    assert check_contrast(striped("#ffffff"), 4.5)["checked"] is False


@pytest.mark.parametrize("width", [80, 140, 260])
def test_a_logo_is_found_at_any_size_with_its_room(width: int) -> None:
    image = Image.new("RGB", (900, 700), "#f2e6d0")
    logo = mark().resize((width, width // 2))
    image.paste(logo, (400, 300), logo)
    report = check_logo(image, mark(), 0.25)
    assert report["present"] is True
    assert report["passed"] is True
    assert report["box"][0] == pytest.approx(400 / 900, abs=0.03)


def test_a_crowded_or_missing_logo_fails() -> None:
    image = Image.new("RGB", (900, 700), "#f2e6d0")
    assert check_logo(image, mark(), 0.25)["present"] is False
    logo = mark()
    image.paste(logo, (400, 300), logo)
    ImageDraw.Draw(image).rectangle((300, 405, 800, 500), fill="#202020")
    crowded = check_logo(image, mark(), 0.5)
    assert crowded["present"] is True
    assert crowded["passed"] is False


def test_banned_words_are_whole_words_in_any_case() -> None:
    report = check_words("A CHEAP  trick, cheaper than most.", ("cheap", "cheap trick", "free"))
    assert report["found"] == ["cheap", "cheap trick"]
    assert check_words("Cheapside.", ("cheap",))["passed"] is True
    assert check_words("x", ())["checked"] is False


@pytest.mark.parametrize(
    ("text", "banned"),
    [
        ("A game\u2011changer.", "game-changer"),
        ("We _delve_ deep.", "delve"),
        ("\uff35\uff2e\uff2c\uff25\uff21\uff33\uff28 it", "unleash"),
        ("Un\u00adleash it", "unleash"),
        ("Don\u2019t wait", "don't"),
        ("Our cafe\u0301", "caf\u00e9"),
        ("\u5168\u7403\u6700\u597d\u7684\u5496\u5561", "\u6700\u597d"),
        ("We code in C++, always.", "c++"),
    ],
)
def test_banned_words_are_found_however_they_are_spelled(text: str, banned: str) -> None:
    assert check_words(text, (banned,))["found"] == [banned]


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("size", [(1, 20_000), (20_000, 1), (3, 3_000)])
def test_a_strip_is_checked_without_filling_the_memory(size: tuple[int, int]) -> None:
    strip = Image.effect_noise(size, 80).convert("RGB")
    check_contrast(strip, 4.5)
    assert check_logo(strip, mark(), 0.25)["present"] is False
    assert tracemalloc.get_traced_memory()[1] < 400_000_000


@pytest.mark.parametrize(
    ("text", "banned"),
    [
        ("The cheapest coffee in town, and it keeps", "cheap"),
        ("We discounted all of our teapots", "discount"),
        ("Unsere billigen Angebote für alle", "billig"),
        ("As nossas ofertas são as mais baratas de todas", "barato"),
        ("हमारी सस्ती सेवा", "सस्ता"),
        ("Best deals in the world", "best deal"),
    ],
)
def test_banned_words_are_found_in_any_inflection(text: str, banned: str) -> None:
    assert check_words(text, (banned,))["found"] == [banned]


def test_other_words_with_the_same_beginning_are_not_banned() -> None:
    report = check_words("The news of our butter and of the universe", ("new", "butt", "univers"))
    assert report["found"] == []
    assert report["inflections"] == ["en"]


def test_a_brands_languages_count_too() -> None:
    assert check_words("Billige Angebote", ("billig",), ("de-DE",))["found"] == ["billig"]
