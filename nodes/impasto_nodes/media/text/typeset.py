"""Typesetting: measuring, wrapping into balanced lines, fitting a box, drawing with tracking."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

from impasto_nodes.media.image.color import RGB
from impasto_nodes.media.text import fonts

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

Align: TypeAlias = Literal["left", "center", "right"]

_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f"
_OPENING, _CLOSING = "「『（〈《【［｛", "」』）〉》】］｝、。，．・：；！？ーっゃゅょッャュョ"
_COUNTED = (
    rf"[{_OPENING}]*(?:午前|午後|約|第|全|各)?"
    "(?:[0-9０-９][0-9０-９,.:〜~-]*[年月日時分秒円元週間個枚本回名人台階歳割号番点件度％%]{1,2})+"
    rf"(?:[（(][月火水木金土日祝・]{{1,4}}[）)])?[{_CLOSING}]*"
)
"""A date, a time, a price or another number with the signs that count it."""
_PIECE = re.compile(
    rf"(?:{_COUNTED}|[{_OPENING}]*[{_CJK}][{_CLOSING}]*|[^\s{_CJK}{_OPENING}]+|[{_OPENING}]+)\s*"
)
"""What is not broken: a word, or one letter of a script without spaces with the marks that stay at it."""
_PHRASE = re.compile(
    rf"(?:{_COUNTED}|[{_OPENING}]*(?:(?:[\u30a0-\u30ff]+|[\u3400-\u9fff々]{{1,5}}){{1,2}}[\u3040-\u309f]*|[\u3040-\u309f]+)[{_CLOSING}]*)\s*"
    rf"|{_PIECE.pattern}"
)
"""The same for Japanese: a noun or verb stays with what is joined to it."""
_TIED_SPACE = re.compile(
    r"(?<=«) | (?=[:;!?»%‰€£$]+[.,]?(?: |$))|(?<=\d) (?=\d{3}(?!\d))"
    r"|(?<=\b[A-Za-zÀ-ɏͰ-ϿЀ-ӿ])(?<!['’].) "
)
"""A space where no line breaks: within French marks, before a unit, between groups of digits.

Nor after a word of one letter: Polish and Czech end no line with it."""
_HIRAGANA = re.compile("[\u3040-\u309f]")
_MAX_EVEN = 12
"""Lines of a paragraph that are still made even: more is a page, and looking for evenness costs time."""


@dataclass(frozen=True)
class Face:
    """A typeface in a weight, with tracking (in ems) and leading (times the size)."""

    family: str = "Manrope"
    weight: str = "black"
    tracking: float = 0.0
    leading: float = 1.05


@dataclass(frozen=True)
class Block:
    """Type that has been set: lines, their size, and the box they take."""

    lines: tuple[str, ...]
    face: Face
    size: int
    width: int
    height: int

    @property
    def font(self) -> FreeTypeFont:
        """The font that draws every line."""
        return fonts.suited(" ".join(self.lines), self.face.family, self.face.weight, self.size)

    @property
    def line_height(self) -> int:
        """From one baseline to the next."""
        return round(self.size * self.face.leading)


@lru_cache(maxsize=4096)  # a line of a script whose letters join takes milliseconds to measure
def line_width(text: str, font: FreeTypeFont, tracking: float) -> float:
    """The advance of a line; the tracking after its last letter does not count."""
    return font.getlength(text) + max(0, len(text) - 1) * tracking * font.size


def _break_long(word: str, font: FreeTypeFont, tracking: float, limit: float) -> list[str]:
    pieces, piece = [], ""
    for letter in word:
        if piece and line_width(piece + letter, font, tracking) > limit:
            pieces.append(piece)
            piece = ""
        piece += letter
    return [*pieces, piece]


def _greedy(words: list[str], font: FreeTypeFont, tracking: float, limit: float) -> list[str]:
    lines: list[str] = []
    for word in words:
        joined = lines[-1] + word if lines else word
        if lines and line_width(joined.rstrip(), font, tracking) <= limit:
            lines[-1] = joined
        elif line_width(word.rstrip(), font, tracking) <= limit:
            lines.append(word)
        else:
            lines.extend(_break_long(word.rstrip(), font, tracking, limit))
            lines[-1] += " " * word[-1:].isspace()
    return lines


def wrap(text: str, font: FreeTypeFont, limit: float, tracking: float = 0.0) -> list[str]:
    """Return lines no wider than `limit`, as few and as even as possible; keeps line breaks."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        fitting: list[str] = []
        for piece in _pieces(paragraph):
            if " " in piece.rstrip() and line_width(piece.rstrip(), font, tracking) > limit:
                fitting.extend(f"{word} " for word in piece.split())
            else:
                fitting.append(piece)
        lines.extend(_balanced(fitting, font, tracking, limit))
    return lines


