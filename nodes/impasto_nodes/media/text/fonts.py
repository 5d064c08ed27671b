"""The typefaces at hand: open fonts that come as packages, then whatever the system has."""

from __future__ import annotations

import importlib.util
import sys
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

# family -> (package, weight -> file). Every one is under the SIL Open Font License.
_SHIPPED: dict[str, tuple[str, dict[str, str]]] = {
    "Manrope": (
        "font_manrope",
        {
            "light": "Manrope-Light.ttf",
            "regular": "Manrope-Medium.ttf",
            "bold": "Manrope-Bold.ttf",
            "black": "Manrope-ExtraBold.ttf",
        },
    ),
    "Hanken Grotesk": (
        "font_hanken_grotesk",
        {
            "light": "HankenGrotesk-Light.otf",
            "regular": "HankenGrotesk-Medium.otf",
            "bold": "HankenGrotesk-SemiBold.otf",
            "black": "HankenGrotesk-Bold.otf",
        },
    ),
    "Red Hat Display": (
        "font_rhd",
        {
            "light": "RedHatDisplay-Light.ttf",
            "regular": "RedHatDisplay-Medium.ttf",
            "bold": "RedHatDisplay-Bold.ttf",
            "black": "RedHatDisplay-Black.ttf",
        },
    ),
    "Source Serif Pro": (
        "font_source_serif_pro",
        {
            "light": "SourceSerifPro-Light.ttf",
            "regular": "SourceSerifPro-Regular.ttf",
            "bold": "SourceSerifPro-Semibold.ttf",
            "black": "SourceSerifPro-Black.ttf",
            "italic": "SourceSerifPro-LightIt.ttf",
        },
    ),
    # Other scripts, with Latin beside them; one file holds every weight.
    "Heebo": ("fontpkg_heebo", {"regular": "Heebo[wght].ttf"}),
    "Noto Sans Arabic": ("fontpkg_noto_sans_arabic", {"regular": "NotoSansArabic[wdth,wght].ttf"}),
    "Noto Sans Devanagari": (
        "fontpkg_noto_sans_devanagari",
        {"regular": "NotoSansDevanagari[wdth,wght].ttf"},
    ),
    "Noto Sans Thai": ("fontpkg_noto_sans_thai", {"regular": "NotoSansThai[wdth,wght].ttf"}),
    "Amatic SC": ("font_amatic_sc", {"regular": "AmaticSC-Bold.ttf"}),
    "Fredoka One": ("font_fredoka_one", {"regular": "FredokaOne-Regular.ttf"}),
}
_WEIGHTS: dict[str, float] = {"light": 300, "regular": 500, "bold": 700, "black": 900, "italic": 400}

_SYSTEM_FOLDERS = {
    "linux": ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts"),
    "darwin": ("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts"),
    "win32": ("C:/Windows/Fonts",),
}
_FALLBACKS = ("NotoSans", "NotoSansCJK", "DejaVuSans", "LiberationSans", "Arial")


def families() -> list[str]:
    """The shipped families that are installed here."""
    return [family for family in _SHIPPED if _shipped_file(family, "regular") is not None]


@lru_cache
def _shipped_file(family: str, weight: str) -> Path | None:
    package, files = _SHIPPED[family]
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    name = files.get(weight) or files["regular"]
    path = Path(spec.origin).parent / "files" / name
    return path if path.is_file() else None


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


@lru_cache
def find(family: str, weight: str = "regular") -> Path | None:
    """The file of a family in a weight (light, regular, bold, black, italic): shipped ones first."""
    for known in _SHIPPED:
        if _plain(known) == _plain(family):
            return _shipped_file(known, weight)
    system = _system_files()
    return system.get(_plain(family + weight)) or system.get(_plain(family))


