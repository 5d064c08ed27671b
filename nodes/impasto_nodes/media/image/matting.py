"""Background removal: by a small network if it is installed, else by the colors along the border.

The network is U²-Net in its 4.6 MB size (Qin and others, "U2-Net: Going deeper with nested U-structure for
salient object detection", 2020). Edges are refined with a guided filter (He, Sun, Tang, "Guided image
filtering", 2010).
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from PIL import Image

from impasto_nodes.media.image.scaling import scaled_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Plane: TypeAlias = NDArray[np.floating[Any]]

NETWORK = "U²-Net (small)"
_MAX_SIDE = 1024
_STRIP_PIXELS = 1 << 18
CLASSICAL = "Border-colour segmentation (no model)"


def matte(image: Image.Image, *, with_network: bool = True) -> tuple[Plane, str]:
    """Return the opacity of the subject (0 to 1), and the name of the method.

    The opacity has the image's shape, with at most 1024 pixels a side; `cut_out` scales it.
    """
    small = _scaled_down(image)
    network = _network() if with_network else None
    rough = _by_network(network, small) if network is not None else _by_border(small)
    guide = np.asarray(small.convert("L"), np.float32) / 255
    fine = _sharpened(_guided(guide, rough, max(4, max(small.size) // 100), 1e-4))
    return fine, NETWORK if network is not None else CLASSICAL


def _scaled_down(image: Image.Image) -> Image.Image:
    scale = min(1.0, _MAX_SIDE / max(image.size))
    return image.resize(scaled_size(image.size, scale), Image.Resampling.LANCZOS, reducing_gap=2.0).convert(
        "RGB"
    )


def _sharpened(mask: Plane) -> Plane:
    steeper: Plane = np.clip((mask - 0.12) / 0.76, 0, 1)
    return steeper.astype(np.float32)


def cut_out(image: Image.Image, mask: Plane) -> Image.Image:
    """Return the subject alone; the background color is removed from its edge pixels.

    `mask` may be smaller than the image. The color of the subject near its edge is measured at the mask's
    size and applied strip by strip, so that the memory needed beside the two images does not depend on
    their height.
    """
    height, width = mask.shape
    pixels = np.asarray(image.resize((width, height), Image.Resampling.BOX).convert("RGB"), np.float32)
    sure = mask**4
    radius = max(2, max(mask.shape) // 160)
    weight = _boxed(sure, radius)
    inside = [_boxed(pixels[..., band] * sure, radius) / (weight + 1e-4) for band in range(3)]
    planes = [Image.fromarray(plane) for plane in (mask, np.clip(weight * 50, 0, 1), *inside)]
    alone = Image.new("RGBA", image.size)
    rows = max(1, _STRIP_PIXELS // image.width)
    for top in range(0, image.height, rows):
        strip = image.crop((0, top, image.width, min(image.height, top + rows)))
        alone.paste(_cut_strip(strip, planes, top, image.height), (0, top))
    return alone


def _cut_strip(strip: Image.Image, planes: list[Image.Image], top: int, image_height: int) -> Image.Image:
    """Return the strip that begins at row `top`: mask, edge weight and inner color are those of the image."""
    scale = planes[0].height / image_height
    box = (0.0, top * scale, float(planes[0].width), min(planes[0].height, (top + strip.height) * scale))
    mask, weight, *inside = (
        np.asarray(plane.resize(strip.size, Image.Resampling.BICUBIC, box=box)) for plane in planes
    )
    mask = np.clip(mask, 0, 1)
    edge = np.clip((0.98 - mask) / 0.3, 0, 1) * np.clip(weight, 0, 1)
    pixels = np.asarray(strip.convert("RGB"))
    freed = [pixels[..., band] + (inside[band] - pixels[..., band]) * edge for band in range(3)]
    bands = [np.clip(band, 0, 255).astype(np.uint8) for band in freed]
    return Image.fromarray(np.dstack([*bands, (mask * 255).round().astype(np.uint8)]))


@lru_cache(maxsize=1)
def _network() -> Any | None:
    """The network's session; None when its package or the runtime is missing."""
    spec = importlib.util.find_spec("rembg")
    weights = Path(spec.origin).parent / "u2netp.onnx" if spec and spec.origin else None
    if weights is None or not weights.is_file() or importlib.util.find_spec("onnxruntime") is None:
        return None
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


