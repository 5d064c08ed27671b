"""Which font draws a text: bundled ones, those of the system, and files that a brand brings."""

import base64
import importlib.util
import io
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from PIL import Image, ImageFont
from tests.server.brands.imports import font_files

from impasto_nodes.media.text import fonts
from impasto_nodes.media.text.font_samples import sample_of


def installed(folder: Path, *names: str, width: int = 500) -> list[Path]:
    """Write a font to each name; its letters advance by their width and 50 units of 1,000."""
    paths = [folder / name for name in names]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(font_files.font(width=width))
    return paths


def test_a_family_is_found_by_its_name_and_in_its_weight_if_there_is_one(system_fonts: Path) -> None:
    plain, bold, other = installed(
        system_fonts, "Fjell Sans-Regular.ttf", "sub/FjellSans-Bold.TTF", "Other.otf"
    )
    installed(system_fonts, "Fjell Sans.txt", "sub/Zebra.woff2")
    assert fonts.find("fjell sans") == fonts.find("Fjell-Sans", "italic") == plain
    assert fonts.find("Fjell Sans", "bold") == bold
    assert fonts.find("OTHER", "black") == other
    assert fonts.find("Zebra") is None
    assert fonts.find("Fjell") is None


def test_the_first_of_two_files_of_a_name_is_taken(system_fonts: Path) -> None:
    first, _ = installed(system_fonts, "a/Fjell.ttf", "b/Fjell.ttf")
    assert fonts.find("Fjell") == first


def test_a_font_of_the_system_is_drawn_with(system_fonts: Path) -> None:
    installed(system_fonts, "Fjell.ttf", width=300)
    narrow = fonts.load("Fjell", "bold", 100)
    assert narrow.getlength("abc") == pytest.approx(3 * 35)
    assert fonts.load("Fjell", "bold", 0).size == 1
    assert fonts.load("Nowhere", "bold", 40).getname()[0] == "Manrope"