def load(family: str, weight: str, size: int) -> FreeTypeFont:
    """A font ready to set; an unknown family falls back to the nearest one at hand."""
    for name in (family, "Manrope", *_FALLBACKS):
        path = find(name, weight)
        if path is not None:
            return _loaded(path, weight, size)
    from PIL import ImageFont

    font = ImageFont.load_default(max(1, size))
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


@lru_cache(maxsize=256)
def _loaded(path: Path, weight: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return _weighed(ImageFont.truetype(str(path), max(1, size)), path, weight)


def _weighed(font: FreeTypeFont, path: Path, weight: str) -> FreeTypeFont:
    """The weight asked for, where one file holds them all."""
    if "wght]" in path.name:
        axes = [(axis["name"], float(axis["default"] or 0)) for axis in font.get_variation_axes()]
        wanted = float(_WEIGHTS[weight])
        font.set_variation_by_axes([wanted if name == b"Weight" else at for name, at in axes])
    return font


def joins(text: str) -> bool:
    """Whether letters of `text` join or stack (Arabic, Hebrew, Devanagari, Thai): then none stands alone."""
    return any("\u0590" <= letter <= "\u109f" for letter in text)


def from_the_right(text: str) -> bool:
    """Whether `text` is read from right to left: its first letter decides."""
    letters = (unicodedata.bidirectional(letter) for letter in text)
    return next((kind != "L" for kind in letters if kind in {"L", "R", "AL"}), False)


@lru_cache(maxsize=8192)
def _draws(path: str, letter: str) -> bool:
    from PIL import ImageFont

    font = ImageFont.truetype(path, 24)
    return bytes(font.getmask(letter)) != bytes(font.getmask("\U0010ffff"))


def covers(font: FreeTypeFont, text: str) -> bool:
    """Whether the font has a drawing for every letter of `text`."""
    path = font.path
    if not isinstance(path, str):
        return text.isascii()
    return all(letter.isspace() or _draws(path, letter) for letter in set(text))


def suited(text: str, family: str, weight: str, size: int) -> FreeTypeFont:
    """The wanted font, or the first at hand that can draw all of `text` (another script, say).

    Where none can draw its emoji and signs too, one that can draw its letters.
    """
    wanted = load(family, weight, size)
    if text.isascii() or covers(wanted, text):
        return wanted
    letters = "".join(letter for letter in text if letter.isalnum())
    for needed in dict.fromkeys((text, letters)):
        if covers(wanted, needed):
            return wanted
        for name in (*families(), *_FALLBACKS):
            if find(name, weight) is not None and covers(load(name, weight, size), needed):
                return load(name, weight, size)
    found = _of_the_system(frozenset(letters), weight)
    return wanted if found is None else _loaded(found, weight, size)


@lru_cache(maxsize=64)
def _of_the_system(letters: frozenset[str], weight: str) -> Path | None:
    """Any font of the system that draws all of these letters, one of the weight if there is one."""
    from PIL import ImageFont

    def apart(name: str) -> tuple[bool, bool]:
        return weight not in name, any(other in name for other in ("italic", "oblique", "mono", "serif"))

    for _, path in sorted(_system_files().items(), key=lambda item: (apart(item[0]), item[0])):
        try:
            if covers(ImageFont.truetype(str(path), 24), "".join(letters)):
                return path
        except OSError:
            continue  # a broken font file is the system's trouble
    return None


def missing(text: str, family: str, weight: str = "regular") -> str:
    """The letters of `text` (not emoji or marks) that no font at hand can draw."""
    font = suited("".join(letter for letter in text if letter.isalnum()), family, weight, 24)
    return "".join(letter for letter in dict.fromkeys(text) if letter.isalnum() and not covers(font, letter))


def drawable(text: str, font: FreeTypeFont) -> str:
    """`text` without what this font would draw as empty boxes (emoji, mostly)."""
    if text.isascii() or covers(font, text):
        return text
    path = str(font.path)
    kept = "".join(letter for letter in text if letter.isspace() or _draws(path, letter))
    return " ".join(kept.split())
