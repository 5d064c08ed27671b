"""Fonts: a brand's own files, the bundled families (one file each, installed as packages), the system's."""

from __future__ import annotations

import importlib.util
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont


_WEIGHTS: dict[str, float] = {"light": 300, "regular": 500, "bold": 700, "black": 900, "italic": 500}
"""Positions on a variable font's weight axis."""


@dataclass(frozen=True)
class _Family:
    """A bundled family: the package that holds its files, and where it differs from `_WEIGHTS`.

    `folder` is where they are inside the package.
    """

    package: str
    file: str
    weights: dict[str, float] = field(default_factory=dict)
    italic_file: str = ""
    width: float | None = None
    folder: str = "files"

    def axes(self, weight: str) -> dict[str, float]:
        """Positions on the axes of the variable font; other axes stay at their defaults."""
        positions = {"Weight": self.weights.get(weight, _WEIGHTS[weight])}
        return positions if self.width is None else {**positions, "Width": self.width}


# Each is under the SIL Open Font License. The names are those that documents use: Source Serif Pro is now
# called Source Serif 4; Fredoka One is now called Fredoka, narrower by default. Amatic SC has no package.
_BUNDLED = {
    "Manrope": _Family("fontpkg_manrope", "Manrope[wght].ttf", {"black": 800}),
    "Hanken Grotesk": _Family(
        "fontpkg_hanken_grotesk", "HankenGrotesk[wght].ttf", {"bold": 600, "black": 700}
    ),
    "Red Hat Display": _Family("fontpkg_red_hat_display", "RedHatDisplay[wght].ttf"),
    "Source Serif Pro": _Family(
        "fontpkg_source_serif_4",
        "SourceSerif4[opsz,wght].ttf",
        {"regular": 400, "bold": 600, "italic": 300},
        italic_file="SourceSerif4-Italic[opsz,wght].ttf",
    ),
    # Other scripts, with Latin beside them.
    "Heebo": _Family("fontpkg_heebo", "Heebo[wght].ttf"),
    "Noto Sans Arabic": _Family("fontpkg_noto_sans_arabic", "NotoSansArabic[wdth,wght].ttf"),
    "Noto Sans Devanagari": _Family("fontpkg_noto_sans_devanagari", "NotoSansDevanagari[wdth,wght].ttf"),
    "Noto Sans Thai": _Family("fontpkg_noto_sans_thai", "NotoSansThai[wdth,wght].ttf"),
    "Noto Sans JP": _Family("pylopdf_fonts_jp", "NotoSansJP-Regular.otf", folder=""),
    "Noto Sans KR": _Family("pylopdf_fonts_ko", "NotoSansKR-Regular.otf", folder=""),
    "Noto Sans SC": _Family("pylopdf_fonts_zh_cn", "NotoSansSC-Regular.otf", folder=""),
    "Amatic SC": _Family("impasto_nodes.media.text", "AmaticSC-Bold.ttf"),
    "Fredoka One": _Family(
        "fontpkg_fredoka", "Fredoka[wdth,wght].ttf", dict.fromkeys(_WEIGHTS, 700.0), width=107
    ),
}

_OWN_NAME = re.compile(r"(.+)-(\d{1,4})(italic)?\.[a-z0-9]+")
_CSS_WEIGHTS = {"light": 300, "regular": 400, "bold": 700, "black": 900, "italic": 400}


@dataclass(frozen=True)
class _OwnFile:
    """A font file that a brand brings, with its weight as in CSS."""

    path: Path
    weight: int
    is_italic: bool


class _OwnFonts:
    """The files of one block by family, and what was loaded of them."""

    def __init__(self) -> None:
        self.files: dict[str, list[_OwnFile]] = {}
        self._loaded: dict[tuple[Path, str, int], FreeTypeFont] = {}

    def find(self, family: str, weight: str) -> _OwnFile | None:
        """Return the file of a family that is nearest to a weight."""
        wanted = _CSS_WEIGHTS[weight]
        return min(
            self.files.get(_plain(family), ()),
            key=lambda file: (file.is_italic != (weight == "italic"), abs(file.weight - wanted)),
            default=None,
        )

    def load(self, file: _OwnFile, weight: str, size: int) -> FreeTypeFont:
        """Load a file; a variable font is set to the weight."""
        from PIL import ImageFont

        key = (file.path, weight, size)
        if key not in self._loaded:
            font = ImageFont.truetype(str(file.path), max(1, size))
            _set_weight(font, _CSS_WEIGHTS[weight])
            self._loaded[key] = font
        return self._loaded[key]


