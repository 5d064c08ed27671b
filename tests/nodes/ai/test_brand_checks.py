import io
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image, ImageDraw

from impasto import Brand
from impasto import Image as ImageValue
from impasto.store import MemoryStore
from impasto.testing import run_node
from impasto_nodes.ai import brand_check
from impasto_nodes.ai.brand_checks.contrast import check_contrast
from impasto_nodes.ai.brand_checks.logo import check_logo
from impasto_nodes.ai.brand_checks.names import check_names
from impasto_nodes.ai.brand_checks.palette import check_palette, main_colors
from impasto_nodes.ai.brand_checks.vector_text import NotAnSvg, check_fonts, read_svg
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


@pytest.mark.parametrize(
    ("text", "banned"),
    [
        ("Das war günstiger als die günstigsten Zahnbürsten", "günstig"),
        ("Ein schmerzfreier Besuch ohne Ängste", "schmerzfrei"),
        ("Wir garantieren allen Gästen Ruhe", "garantiert"),
        ("Clareamento sem dores e com resultados milagrosos", "milagroso"),
        ("As promoções imperdíveis da semana", "promoção"),
        ("Nós garantimos o resultado", "garantir"),
        ("Guaranteed results, and miracles happen", "miracle"),
        ("It revolutionizes mornings", "revolutionize"),
    ],
)
def test_banned_words_are_found_in_german_portuguese_and_english_forms(text: str, banned: str) -> None:
    assert check_words(text, (banned,))["found"] == [banned]


def test_colors_are_judged_by_their_share_of_the_area() -> None:
    own, foreign = PALETTE[1], "#5010ff"
    little = check_palette(striped(*[own] * 9, foreign), PALETTE, 12)
    assert little["foreign_share"] == pytest.approx(0.1, abs=0.02)
    assert little["brand_share"] == pytest.approx(0.9, abs=0.02)
    assert little["passed"] is True
    much = check_palette(striped(*[own] * 6, *[foreign] * 4), PALETTE, 40)
    assert (much["foreign_share"], much["passed"]) == (0, True), "40 is any colour"
    much = check_palette(striped(*[own] * 13, *["#b0402c"] * 7), PALETTE, 8)
    assert much["distance"] <= 8 < max(row["distance"] for row in much["colours"])
    assert much["passed"] is False, "35 % of the area is another colour"


def test_names_of_other_brands_are_found_and_the_own_one_is_not() -> None:
    others = ("Northbound Coffee", "Fjell", "Praxis Öhler")
    found = check_names("NORTHBOUND  coffee, by Fjell Skincare", "Fjell Skincare", others)
    assert (found["found"], found["passed"], found["looked_for"]) == (["Northbound Coffee"], False, 3)
    assert check_names("Fjell is back", "Fjell Skincare", others)["found"] == ["Fjell"]
    assert check_names("Praxis O\u0308hler", "Fjell Skincare", others)["found"] == ["Praxis Öhler"]
    assert check_names("Fjells Northboundcoffee", "Fjell Skincare", others)["passed"] is True
    assert check_names("Northbound Coffee", "Fjell", ())["checked"] is False
    assert check_names("Fjell", "Fjell", ("Fjell",))["checked"] is False
    assert check_names("Fjell", "Fjell", (" ",))["checked"] is False


SVG = """<svg xmlns="http://www.w3.org/2000/svg"><style>text {{ font-family: {style}; }}</style>
<text font-family="{attribute}">Cheap <tspan style="font-family: 'Fjell Sans', serif">coffee</tspan></text>
</svg>"""


def svg(style: str = "Fjell Sans", attribute: str = "'Fjell Sans', sans-serif") -> bytes:
    return SVG.format(style=style, attribute=attribute).encode()


def test_fonts_of_text_in_an_svg_are_the_brands() -> None:
    assert read_svg(svg()).text == "Cheap coffee"
    assert check_fonts(read_svg(svg()), ("fjell-sans",))["passed"] is True
    for wrong in (svg(style="Comic Sans MS"), svg(attribute="Comic Sans MS")):
        report = check_fonts(read_svg(wrong), ("Fjell Sans",))
        assert (report["passed"], report["foreign"]) == (False, ["Comic Sans MS"])
    bare = check_fonts(read_svg(b"<svg><text>Hi</text></svg>"), ("Fjell Sans",))
    assert bare["foreign"] == ["the viewer's default font"]
    assert check_fonts(read_svg(b"<svg><path d='M0 0'/></svg>"), ("Fjell Sans",))["checked"] is False
    assert check_fonts(read_svg(svg()), ())["checked"] is False


