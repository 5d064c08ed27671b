"""Edits inside a mask: the input for a model, and its answer merged into the original.

In a mask white is changed and black is kept; grey mixes both, so that an edit fades into its surroundings.
A model may answer in another size, and change what it was not to change. Only what the mask covers is taken
from its answer: where the mask is black, the original's pixels stay as they are.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from impasto import NodeError
from impasto_nodes.media.image.scaling import scaled_size

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    Samples: TypeAlias = NDArray[np.floating[Any]]

MAX_SIDE = 2048
"""Maximum side of a model's input, in pixels."""
_BAND = 256
_NEAR = 0.02


class MaskMismatch(NodeError):
    """The mask has another shape than the image."""

    def __init__(self, mask: tuple[int, int], image: tuple[int, int]) -> None:
        super().__init__(
            f"The mask was painted on another image: it is {mask[0]} by {mask[1]} pixels, and the image is "
            f"{image[0]} by {image[1]}. Paint it again.",
            code="mask_mismatch",
        )


class EmptyMask(NodeError):
    """The mask is black all over."""

    def __init__(self) -> None:
        super().__init__("Nothing is painted on the mask. Paint what to change.", code="empty_mask")


class MissingMask(NodeError):
    """The file of the mask was deleted, or belongs to another user."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("The mask is no longer there. Paint it again.", code="missing_mask", detail=detail)


class UnreadableMask(NodeError):
    """The file of the mask cannot be read; `reason` says why, and its code stays."""

    def __init__(self, reason: NodeError) -> None:
        super().__init__(f"The mask cannot be used. {reason.message}", code=reason.code, detail=reason.detail)


@dataclass(frozen=True, slots=True)
class Frame:
    """The place of an image in the input for a model, which has an aspect ratio that the model makes.

    `size` is the image's, `padded` the whole input's and `offset` the image's place in it, in pixels of the
    image. The model gets it smaller: at most `MAX_SIDE` pixels a side.
    """

    size: tuple[int, int]
    padded: tuple[int, int]
    offset: tuple[int, int]

    @classmethod
    def around(cls, size: tuple[int, int], ratio: str) -> Frame:
        """Return the smallest frame of a ratio ("3:2") around an image; the image alone if it is ""."""
        if not ratio:
            return cls(size, size, (0, 0))
        across, _, down = ratio.partition(":")
        quotient = int(across) / int(down)
        width = max(size[0], round(size[1] * quotient))
        height = max(size[1], round(size[0] / quotient))
        return cls(size, (width, height), ((width - size[0]) // 2, (height - size[1]) // 2))

    @property
    def scale(self) -> float:
        """The scale from the image to the model's input."""
        return min(1.0, MAX_SIDE / max(self.padded))

    def shown(self, image: Image) -> Image:
        """Return the input for a model; around the image it continues mirrored."""
        import numpy as np
        from PIL import Image as Bitmap

        small = image.resize(self._scaled(self.size), Bitmap.Resampling.LANCZOS)
        (left, top), (width, height) = self._scaled_offset(), self._scaled(self.padded)
        around = ((top, height - top - small.height), (left, width - left - small.width), (0, 0))
        return Bitmap.fromarray(np.pad(np.asarray(small), around, "symmetric"), small.mode)

    def shown_mask(self, mask: Image) -> Image:
        """Return the mask of that input without greys: white wherever anything may change."""
        from PIL import Image

        small = mask.resize(self._scaled(self.size), Image.Resampling.BOX)
        canvas = Image.new("L", self._scaled(self.padded))
        canvas.paste(small.point([0] + [255] * 255), self._scaled_offset())
        return canvas

    def part_of(self, answer: tuple[int, int]) -> tuple[float, float, float, float]:
        """Return the box of an answer of this size, in its pixels, that shows the image."""
        across, down = answer[0] / self.padded[0], answer[1] / self.padded[1]
        left, top = self.offset[0] * across, self.offset[1] * down
        return left, top, left + self.size[0] * across, top + self.size[1] * down

    def _scaled(self, size: tuple[int, int]) -> tuple[int, int]:
        return scaled_size(size, self.scale)

    def _scaled_offset(self) -> tuple[int, int]:
        room = zip(self._scaled(self.padded), self._scaled(self.size), self.offset, strict=True)
        left, top = (min(round(offset * self.scale), whole - own) for whole, own, offset in room)
        return left, top


