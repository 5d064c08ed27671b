"""Names in a PDF that are set as text and may be logos, or parts of one: the brand's name in large type."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

import pypdfium2
from pypdfium2 import raw

from impasto_server.brands.imports.pdf_items import PageItem

_MIN_POINTS = 18.0
"""Height of the letters' box; smaller type is running text."""
_SAME_LINE = 0.3
"""Of its height: how far a letter may stand from the line of the one before."""
_ABOUT_GUIDELINES = re.compile(
    r"\b(?:brand|branding|guidelines?|guide|book|manual|style|styleguide|design|identity|corporate|visual|logos?|"
    r"handbuch|markenhandbuch|richtlinien|gestaltung|manual|marca|identidade|charte|graphique|version|v?\d[\d.]*)\b",
    re.IGNORECASE,
)
_MIN_LETTERS = 3


def name_in(title: str) -> str:
    """Return the letters of a brand's name in the title of its guideline; "" if nothing else is in it."""
    letters = _letters(_ABOUT_GUIDELINES.sub(" ", title))
    return letters if len(letters) >= _MIN_LETTERS else ""


def wordmarks(page: pypdfium2.PdfPage, items: Sequence[PageItem], name: str) -> Iterator[list[PageItem]]:
    """Yield the text objects of each line in large type that is the name and nothing else."""
    if not name:
        return
    text_page = page.get_textpage()
    lines: list[list[PageItem]] = []
    for item in items:
        if item.type != raw.FPDF_PAGEOBJ_TEXT or item.box[3] - item.box[1] < _MIN_POINTS / 2:
            continue
        if lines and _is_next(lines[-1][-1], item):
            lines[-1].append(item)
        else:
            lines.append([item])
    for line in lines:
        height = max(item.box[3] - item.box[1] for item in line)
        said = "".join(text_page.get_text_bounded(*_outset(item)) for item in line)
        if height >= _MIN_POINTS and _letters(said) == name:
            yield line


def _is_next(before: PageItem, item: PageItem) -> bool:
    height = max(1.0, before.box[3] - before.box[1])
    is_level = abs(item.box[1] - before.box[1]) <= _SAME_LINE * height
    return is_level and -height <= item.box[0] - before.box[2] <= height


def _outset(item: PageItem) -> tuple[float, float, float, float]:
    left, bottom, right, top = item.box
    return left - 1, bottom - 1, right + 1, top + 1


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in folded if letter.isalnum())
