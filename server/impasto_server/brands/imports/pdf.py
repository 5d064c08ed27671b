"""Colours and fonts in a PDF: what is drawn and what is written.

Runs in a worker process: the file is untrusted.
"""

import ctypes
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2
from pypdfium2 import raw

from impasto_server.brands.imports.colors import FoundColor, from_cmyk, hex_of
from impasto_server.brands.imports.typefaces import families_in, family_of, is_standard

MAX_PAGES = 80
_MAX_OBJECTS = 20_000
"""Of a page."""
_MAX_TEXT = 100_000
"""Characters of a page."""
_MAX_NAME = 1000
"""Bytes of the name of a font."""
_WRITTEN, _CONVERTED, _DRAWN = 1000.0, 10.0, 1.0
_HEX = re.compile(
    r"(?<![\w#&/])(?:#\s?|\b(?:hex|html|web)\b[^\w#]{0,4}#?\s?)([0-9a-f]{6})(?![0-9a-z])", re.IGNORECASE
)
_BARE_HEX = re.compile(r"(?<![\w#])(?=[0-9A-F]*[A-F])(?=[0-9A-F]*[0-9])([0-9A-F]{6})(?![\w])")
_RGB = re.compile(
    r"\bRGB\b[^\d\n]{0,6}(\d{1,3})\D{1,4}(\d{1,3})\D{1,4}(\d{1,3})(?!\d)"
    r"|\bR\W{0,3}(\d{1,3})\W{1,4}G\W{0,3}(\d{1,3})\W{1,4}B\W{0,3}(\d{1,3})(?!\d)",
    re.IGNORECASE,
)
_CMYK = re.compile(
    r"\bCMYK\b[^\d\n]{0,6}(\d{1,3})\D{1,4}(\d{1,3})\D{1,4}(\d{1,3})\D{1,4}(\d{1,3})(?!\d)"
    r"|\bC\W{0,3}(\d{1,3})\W{1,4}M\W{0,3}(\d{1,3})\W{1,4}Y\W{0,3}(\d{1,3})\W{1,4}K\W{0,3}(\d{1,3})(?!\d)",
    re.IGNORECASE,
)


class PdfUnreadable(Exception):
    """The file is damaged, encrypted with a password, or not a PDF."""


@dataclass
class Guideline:
    """The findings in a PDF. `colors` are ranked by the caller, `fonts` are family, role and place."""

    title: str = ""
    colors: list[FoundColor] = field(default_factory=list)
    fonts: list[tuple[str, str, str]] = field(default_factory=list)
    pages: int = 0


def read_pdf(path: Path) -> Guideline:
    """Return the colours and fonts of a PDF's first `MAX_PAGES` pages. Raises `PdfUnreadable`."""
    found, reader = Guideline(), _Reader()
    with closing(open_pdf(path)) as document:
        found.pages = len(document)
        found.title = " ".join(title_of(document).split())[:200]
        for index in range(min(found.pages, MAX_PAGES)):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                continue
            reader.read_page(page, index + 1)
    found.colors = [*reader.written.values(), *reader.drawn_colors()]
    found.fonts = reader.fonts()
    return found


def open_pdf(path: Path) -> pypdfium2.PdfDocument:
    """Return the document, which the caller closes. Raises `PdfUnreadable`."""
    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise PdfUnreadable from error


def title_of(document: pypdfium2.PdfDocument) -> str:
    """Return the title that a document states; empty if it has none, or one that is no text."""
    try:
        title: str = document.get_metadata_value("Title")
    except UnicodeDecodeError:  # half of a surrogate pair
        return ""
    return title


def text_of(page: pypdfium2.PdfPage) -> str:
    """Return the text of a page, at most its first 100,000 characters."""
    text_page = page.get_textpage()
    text: str = text_page.get_text_range(0, min(text_page.count_chars(), _MAX_TEXT), errors="ignore")
    return text


