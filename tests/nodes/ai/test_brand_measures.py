"""Brand checks: colors, contrast, the place of a logo, words, and the sentences about them."""

from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from impasto_nodes.ai.brand_checks.contrast import check_contrast
from impasto_nodes.ai.brand_checks.logo import check_logo
from impasto_nodes.ai.brand_checks.names import check_names
from impasto_nodes.ai.brand_checks.palette import check_palette, main_colors
from impasto_nodes.ai.brand_checks.summary import checks_of, summarize, verdict
from impasto_nodes.ai.brand_checks.wording import check_words

OWN, FOREIGN = "#de8c3c", "#3c50de"


def rows(*parts: tuple[str, int]) -> Image.Image:
    """An image of the size at which colors are counted, in rows of colors."""
    image, top = Image.new("RGB", (96, 96)), 0
    for color, high in parts:
        image.paste(color, (0, top, 96, top + high))
        top += high
    return image


def test_the_palette_report_has_shares_and_distances() -> None:
    report = check_palette(rows((OWN, 60), (FOREIGN, 20), ("#808080", 16)), (OWN, "#2b2018", "none"), 12)
    own, foreign, grey = report.pop("colours")
    assert own == {"colour": OWN, "share": 0.625, "nearest": OWN, "distance": 0.0, "neutral": False}
    assert foreign == {
        "colour": FOREIGN, "share": 0.208, "nearest": "#2b2018", "distance": 34.61, "neutral": False,
    }  # fmt: skip
    assert (grey["share"], grey["neutral"]) == (0.167, True)
    assert report == {
        "checked": True,
        "passed": True,
        "distance": 8.64,
        "limit": 12,
        "brand_share": 0.625,
        "foreign_share": 0.208,
        "foreign_limit": 0.25,
    }


@pytest.mark.parametrize(("high", "passed"), [(24, True), (25, False)])
def test_up_to_a_quarter_of_an_image_may_have_other_colors(high: int, passed: bool) -> None:
    report = check_palette(rows((OWN, 96 - high), ("#b0402c", high)), (OWN,), 8)
    assert report["foreign_share"] == round(high / 96, 3)
    assert report["distance"] < 8
    assert report["passed"] is passed


@pytest.mark.parametrize(("high", "counted"), [(2, False), (3, True)])
def test_colors_of_less_than_three_percent_do_not_count(high: int, counted: bool) -> None:
    report = check_palette(rows((OWN, 96 - high), (FOREIGN, high)), (OWN,), 100)
    assert (len(report["colours"]) == 2) is counted


def test_distance_may_be_as_far_as_the_limit() -> None:
    image = rows((FOREIGN, 96))
    distance = check_palette(image, (OWN,), 100)["colours"][0]["distance"]
    assert check_palette(image, (OWN,), distance + 0.01)["passed"] is True
    assert check_palette(image, (OWN,), distance - 0.01)["passed"] is False
    own = check_palette(rows((OWN, 96)), (OWN,), 0)
    assert (own["passed"], own["distance"], own["foreign_share"]) == (True, 0, 0)


def test_main_colors_are_the_eight_largest_groups() -> None:
    eight = ["#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff", "#00ffff"]
    found = main_colors(rows(*((color, 12) for color in eight)))
    assert sorted(found) == sorted((tuple(bytes.fromhex(color[1:])), 0.125) for color in eight)
    found = main_colors(rows(*((color, 10) for color in eight), ("#f0f0f0", 16)))
    assert found[0] == ((246, 246, 246), pytest.approx(26 / 96))
    assert len(found) == 8
    assert main_colors(rows(("#102030", 96))) == [((16, 32, 48), 1.0)]


def tiles(strong: int, weak: int, pair: tuple[int, int] = (0, 255), high: int = 512) -> Image.Image:
    """A grey image with striped tiles of 16 pixels: some of two greys, some of two that are nearly equal."""
    plane = np.full((high, 512), 120, np.uint8)
    for number in range(strong + weak):
        top, left = number // 32 * 16, number % 32 * 16
        dark, light = pair if number < strong else (100, 140)
        plane[top : top + 16, left : left + 16] = dark
        plane[top : top + 16, left : left + 16 : 2] = light
    return Image.fromarray(plane).convert("RGB")


