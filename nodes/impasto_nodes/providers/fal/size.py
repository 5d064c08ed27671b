"""The factor of a request's price for the requested size."""

import math
import re
from collections.abc import Mapping
from typing import Any

from impasto_nodes.providers.jobs.inputs import Inputs

_MEGAPIXEL = 1024 * 1024
_RESOLUTION = "resolution"
_LINES = re.compile(r"(\d{1,5})p", re.IGNORECASE)
_THOUSANDS = re.compile(r"(\d{1,2}(?:\.\d{1,2})?)k", re.IGNORECASE)
_MAX_SIDE = 100_000  # settings of a model come from the user, and fal refuses what is too large
_LINES_OF_A_THOUSAND = 540  # 4K is 2,160 lines, 2K 1,080


def size_factor(inputs: Inputs, arguments: Mapping[str, Any]) -> float:
    """Return by how much a request is dearer than one at the model's default size; at least 1.

    A size in pixels counts by its megapixels, rounded up, as fal counts them. A resolution
    counts by its pixels in relation to the model's default one: no model's price grows faster.
    """
    size = arguments.get(inputs.name_of("size") or "")
    if isinstance(size, Mapping):
        width, height = (_side(size.get(name)) for name in ("width", "height"))
        if width and height:
            return float(max(1, math.ceil(width * height / _MEGAPIXEL)))
    wanted = _lines(arguments.get(_RESOLUTION))
    usual = _lines(inputs.default_of(_RESOLUTION))
    return max(1.0, (wanted / usual) ** 2) if wanted and usual else 1.0


def _side(pixels: Any) -> float | None:
    """Return a side of an image in pixels; None if that is no size."""
    return float(min(pixels, _MAX_SIDE)) if isinstance(pixels, int | float) and pixels > 0 else None


def _lines(resolution: Any) -> float | None:
    """Return the lines of a resolution such as "720p" or "4K"; None if it is not of that form."""
    text = str(resolution or "")
    if found := _LINES.fullmatch(text):
        return float(found[1])
    found = _THOUSANDS.fullmatch(text)
    return float(found[1]) * _LINES_OF_A_THOUSAND if found else None
