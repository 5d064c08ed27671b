"""The distance of an image's colours from the brand's."""

from typing import Any

from impasto_nodes.media.image.color import RGB, chroma, difference, from_hex, is_hex, to_hex

_SIDE, _COLORS, _ROUNDS = 96, 8, 8
_NEUTRAL, _MIN_SHARE = 0.035, 0.03
_MAX_FOREIGN_SHARE = 0.25
"""Maximum share of an image's area with colours far from the brand's."""


def check_palette(image: Any, palette: tuple[str, ...], max_distance: float) -> dict[str, Any]:
    """Report each main colour with its share of the area and its nearest brand colour; neutral colours pass.

    `image` is a Pillow image. It fails if its colours are farther than `max_distance` on average, or if more
    than a quarter of its area has colours that are.
    """
    brand = [from_hex(color) for color in palette if is_hex(color)]
    if not brand:
        return {"checked": False, "why": "The brand has no palette."}
    rows = [_row(color, share, brand) for color, share in main_colors(image) if share >= _MIN_SHARE]
    counted = [row for row in rows if not row["neutral"]]
    weight = sum(row["share"] for row in counted)
    if not weight:
        return {"checked": False, "why": "The image has neutral colours only.", "colours": rows}
    distance = sum(row["distance"] * row["share"] for row in counted) / weight
    foreign = sum(row["share"] for row in counted if row["distance"] > max_distance)
    return {
        "checked": True,
        "passed": distance <= max_distance and foreign <= _MAX_FOREIGN_SHARE,
        "distance": round(distance, 2),
        "limit": max_distance,
        "brand_share": round(weight - foreign, 3),
        "foreign_share": round(foreign, 3),
        "foreign_limit": _MAX_FOREIGN_SHARE,
        "colours": rows,
    }


def main_colors(image: Any) -> list[tuple[RGB, float]]:
    """Return an image's main colours with their share of its area, largest first, by k-means."""
    import numpy as np

    pixels = np.asarray(image.convert("RGB").resize((_SIDE, _SIDE)), np.float32).reshape(_SIDE * _SIDE, 3)
    centres = _spread(pixels)
    for _ in range(_ROUNDS):
        nearest = np.argmin(((pixels[:, None, :] - centres[None]) ** 2).sum(2), 1)
        kept = [index for index in range(len(centres)) if (nearest == index).any()]
        centres = np.array([pixels[nearest == index].mean(0) for index in kept])
    nearest = np.argmin(((pixels[:, None, :] - centres[None]) ** 2).sum(2), 1)
    shares = np.bincount(nearest, minlength=len(centres)) / len(pixels)
    found = [(_rounded(centre), float(share)) for centre, share in zip(centres, shares, strict=True)]
    return sorted(found, key=lambda one: -one[1])


def _spread(pixels: Any) -> Any:
    """Return the initial centres: the mean, then repeatedly the pixel farthest from those chosen."""
    import numpy as np

    centres = [pixels.mean(0)]
    while len(centres) < _COLORS:
        away = np.min([((pixels - centre) ** 2).sum(1) for centre in centres], 0)
        centres.append(pixels[int(away.argmax())])
    return np.array(centres)


def _rounded(centre: Any) -> RGB:
    red, green, blue = (round(float(part)) for part in centre)
    return red, green, blue


def _row(color: RGB, share: float, brand: list[RGB]) -> dict[str, Any]:
    nearest = min(brand, key=lambda one: difference(color, one))
    return {
        "colour": to_hex(color),
        "share": round(share, 3),
        "nearest": to_hex(nearest),
        "distance": round(difference(color, nearest), 2),
        "neutral": chroma(color) < _NEUTRAL,
    }