def test_contrast_is_that_of_half_the_most_detailed_tenth() -> None:
    assert check_contrast(tiles(52, 50), 4.5) == {
        "checked": True,
        "passed": True,
        "ratio": 21.0,
        "limit": 4.5,
    }
    assert check_contrast(tiles(51, 51), 4.5)["ratio"] == pytest.approx((21 + 1.76) / 2, abs=0.1)
    low = check_contrast(tiles(50, 52), 4.5)
    assert low["ratio"] == pytest.approx(1.76, abs=0.02)
    assert low["passed"] is False
    assert check_contrast(tiles(1, 0), low["ratio"])["checked"] is True
    assert check_contrast(tiles(102, 0, pair=(0, 100)), 4.5)["ratio"] == 3.55


def test_contrast_as_high_as_the_limit_passes() -> None:
    assert check_contrast(tiles(102, 0), 21.0)["passed"] is True
    assert check_contrast(tiles(102, 0), 21.01)["passed"] is False


def test_an_image_without_detail_has_no_contrast_to_check() -> None:
    assert check_contrast(tiles(0, 0), 4.5) == {
        "checked": False,
        "why": "The image has no detail that could be lettering.",
    }
    assert check_contrast(tiles(3, 0, high=16), 4.5)["ratio"] == 21


def mark() -> Image.Image:
    logo = Image.new("RGBA", (200, 100), (0, 0, 0, 0))
    pen = ImageDraw.Draw(logo)
    pen.ellipse((0, 10, 80, 90), fill=(20, 20, 20, 255))
    pen.polygon([(100, 90), (150, 5), (199, 90)], fill=(20, 20, 20, 255))
    return logo


