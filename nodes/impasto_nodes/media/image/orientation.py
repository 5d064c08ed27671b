"""Convert a video frame for display: upright, square pixels, BT.709 colors, HDR tone-mapped."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from av import VideoFrame
    from numpy.typing import NDArray
    from PIL.Image import Image

PQ, HLG = 16, 18
"""HDR transfer characteristics, by their numbers in ISO/IEC 23091-2."""
_BT709, _BT2020, _UNSAID = 1, 9, 2
_HD_HEIGHT, _WHITE_NITS, _KNEE = 720, 203.0, 0.7
_MAX_HDR_SIDE = 1920
_TO_709 = np.array(
    [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]], np.float32
)


def as_displayed(frame: VideoFrame, stretch: float = 1.0) -> Image:
    """Return the frame as an image; `stretch` is the pixel aspect ratio (width over height)."""
    from PIL import Image

    if frame.color_trc in {PQ, HLG}:
        image = Image.fromarray(_tone_mapped(frame))
    elif frame.colorspace == _UNSAID and frame.height >= _HD_HEIGHT and not frame.format.is_rgb:
        image = frame.to_image(src_colorspace=_BT709)  # untagged HD video is BT.709
    else:
        image = frame.to_image()
    if abs(stretch - 1) > 0.01:
        image = image.resize((max(1, round(image.width * stretch)), image.height))
    return image.rotate(frame.rotation, expand=True) if frame.rotation else image


def _tone_mapped(frame: VideoFrame) -> NDArray[np.uint8]:
    """Tone-map an HDR frame: below the knee light is kept, above it highlights roll off to white."""
    scale = min(1.0, _MAX_HDR_SIDE / max(frame.width, frame.height))
    width, height = (max(2, round(side * scale / 2) * 2) for side in (frame.width, frame.height))
    deep = frame.reformat(width, height, "rgb48le", src_colorspace=_BT2020, dst_color_range="JPEG")
    light = _linear(frame.color_trc)[deep.to_ndarray()] @ _TO_709.T
    light = np.maximum(light, 0)
    top = light.max(axis=2, keepdims=True)
    bent = _KNEE + (1 - _KNEE) * (1 - np.exp(-(top - _KNEE) / (1 - _KNEE)))
    shown = light * np.where(top > _KNEE, bent / np.maximum(top, 1e-6), 1.0)
    return np.asarray(_screen()[(shown * 4095).astype(np.uint16)])


@lru_cache
def _linear(curve: int) -> NDArray[np.float32]:
    """Return the linear light of each 16-bit code value; 1.0 is reference white (203 nits)."""
    code = np.linspace(0, 1, 65536)
    if curve == PQ:
        root = code ** (1 / 78.84375)
        share = np.maximum(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)
        light = share ** (1 / 0.1593017578) * 10_000 / _WHITE_NITS
    else:
        bright = (np.exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12
        light = np.where(code <= 0.5, code**2 / 3, bright) ** 1.2 * 1000 / _WHITE_NITS
    return np.asarray(light, np.float32)


@lru_cache
def _screen() -> NDArray[np.uint8]:
    """sRGB for light from 0 to 1, in 4096 steps."""
    light = np.linspace(0, 1, 4096)
    curved = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return (curved * 255 + 0.5).astype(np.uint8)