def _by_network(network: Any, image: Image.Image) -> Plane:
    square = np.asarray(image.resize((320, 320), Image.Resampling.LANCZOS), np.float32)
    scaled = square / max(float(square.max()), 1e-6)
    normal = (scaled - np.array([0.485, 0.456, 0.406])) / np.array([0.229, 0.224, 0.225])
    found = network.run(
        None, {network.get_inputs()[0].name: normal.transpose(2, 0, 1)[None].astype(np.float32)}
    )[0][0, 0]
    low, high = float(found.min()), float(found.max())
    plane = ((found - low) / max(high - low, 1e-6)).astype(np.float32)
    return np.asarray(Image.fromarray(plane).resize(image.size, Image.Resampling.BICUBIC))


def _by_border(image: Image.Image) -> Plane:
    """Return what differs from the colors along the border, and what it encloses."""
    scale = 256 / max(image.size)
    small = image.resize(
        (max(8, round(image.width * scale)), max(8, round(image.height * scale))), Image.Resampling.BOX
    )
    pixels = np.asarray(small.convert("LAB"), np.float32)
    rim = max(2, min(small.size) // 40)
    around = border(pixels, rim)
    distance = np.full(pixels.shape[:2], np.inf, np.float32)
    for centre in clusters(around, 4, np.ones(len(around), np.float32))[0]:
        distance = np.minimum(distance, np.sqrt(((pixels - centre) ** 2).sum(2)))
    spread = float(np.percentile(distance[np.r_[:rim, -rim:0]], 90))
    behind = _reached(distance < max(12.0, spread * 1.8))
    return np.asarray(
        Image.fromarray((~behind).astype(np.float32)).resize(image.size, Image.Resampling.BICUBIC)
    )


def border(pixels: Plane, width: int) -> Plane:
    """Return the pixels within `width` of an edge in one row; those of the corners stand in it twice."""
    edges = (pixels[:width], pixels[-width:], pixels[:, :width], pixels[:, -width:])
    return np.concatenate([edge.reshape(-1, pixels.shape[-1]) for edge in edges])


def _reached(open_: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the open pixels that are connected to the border."""
    reached = open_.copy()
    reached[1:-1, 1:-1] = False
    while True:
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        grown &= open_
        if (grown == reached).all():
            return reached
        reached = grown


def clusters(points: Plane, count: int, weights: Plane) -> tuple[Plane, Plane]:
    """Weighted k-means with a fixed start: centres, and each one's share, largest first."""
    rng = np.random.default_rng(7)
    centres = points[rng.choice(len(points), 1)]
    while len(centres) < min(count, len(points)):
        far = ((points[:, None] - centres[None]) ** 2).sum(2).min(1)
        centres = np.concatenate([centres, points[[int((far * weights).argmax())]]])
    for _ in range(16):
        nearest = ((points[:, None] - centres[None]) ** 2).sum(2).argmin(1)
        shares = np.bincount(nearest, weights, len(centres))
        for index in np.flatnonzero(shares):
            mine = nearest == index
            centres[index] = np.average(points[mine], 0, weights[mine])
    order = np.argsort(-shares)
    return centres[order], (shares[order] / max(float(shares.sum()), 1e-6)).astype(np.float32)


def _boxed(plane: Plane, radius: int) -> Plane:
    """The mean over a square, by running sums."""
    size = 2 * radius + 1
    padded = np.pad(plane.astype(np.float64), radius, mode="edge")
    for axis in (0, 1):
        sums = np.cumsum(padded, axis)
        zero = np.zeros_like(np.take(sums, [0], axis))
        sums = np.concatenate([zero, sums], axis)
        padded = (
            np.take(sums, np.arange(size, sums.shape[axis]), axis)
            - np.take(sums, np.arange(sums.shape[axis] - size), axis)
        ) / size
    return padded.astype(np.float32)


def _guided(guide: Plane, mask: Plane, radius: int, softness: float) -> Plane:
    mean_guide, mean_mask = _boxed(guide, radius), _boxed(mask, radius)
    covariance = _boxed(guide * mask, radius) - mean_guide * mean_mask
    variance = _boxed(guide * guide, radius) - mean_guide**2
    slope = covariance / (variance + softness)
    offset = mean_mask - slope * mean_guide
    return np.clip(_boxed(slope, radius) * guide + _boxed(offset, radius), 0, 1)
