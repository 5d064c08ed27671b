"""An invisible watermark that says that AI made an image: one public pattern, which everyone can look for.

The pattern changes the middle frequencies of the brightness a little, more where the image has texture.
It survives compression, resizing and changes of color, and none that move the image by more than about 1 %.
It identifies no file and no user, and proves nothing: anyone with this program can add or remove it.
"""

from functools import cache
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[tuple[int, int], np.dtype[np.float64]]
    Flags = np.ndarray[tuple[int, int], np.dtype[np.bool_]]

# The image is compared as a square of this many pixels.
SIDE = 512
_LOWEST, _HIGHEST = 10, 90
_SEED = 0x1A3A57
# Without a watermark the score is normally distributed around 0 with a deviation of 1: 6 is one in a billion.
FOUND_SCORE = 6.0
_ADDED_SCORE = 15.0
_MIN_ADDED_SCORE = 8.0
_MAX_STRENGTH = 0.6
_STRENGTH_STEP = 1.15
_MAX_DEVIATION = 2.5
_MIN_DEVIATION = 0.6
_TEXTURE_CELL = 16
_MIN_SHARE, _MAX_SHARE = 0.35, 1.6


def score(gray: Image.Image) -> float:
    """Return how clearly an image contains the watermark: at least `FOUND_SCORE` if it does.

    `gray` is the upright image in shades of gray, stretched to a square of `SIDE` pixels.
    """
    import numpy as np

    return _score(_frequencies(np.asarray(gray, np.float64)))


def add(image: Image.Image) -> Image.Image | None:
    """Return an RGB, RGBA or grayscale image with the watermark.

    Returns None if the image has too little texture to hide it.
    """
    import numpy as np

    brightness = _brightness(image)
    frequencies = _frequencies(brightness)
    waves = _waves()
    change = (waves.T @ (_deviations(frequencies) * _pattern()) @ waves) * _shares(brightness)
    added = _frequencies(change)
    strength = 0.05
    while strength < _MAX_STRENGTH and _score(frequencies + strength * added) < _ADDED_SCORE:
        strength *= _STRENGTH_STEP
    shift = Image.fromarray((change * strength).astype(np.float32)).resize(
        image.size, Image.Resampling.BICUBIC
    )
    result = _brightened(image, np.asarray(shift))
    return result if _score(_frequencies(_brightness(result))) >= _MIN_ADDED_SCORE else None


def _brightness(image: Image.Image) -> "Floats":
    import numpy as np

    return np.asarray(image.convert("L").resize((SIDE, SIDE), Image.Resampling.LANCZOS), np.float64)


def _brightened(image: Image.Image, shift: "Floats") -> Image.Image:
    import numpy as np

    pixels = np.asarray(image, np.float32)
    shifted = pixels + shift if pixels.ndim == 2 else pixels[..., :3] + shift[..., None]
    changed = np.clip(np.rint(shifted), 0, 255).astype(np.uint8)
    if image.mode == "RGBA":
        changed = np.dstack([changed, np.asarray(image)[..., 3]])
    return Image.fromarray(changed)


def _score(frequencies: "Floats") -> float:
    import numpy as np

    relative = np.clip(frequencies / _deviations(frequencies), -_MAX_DEVIATION, _MAX_DEVIATION)[_band()]
    strength = float(np.sqrt(np.square(relative).sum()))
    return float((relative * _pattern()[_band()]).sum()) / strength if strength else 0.0


def _frequencies(brightness: "Floats") -> "Floats":
    waves = _waves()
    return waves @ brightness @ waves.T


def _deviations(frequencies: "Floats") -> "Floats":
    """Return how strong each frequency is on average in this image, among those as high as it."""
    import numpy as np

    rings = _radii().astype(int)
    strengths = np.bincount(rings.ravel(), np.abs(frequencies).ravel()) / np.bincount(rings.ravel())
    deviations: Floats = np.maximum(strengths[rings], _MIN_DEVIATION)
    return deviations


def _shares(brightness: "Floats") -> "Floats":
    """Return how much of the change each place takes: more where there is texture, which hides it."""
    import numpy as np

    cells = brightness.reshape(SIDE // _TEXTURE_CELL, _TEXTURE_CELL, SIDE // _TEXTURE_CELL, _TEXTURE_CELL)
    texture = Image.fromarray(cells.std(axis=(1, 3)).astype(np.float32))
    smooth = np.asarray(texture.resize((SIDE, SIDE), Image.Resampling.BICUBIC), np.float64)
    shares: Floats = np.clip(smooth / (smooth.mean() + 1e-6), _MIN_SHARE, _MAX_SHARE)
    return shares


@cache
def _waves() -> "Floats":
    """Return the lowest waves of the orthonormal cosine transform, one a row."""
    import numpy as np

    frequency, place = np.ogrid[:_HIGHEST, :SIDE]
    waves: Floats = np.cos(np.pi * (2 * place + 1) * frequency / (2 * SIDE)) * np.sqrt(2 / SIDE)
    waves[0] /= np.sqrt(2)
    return waves


@cache
def _radii() -> "Floats":
    import numpy as np

    down, across = np.ogrid[:_HIGHEST, :_HIGHEST]
    radii: Floats = np.hypot(down, across)
    return radii


@cache
def _band() -> "Flags":
    return (_radii() >= _LOWEST) & (_radii() < _HIGHEST)


@cache
def _pattern() -> "Floats":
    """Return 1 or -1 for each frequency of the band, and 0 for the others. It must never change."""
    import numpy as np

    signs = np.random.Generator(np.random.PCG64(_SEED)).integers(0, 2, (_HIGHEST, _HIGHEST)) * 2.0 - 1.0
    return np.where(_band(), signs, 0.0)
