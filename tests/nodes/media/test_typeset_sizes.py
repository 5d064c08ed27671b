"""The exact lines, sizes and boxes of set type, and how it is drawn beside what was approved."""

from pathlib import Path

import pytest
from PIL import Image
from tests.fixtures.approved import assert_approved, sheet_of

from impasto_nodes.media.text import fonts, typeset
from impasto_nodes.media.text.typeset import Block, Face, fit, line_width, wrap

APPROVED = Path(__file__).parent / "approved"
PLAIN, TIGHT = Face("Manrope", "bold", 0.0, 1.2), Face("Manrope", "black", -0.03, 1.05)
SENTENCE = "Open on Sunday and on every other day of the week"


@pytest.mark.parametrize(
    ("text", "face", "box", "largest", "smallest", "lines", "size", "width", "height"),
    [
        ("Open on Sunday", PLAIN, (300, 100), 60, 10, ("Open on", "Sunday"), 45, 181, 99),
        ("Open on Sunday", PLAIN, (120, 100), 60, 10, ("Open on", "Sunday"), 29, 117, 64),
        ("Open on Sunday", PLAIN, (300, 100), 20, 10, ("Open on Sunday",), 20, 157, 20),
        (
            SENTENCE,
            TIGHT,
            (200, 90),
            60,
            10,
            ("Open on Sunday", "and on every other", "day of the week"),
            23,
            198,
            71,
        ),
        (SENTENCE, TIGHT, (100, 40), 60, 12, ("Open on", "Sunday and on", "every other day…"), 12, 86, 38),
        ("Donaudampfschifffahrt", PLAIN, (80, 200), 60, 14, ("Donaud", "ampfsc", "hifffahrt"), 14, 56, 48),
        ("One\ntwo\n\nthree", PLAIN, (200, 200), 30, 10, ("One", "two", "three"), 30, 80, 102),
        ("", PLAIN, (200, 200), 30, 10, (), 30, 0, 30),
        ("Word", PLAIN, (200, 200), 5, 12, ("Word",), 12, 30, 12),
        ("سلام", TIGHT, (200, 200), 40, 10, ("سلام",), 40, 95, 40),
        ("Wide, wide; words: - on", PLAIN, (60, 40), 40, 16, ("Wide,", "wide…"), 16, 53, 35),
    ],
)
def test_type_is_set_as_large_as_its_box_allows(
    text: str,
    face: Face,
    box: tuple[int, int],
    largest: int,
    smallest: int,
    lines: tuple[str, ...],
    size: int,
    width: int,
    height: int,
) -> None:
    block = fit(text, face, box, largest=largest, smallest=smallest)
    assert (block.lines, block.size, block.width, block.height) == (lines, size, width, height)


@pytest.mark.parametrize(
    ("limit", "lines"),
    [
        (120, ["Golden", "hour", "has", "a new", "tempe", "rature", "now"]),
        (160, ["Golden", "hour has", "a new", "tempera", "ture now"]),
        (250, ["Golden hour", "has a new", "temperature", "now"]),
        (300, ["Golden hour has", "a new", "temperature now"]),
        (420, ["Golden hour has a new", "temperature now"]),
        (700, ["Golden hour has a new temperature now"]),
    ],
)
def test_lines_are_few_and_even(limit: float, lines: list[str]) -> None:
    assert wrap("Golden hour has a new temperature now", fonts.load("Manrope", "bold", 30), limit) == lines


def test_two_lines_are_even_too() -> None:
    font = fonts.load("Manrope", "bold", 30)
    assert wrap("Open all of the day", font, 260) == ["Open all", "of the day"]
    assert wrap("Open all of the day", font, 280) == ["Open all of the day"]


def test_the_rest_of_a_broken_word_is_followed_by_the_next_word() -> None:
    font = fonts.load("Manrope", "bold", 30)
    assert wrap("Donaudampfschifffahrt ab Passau", font, 150) == [
        "Donauda",
        "mpfschif",
        "ffahrt ab",
        "Passau",
    ]