def test_a_script_is_drawn_with_a_plain_font_of_the_weight(
    system_fonts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no known family draws it; a damaged file is passed over."""
    thai = fonts.find("Noto Sans Thai")
    assert thai is not None
    monkeypatch.setattr(fonts, "families", lambda: ["Manrope"])
    monkeypatch.setattr(fonts, "_FALLBACKS", ())
    for name in ("aserif", "bmono-bold", "cplain", "dplain-bold", "eplain-bold"):
        (system_fonts / f"{name}.ttf").write_bytes(thai.read_bytes())
    (system_fonts / "a0-bold.ttf").write_bytes(b"damaged")
    assert Path(str(fonts.suited("กาแฟ", "Manrope", "bold", 20).path)).stem == "dplain-bold"
    assert Path(str(fonts.suited("กาแฟ", "Manrope", "regular", 20).path)).stem == "cplain"
    assert fonts.suited("กาแฟ 🎉", "Manrope", "bold", 33).size == 33
    assert fonts.suited("𓀀", "Manrope", "bold", 20).getname()[0] == "Manrope"


def test_the_file_of_a_brand_comes_before_one_of_the_system(system_fonts: Path) -> None:
    (system,) = installed(system_fonts, "Fjell.ttf", width=300)
    (system_fonts / "own").mkdir()
    (own,) = installed(system_fonts / "own", "x", width=900)
    with fonts.own_fonts([(own, "Fjell-400.ttf")]):
        assert fonts.find("Fjell") == own
        assert fonts.load("Fjell", "bold", 100).getlength("abc") == pytest.approx(3 * 95)
        assert fonts.load("Fjell", "bold", 100) is fonts.load("Fjell", "bold", 100)
        assert fonts.load("Fjell", "bold", 0).size == 1
    assert fonts.find("Fjell") == system


def test_a_variable_font_of_a_brand_is_set_to_the_nearest_weight_that_it_has() -> None:
    """Manrope's weights end at 800; the bundled Fredoka One is wider than its font's default."""
    files = [
        (fonts.find("Manrope"), "Acme-400.ttf"),
        (fonts.find("Fredoka One"), "Wide-400.ttf"),
        (fonts.find("Source Serif Pro"), "Serif-400.ttf"),
    ]

    def advance(family: str, weight: str) -> float:
        return fonts.load(family, weight, 200).getlength("Golden hour")

    bundled = {weight: advance("Manrope", weight) for weight in ("light", "bold", "black")}
    wide, serif = advance("Fredoka One", "bold"), advance("Source Serif Pro", "regular")
    with fonts.own_fonts(files):  # type: ignore[arg-type]
        assert {weight: advance("Acme", weight) for weight in bundled} == bundled
        assert bundled["light"] < advance("Acme", "regular") < bundled["bold"]
        assert advance("Wide", "light") < advance("Wide", "bold") < wide
        assert advance("Serif", "regular") == serif
        assert advance("Manrope", "bold") == bundled["bold"]


def test_a_file_that_is_no_font_is_left_out(system_fonts: Path) -> None:
    (system,) = installed(system_fonts, "Fjell.ttf")
    (system_fonts / "own").write_bytes(b"no font")
    with fonts.own_fonts([(system_fonts / "own", "Fjell-400.ttf")]):
        assert fonts.find("Fjell") == system


@pytest.mark.usefixtures("system_fonts")
@pytest.mark.parametrize("found", [None, ModuleSpec("fontpkg_heebo", None)], ids=["missing", "empty"])
def test_a_family_without_its_package_is_left_out(
    monkeypatch: pytest.MonkeyPatch, found: ModuleSpec | None
) -> None:
    find_spec = importlib.util.find_spec

    def find(name: str) -> ModuleSpec | None:
        return found if name == "fontpkg_heebo" else find_spec(name)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    assert "Heebo" not in fonts.families()
    assert "Manrope" in fonts.families()
    assert fonts.find("Heebo") is None
    assert fonts.load("Heebo", "bold", 20).getname()[0] == "Manrope"


@pytest.mark.usefixtures("system_fonts")
def test_without_any_font_latin_is_still_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert fonts.families() == []
    assert fonts.load("Manrope", "bold", 20).getlength("Golden") > 40
    assert fonts.load("Manrope", "bold", 0).size == 1


@pytest.mark.parametrize(
    ("name", "is_used"),
    [
        ("Fjell-400.ttf", True),
        ("Fjell-1000italic.otf", True),
        ("Fjell-10000.ttf", False),
        ("Fjell.ttf", False),
        ("Fjell-400bold.ttf", False),
        ("-400.ttf", False),
    ],
)
def test_the_name_of_a_brands_file_says_family_weight_and_style(
    system_fonts: Path, name: str, is_used: bool
) -> None:
    (system_fonts / "own").mkdir()
    (path,) = installed(system_fonts / "own", "x")
    path = path.rename(system_fonts / "own" / "y")
    with fonts.own_fonts([(path, name)]):
        assert (fonts.find("Fjell") == path) is is_used


def test_the_nearest_weight_of_the_style_is_taken(system_fonts: Path) -> None:
    (system_fonts / "own").mkdir()
    a, b, c = (installed(system_fonts / "own", str(number))[0] for number in range(3))
    with fonts.own_fonts([(a, "Fjell-500italic.ttf"), (b, "Fjell-600.ttf"), (c, "Fjell-900.ttf")]):
        found = [fonts.find("Fjell", weight) for weight in ("light", "bold", "black", "italic")]
    assert found == [b, b, c, a]


@pytest.mark.usefixtures("system_fonts")
def test_a_script_chooses_the_shapes_that_its_readers_expect() -> None:
    def family(text: str) -> str:
        return str(fonts.suited(text, "Manrope", "regular", 20).getname()[0])

    assert family("新しい") == "Noto Sans JP"
    assert family("カフェ新") == "Noto Sans JP"
    assert family("한국어") == "Noto Sans KR"
    assert family("新店开业") == "Noto Sans SC"
    assert family("新 Latin") == "Noto Sans SC"
    assert family("Cold brew") == family("Größe") == "Manrope"
    assert family("กาแฟ") == "Noto Sans Thai"
    serif = fonts.suited("Größe 🎉", "Source Serif Pro", "regular", 20)
    assert str(serif.getname()[0]).startswith("Source Serif")


@pytest.mark.usefixtures("system_fonts")
def test_letters_that_no_font_draws_are_named_and_left_out() -> None:
    assert fonts.missing("a𓀀b𓀀𓁐🎉", "Manrope") == "𓀀𓁐"
    assert fonts.missing("Größe 🎉", "Manrope") == ""
    font = fonts.load("Manrope", "bold", 30)
    assert fonts.drawable("Größe 🎉  jetzt\n€", font) == "Größe jetzt €"
    assert fonts.drawable("a  b", font) == "a  b"
    assert fonts.drawable("ä  b", font) == "ä  b"
    assert fonts.covers(font, "Größe \n") is True
    assert fonts.covers(font, "新") is False


def test_joining_and_right_to_left_scripts_are_recognized() -> None:
    assert [fonts.joins(text) for text in ("\u058f", "\u0590", "a\u109f", "\u10a0", "")] == [
        False,
        True,
        True,
        False,
        False,
    ]
    assert [fonts.is_right_to_left(text) for text in ("12 שלום abc", "abc שלום", "12", "", "سلام")] == [
        True,
        False,
        False,
        False,
        True,
    ]


def test_weights_are_positions_on_the_axis_of_a_variable_font() -> None:
    def advance(family: str, weight: str) -> float:
        return fonts.load(family, weight, 200).getlength("Golden hour")

    assert advance("Manrope", "regular") == advance("Manrope", "italic")
    assert advance("Red Hat Display", "black") > advance("Red Hat Display", "bold")
    assert advance("Fredoka One", "light") == advance("Fredoka One", "black")
    assert fonts.load("Manrope", "bold", 0).size == 1


def test_a_font_without_a_file_covers_the_letters_of_ascii() -> None:
    font = ImageFont.load_default(20)
    assert fonts.covers(font, "abc")
    assert not fonts.covers(font, "é")


def test_a_sample_of_a_font_has_a_margin_at_both_sides() -> None:
    expected = {"Manrope": (3, 5), "Noto Sans Arabic": (2, 5), "Noto Sans Thai": (2, 4)}
    for family, margins in expected.items():
        data = base64.b64decode(sample_of(family).removeprefix("data:image/png;base64,"))
        image = Image.open(io.BytesIO(data))
        assert image.mode == "LA"
        left, _, right, _ = image.getchannel("A").getbbox()
        assert (left, image.width - right) == margins
        assert image.height == 72
        assert image.getchannel("L").getextrema() == (0, 0)
