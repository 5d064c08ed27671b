"""The scene that a style draws, and the functions that all styles share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from impasto_nodes.media.image.color import RGB, from_oklab, to_oklab
from impasto_nodes.media.image.framing import NO_INSETS, Insets
from impasto_nodes.media.image.subject import SubjectBox
from impasto_nodes.providers.local.image_renderer.palettes import Palette
from impasto_nodes.providers.local.image_renderer.words import Words

_ENOUGH = 0.97
"""The share of the saliency that a crop must keep."""

Plane: TypeAlias = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Scene:
    """One image to make. Draw only with `rng`: the same scene must always give the same image.

    `image` is a given one, `cutout` its subject alone, where its ground is even or see-through. `subject` is
    the box of the subject of any other photo, if something stands out.
    """

    width: int
    height: int
    palette: Palette
    words: Words
    brand_name: str
    families: tuple[str, ...]
    rng: np.random.Generator
    image: Image.Image | None = None
    cutout: Image.Image | None = None
    subject: SubjectBox | None = None

    @property
    def unit(self) -> float:
        """The short side in pixels, the unit of sizes."""
        return float(min(self.width, self.height))

    @property
    def wide(self) -> bool:
        """Whether the image is clearly wider than high."""
        return self.width > self.height * 1.15

    def chance(self, share: float) -> bool:
        """Return True with the probability `share`."""
        return bool(self.rng.random() < share)

    def between(self, low: float, high: float) -> float:
        """Return a random number from low to high."""
        return float(self.rng.uniform(low, high))


def grid(scene: Scene) -> tuple[Plane, Plane]:
    """Return x and y of every pixel, in units of the short side, from the centre."""
    x = (np.arange(scene.width, dtype=np.float32) - scene.width / 2) / scene.unit
    y = (np.arange(scene.height, dtype=np.float32) - scene.height / 2) / scene.unit
    return np.broadcast_to(x, (scene.height, scene.width)), np.broadcast_to(
        y[:, None], (scene.height, scene.width)
    )


def clouds(scene: Scene, cells: float, octaves: int = 3, fall: float = 0.5) -> Plane:
    """Return smooth noise from 0 to 1, `cells` cells along the short side; octaves add finer ones."""
    total = np.zeros((scene.height, scene.width), np.float32)
    weight, share = 0.0, 1.0
    for octave in range(octaves):
        across = max(2, round(cells * 2**octave * scene.width / scene.unit)) + 2
        down = max(2, round(cells * 2**octave * scene.height / scene.unit)) + 2
        small = Image.fromarray(scene.rng.random((down, across), dtype=np.float32))
        total += share * np.asarray(small.resize((scene.width, scene.height), Image.Resampling.BICUBIC))
        weight, share = weight + share, share * fall
    total /= weight
    low, high = float(total.min()), float(total.max())
    return (total - low) / max(1e-6, high - low)


def ramp(plane: Plane, colors: Sequence[RGB], stops: Sequence[float] | None = None) -> Plane:
    """Map a plane to a gradient of `colors` in OKLab, from 0 to 1; values beyond have the colors of the ends.

    The colors are floats: grain hides the steps later.
    """
    labs = np.array([to_oklab(color) for color in colors])
    at = np.linspace(0, 1, len(colors)) if stops is None else np.asarray(stops)
    steps = np.linspace(0, 1, 512)
    line = np.stack([np.interp(steps, at, labs[:, axis]) for axis in range(3)], axis=1)
    table = np.array([from_oklab((light, a, b)) for light, a, b in line.tolist()], np.float32)
    return table[np.clip(plane * 511, 0, 511).astype(np.int16)]


def grain(scene: Scene, pixels: Plane, strength: float = 9.0) -> Image.Image:
    """Add film grain, which prevents banding of gradients and gives flat areas a texture."""
    fine = scene.rng.standard_normal((scene.height, scene.width), dtype=np.float32)
    noise = (0.6 * fine + 0.4 * np.roll(fine, (1, 1), (0, 1))) * strength
    return Image.fromarray(np.clip(pixels + noise[..., None], 0, 255).astype(np.uint8))


def grained(scene: Scene, image: Image.Image, strength: float = 7.0) -> Image.Image:
    """Return an image with grain."""
    return grain(scene, np.asarray(image.convert("RGB"), np.float32), strength)


def blend(under: Plane, over: Plane | RGB, mask: Plane) -> Plane:
    """Return `over` where the mask is 1, `under` where it is 0, and mixtures between."""
    top = np.asarray(over, np.float32)
    return under + (top - under) * mask[..., None]


def smooth(plane: Plane, low: float | Plane, high: float | Plane) -> Plane:
    """Return 0 below low, 1 above high, and a smooth step between."""
    part: Plane = np.clip((plane - low) / (high - low), 0, 1)
    return part * part * (3 - 2 * part)


def shifted(plane: Plane, down: int, across: int) -> Plane:
    """Return the plane shifted by whole pixels; the edges are repeated."""
    height, width = plane.shape
    rows = np.clip(np.arange(height) - down, 0, height - 1)
    columns = np.clip(np.arange(width) - across, 0, width - 1)
    return plane[rows][:, columns]


def cover(
    image: Image.Image,
    size: tuple[int, int],
    subject: SubjectBox | None = None,
    insets: Insets = NO_INSETS,
    *,
    closer: float = 1.0,
) -> Image.Image:
    """Return the image at `size`: cropped if that keeps most of the saliency, else whole on a blurred ground.

    A crop never cuts the subject, and holds it inside the insets. `closer` is the share of the crop's sides
    that is left if that still holds the subject.
    """
    from impasto_nodes.media.image.framing import best_window, cropped, whole
    from impasto_nodes.media.image.subject import window_around

    if subject is not None:
        around = window_around(subject, image.size, size, insets, closer=closer)
        around = around or window_around(subject, image.size, size, insets)
        return cropped(image, size, around) if around else whole(image, size, insets)
    window = best_window(image, size)
    return cropped(image, size, window) if window.kept >= _ENOUGH else whole(image, size)
