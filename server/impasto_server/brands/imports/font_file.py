"""Sanitising a font file: TTF, OTF or WOFF2 becomes a plain TTF or OTF with known tables only.

Every table is decompiled and written again, so damaged tables are refused and foreign bytes are dropped, as
are hinting programs, which renderers would execute. Glyphs that only FreeType could expand are refused.
"""

from __future__ import annotations

import io
import logging
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from impasto_server.brands.schemas import MAX_FAMILY
from impasto_server.http.schemas import plain_text

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

MAX_BYTES = 16 * 2**20
"""The most that a file may have, packed and unpacked."""
_MAX_TABLES = 64
_MAX_AXES = 8
_MAX_DEPTH, _MAX_POINTS = 8, 20_000
_SAMPLE_SIZE, _SAMPLED_LETTERS = 32, 64
_OUTLINES = frozenset(("CFF ", "CFF2", "VORG", "glyf", "loca"))
_METRICS = frozenset(("BASE", "OS/2", "head", "hhea", "hmtx", "kern", "maxp", "post", "vhea", "vmtx"))
_VARIATIONS = frozenset(("HVAR", "MVAR", "VVAR", "avar", "fvar", "gvar"))
_TABLES = _OUTLINES | _METRICS | _VARIATIONS | {"GDEF", "GPOS", "GSUB", "cmap", "name"}
_REQUIRED = frozenset(("cmap", "head", "hhea", "hmtx", "maxp", "name"))
_KEPT_NAMES = (0, 13, 14)
"""Copyright, licence and the licence's address."""
_AXES = {"wght": "Weight", "wdth": "Width", "opsz": "Optical Size", "ital": "Italic", "slnt": "Slant"}
_STARTS = {
    b"\x00\x01\x00\x00": "TTF",
    b"true": "TTF",
    b"OTTO": "OTF",
    b"wOF2": "WOFF2",
}
_NOT_ACCEPTED = {b"ttcf": "a collection of fonts", b"wOFF": "a WOFF file"}


class FontUnreadable(Exception):
    """The file is no font that can be used; the message is a sentence."""


@dataclass(frozen=True)
class SanitizedFont:
    """A font that is safe to draw with, and what it is. `weight` is that of CSS, from 1 to 1000."""

    data: bytes
    family: str
    weight: int
    italic: bool
    variable: bool
    characters: int
    media_type: str


def sanitize(data: bytes) -> SanitizedFont:
    """Return a font file written again. Raises `FontUnreadable`."""
    _check_start(data)
    try:
        return _sanitized(data)
    except (FontUnreadable, MemoryError):
        raise
    except Exception as error:  # fontTools raises whatever a damaged table leads to
        raise FontUnreadable("This font cannot be read: the file is damaged.") from error


def _check_start(data: bytes) -> None:
    if len(data) > MAX_BYTES:
        raise FontUnreadable(f"This font is larger than {MAX_BYTES / 2**20:g} MiB.")
    refused = _NOT_ACCEPTED.get(data[:4])
    if refused is not None:
        raise FontUnreadable(f"This is {refused}: choose a TTF, OTF or WOFF2 file.")
    if data[:4] not in _STARTS:
        raise FontUnreadable("This is no font file: choose a TTF, OTF or WOFF2 file.")


def _sanitized(data: bytes) -> SanitizedFont:
    from fontTools.ttLib import TTFont

    # It logs a line for each damaged name, of which a file of a few kB can have 65,535.
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    if data[:4] == b"wOF2":
        _check_unpacked_size(data)
    font = TTFont(io.BytesIO(data), lazy=True, recalcTimestamp=False)
    _check_tables(font)
    for tag in set(font.keys()) - _TABLES - {"GlyphOrder"}:
        del font[tag]
    letters = _simplify_cmap(font)
    if "glyf" in font:
        _simplify_glyphs(font)
    elif "CFF " not in font and "CFF2" not in font:
        raise FontUnreadable("This font has no outlines: choose a TTF, OTF or WOFF2 file.")
    family, weight, italic = _identity(font)
    variable = "fvar" in font
    _simplify_names(font, family, weight, italic)
    font.ensureDecompiled(recurse=False)  # glyphs of a CFF table are copied: FreeType bounds them
    font.flavor = None
    out = io.BytesIO()
    font.save(out)
    _try_to_draw(out.getvalue(), letters)
    media_type = "font/ttf" if "glyf" in font else "font/otf"
    return SanitizedFont(out.getvalue(), family, weight, italic, variable, len(letters), media_type)


def _check_unpacked_size(data: bytes) -> None:
    """Unpack a WOFF2 file in pieces, and refuse one that becomes too large."""
    import brotli
    from fontTools.ttLib.woff2 import WOFF2DirectoryEntry, woff2DirectorySize

    tables, packed = struct.unpack(">H", data[12:14])[0], struct.unpack(">I", data[20:24])[0]
    if tables > _MAX_TABLES:
        raise FontUnreadable(f"This font has more than {_MAX_TABLES} tables.")
    file = io.BytesIO(data)
    file.seek(woff2DirectorySize)
    for _ in range(tables):
        WOFF2DirectoryEntry().fromFile(file)
    start = file.tell()
    unpacker, size = brotli.Decompressor(), 0
    piece = data[start : start + packed]
    while not unpacker.is_finished():
        size += len(unpacker.process(piece, output_buffer_limit=2**20))
        if size > MAX_BYTES:
            limit = f"{MAX_BYTES / 2**20:g} MiB"
            raise FontUnreadable(f"This font is larger than {limit} when it is unpacked.")
        if unpacker.can_accept_more_data() and not unpacker.is_finished():
            raise FontUnreadable("This font cannot be read: its end is missing.")
        piece = b""