def test_text_that_is_exactly_as_wide_or_high_as_its_box_fits() -> None:
    font = fonts.load("Manrope", "bold", 30)
    assert wrap("Golden hour", font, line_width("Golden hour", font, 0)) == ["Golden hour"]
    assert wrap("aaaaaa", font, line_width("aaa", font, 0)) == ["aaa", "aaa"]
    tied = line_width("« Nuit »", font, 0)
    assert wrap("« Nuit »", font, tied) == ["« Nuit »"]
    assert wrap("« Nuit »", font, tied - 0.01) == ["« Nuit", "»"]
    assert fit("Word", PLAIN, (200, 30), largest=60).size == 30
    assert fit("Open", PLAIN, (88, 200), largest=60).size == 34
    assert fit("Word", PLAIN, (200, 12), largest=40, smallest=12).lines == ("Word",)
    assert fit("Word", PLAIN, (200, 11), largest=40, smallest=12).lines == ("Word…",)
    assert fit("one two three", PLAIN, (60, 11), largest=40, smallest=12).lines == ("one two…",)
    assert fit("🎉", PLAIN, (200, 11), largest=40, smallest=12).lines == ()


def test_tracking_stands_between_letters_only() -> None:
    font = fonts.load("Manrope", "bold", 30)
    assert line_width("Hello", font, 0.1) == pytest.approx(font.getlength("Hello") + 4 * 0.1 * 30)
    assert line_width("H", font, 0.1) == font.getlength("H")
    assert line_width("", font, 0.1) == 0


def test_letters_that_join_have_no_tracking_and_room_for_marks() -> None:
    block = fit("سلام\nسلام", TIGHT, (200, 200), largest=40)
    assert (block.face.tracking, block.face.leading, block.line_height) == (0, 1.3, 52)
    loose = fit("سلام\nسلام", Face("Manrope", "black", -0.03, 1.5), (200, 200), largest=40)
    assert loose.face.leading == 1.5
    untracked = fit("سلام\nسلام", Face("Manrope", "black", 0.0, 1.0), (200, 200), largest=40)
    assert untracked.face.leading == 1.0


def test_type_is_drawn_as_approved() -> None:
    images = []
    for align, x in (("left", 10), ("center", 100), ("right", 190)):
        for text, face in (
            ("Open on\nSunday", PLAIN),
            ("AVATAR\nTyped", Face("Source Serif Pro", "italic", 0.12, 1.3)),
            ("قهوة باردة\nإلى", TIGHT),
        ):
            image = Image.new("RGB", (200, 100), "#f2e6d0")
            block = fit(text, face, (180, 90), largest=34)
            typeset.draw(image, block, (x, 5), (150, 30, 20), align)  # type: ignore[arg-type]
            images.append(image)
    faint = Image.new("RGB", (200, 100), "#f2e6d0")
    typeset.draw(faint, fit("Faint", PLAIN, (180, 90), largest=50), (10, 20), (0, 0, 0), "left", 0.4)
    assert_approved(sheet_of([*images, faint], 300).convert("RGB"), APPROVED / "type.png")


def test_capitals_fill_the_height_of_their_line_evenly() -> None:
    page = Image.new("RGB", (300, 100))
    typeset.draw(page, fit("HHH", PLAIN, (280, 90), largest=60), (10, 20), (255, 255, 255))
    box = page.convert("L").point(lambda level: 255 if level > 128 else 0).getbbox()
    assert box is not None
    above, below = box[1] - 20, 80 - box[3]
    assert abs(above - below) <= 1


def test_a_block_without_lines_draws_nothing() -> None:
    page = Image.new("RGB", (300, 100))
    typeset.draw(page, Block((), PLAIN, 60, 0, 60), (0, 0), (255, 255, 255))
    assert page.getbbox() is None
