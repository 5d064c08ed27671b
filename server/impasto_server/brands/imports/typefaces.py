"""Names of font families: in the texts of a guideline, and in the font names of a PDF."""

import re
from collections.abc import Iterator

_STANDARD = frozenset(
    ("Arial", "Courier", "Helvetica", "Symbol", "Times", "ZapfDingbats", "CourierNew", "TimesNewRoman")
)
_STYLES = re.compile(
    r"[-,_ ]?(Thin|Hairline|Extra-?Light|Ultra-?Light"
    r"|Light|Book|Regular|Roman|Normal|Medium|Semi-?Bold|Demi-?Bold"
    r"|Demi|Extra-?Bold|Ultra-?Bold|Bold|Heavy|Black|Italic|Oblique|It|Ital|Condensed|MT|PSMT|PS|VF|Variable"
    r"|wght|opsz|Identity-H)+$",
    re.IGNORECASE,
)
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)")
_LABEL = re.compile(
    r"(?:type ?faces?|font(?: family| families|s)?"
    r"|schrift(?:art|arten|familie)?|tipograf[ií]a|police|fonte)\b"
    r"[^:\n]{0,30}:\s*([^\n]{2,120})",
    re.IGNORECASE,
)
_NAME = re.compile(r"^[A-Z][\w’']*(?: (?:[A-Z0-9][\w’']*|de|of)){0,3}$")
_SEPARATOR = re.compile(r"\s*(?:,|;|/|\+|&| and | und | y | et | e |\(|\)|\.(?:\s|$))\s*")
# Families that guidelines often name. A text names a font if it is one of these, or follows a label.
_KNOWN = """
Akzidenz Grotesk | Alegreya | Amatic SC | Archivo | Avenir | Avenir Next | Barlow | Baskerville |
Bebas Neue | Bitter | Bodoni | Brandon Grotesque | Cabin | Caslon | Circular | Cormorant Garamond |
Crimson Text | DIN Next | DIN Pro | DM Sans | DM Serif Display | Didot | Domine | EB Garamond |
Eurostile | Exo 2 | FF DIN | FF Meta | Fira Sans | Franklin Gothic | Fredoka | Fredoka One |
Frutiger | Futura | GT America | GT Walsheim | Garamond | Georgia | Gill Sans | Gotham | Graphik |
Hanken Grotesk | Heebo | Helvetica Neue | Hind | IBM Plex Mono | IBM Plex Sans | IBM Plex Serif |
Inter | Josefin Sans | Jost | Karla | Lato | Libre Baskerville | Libre Franklin | Lora | Manrope |
Maven Pro | Merriweather | Merriweather Sans | Minion Pro | Montserrat | Mulish | Myriad Pro |
Neue Haas Grotesk | Noto Sans | Noto Serif | Nunito | Nunito Sans | Old Standard TT | Open Sans |
Optima | Oswald | Outfit | Overpass | Oxygen | PT Sans | PT Serif | Playfair Display |
Plus Jakarta Sans | Poppins | Prompt | Proxima Nova | Public Sans | Quicksand | Raleway |
Red Hat Display | Red Hat Text | Roboto | Roboto Condensed | Roboto Mono | Roboto Slab | Rockwell |
Rubik | Sabon | Slabo | Sofia Pro | Sora | Source Code Pro | Source Sans 3 | Source Sans Pro |
Source Serif 4 | Source Serif Pro | Space Grotesk | Space Mono | Spartan | Spectral | Syne | Tiempos
| Titillium Web | Trade Gothic | Trebuchet MS | Ubuntu | Univers | Urbanist | Varela Round | Verdana
| Vollkorn | Work Sans | Zilla Slab
"""
_FAMILIES = sorted((" ".join(name.split()) for name in _KNOWN.split("|")), key=len, reverse=True)
# Words that are names of fonts only beside a style or a label.
_COMMON = frozenset(
    ("Inter", "Circular", "Prompt", "Sora", "Outfit", "Karla", "Lora", "Oxygen", "Spectral", "Univers")
)
_IN_TEXT = re.compile(r"(?<![\w-])(" + "|".join(map(re.escape, _FAMILIES)) + r")(?![\w-])(?=(\W+\w+)?)")
_STYLE_WORD = re.compile(
    r"\W*(thin|light|regular|book|medium|semi-?bold|bold|black|italic|family|font|typeface)", re.IGNORECASE
)


def family_of(name: str) -> str:
    """Return the family of a PDF's font name: "Hanken Grotesk" for "ABCDEF+HankenGrotesk-Light"."""
    name = _SUBSET.sub("", name).strip()[:100]
    plain = _STYLES.sub("", name)
    return " ".join(_WORDS.sub(" ", plain or name).replace("-", " ").replace("_", " ").split())[:80]


def is_standard(family: str) -> bool:
    """Whether a family is one that every program has, and which a guideline may use for want of another."""
    return family.replace(" ", "") in _STANDARD


def families_in(text: str) -> Iterator[str]:
    """Yield the families that a text names: known ones, and those after a label such as "Typeface:"."""
    for match in _IN_TEXT.finditer(text):
        if match[1] not in _COMMON or _STYLE_WORD.match(match[2] or ""):
            yield match[1]
    for match in _LABEL.finditer(text):
        for part in _SEPARATOR.split(match[1])[:4]:
            family = _STYLES.sub("", part.strip()).strip()
            if _NAME.match(family) and len(family) > 2:
                yield family
