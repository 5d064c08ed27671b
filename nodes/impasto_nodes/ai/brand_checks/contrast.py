"""Contrast of small details in an image, mainly of its lettering."""

from typing import Any

_TILE, _WIDTH = 16, 512
_HIGHEST = 8 * _WIDTH
"""A strip a pixel wide would else be measured at millions of rows."""
_DETAIL_SHARE, _LOW, _HIGH = 0.1, 5, 95


def check_contrast(image: Any, least: float) -> dict[str, Any]:
    """Return the median WCAG contrast within the most detailed tiles of a Pillow image."""
    import numpy as np

    light = _luminance(image)
    tiles = _tiles(light)
    detail = np.abs(np.diff(tiles, axis=2)).mean((1, 2))
    if float(detail.max()) < 1e-3:
        return {"checked": False, "why": "The image has no detail that could be lettering."}
    number = int(len(tiles) * _DETAIL_SHARE)  # of 32 tiles at least
    busiest = tiles[np.argsort(detail)[-number:]].reshape(number, -1)
    dark, bright = np.percentile(busiest, [_LOW, _HIGH], axis=1)
    ratio = float(np.median((bright + 0.05) / (dark + 0.05)))
    return {"checked": True, "passed": ratio >= least, "ratio": round(ratio, 2), "limit": least}


def _luminance(image: Any) -> Any:
    import numpy as np

    height = min(_HIGHEST, max(_TILE, round(image.height * _WIDTH / image.width)))
    small = np.asarray(image.convert("RGB").resize((_WIDTH, height)), np.float32) / 255
    linear = np.where(small <= 0.04045, small / 12.92, ((small + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722], np.float32)


def _tiles(light: Any) -> Any:
    down, across = light.shape[0] // _TILE, light.shape[1] // _TILE
    cut = light[: down * _TILE, : across * _TILE].reshape(down, _TILE, across, _TILE)
    return cut.transpose(0, 2, 1, 3).reshape(down * across, _TILE, _TILE)