def with_logo(
    left: int, top: int, width: int = 80, ink: str = "#141414", ground: str = "#f2e6d0"
) -> Image.Image:
    image = Image.new("RGB", (320, 240), ground)
    shape = mark().resize((width, width // 2)).getchannel("A")
    image.paste(ink, (left, top), shape)
    return image


@pytest.mark.parametrize(
    ("left", "top", "width", "space"),
    [
        (100, 100, 80, 2.5),
        (20, 90, 80, 0.5),
        (200, 10, 80, 0.25),
        (230, 100, 80, 0.25),
        (120, 170, 80, 0.75),
        (90, 80, 160, 0.875),
        (0, 0, 80, 0.0),
        (240, 200, 80, 0.0),
    ],
)
def test_a_logo_is_placed_and_its_room_measured_in_its_heights(
    left: int, top: int, width: int, space: float
) -> None:
    report = check_logo(with_logo(left, top, width), mark(), space)
    box = [left / 320, top / 240, width / 320, width / 2 / 240]
    assert report == {
        "checked": True,
        "passed": True,
        "present": True,
        "score": 1.0,
        "box": [round(side, 3) for side in box],
        "clear_space": round(space, 2),
        "limit": space,
    }


@pytest.mark.parametrize(
    ("right", "down", "score"), [(1, 0, 0.95), (0, 1, 0.95), (40, 0, 0.48), (0, 20, 0.48), (40, 20, 0.48)]
)
def test_a_logo_does_not_go_on_at_the_opposite_edge(right: int, down: int, score: float) -> None:
    plane = np.roll(np.asarray(with_logo(240, 200)), (down, right), (0, 1))
    report = check_logo(Image.fromarray(plane), mark(), 0)
    found = [0.75, 0.833, 0.25, 0.167] if score > 0.7 else None
    assert (report["score"], report.get("box")) == (score, found)


@pytest.mark.parametrize("width", [26, 32, 40, 51, 64, 80, 102, 128, 160])
def test_a_logo_may_be_from_a_twelfth_to_half_as_wide_as_the_image(width: int) -> None:
    image = Image.new("RGB", (320, width // 2 + 24), "#f2e6d0")
    image.paste("#141414", (40, 12), mark().resize((width, width // 2)).getchannel("A"))
    report = check_logo(image, mark(), 0)
    assert report["box"][2] == round(width / 320, 3)
    assert report["score"] >= 0.98


def test_a_flat_logo_is_looked_for_at_a_height_of_six_pixels() -> None:
    logo = Image.new("RGBA", (400, 20), (0, 0, 0, 0))
    for left, wide in ((0, 21), (100, 31), (200, 41), (300, 51)):
        logo.paste("black", (left, 0, left + wide, 20))
    image, shape = Image.new("RGB", (320, 240), "#f2e6d0"), logo.resize((80, 6))
    image.paste(shape, (100, 100), shape)
    assert check_logo(image, logo, 0)["box"] == [0.312, 0.417, 0.25, 0.025]


def test_a_logo_as_high_as_the_image_is_not_looked_for() -> None:
    shape = mark().resize((80, 40))
    image = Image.new("RGB", (320, 40), "#f2e6d0")
    image.paste("#141414", (100, 0), shape.getchannel("A"))
    assert check_logo(image, mark(), 0) == {
        "checked": True,
        "passed": False,
        "present": False,
        "score": 0.69,
    }


@pytest.mark.parametrize(
    ("box", "space"),
    [
        ((100, 60, 180, 80), 0.5),
        ((100, 160, 180, 190), 0.5),
        ((40, 100, 80, 140), 0.5),
        ((200, 100, 240, 140), 0.5),
        ((200, 150, 240, 180), 0.5),
    ],
)
def test_room_ends_at_the_nearest_edge_of_something_else(
    box: tuple[int, int, int, int], space: float
) -> None:
    image = with_logo(100, 100)
    image.paste("#303030", box)
    report = check_logo(image, mark(), space + 0.2)
    assert report["clear_space"] == pytest.approx(space, abs=0.03)
    assert report["passed"] is False


def test_a_light_logo_on_a_dark_ground_and_one_without_transparency_are_found() -> None:
    assert check_logo(with_logo(60, 60, ink="#ffffff", ground="#203040"), mark(), 0)["present"] is True
    solid = Image.new("RGB", (200, 100), "white")
    solid.paste(mark(), (0, 0), mark())
    report = check_logo(with_logo(60, 60), solid, 0)
    assert report["box"][:2] == pytest.approx([60 / 320, 60 / 240], abs=0.002)


@pytest.mark.parametrize("size", [(320, 240), (10, 10), (320, 12)])
def test_a_logo_that_is_not_there_is_absent(size: tuple[int, int]) -> None:
    report = check_logo(Image.new("RGB", size, "#888888"), mark(), 0.25)
    assert report == {"checked": True, "passed": False, "present": False, "score": 0.0}
    assert check_logo(with_logo(60, 60), Image.new("RGBA", (40, 20), "black"), 0)["score"] == 0.0


RESULTS: dict[str, dict[str, Any]] = {
    "palette": {
        "checked": True, "passed": False, "distance": 14.2, "limit": 12.0, "brand_share": 0.5,
        "foreign_share": 0.3, "foreign_limit": 0.25,
    },
    "contrast": {"checked": True, "passed": True, "ratio": 7.1, "limit": 4.5},
    "logo": {"checked": True, "passed": False, "present": True, "clear_space": 0.1, "limit": 0.25},
    "fonts": {"checked": True, "passed": True, "found": ["Fjell", "Inter"], "foreign": []},
    "words": {"checked": True, "passed": True, "found": [], "looked_for": 3, "inflections": ["de", "en"]},
    "names": {"checked": True, "passed": True, "found": [], "looked_for": 2},
    "tone": {"checked": True, "passed": False, "why": "Too loud.", "model": "gpt-5"},
}  # fmt: skip


def test_the_summary_says_each_result_in_a_sentence() -> None:
    assert summarize(RESULTS).splitlines() == [
        "Palette: does not fit, 50% of the area is in the brand's colours, 30% in others, at most 25%; on "
        "average 14.2 from the brand's, at most 12.",
        "Contrast: enough, 7.1:1, at least 4.5:1.",
        "Logo: found, with too little clear space: 0.1 of its height, at least 0.25.",
        "Fonts: text is set in Fjell, Inter alone.",
        "Banned words: none in the text, of 3 looked for in any inflection (German, English).",
        "Other brands' names: none in the text, of 2 looked for.",
        "Tone: does not fit, says gpt-5. Too loud.",
    ]
    others = {
        "palette": RESULTS["palette"] | {"passed": True},
        "contrast": RESULTS["contrast"] | {"passed": False},
        "logo": {"checked": True, "passed": False, "present": False},
        "fonts": RESULTS["fonts"] | {"foreign": ["Arial"]},
        "words": RESULTS["words"] | {"inflections": []},
        "names": RESULTS["names"] | {"found": ["Fjell", "Acme"]},
        "tone": RESULTS["tone"] | {"passed": True, "why": ""},
    }
    assert [line.split(": ", 1)[1] for line in summarize(others).splitlines()] == [
        "fits, 50% of the area is in the brand's colours, 30% in others, at most 25%; on "
        "average 14.2 from the brand's, at most 12.",
        "too low, 7.1:1, at least 4.5:1.",
        "not found in the image.",
        "text is set in Arial.",
        "none in the text, of 3 looked for as written.",
        "Fjell, Acme.",
        "fits, says gpt-5.",
    ]
    found = {
        "words": RESULTS["words"] | {"found": ["cheap", "free"]},
        "logo": RESULTS["logo"] | {"passed": True},
    }
    assert summarize(found) == (
        "Banned words: cheap, free.\nLogo: found, with enough clear space: 0.1 of its height, at least 0.25."
    )


def test_each_check_has_a_title_a_verdict_and_a_reason() -> None:
    assert checks_of({"contrast": RESULTS["contrast"], "tone": {"checked": False, "why": "no model."}}) == [
        {"title": "Contrast", "passed": True, "reason": "Enough, 7.1:1, at least 4.5:1."},
        {"title": "Tone", "passed": None, "reason": "No model."},
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [(("contrast", "names"), True), (("contrast", "tone"), False), ((), "not checked")],
)
def test_a_report_passes_if_every_check_that_was_made_does(names: tuple[str, ...], expected: object) -> None:
    unmade = {"logo": {"checked": False, "why": "No logo."}}
    assert verdict({name: RESULTS[name] for name in names} | unmade) == expected


def test_a_brand_without_a_name_is_checked_for_others() -> None:
    assert check_names("By Acme", "", ("Acme", " ", "Fjell"))["found"] == ["Acme"]
    assert check_names("By Acme", " ", ("Acme",))["looked_for"] == 1


@pytest.mark.parametrize(
    ("text", "own", "other", "is_found"),
    [
        ("By Fjellheim", "Fjell", "Fjellheim", True),
        ("By Fjell Coffee", "Fjell", "Fjell Coffee", True),
        ("By Fjell, and coffee", "Fjell", "Fjell Coffee", False),
        ("By Fjell Coffee", "Fjell Coffee", "Fjell", False),
        ("By Fjell\n Coffee", "Fjell Coffee", "Fjell", False),
        ("By Fjell Coffee, unlike Fjell", "Fjell Coffee", "Fjell", True),
    ],
)
def test_a_name_that_contains_the_brands_own_is_found(
    text: str, own: str, other: str, is_found: bool
) -> None:
    assert check_names(text, own, (other,))["passed"] is not is_found


@pytest.mark.parametrize(
    ("text", "banned", "found"),
    [
        ("Best  deal", ("best deal", " ", "zzz"), ["best deal"]),
        ("Deals that are the best", ("best deal",), []),
        ("He is only shyly there", ("on", "shy"), []),
        ("A newest idea, newly made", ("new",), []),
        ("The greatest, greatly", ("great",), ["great"]),
        ("under_score", ("score",), ["score"]),
        ("scores2", ("scores",), []),
    ],
)
def test_phrases_and_endings_of_banned_words(text: str, banned: tuple[str, ...], found: list[str]) -> None:
    assert check_words(text, banned)["found"] == found


def test_the_report_on_words_counts_what_was_looked_for() -> None:
    report = check_words("Guten Morgen, wir öffnen heute", ("billig", " "), ("EN-us", "xx"))
    assert report == {
        "checked": True,
        "passed": True,
        "found": [],
        "looked_for": 1,
        "inflections": ["de", "en"],
    }