def read_mask(source: bytes | Path, size: tuple[int, int]) -> tuple[Image, bool]:
    """Return a mask as 8-bit grey for an image of `size`, and whether it had another size.

    What is see-through in the file is kept. Of an animation the first frame counts.

    Raises `MaskMismatch` for a mask of another shape, `EmptyMask`, and `UnreadableMask` for a file that is no
    image, is damaged, or has too many pixels.
    """
    from PIL import Image, ImageChops

    from impasto_nodes.media.errors import MediaError
    from impasto_nodes.media.image.image_file import decode

    try:
        decoded = decode(source)
    except MediaError as error:
        raise UnreadableMask(error) from error
    mask = decoded.convert("L")
    if decoded.mode == "RGBA":
        mask = ImageChops.multiply(mask, decoded.getchannel("A"))
    del decoded  # frees memory: three times that of the mask
    if abs(mask.width * size[1] / (mask.height * size[0]) - 1) > _NEAR:
        raise MaskMismatch(mask.size, size)
    if is_resized := mask.size != size:
        mask = mask.resize(size, Image.Resampling.BILINEAR)
    if mask.getbbox() is None:
        raise EmptyMask
    return mask, is_resized


def pasted_back(image: Image, answer: Image, mask: Image, frame: Frame) -> Image:
    """Put what the mask covers of a model's answer into the image, which is changed and returned.

    Works in bands, so that a large image needs no second copy of itself.
    """
    from PIL.Image import Resampling, Transform

    if answer.width > frame.padded[0] or answer.height > frame.padded[1]:
        answer = answer.resize(frame.padded, Resampling.LANCZOS)
    answer = answer.convert(image.mode)
    left, top, right, bottom = frame.part_of(answer.size)
    across, down = (right - left) / image.width, (bottom - top) / image.height
    for start in range(0, image.height, _BAND):
        end = min(image.height, start + _BAND)
        covered = mask.crop((0, start, image.width, end))
        if covered.getbbox() is not None:
            place = (across, 0.0, left, 0.0, down, top + start * down)
            size = (image.width, end - start)
            band = answer.transform(size, Transform.AFFINE, place, Resampling.BICUBIC)
            image.paste(band, (0, start), covered)
    return image


def see_through(mask: bytes) -> bytes:
    """Return a mask as a PNG that is see-through where it is white, as OpenAI's models take masks."""
    from PIL import Image, ImageChops

    with Image.open(io.BytesIO(mask)) as opened:
        kept = ImageChops.invert(opened.convert("L"))
    black = Image.new("L", kept.size)
    out = io.BytesIO()
    Image.merge("RGBA", (black, black, black, kept)).save(out, "PNG")
    return out.getvalue()


def filled(image: Image, mask: Image) -> Image:
    """Return the image with what the mask covers filled smoothly from its surroundings.

    Known pixels are averaged into ever smaller images until none is missing, and missing ones are read from
    the next smaller image (S. Gortler et al., The Lumigraph, 1996, section 3.4). Takes linear time.
    """
    import numpy as np
    from PIL import Image as Bitmap

    known: Samples = 1.0 - np.asarray(mask, np.float32)[..., None] / 255
    colors = np.asarray(image.convert("RGB"), np.float32)
    pulled: list[tuple[Samples, Samples]] = [(colors * known, known)]
    while max(pulled[-1][1].shape) > 1:
        weighted, weight = pulled[-1]
        pulled.append((_halved(weighted), _halved(weight)))
    push = pulled[-1][0] / np.maximum(pulled[-1][1], 1e-6)
    for weighted, weight in reversed(pulled[:-1]):
        share = np.minimum(weight, 1.0)
        larger = _doubled(push, weight)
        push = share * weighted / np.maximum(weight, 1e-6) + (1 - share) * larger
    return Bitmap.fromarray((push + 0.5).astype(np.uint8)).convert(image.mode)


def _halved(plane: Samples) -> Samples:
    import numpy as np

    down, across = plane.shape[:2]
    even = np.pad(plane, ((0, down % 2), (0, across % 2), (0, 0)))
    return np.asarray(even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2], np.float32)


def _doubled(plane: Samples, like: Samples) -> Samples:
    """Return a plane enlarged to the size of `like`."""
    import numpy as np
    from PIL import Image

    layers = [
        Image.fromarray(np.ascontiguousarray(plane[..., channel])).resize(
            (like.shape[1], like.shape[0]), Image.Resampling.BILINEAR
        )
        for channel in range(plane.shape[2])
    ]
    return np.stack([np.asarray(layer) for layer in layers], axis=2)