_own: ContextVar[_OwnFonts | None] = ContextVar("own_fonts", default=None)

_SYSTEM_FOLDERS = {
    "linux": ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts"),
    "darwin": ("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts"),
    "win32": ("C:/Windows/Fonts",),
}
_COMPARED_SIZE = 24
"""The size in which a glyph is compared with that of a missing letter."""
_FALLBACKS = ("NotoSans", "NotoSansCJK", "DejaVuSans", "LiberationSans", "Arial")


def families() -> list[str]:
    """The bundled families that are installed."""
    return [family for family in _BUNDLED if _bundled_file(family, "regular") is not None]


@lru_cache
def _bundled_file(family: str, weight: str) -> Path | None:
    bundled = _BUNDLED[family]
    spec = importlib.util.find_spec(bundled.package)
    if spec is None or spec.origin is None:
        return None
    name = bundled.italic_file if weight == "italic" and bundled.italic_file else bundled.file
    path = Path(spec.origin).parent / bundled.folder / name
    return path if path.is_file() else None


@lru_cache  # a text that is fitted to a box asks for its family at each size
def _bundled_name(family: str) -> str | None:
    return next((name for name in _BUNDLED if _plain(name) == _plain(family)), None)


@lru_cache
def _system_files() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in _SYSTEM_FOLDERS.get(sys.platform, ()):
        root = Path(folder).expanduser()
        for path in sorted(root.rglob("*")) if root.is_dir() else ():
            if path.suffix.lower() in {".ttf", ".otf", ".ttc"}:
                found.setdefault(_plain(path.stem), path)
    return found


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum()).removesuffix("regular")


@contextmanager
def own_fonts(files: Iterable[tuple[Path, str]]) -> Iterator[None]:
    """Let families be found in these files, before all others, for the length of the block.

    Each file has a name such as `Acme Sans-700italic.ttf`, which says family, weight and style. A file that
    is no font is left out.
    """
    own = _OwnFonts()
    for path, name in files:
        match = _OWN_NAME.fullmatch(name)
        if match is not None and _is_font(path):
            file = _OwnFile(path, int(match[2]), match[3] is not None)
            own.files.setdefault(_plain(match[1]), []).append(file)
    token = _own.set(own)
    try:
        yield
    finally:
        _own.reset(token)


def _is_font(path: Path) -> bool:
    from PIL import ImageFont

    try:
        ImageFont.truetype(str(path))
    except OSError:
        return False
    return True


def _set_weight(font: FreeTypeFont, weight: int) -> None:
    try:
        axes = font.get_variation_axes()
    except OSError:  # not a variable font
        return
    positions = []
    for axis in axes:
        low, default, high = (axis[end] or 0.0 for end in ("minimum", "default", "maximum"))
        positions.append(min(high, max(low, weight)) if axis["name"] == b"Weight" else default)
    font.set_variation_by_axes(positions)


def _own_file(family: str, weight: str) -> _OwnFile | None:
    own = _own.get()
    return own.find(family, weight) if own is not None else None


def find(family: str, weight: str = "regular") -> Path | None:
    """The file of a family in a weight (light, regular, bold, black, italic).

    Files of the surrounding `own_fonts` come first, then bundled families, then the system's.
    """
    own = _own_file(family, weight)
    return own.path if own is not None else _installed(family, weight)


@lru_cache
def _installed(family: str, weight: str) -> Path | None:
    bundled = _bundled_name(family)
    if bundled is not None:
        return _bundled_file(bundled, weight)
    system = _system_files()
    return system.get(_plain(family + weight)) or system.get(_plain(family))


def load(family: str, weight: str, size: int) -> FreeTypeFont:
    """Load a font in `size` pixels; an unknown family falls back to Manrope, then to a font of the system."""
    for name in (family, "Manrope", *_FALLBACKS):
        own, file = _own.get(), _own_file(name, weight)
        if own is not None and file is not None:
            return own.load(file, weight, size)
        path = _installed(name, weight)
        if path is not None:
            bundled = _bundled_name(name)
            axes = _BUNDLED[bundled].axes(weight) if bundled else {}
            return _loaded(path, tuple(axes.items()), size)
    from PIL import ImageFont

    font = ImageFont.load_default(max(1, size))
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


