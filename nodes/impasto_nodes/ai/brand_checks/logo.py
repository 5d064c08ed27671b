"""Whether the brand's logo is in an image, with enough clear space."""

from dataclasses import dataclass
from typing import Any

_WIDTH = 320
_HIGHEST = 8 * _WIDTH
_SHARES = (0.08, 0.1, 0.125, 0.16, 0.2, 0.25, 0.32, 0.4, 0.5)
_SURE = 0.7
_EDGE = 0.12


@dataclass(frozen=True, slots=True)
class _Match:
    score: float
    left: int
    top: int
    width: int
    height: int


def check_logo(image: Any, logo: Any, least_space: float) -> dict[str, Any]:
    """Look for a logo at several sizes, by its shape and in either polarity (both Pillow images).

    `least_space` is the clear space asked for, in logo heights.
    """
    best = _search(image, logo)
    if best is None or best.score < _SURE:
        return {
            "checked": True,
            "passed": False,
            "present": False,
            "score": round(best.score, 2) if best else 0.0,
        }
    space = _clear_space(image, best) / best.height
    height = _height(image, _WIDTH)
    return {
        "checked": True,
        "passed": space >= least_space,
        "present": True,
        "score": round(best.score, 2),
        "box": [
            round(v, 3)
            for v in (best.left / _WIDTH, best.top / height, best.width / _WIDTH, best.height / height)
        ],
        "clear_space": round(space, 2),
        "limit": least_space,
    }


def _search(image: Any, logo: Any) -> _Match | None:
    ground = _grey(image, _WIDTH)
    shape = logo.convert("RGBA")
    found = [_match(ground, shape, round(_WIDTH * share)) for share in _SHARES]
    return max((match for match in found if match), key=lambda match: match.score, default=None)


def _match(ground: Any, logo: Any, width: int) -> _Match | None:
    """Return the best place for a logo of this width: normalised correlation of its shape, by FFT."""
    import numpy as np

    height = max(6, round(logo.height * width / logo.width))
    if height >= ground.shape[0]:
        return None
    template = _ink(logo.resize((width, height)))
    template = template - template.mean()
    norm = float(np.sqrt((template**2).sum()))
    if norm < 1e-6:
        return None
    product = _correlate(ground, template)
    ones = np.ones_like(template)
    mean = _correlate(ground, ones) / ones.size
    spread = np.sqrt(np.maximum(_correlate(ground**2, ones) - ones.size * mean**2, 1e-6))
    score = np.abs(product) / (norm * spread)
    score[spread < 0.02 * np.sqrt(ones.size)] = 0  # a flat area correlates with any shape
    top, left = np.unravel_index(int(score.argmax()), score.shape)
    return _Match(float(score.max()), int(left), int(top), width, height)


def _correlate(ground: Any, template: Any) -> Any:
    import numpy as np

    shape = ground.shape
    spectrum = np.fft.rfft2(ground) * np.conj(np.fft.rfft2(template, shape))
    full = np.fft.irfft2(spectrum, shape)
    return full[: shape[0] - template.shape[0] + 1, : shape[1] - template.shape[1] + 1]


def _ink(logo: Any) -> Any:
    """Return a logo's shape: its opacity, or its lightness if it has no transparent parts."""
    import numpy as np

    planes = np.asarray(logo, np.float32) / 255
    alpha = planes[..., 3]
    return alpha if float(alpha.min()) < 0.5 else planes[..., :3].mean(2)


def _grey(image: Any, width: int) -> Any:
    import numpy as np

    seen = image.convert("L").resize((width, _height(image, width)))
    return np.asarray(seen, np.float32) / 255


def _height(image: Any, width: int) -> int:
    height: int = round(image.height * width / image.width)
    return min(_HIGHEST, max(8, height))


def _clear_space(image: Any, at: _Match) -> float:
    """Return the clear space around the logo, in pixels at the searched width."""
    import numpy as np

    ground = _grey(image, _WIDTH)
    edges = np.zeros(ground.shape, bool)
    edges[:, 1:] |= np.abs(np.diff(ground, axis=1)) > _EDGE
    edges[1:, :] |= np.abs(np.diff(ground, axis=0)) > _EDGE
    slack = 2
    edges[
        max(0, at.top - slack) : at.top + at.height + slack,
        max(0, at.left - slack) : at.left + at.width + slack,
    ] = False
    height, width = ground.shape
    room = min(at.left, at.top, width - at.left - at.width, height - at.top - at.height)
    rows, columns = np.nonzero(edges)
    if not len(rows):
        return float(room)
    down = np.maximum(at.top - rows, rows - at.top - at.height)
    across = np.maximum(at.left - columns, columns - at.left - at.width)
    return float(min(room, np.maximum(down, across).min()))