def _check_tables(font: TTFont) -> None:
    entries = font.reader.tables  # a table may be listed several times with the same bytes
    if len(entries) > _MAX_TABLES:
        raise FontUnreadable(f"This font has more than {_MAX_TABLES} tables.")
    sizes = [int(getattr(entry, "origLength", entry.length)) for entry in entries.values()]
    if sum(sizes) > MAX_BYTES:
        raise FontUnreadable(f"The tables of this font are larger than {MAX_BYTES / 2**20:g} MiB.")
    missing = sorted(_REQUIRED - {str(tag) for tag in entries})
    if missing:
        raise FontUnreadable(f"This font has no '{missing[0]}' table: the file is damaged.")
    if "fvar" in font and len(font["fvar"].axes) > _MAX_AXES:
        raise FontUnreadable(f"This variable font has more than {_MAX_AXES} axes.")


def _simplify_cmap(font: TTFont) -> Mapping[int, str]:
    """Leave one Unicode mapping, and return it."""
    from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

    found: Mapping[int, str] | None = font.getBestCmap()
    known = set(font.getGlyphOrder())
    letters = {code: name for code, name in (found or {}).items() if name in known and code > 0x20}
    if not letters:
        raise FontUnreadable("This font has no letters with Unicode values.")
    tables = []
    for number, encoding, highest in ((4, 1, 0xFFFF), (12, 10, 0x10FFFF)):
        table = CmapSubtable.newSubtable(number)
        table.platformID, table.platEncID, table.language = 3, encoding, 0
        table.cmap = {code: name for code, name in (found or {}).items() if code <= highest and name in known}
        tables.append(table)
    font["cmap"].tables = tables
    return letters


def _simplify_glyphs(font: TTFont) -> None:
    """Drop hinting, and refuse glyphs that contain themselves or become huge when they are composed."""
    glyphs = font["glyf"]
    sizes: dict[str, tuple[int, int]] = {}
    pending: list[tuple[str, bool]] = [(name, False) for name in font.getGlyphOrder()]
    open_names: set[str] = set()
    while pending:
        name, is_ready = pending.pop()
        if name in sizes:
            continue
        glyph = glyphs[name]
        parts = [part.glyphName for part in glyph.components] if glyph.isComposite() else []
        if is_ready or not parts:
            sizes[name] = _size_of(glyph, [sizes[part] for part in parts])
            glyph.removeHinting()
            continue
        if name in open_names:
            raise FontUnreadable("A glyph of this font contains itself: the file is damaged.")
        open_names.add(name)
        pending.append((name, True))
        pending.extend((part, False) for part in parts)


def _size_of(glyph: Any, parts: list[tuple[int, int]]) -> tuple[int, int]:
    depth = 1 + max((depth for depth, _ in parts), default=0)
    points = sum(number for _, number in parts) if parts else len(getattr(glyph, "coordinates", ()))
    if depth > _MAX_DEPTH or points > _MAX_POINTS:
        raise FontUnreadable("A glyph of this font is composed of too many parts.")
    return depth, points


def _identity(font: TTFont) -> tuple[str, int, bool]:
    """Return family, weight and whether it is italic."""
    names = font["name"]
    family = _name(names, 16) or _name(names, 1)
    if not family:
        raise FontUnreadable("This font has no family name.")
    style = (_name(names, 17) or _name(names, 2)).casefold()
    os2 = font.get("OS/2")
    weight = int(getattr(os2, "usWeightClass", 0) or (700 if font["head"].macStyle & 1 else 400))
    italic = bool(font["head"].macStyle & 2) or "italic" in style or "oblique" in style
    return family, min(1000, max(1, weight)), italic


def _name(names: Any, number: int) -> str:
    return " ".join(plain_text(str(names.getDebugName(number) or "")).split())[:MAX_FAMILY].strip()


def _simplify_names(font: TTFont, family: str, weight: int, italic: bool) -> None:
    from fontTools.ttLib import newTable

    kept = {number: _long_name(font["name"], number) for number in _KEPT_NAMES}
    style = f"{weight} italic" if italic else str(weight)
    names = font["name"] = newTable("name")
    names.names = []
    for number, text in {**kept, 1: family, 2: style, 4: f"{family} {style}"}.items():
        if text:
            names.setName(text, number, 3, 1, 0x409)
    if "fvar" in font:
        font["fvar"].instances = []
        for axis in font["fvar"].axes:
            axis.axisNameID = names.addName(_AXES.get(axis.axisTag, axis.axisTag), platforms=((3, 1, 0x409),))
    if "post" in font:
        font["post"].formatType = 3.0  # without names of glyphs
        font["post"].extraNames, font["post"].mapping = [], {}


def _long_name(names: Any, number: int) -> str:
    return plain_text(str(names.getDebugName(number) or ""))[:2000]


def _try_to_draw(data: bytes, letters: Mapping[int, str]) -> None:
    """Draw some letters, as the renderer does."""
    from PIL import ImageFont

    font = ImageFont.truetype(io.BytesIO(data), _SAMPLE_SIZE)
    font.getmask("".join(map(chr, sorted(letters)[:_SAMPLED_LETTERS])))