@lru_cache(maxsize=256)
def _loaded(path: Path, axes: tuple[tuple[str, float], ...], size: int) -> FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.truetype(str(path), max(1, size))
    if axes and "wght]" in path.name:
        positions = dict(axes)
        known = ((axis["name"].decode(), axis["default"] or 0.0) for axis in font.get_variation_axes())
        font.set_variation_by_axes([positions.get(name, default) for name, default in known])
    return font


def joins(text: str) -> bool:
    """Whether letters of `text` join or stack (Arabic, Hebrew, Devanagari, Thai): then none stands alone."""
    return any("\u0590" <= letter <= "\u109f" for letter in text)


def is_right_to_left(text: str) -> bool:
    """Whether `text` is read from right to left: its first letter decides."""
    letters = (unicodedata.bidirectional(letter) for letter in text)
    return next((kind != "L" for kind in letters if kind in {"L", "R", "AL"}), False)


@lru_cache(maxsize=8192)
def _draws(path: str, letter: str) -> bool:
    from PIL import ImageFont

    font = ImageFont.truetype(path, _COMPARED_SIZE)
    return bytes(font.getmask(letter)) != bytes(font.getmask("\U0010ffff"))


def covers(font: FreeTypeFont, text: str) -> bool:
    """Whether the font has a glyph for every letter of `text`."""
    path = font.path
    if not isinstance(path, str):
        return text.isascii()
    return all(letter.isspace() or _draws(path, letter) for letter in set(text))


def suited(text: str, family: str, weight: str, size: int) -> FreeTypeFont:
    """Return the wanted font, or the first available one that can draw all of `text` (another script, say).

    Where none can draw its emoji and signs too, one that can draw its letters.
    """
    wanted = load(family, weight, size)
    if text.isascii():
        return wanted
    letters = "".join(letter for letter in text if letter.isalnum())
    for needed in dict.fromkeys((text, letters)):
        if covers(wanted, needed):
            return wanted
        for name in (*_first_for(text), *families(), *_FALLBACKS):
            if find(name, weight) is not None and covers(load(name, weight, size), needed):
                return load(name, weight, size)
    found = _of_the_system(frozenset(letters), weight)
    return wanted if found is None else _loaded(found, (), size)


def _first_for(text: str) -> list[str]:
    """Return the family whose shapes East Asian readers expect: they write some letters differently."""
    if any("\u3040" <= letter <= "\u30ff" for letter in text):
        return ["Noto Sans JP"]
    if any("\uac00" <= letter <= "\ud7af" for letter in text):
        return ["Noto Sans KR"]
    return ["Noto Sans SC"] if any("\u3400" <= letter <= "\u9fff" for letter in text) else []


@lru_cache(maxsize=64)
def _of_the_system(letters: frozenset[str], weight: str) -> Path | None:
    """Any font of the system that draws all of these letters, one of the weight if there is one."""
    from PIL import ImageFont

    def apart(name: str) -> tuple[bool, bool]:
        return weight not in name, any(other in name for other in ("italic", "oblique", "mono", "serif"))

    for _, path in sorted(_system_files().items(), key=lambda item: (apart(item[0]), item[0])):
        try:
            if covers(ImageFont.truetype(str(path)), "".join(letters)):
                return path
        except OSError:
            continue  # a damaged font file of the system is ignored
    return None


def missing(text: str, family: str, weight: str = "regular") -> str:
    """Return the letters of `text`, except emoji and marks, that no available font can draw."""
    font = suited("".join(letter for letter in text if letter.isalnum()), family, weight, _COMPARED_SIZE)
    return "".join(letter for letter in dict.fromkeys(text) if letter.isalnum() and not covers(font, letter))


def drawable(text: str, font: FreeTypeFont) -> str:
    """Return `text` without the characters that this font lacks, mostly emoji."""
    if text.isascii() or covers(font, text):
        return text
    path = str(font.path)
    kept = "".join(letter for letter in text if letter.isspace() or _draws(path, letter))
    return " ".join(kept.split())