class _Reader:
    def __init__(self) -> None:
        self.written: dict[str, FoundColor] = {}
        self._certainty: dict[str, float] = {}
        self._drawn: defaultdict[str, float] = defaultdict(float)
        self._pages: dict[str, int] = {}
        self._named: dict[str, int] = {}
        self._set: defaultdict[str, float] = defaultdict(float)
        self._largest: dict[str, float] = {}
        self._set_pages: dict[str, int] = {}

    def read_page(self, page: pypdfium2.PdfPage, number: int) -> None:
        area = max(1.0, page.get_width() * page.get_height())
        for index, item in enumerate(_objects(page)):
            if index >= _MAX_OBJECTS:
                break
            if item.type == raw.FPDF_PAGEOBJ_TEXT:
                self._read_text_object(item, number)
            elif item.type == raw.FPDF_PAGEOBJ_PATH:
                self._read_path(item, number, area)
        self._read_text(text_of(page), number)

    def drawn_colors(self) -> Iterator[FoundColor]:
        for color, share in self._drawn.items():
            yield FoundColor(color, _DRAWN * share, f"drawn on page {self._pages[color]}")

    def fonts(self) -> list[tuple[str, str, str]]:
        """Return the fonts, those that the text names first, then by amount of text."""
        found = [(family, f"named on page {page}") for family, page in self._named.items()]
        ranking = sorted(self._set, key=lambda family: (is_standard(family), -self._set[family]))
        found += [(family, f"used on page {self._set_pages[family]}") for family in ranking]
        chosen = dict[str, tuple[str, str]]()
        for family, place in found:
            chosen.setdefault(family.casefold(), (family, place))
        headline = max(self._largest, key=lambda family: self._largest[family], default="")
        if self._named:
            headline = next(iter(self._named))
        return [
            (family, "headline" if family == headline else "text", place) for family, place in chosen.values()
        ]

    def _read_text_object(self, item: pypdfium2.PdfObject, number: int) -> None:
        family = family_of(_font_name(item))
        left, bottom, right, top = item.get_bounds()
        if family:
            self._set[family] += max(0.0, right - left)
            self._largest[family] = max(self._largest.get(family, 0.0), top - bottom)
            self._set_pages.setdefault(family, number)
        color = _color(raw.FPDFPageObj_GetFillColor, item)
        if color:
            self._note(color, 0.001, number)

    def _read_path(self, item: pypdfium2.PdfObject, number: int, area: float) -> None:
        mode, stroke = ctypes.c_int(), ctypes.c_int()
        if not raw.FPDFPath_GetDrawMode(item, mode, stroke):
            return
        left, bottom, right, top = item.get_bounds()
        share = min(1.0, max(0.0, right - left) * max(0.0, top - bottom) / area)
        if mode.value:
            color = _color(raw.FPDFPageObj_GetFillColor, item)
            if color:
                self._note(color, share, number)
        if stroke.value:
            color = _color(raw.FPDFPageObj_GetStrokeColor, item)
            if color:
                self._note(color, 0.001, number)

    def _note(self, color: str, share: float, number: int) -> None:
        self._drawn[color] += share
        self._pages.setdefault(color, number)

    def _read_text(self, text: str, number: int) -> None:
        for match in (*_HEX.finditer(text), *_BARE_HEX.finditer(text)):
            self._write(f"#{match[1].lower()}", _WRITTEN, f"written as {match[0].strip()} on page {number}")
        for match in _RGB.finditer(text):
            parts = [int(part) for part in match.groups() if part is not None]
            if max(parts) <= 255:
                color = hex_of(*(part / 255 for part in parts))
                self._write(color, _WRITTEN / 2, f"written as RGB {_listed(parts)} on page {number}")
        for match in _CMYK.finditer(text):
            parts = [int(part) for part in match.groups() if part is not None]
            if max(parts) <= 100:
                cyan, magenta, yellow, black = (part / 100 for part in parts)
                color = from_cmyk(cyan, magenta, yellow, black)
                place = f"written as CMYK {_listed(parts)} on page {number}, converted"
                self._write(color, _CONVERTED, place)
        for family in families_in(text):
            self._named.setdefault(family, number)

    def _write(self, color: str, weight: float, place: str) -> None:
        if self._certainty.get(color, 0.0) < weight:
            self._certainty[color] = weight
            # The first colours of a guideline are the main ones.
            self.written[color] = FoundColor(color, weight - len(self.written) / 1000, place)


def _objects(page: pypdfium2.PdfPage) -> Iterator[pypdfium2.PdfObject]:
    try:
        yield from page.get_objects(max_depth=8)
    except pypdfium2.PdfiumError:
        return


def _color(function: object, item: pypdfium2.PdfObject) -> str | None:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not function(item, *parts) or parts[3].value < 128:  # type: ignore[operator]
        return None
    return hex_of(*(part.value / 255 for part in parts[:3]))


def _font_name(item: pypdfium2.PdfObject) -> str:
    buffer = ctypes.create_string_buffer(_MAX_NAME)
    raw.FPDFFont_GetBaseFontName(raw.FPDFTextObj_GetFont(item), buffer, _MAX_NAME)
    return buffer.value.decode(errors="replace")


def _listed(parts: list[int]) -> str:
    return "/".join(map(str, parts))