@pytest.mark.parametrize(
    "data",
    [
        b"<svg",
        b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg><text>&b;</text></svg>',
        b"<svg><text>" + b"a" * 200_000 + b"</text></svg>",
        b"<svg>" + bytes(9 * 2**20),
    ],
)
def test_hostile_svg_is_refused(data: bytes) -> None:
    with pytest.raises(NotAnSvg):
        read_svg(data)


async def checked(data: bytes | None, media_type: str = "image/png", **given: Any) -> dict[str, Any]:
    store = MemoryStore()
    brand = {"brand_name": "Fjell Skincare", "palette": PALETTE, "fonts": ("Fjell Sans",)}
    if "mark" in given:
        file = io.BytesIO()
        given.pop("mark").save(file, "PNG")
        stored = await store.put(file.getvalue(), "image/png", None)
        brand["logo_dark"] = ImageValue(asset_id=stored.asset_id)
    inputs: dict[str, Any] = {"brand": Brand(**{**brand, **given.pop("brand", {})})}
    if data is not None:
        asset_id = (await store.put(data, media_type, None)).asset_id
        inputs["picture"] = ImageValue(asset_id=asset_id, media_type=media_type)
    if "text" in given:
        inputs["text"] = given.pop("text")
    run = await run_node(brand_check, inputs, {"check_tone": False} | given, store=store)
    return dict(run.outputs["report"])


def drawn(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.mark.anyio
async def test_report_names_every_violation_and_all_that_was_not_judged() -> None:
    foreign = lettered("#5060ff", "#3040ff")
    report = await checked(drawn(foreign), logo=True, mark=mark())
    assert report["failures"] == ["palette", "contrast", "logo"]
    assert report["logo"]["present"] is False
    summary = report["summary"].splitlines()
    assert "Fonts: not checked. The letters of an image are pixels, which do not say their font." in summary
    assert "Banned words: not checked. Words inside an image are not read." in summary
    assert "Other brands' names: not checked. Words inside an image are not read." in summary
    assert any(line.startswith("Palette: does not fit, 0% of the area is in the brand's") for line in summary)


@pytest.mark.anyio
async def test_logo_for_dark_grounds_counts_as_the_logo() -> None:
    image = Image.new("RGB", (900, 700), PALETTE[0])
    white = Image.composite(Image.new("RGBA", mark().size, "white"), Image.new("RGBA", mark().size), mark())
    white = white.resize((140, 70))
    image.paste(white, (400, 300), white)
    report = await checked(drawn(image), logo=True, mark=mark())
    assert report["logo"]["present"] is True
    assert "logo" not in report["failures"]
    unasked = await checked(drawn(image), mark=mark())
    assert unasked["logo"] == {"checked": False, "why": "The setting 'Logo must be there' is off."}


@pytest.mark.anyio
@pytest.mark.parametrize(("own", "limit", "fits"), [(0.0, 0.25, True), (0.1, 0.1, True), (1.5, 1.5, False)])
async def test_logo_needs_the_clear_space_that_its_brand_states(own: float, limit: float, fits: bool) -> None:
    image = Image.new("RGB", (900, 700), "#f2e6d0")
    logo = mark().resize((144, 72))
    image.paste(logo, (400, 300), logo)
    ImageDraw.Draw(image).rectangle((300, 420, 800, 500), fill="#202020")
    report = await checked(drawn(image), logo=True, mark=mark(), brand={"clear_space": own})
    assert report["logo"]["present"] is True
    assert (report["logo"]["limit"], report["logo"]["passed"]) == (limit, fits)


@pytest.mark.anyio
async def test_text_and_svg_with_another_brands_name_fail() -> None:
    brand = {"other_names": ("Northbound Coffee",), "banned_words": ("cheap",)}
    report = await checked(None, text="The cheapest, like Northbound Coffee", brand=brand)
    assert report["failures"] == ["words", "names"]
    assert "Tone: not checked. The setting 'Judge the tone' is off." in report["summary"]
    report = await checked(svg(attribute="Arial"), "image/svg+xml", brand=brand)
    assert report["failures"] == ["fonts", "words"]
    assert report["names"]["passed"] is True
    assert "Palette: not checked. An SVG is not drawn by this check." in report["summary"]