def _pieces(text: str) -> list[str]:
    """Split a text where a line may break, each piece with the space that follows it."""
    pattern = _PHRASE if _HIRAGANA.search(text) else _PIECE
    line = " ".join(text.split())
    tied = {space.end() for space in _TIED_SPACE.finditer(line)}
    starts = [piece.start() for piece in pattern.finditer(line) if piece.start() not in tied]
    return [line[start:end] for start, end in pairwise([*starts, len(line)])]


def _balanced(words: list[str], font: FreeTypeFont, tracking: float, limit: float) -> list[str]:
    lines = _greedy(words, font, tracking, limit)
    if 1 < len(lines) <= _MAX_EVEN:
        widths = [line_width(word.rstrip(), font, tracking) for word in words]
        # A measure narrower than a word would cut that word.
        narrow, wide = max(limit * 0.4, *(width for width in widths if width <= limit), 0.0), limit
        for _ in range(8):
            middle = (narrow + wide) / 2
            tried = _greedy(words, font, tracking, middle)
            if len(tried) <= len(lines):
                lines, wide = tried, middle
            else:
                narrow = middle
    return [line.rstrip() for line in lines]


def fit(text: str, face: Face, box: tuple[int, int], *, largest: int, smallest: int = 10) -> Block:
    """Return the largest setting of `text` that fits. At `smallest`, a longer text is truncated."""
    low, high = smallest, max(smallest, largest)
    best = _set(text, face, smallest, box[0])
    while low <= high:
        size = (low + high) // 2
        block = _set(text, face, size, box[0])
        if block.height <= box[1] and block.width <= box[0] and not _cuts_words(text, block, box[0]):
            best, low = block, size + 1
        else:
            high = size - 1
    return best if best.height <= box[1] or not best.lines else _shortened(best, box)


def _set(text: str, face: Face, size: int, limit: int) -> Block:
    if face.tracking and fonts.joins(text):
        face = replace(face, tracking=0.0, leading=max(1.3, face.leading))  # marks stand above and below
    font = fonts.suited(text, face.family, face.weight, size)
    lines = wrap(fonts.drawable(text, font), font, limit, face.tracking)
    width = max((line_width(line, font, face.tracking) for line in lines), default=0)
    height = round(size * face.leading) * max(0, len(lines) - 1) + size
    return Block(tuple(lines), face, size, round(width), height)


def _cuts_words(text: str, block: Block, limit: int) -> bool:
    font, tracking = block.font, block.face.tracking
    words = _pieces(fonts.drawable(text, font))
    return any(line_width(word.rstrip(), font, tracking) > limit for word in words)


def _shortened(block: Block, box: tuple[int, int]) -> Block:
    room = max(1, 1 + (box[1] - block.size) // block.line_height)
    lines = list(block.lines[:room])
    font, last = block.font, lines[-1]
    while last and line_width(last + "…", font, block.face.tracking) > box[0]:
        last = last[:-1]
    lines[-1] = last.rstrip(" ,.;:–-") + "…"
    height = block.line_height * (len(lines) - 1) + block.size
    return Block(tuple(lines), block.face, block.size, block.width, height)


def draw(
    image: Image,
    block: Block,
    place: tuple[int, int],
    color: RGB,
    align: Align = "left",
    opacity: float = 1.0,
) -> None:
    """Draw a set block; `place` is the top of its box at its left, middle or right, as `align` says."""
    from PIL import ImageDraw

    pen = ImageDraw.Draw(image, "RGBA")
    fill = (*color, round(255 * opacity))
    font, tracking = block.font, block.face.tracking
    # The box starts at cap height: without this the space above capitals would read as a crooked margin.
    top = place[1] - font.getbbox("H")[1] + round((block.size - _cap_height(font)) * 0.5)
    for number, line in enumerate(block.lines):
        width = line_width(line, font, tracking)
        x = place[0] - {"left": 0.0, "center": 0.5, "right": 1.0}[align] * width
        if align == "left" and fonts.is_right_to_left(line):
            x += block.width - width  # flush where reading begins, in the same box
        _draw_line(pen, line, (x, top + number * block.line_height), font, tracking, fill)


def _cap_height(font: FreeTypeFont) -> float:
    box = font.getbbox("H")
    return float(box[3] - box[1])


def _draw_line(
    pen: object,
    line: str,
    at: tuple[float, float],
    font: FreeTypeFont,
    tracking: float,
    fill: tuple[int, ...],
) -> None:
    from PIL.ImageDraw import ImageDraw

    assert isinstance(pen, ImageDraw)
    if not tracking:
        pen.text(at, line, font=font, fill=fill)
        return
    for index, letter in enumerate(line):
        # The advance of the line so far keeps the font's own kerning between tracked letters.
        advance = font.getlength(line[: index + 1]) - font.getlength(letter)
        pen.text((at[0] + advance + index * tracking * font.size, at[1]), letter, font=font, fill=fill)
