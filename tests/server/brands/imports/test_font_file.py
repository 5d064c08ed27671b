"""Font files are written again before anything draws with them; damaged and hostile ones are refused."""

import io
from contextlib import suppress

import pytest
from fontTools import subset
from fontTools.ttLib import TTFont
from tests.fixtures.tables import thorough_except
from tests.server.brands.imports import font_files

from impasto_nodes.media.text import fonts
from impasto_server.brands.imports.font_file import MAX_BYTES, FontUnreadable, sanitize

CHANGED_EVERY = 13
"""One byte in so many is changed by `make test`, and each by `make test-thorough`."""


@pytest.mark.parametrize("packed", [False, True])
def test_font_keeps_its_letters_and_says_what_it_is(packed: bool) -> None:
    found = sanitize(font_files.font("Fjell Sans", 700, italic=True, packed=packed))
    assert (found.family, found.weight, found.italic, found.variable) == ("Fjell Sans", 700, True, False)
    assert (found.characters, found.media_type) == (len(font_files.LETTERS), "font/ttf")
    made = TTFont(io.BytesIO(found.data))
    assert set(made.getBestCmap()) == set(map(ord, font_files.LETTERS))


def test_shipped_variable_font_stays_variable_without_its_hinting() -> None:
    path = fonts.find("Hanken Grotesk")
    assert path is not None
    found = sanitize(path.read_bytes())
    assert (found.family, found.variable) == ("Hanken Grotesk", True)
    assert [axis.axisTag for axis in TTFont(io.BytesIO(found.data))["fvar"].axes] == ["wght"]


def test_programs_and_unknown_tables_are_dropped() -> None:
    assert {"fpgm", "prep", "EVIL"} <= set(TTFont(io.BytesIO(font_files.with_hinting())).keys())
    made = TTFont(io.BytesIO(sanitize(font_files.with_hinting()).data))
    assert not {"fpgm", "prep", "cvt ", "EVIL"} & set(made.keys())


def test_sanitised_font_can_be_subset() -> None:
    made = TTFont(io.BytesIO(sanitize(font_files.font()).data))
    part = subset.Subsetter()
    part.populate(text="Ab")
    part.subset(made)
    assert set(made.getBestCmap()) == {ord("A"), ord("b")}


HOSTILE = {
    "empty": (b"", "no font file"),
    "an image": (b"\x89PNG\r\n\x1a\n" + bytes(99), "no font file"),
    "a collection": (b"ttcf" + bytes(99), "a collection of fonts"),
    "a WOFF file": (b"wOFF" + bytes(99), "a WOFF file"),
    "too large": (b"\x00\x01\x00\x00" + bytes(MAX_BYTES), "larger than 16 MiB"),
    "only a header": (font_files.font()[:40], "damaged"),
    "a huge table": (font_files.huge_table(), "larger than 16 MiB"),
    "a glyph in itself": (font_files.recursive(), "contains itself"),
    "exponential glyphs": (font_files.exponential(), "too many parts"),
    "a bomb": (font_files.bomb(), "when it is unpacked"),
    "a bomb's end missing": (font_files.font(packed=True)[:-20], "damaged|end is missing"),
    "no letters": (
        font_files.changed(lambda made: [table.cmap.clear() for table in made["cmap"].tables]),
        "no letters",
    ),
    "a table missing": (
        font_files.changed(lambda made: [made.__delitem__(tag) for tag in ("hmtx", "cmap")]),
        "^This font has no 'cmap' table: the file is damaged.$",
    ),
    "what FreeType cannot draw": (
        font_files.changed(lambda made: setattr(made["head"], "unitsPerEm", 0)),
        "^This font cannot be read: the file is damaged.$",
    ),
    "no Unicode letters": (
        font_files.changed(lambda made: made["cmap"].tables.clear()),
        "no letters",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_damaged_or_hostile_font_is_refused_in_words(name: str) -> None:
    data, words = HOSTILE[name]
    with pytest.raises(FontUnreadable, match=words):
        sanitize(data)


def test_damaged_names_write_no_lines_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    damaged = bytearray(font_files.font())
    names = 12 + 16 * next(at for at in range(64) if damaged[12 + 16 * at :].startswith(b"name"))
    start = int.from_bytes(damaged[names + 8 : names + 12])
    damaged[start + 2 : start + 4] = b"\xff\xff"  # the number of names
    with suppress(FontUnreadable):
        sanitize(bytes(damaged))
    assert caplog.records == []


@pytest.mark.parametrize("packed", [False, True])
def test_truncated_font_is_never_accepted(packed: bool) -> None:
    whole = font_files.font(packed=packed)
    for end in range(4, len(whole) - 8, max(1, len(whole) // 40)):
        with pytest.raises(FontUnreadable):
            sanitize(whole[:end])


@pytest.mark.parametrize("first", thorough_except(range(4, 4 + CHANGED_EVERY), 4))
def test_changed_bytes_are_refused_or_give_a_font_that_draws(first: int) -> None:
    from PIL import ImageFont

    whole = bytearray(font_files.font())
    for place in range(first, len(whole), CHANGED_EVERY):
        damaged = bytes(whole[:place]) + bytes((whole[place] ^ 0xFF,)) + bytes(whole[place + 1 :])
        try:
            found = sanitize(damaged)
        except FontUnreadable:
            continue
        ImageFont.truetype(io.BytesIO(found.data), 20).getmask("Abc")
