"""What a font file contains after it is written again, and what the tables of one may contain."""

import io
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables.DefaultTable import DefaultTable
from fontTools.ttLib.tables.ttProgram import Program
from tests.server.brands.imports import font_files

from impasto_server.brands.imports.font_file import MAX_BYTES, FontUnreadable, SanitizedFont, sanitize


def changed(change: Callable[[TTFont], object]) -> SanitizedFont:
    return sanitize(font_files.changed(change))


def opened(found: SanitizedFont) -> TTFont:
    return TTFont(io.BytesIO(found.data))


def named(**names: str) -> Callable[[TTFont], None]:
    """Return a change that leaves these names, by number: `n1="Fjell Sans"`."""

    def change(made: TTFont) -> None:
        made["name"].names = []
        for number, name in names.items():
            made["name"].setName(name, int(number[1:]), 3, 1, 0x409)

    return change


def texts(made: TTFont) -> dict[int, str]:
    assert all((name.platformID, name.platEncID, name.langID) == (3, 1, 0x409) for name in made["name"].names)
    return {name.nameID: str(name) for name in made["name"].names}


def test_names_say_family_style_and_licence_and_nothing_else() -> None:
    names = {f"n{number}": f"name {number}" for number in range(1, 26)}
    found = changed(named(n0="Fjell AS\n2026", **names | {"n14": "x" * 2001}))
    assert found.family == "name 16"
    assert texts(opened(found)) == {
        0: "Fjell AS\n2026",
        1: "name 16",
        2: "400",
        4: "name 16 400",
        13: "name 13",
        14: "x" * 2000,
    }
    assert texts(opened(sanitize(font_files.font("Fjell Sans", 700, italic=True)))) == {
        1: "Fjell Sans",
        2: "700 italic",
        4: "Fjell Sans 700 italic",
    }


@pytest.mark.parametrize(
    ("names", "family", "italic"),
    [
        ({"n1": "Fjell Sans Light", "n16": "Fjell Sans"}, "Fjell Sans", False),
        ({"n1": "Fjell \n Sans", "n2": "Bold Italic"}, "Fjell Sans", True),
        ({"n1": "Fjell Sans", "n2": "Regular", "n17": "Light Oblique"}, "Fjell Sans", True),
        ({"n1": "Fjell Sans", "n2": "Italic", "n17": "Light"}, "Fjell Sans", False),
        ({"n1": "x" * 81}, "x" * 80, False),
    ],
)
def test_typographic_names_of_family_and_style_come_first(
    names: dict[str, str], family: str, italic: bool
) -> None:
    found = changed(named(**names))
    assert (found.family, found.italic) == (family, italic)


def test_font_without_a_family_name_is_refused() -> None:
    with pytest.raises(FontUnreadable, match="no family name"):
        changed(named(n2="Regular"))


@pytest.mark.parametrize(
    ("stated", "mac_style", "weight", "italic"),
    [
        (550, 0, 550, False), (1, 1, 1, False), (1000, 0, 1000, False), (1001, 0, 1000, False),
        (0, 0, 400, False), (0, 1, 700, False), (0, 2, 400, True), (0, 3, 700, True),
        (None, 0, 400, False), (None, 1, 700, False),
    ],
)  # fmt: skip
def test_weight_is_the_stated_one_or_that_of_the_style(
    stated: int | None, mac_style: int, weight: int, italic: bool
) -> None:
    def change(made: TTFont) -> None:
        made["head"].macStyle = mac_style
        if stated is None:
            del made["OS/2"]
        else:
            made["OS/2"].usWeightClass = stated

    found = changed(change)
    assert (found.weight, found.italic) == (weight, italic)


def test_letters_are_those_above_the_space_that_have_a_glyph() -> None:
    codes = {0x20: "A", 0x21: "A", 0x41: "glyph00099", 0xFFFD: "B", 0x10000: "C", 0x10FFFF: "a"}

    def change(made: TTFont) -> None:
        FontBuilder(font=made).setupCharacterMap(codes)

    found = changed(change)
    assert found.characters == 4
    made, glyphs = opened(found), {0x20: 1, 0x21: 1, 0xFFFD: 2}
    tables = {
        (each.format, each.platformID, each.platEncID, each.language): {
            code: made.getGlyphID(name) for code, name in each.cmap.items()
        }
        for each in made["cmap"].tables
    }
    assert tables == {(4, 3, 1, 0): glyphs, (12, 3, 10, 0): {**glyphs, 0x10000: 3, 0x10FFFF: 4}}


def test_font_keeps_its_time_of_change_but_no_names_of_glyphs() -> None:
    def change(made: TTFont) -> None:
        made.recalcTimestamp = False
        made["head"].modified = 3_000_000_000
        made["post"].formatType = 2.0

    made = opened(changed(change))
    assert (made["head"].modified, made["post"].formatType) == (3_000_000_000, 3.0)
    assert "post" not in opened(changed(lambda each: each.__delitem__("post")))


def test_programs_of_glyphs_are_dropped() -> None:
    def change(made: TTFont) -> None:
        made["glyf"]["A"].program = Program()
        made["glyf"]["A"].program.fromBytecode(b"\xb0\x01")

    assert TTFont(io.BytesIO(font_files.changed(change)))["glyf"]["A"].program.getBytecode() == b"\xb0\x01"
    assert opened(changed(change))["glyf"]["A"].program.getBytecode() == b""


