"""Colors: hex notation, OKLab for mixing and distance, contrast by WCAG 2.

OKLab follows Björn Ottosson, "A perceptual color space for image processing" (2020).
"""

from __future__ import annotations

import math
import re
from typing import TypeAlias

RGB: TypeAlias = tuple[int, int, int]
Lab: TypeAlias = tuple[float, float, float]

_HEX = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})(?:[0-9a-fA-F]{2})?")


def is_hex(text: str) -> bool:
    """Whether `text` is a color that `from_hex` reads."""
    return _HEX.fullmatch(text.strip()) is not None


def from_hex(text: str) -> RGB:
    """`#d84` or `#dd8844` as three bytes; an alpha byte is dropped. ValueError for anything else."""
    match = _HEX.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is not a colour: write it like #de4f2a")
    digits = match[1]
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def to_hex(color: RGB) -> str:
    """`#dd8844`, lower case."""
    return "#{:02x}{:02x}{:02x}".format(*color)


def _linear(byte: float) -> float:
    part = byte / 255
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _byte(linear: float) -> int:
    linear = min(1.0, max(0.0, linear))
    part = linear * 12.92 if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return round(part * 255)


def luminance(color: RGB) -> float:
    """Relative luminance, 0 to 1."""
    red, green, blue = (_linear(part) for part in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """The WCAG contrast ratio, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def to_oklab(color: RGB) -> Lab:
    """Lightness 0..1 and two opponent axes."""
    red, green, blue = (_linear(part) for part in color)
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def from_oklab(lab: Lab) -> RGB:
    """The nearest color a screen can show."""
    light, a, b = lab
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _byte(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
        _byte(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
        _byte(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short),
    )


def difference(one: RGB, other: RGB) -> float:
    """Return 100 times the distance in OKLab: 2 is just noticeable, 10 is a different color."""
    return 100 * math.dist(to_oklab(one), to_oklab(other))


def chroma(color: RGB) -> float:
    """Return the OKLab chroma: 0 for grey, about 0.3 for the most saturated screen colors."""
    _, a, b = to_oklab(color)
    return math.hypot(a, b)


def lightness(color: RGB) -> float:
    """OKLab lightness, 0 to 1."""
    return to_oklab(color)[0]


def with_lightness(color: RGB, light: float, *, saturation: float = 1.0) -> RGB:
    """The same hue, lighter or darker, its chroma scaled."""
    _, a, b = to_oklab(color)
    return from_oklab((light, a * saturation, b * saturation))


def mix(one: RGB, other: RGB, share: float) -> RGB:
    """Return the color `share` (0 to 1) of the way from one to the other, mixed in OKLab."""
    pairs = zip(to_oklab(one), to_oklab(other), strict=True)
    light, a, b = (first + (second - first) * share for first, second in pairs)
    return from_oklab((light, a, b))


def readable_on(ground: RGB, wanted: RGB, ratio: float = 4.5) -> RGB:
    """Return `wanted`, moved towards black or white just far enough to reach `ratio` on `ground`."""
    if contrast(ground, wanted) >= ratio:
        return wanted
    ends = sorted(((0, 0, 0), (255, 255, 255)), key=lambda end: -contrast(ground, end))
    for step in range(1, 21):
        for end in ends:
            moved = mix(wanted, end, step / 20)
            if contrast(ground, moved) >= ratio:
                return moved
    return ends[0]
