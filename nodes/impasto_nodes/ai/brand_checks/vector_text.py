"""The text of an SVG image, and whether it is set in the brand's fonts."""

import re
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

_TEXT_TAGS = frozenset(("text", "tspan", "textPath"))
_FAMILY = re.compile(r"(?<![\w-])font(-family)?\s*:\s*([^;}]+)", re.IGNORECASE)
# The families of the `font` shorthand follow its size, with which a line height may go (CSS Fonts 3, 3.7).
_AFTER_SIZE = re.compile(
    r"(?:^|\s)(?:\d*\.?\d+(?:[a-z]+|%)|(?:xx?-)?(?:small|large)|medium|smaller|larger)"
    r"(?:\s*/\s*[\w.%-]+)?\s+(\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_GENERIC = frozenset(("inherit", "initial", "unset"))
_MAX_BYTES = 8 * 2**20
_MAX_LETTERS = 100_000
_MAX_SHORTHAND = 500


class NotAnSvg(Exception):
    """The file is not a readable SVG. The message is a sentence for the user."""


@dataclass
class VectorText:
    """The text of an SVG image, and the first family of each of its font lists."""

    text: str = ""
    families: list[str] = field(default_factory=list)


def read_svg(data: bytes) -> VectorText:
    """Return the text and the fonts of an SVG file. Raises `NotAnSvg`."""
    if len(data) > _MAX_BYTES:
        raise NotAnSvg(f"The SVG has more than {_MAX_BYTES // 2**20} MiB.")
    reader = _Reader()
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise NotAnSvg("The SVG is damaged.") from error
    text = " ".join("".join(reader.pieces).split())
    return VectorText(text, list(dict.fromkeys(reader.families)))


def check_fonts(found: VectorText, fonts: tuple[str, ...]) -> dict[str, Any]:
    """Whether text is set in the brand's fonts alone."""
    if not fonts:
        return {"checked": False, "why": "The brand has no fonts."}
    if not found.text:
        return {
            "checked": False,
            "why": "The SVG has no text. Letters drawn as shapes have no font.",
        }
    own = {_folded(name) for name in fonts}
    foreign = [name for name in found.families if _folded(name) not in own]
    if not found.families:
        foreign = ["the viewer's default font"]
    return {"checked": True, "passed": not foreign, "found": found.families, "foreign": foreign}


class _Reader:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.families: list[str] = []
        self._open: list[str] = []
        self._letters = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True  # a rule that spans lines, or has entities, is read as one
        self.parser.buffer_size = _MAX_LETTERS * 4  # bytes of UTF-8
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.EntityDeclHandler = self._refuse

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._open.append(tag.rpartition(":")[2])
        self._add(attributes.get("font-family", ""))
        self._add(_families_of(attributes.get("font", "")))
        self._add_rules(attributes.get("style", ""))

    def _end(self, tag: str) -> None:
        if self._open.pop() in _TEXT_TAGS:
            self.pieces.append(" ")

    def _data(self, text: str) -> None:
        self._letters += len(text)
        if self._letters > _MAX_LETTERS:
            raise NotAnSvg("The SVG has too much text.")
        if self._open and self._open[-1] in _TEXT_TAGS:
            self.pieces.append(text)
        elif self._open and self._open[-1] == "style":
            self._add_rules(text)

    def _add_rules(self, style: str) -> None:
        for long_form, value in _FAMILY.findall(style):
            self._add(value if long_form else _families_of(value))

    def _add(self, families: str) -> None:
        first = " ".join(families.partition(",")[0].split()).strip("\"'").strip()
        if first and first.casefold() not in _GENERIC:
            self.families.append(first[:80])

    def _refuse(self, *declaration: object) -> None:
        raise NotAnSvg("The SVG declares entities.")


def _families_of(shorthand: str) -> str:
    found = _AFTER_SIZE.search(shorthand[:_MAX_SHORTHAND])
    return found[1] if found else ""


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