def test_table_that_is_kept_has_to_be_readable() -> None:
    def change(made: TTFont) -> None:
        made["GDEF"] = DefaultTable("GDEF")
        made["GDEF"].data = b"\x00\x01\x00\x00\x00"

    with pytest.raises(FontUnreadable, match="damaged"):
        changed(change)


def otf(*, outlines: bool = True) -> bytes:
    """Return a font of cubic outlines, or of none."""
    pen = T2CharStringPen(600, None)
    for place, point in enumerate([(0, 0), (500, 0), (500, 700)]):
        (pen.lineTo if place else pen.moveTo)(point)
    pen.closePath()
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder([".notdef", "A"])
    builder.setupCharacterMap({0x41: "A"})
    glyph = pen.getCharString()
    builder.setupCFF("Fjell", {"FullName": "Fjell"}, {".notdef": glyph, "A": glyph}, {})
    builder.setupHorizontalMetrics({".notdef": (600, 0), "A": (600, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Fjell", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    if not outlines:
        del builder.font["CFF "]
    return font_files.written(builder.font)


def test_font_keeps_its_cubic_outlines() -> None:
    found = sanitize(otf())
    assert (found.family, found.characters, found.media_type) == ("Fjell", 1, "font/otf")
    assert "CFF " in opened(found)
    with pytest.raises(FontUnreadable, match="no outlines"):
        sanitize(otf(outlines=False))


def with_axes(*tags: str) -> Callable[[TTFont], None]:
    def change(made: TTFont) -> None:
        builder = FontBuilder(font=made)
        usual = {"location": dict.fromkeys(tags, 0), "stylename": "Usual"}
        builder.setupFvar([(tag, 0, 0, 100, tag) for tag in tags], [usual])

    return change


def test_axes_have_their_usual_names_and_no_instances() -> None:
    made = opened(changed(with_axes("wght", "slnt", "XXXX")))
    assert [made["name"].getDebugName(axis.axisNameID) for axis in made["fvar"].axes] == [
        "Weight",
        "Slant",
        "XXXX",
    ]
    assert made["fvar"].instances == []
    assert "Usual" not in texts(made).values()


def test_font_has_at_most_eight_axes() -> None:
    tags = [f"AXS{number}" for number in range(9)]
    assert changed(with_axes(*tags[:8])).variable
    with pytest.raises(FontUnreadable, match="more than 8 axes"):
        changed(with_axes(*tags))


def with_tables(number: int, *, packed: bool) -> bytes:
    made = TTFont(io.BytesIO(font_files.font()))
    for extra in range(number - len(made.reader.keys())):
        made[f"X{extra:03}"] = newTable(f"X{extra:03}")
        made[f"X{extra:03}"].data = b"data"
    return font_files.written(made, packed=packed)


@pytest.mark.parametrize("packed", [False, True])
def test_font_has_at_most_64_tables(packed: bool) -> None:
    assert sanitize(with_tables(64, packed=packed)).family == "Fjell Sans"
    with pytest.raises(FontUnreadable, match="more than 64 tables"):
        sanitize(with_tables(65, packed=packed))


def test_file_of_16_mib_is_not_too_large() -> None:
    with pytest.raises(FontUnreadable, match="damaged"):
        sanitize(b"\x00\x01\x00\x00" + bytes(MAX_BYTES - 4))


def drawn(glyphs: dict[str, Any], names: Sequence[str]) -> bytes:
    """Return a font of these glyphs."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([*names])
    builder.setupCharacterMap({0x41: names[-1]})
    builder.setupGlyf(glyphs, calcGlyphBounds=False)
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Fjell", "styleName": "Regular"})
    return font_files.written(builder.font)


def steps(points: int) -> Iterator[tuple[int, int]]:
    yield from ((place // 2, (place + 1) // 2) for place in range(points - 1))
    yield 0, 700


def composed(depth: int, points: int = 4, times: int = 1) -> bytes:
    """Return a font whose last glyph has parts `depth` deep; each contains the one before `times`."""
    names = [".notdef", *(f"g{number}" for number in range(1, depth + 1))]
    outline = TTGlyphPen(None)
    outline.moveTo((0, 0))
    for point in list(steps(points))[1:]:
        outline.lineTo(point)
    outline.closePath()
    glyphs: dict[str, Any] = {".notdef": TTGlyphPen(None).glyph(), "g1": outline.glyph()}
    for before, name in itertools.pairwise(names[1:]):
        pen = TTGlyphPen(dict.fromkeys(names))
        for _ in range(times):
            pen.addComponent(before, (1, 0, 0, 1, 0, 0))
        glyphs[name] = pen.glyph()
    for glyph in glyphs.values():
        glyph.xMin = glyph.yMin = 0
        glyph.xMax = glyph.yMax = 700
    return drawn(glyphs, names)


@pytest.mark.parametrize(
    ("allowed", "refused"),
    [
        ({"depth": 8}, {"depth": 9}),
        ({"depth": 1, "points": 20_000}, {"depth": 1, "points": 20_001}),
        ({"depth": 2, "points": 4000, "times": 5}, {"depth": 2, "points": 4001, "times": 5}),
    ],
)
def test_glyph_has_at_most_20_000_points_in_parts_eight_deep(
    allowed: dict[str, int], refused: dict[str, int]
) -> None:
    assert sanitize(composed(**allowed)).characters == 1
    with pytest.raises(FontUnreadable, match="too many parts"):
        sanitize(composed(**refused))
