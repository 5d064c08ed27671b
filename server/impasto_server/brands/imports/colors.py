"""Colours that were found: merging those that look the same, ranking them, and proposing their roles."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from impasto_server.brands.contrast import ratio

MAX_COLORS = 12
_SAME = 0.03
"""Distance in Oklab below which two colours are shown as one."""
_CHROMATIC = 0.04
_NAMED_PRIMARY = ("primary", "brand", "main")
_NAMED_ACCENT = ("accent", "secondary", "highlight")


@dataclass(frozen=True)
class FoundColor:
    """A colour: how much it is used compared with the others, where it was found, and what it is called."""

    hex: str
    weight: float
    found: str
    name: str = ""
    role: str = ""


def ranked(found: Iterable[FoundColor]) -> list[FoundColor]:
    """Return the most used colours with a role each, the most used first.

    The weights of colours that look the same are added.
    """
    groups: list[list[FoundColor]] = []
    for color in sorted(found, key=lambda each: -each.weight):
        near = next((group for group in groups if _distance(group[0].hex, color.hex) < _SAME), None)
        if near is not None:
            near.append(color)
        elif len(groups) < 200:
            groups.append([color])
    merged = sorted((_merged(group) for group in groups), key=lambda each: -each.weight)[:MAX_COLORS]
    return _with_roles(merged)


def is_chromatic(color: str) -> bool:
    """Whether a colour is more than a shade of gray."""
    _, a, b = _oklab(color)
    return math.hypot(a, b) >= _CHROMATIC


def hex_of(red: float, green: float, blue: float) -> str:
    """Return a colour of parts from 0 to 1 in hex notation."""
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, part))):02x}" for part in (red, green, blue))


def from_cmyk(cyan: float, magenta: float, yellow: float, black: float) -> str:
    """Return a colour of ink parts from 0 to 1, converted without a colour profile."""
    return hex_of(*((1 - ink) * (1 - black) for ink in (cyan, magenta, yellow)))


def from_oklab(lightness: float, a: float, b: float) -> str:
    """Return a colour of the Oklab space, clipped to sRGB."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return hex_of(*(_encoded(max(0.0, part)) for part in linear))


def _merged(group: Sequence[FoundColor]) -> FoundColor:
    first = group[0]
    name = next((each.name for each in group if each.name), "")
    role = next((each.role for each in group if each.role), "")
    return FoundColor(first.hex, sum(each.weight for each in group), first.found, name, role)


def _with_roles(colors: Sequence[FoundColor]) -> list[FoundColor]:
    """Give each role to one colour, those that are stated first; the others have the role `other`."""
    free = dict.fromkeys(("primary", "background", "support", "accent", "text"))
    roles: dict[str, str] = {}

    def take(role: str, candidates: Iterable[FoundColor]) -> None:
        if role in free:
            color = next((each for each in candidates if each.hex not in roles), None)
            if color is not None:
                roles[color.hex] = role
                del free[role]

    def named(words: Sequence[str]) -> list[FoundColor]:
        return [each for each in colors if any(word in each.name.lower() for word in words)]

    for role in list(free):
        take(role, (each for each in colors if each.role == role))
    chromatic = [each for each in colors if is_chromatic(each.hex)]
    light = [each for each in colors if ratio(each.hex, "#000000") > 14]
    take("primary", [*named(_NAMED_PRIMARY), *chromatic])
    take("background", light)
    ground = next((color for color, role in roles.items() if role == "background"), "#ffffff")
    take("accent", [*named(_NAMED_ACCENT), *chromatic])
    take("text", (each for each in colors if ratio(each.hex, ground) >= 7))
    take("support", colors)
    return [
        FoundColor(each.hex, each.weight, each.found, each.name, roles.get(each.hex, "other"))
        for each in colors
    ]


def _distance(one: str, other: str) -> float:
    return math.dist(_oklab(one), _oklab(other))


def _oklab(color: str) -> tuple[float, float, float]:
    red, green, blue = (_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def _linear(part: float) -> float:
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)


def _encoded(part: float) -> float:
    return float(12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)
