"""Edits inside a mask: the input for the model, and its answer merged into the original image."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from impasto import AssetNotFound, Context, Image, Mask
from impasto_nodes.providers.errors import BadRequest, GenerationFailed, MaskRefused
from impasto_nodes.providers.protocols import MaskedImage

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap

    from impasto_nodes.media.image.masking import Frame


@dataclass(frozen=True, slots=True)
class MaskedEdit:
    """An image, the mask of what may change, and the input for the model that is made of both."""

    image: Image
    mask: Mask
    frame: Frame
    masked: MaskedImage

    @classmethod
    async def of(cls, image: Image, mask: Mask, ratio: str, context: Context) -> MaskedEdit:
        """Prepare an edit for a model that makes images of `ratio` ("3:2").

        Raises `MaskMismatch`, `EmptyMask`, `MissingMask`, and a `NodeError` for a file that is no image.
        """
        from impasto_nodes.media.image.masking import MissingMask

        async with AsyncExitStack() as stack:
            source = await stack.enter_async_context(context.open(image))
            try:
                painted = await stack.enter_async_context(context.open(mask.image))
            except AssetNotFound as error:
                raise MissingMask(str(error)) from error
            frame, masked, is_resized = await asyncio.to_thread(_prepare, source, painted, ratio)
        if is_resized:
            context.progress(0.0, "The mask has another size than the image: it is scaled to it.")
        return cls(image, mask, frame, masked)

    async def finish(self, answer: Image, context: Context) -> Image:
        """Return the image with the model's answer inside the mask, stored as PNG: nothing else changes."""
        out = Path(context.temp_dir) / "edited.png"
        async with (
            context.open(self.image) as source,
            context.open(self.mask.image) as painted,
            context.open(answer) as answered,
        ):
            width, height = await asyncio.to_thread(_finish, source, painted, answered, self.frame, out)
        stored = await context.store(out, "image/png", name="edited.png", width=width, height=height)
        assert isinstance(stored, Image)
        return stored


_NAMES_A_MASK = re.compile(r"(?<![/\w-])masks?(?![/-])(?:_\w+)?\b", re.IGNORECASE)
"""A mask in a provider's words ("Invalid mask", "mask_url"), and not in a model's name ("acme/mask-fill")."""


@contextmanager
def mask_refusals(*, masked: bool) -> Iterator[None]:
    """Raise `MaskRefused` for what a provider says about the mask of a request that has one."""
    try:
        yield
    except (BadRequest, GenerationFailed) as error:
        detail = error.detail or ""
        if masked and error.provider and _NAMES_A_MASK.search(detail):
            raise MaskRefused(error.provider, detail) from error
        raise


def _prepare(source: Path, painted: Path, ratio: str) -> tuple[Frame, MaskedImage, bool]:
    from impasto_nodes.media.image.image_file import decode
    from impasto_nodes.media.image.masking import Frame, read_mask

    image = decode(source)
    mask, is_resized = read_mask(painted, image.size)
    frame = Frame.around(image.size, ratio)
    return frame, MaskedImage(_png(frame.shown(image)), _png(frame.shown_mask(mask))), is_resized


def _finish(source: Path, painted: Path, answered: Path, frame: Frame, out: Path) -> tuple[int, int]:
    from impasto_nodes.media.image.image_file import decode, in_profile
    from impasto_nodes.media.image.masking import pasted_back, read_mask

    answer = decode(answered)
    image = decode(source, keeps_profile=True)
    if profile := image.info.get("icc_profile"):
        answer = in_profile(answer, profile)  # Pillow writes the profile into the file
    mask, _ = read_mask(painted, image.size)
    pasted_back(image, answer, mask, frame).save(out, "PNG", compress_level=4)
    return image.size


def _png(bitmap: Bitmap) -> bytes:
    out = io.BytesIO()
    bitmap.save(out, "PNG", compress_level=4)
    return out.getvalue()
