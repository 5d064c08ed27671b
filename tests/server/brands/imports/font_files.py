"""Font files that tests make: plain ones and hostile ones."""

import io
import itertools
import struct
from collections.abc import Callable
from typing import Any

import brotli
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

LETTERS = "ABCabc"


def _box(width: int) -> Any:
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for point in ((width, 0), (width, 700), (0, 700)):
        pen.lineTo(point)
    pen.closePath()
    return pen.glyph()


def font(
    family: str = "Fjell Sans",
    weight: int = 400,
    *,
    italic: bool = False,
    width: int = 900,
    packed: bool = False,
) -> bytes:
    """Return a font whose letters A, B, C, a, b and c are boxes, `width` units of 1,000 wide."""
    names = [".notdef", *LETTERS]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(letter): letter for letter in LETTERS})
    builder.setupGlyf(dict.fromkeys(names, _box(width)))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (width + 50, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Italic" if italic else "Regular"})
    builder.setupOS2(usWeightClass=weight)
    builder.setupPost()
    if italic:
        builder.font["head"].macStyle = 2
    return written(builder.font, packed=packed)


def written(made: TTFont, *, packed: bool = False) -> bytes:
    made.flavor = "woff2" if packed else None
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def changed(change: Callable[[TTFont], object]) -> bytes:
    """Return the font after a change of its tables, whose bounding boxes are not computed."""
    made = TTFont(io.BytesIO(font()), recalcBBoxes=False)
    made.ensureDecompiled()
    change(made)
    return written(made)


def _composed(*parts: str) -> Any:
    pen = TTGlyphPen(dict.fromkeys(LETTERS))
    for part in parts:
        pen.addComponent(part, (1, 0, 0, 1, 0, 0))
    glyph = pen.glyph()
    glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
    return glyph


def recursive() -> bytes:
    """Return a font in which A contains B, and B contains A."""

    def change(made: TTFont) -> None:
        made["glyf"]["A"], made["glyf"]["B"] = _composed("B"), _composed("A")

    return changed(change)


def exponential() -> bytes:
    """Return a font in which each of six letters contains the one before 60 times."""

    def change(made: TTFont) -> None:
        for before, letter in itertools.pairwise(LETTERS):
            made["glyf"][letter] = _composed(*[before] * 60)

    return changed(change)


def bomb() -> bytes:
    """Return a WOFF2 file of some kilobytes that unpacks to 200 MB."""
    data = bytearray(font(packed=True))
    tables = struct.unpack(">H", data[12:14])[0]
    from fontTools.ttLib.woff2 import WOFF2DirectoryEntry, woff2DirectorySize

    file = io.BytesIO(bytes(data))
    file.seek(woff2DirectorySize)
    for _ in range(tables):
        WOFF2DirectoryEntry().fromFile(file)
    packed = brotli.compress(bytes(200_000_000), quality=1)
    data[20:24] = struct.pack(">I", len(packed))
    return bytes(data[: file.tell()]) + packed


def huge_table() -> bytes:
    """Return a font whose directory says that a table has 4 GB."""
    data = bytearray(font())
    data[12 + 12 : 12 + 16] = struct.pack(">I", 2**32 - 1)
    return bytes(data)


def with_hinting() -> bytes:
    """Return a font with programs for hinting, and with a table that is in no specification."""
    from fontTools.ttLib import newTable
    from fontTools.ttLib.tables.ttProgram import Program

    def change(made: TTFont) -> None:
        for tag in ("fpgm", "prep"):
            made[tag] = newTable(tag)
            made[tag].program = Program()
            made[tag].program.fromBytecode(b"\xb0\x01")
        made["EVIL"] = newTable("EVIL")
        made["EVIL"].data = b"<script>"

    return changed(change)
