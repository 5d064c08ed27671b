"""Reading video as frames of one size and one rate, upright, from any file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from impasto_nodes.media.errors import (
    DamagedMedia,
    EmptyFile,
    ImageTooLarge,
    NotMedia,
    NoVideoStream,
)
from impasto_nodes.media.image.orientation import as_displayed
from impasto_nodes.media.probe import length_of, moving, probe, refuse_image

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    Frame: TypeAlias = NDArray[np.uint8]

Fit: TypeAlias = Literal["fill", "fit"]
MAX_SECONDS = 600.0
_SLOWEST = 12.0
_HELD_BYTES = 600_000_000
# A decoder keeps a dozen frames: 8K ones are 100 MB each.
MAX_PIXELS = 36_000_000


def frames(path: Path, size: tuple[int, int], rate: float, fit: Fit = "fill") -> Iterator[Frame]:
    """Yield frames of `size` at `rate` per second. Raises a `NodeError` if the clip cannot be read."""
    shown: Frame | None = None
    number, seconds = 0, 0.0
    for seconds, image in _images(path):
        if seconds > MAX_SECONDS:
            raise DamagedMedia(f"longer than {MAX_SECONDS:.0f} seconds")
        # The previous frame stays on screen until the time of this one.
        while shown is not None and number / rate < seconds - 1e-6:
            yield shown
            number += 1
        shown = np.asarray(placed(image, size, fit))
    if shown is None:
        raise DamagedMedia("no frame could be decoded")
    last = duration_of(path)
    if last is not None and last > MAX_SECONDS:
        raise DamagedMedia(f"longer than {MAX_SECONDS:.0f} seconds")
    # The last frame is shown once if the clip's length is not known or leaves it out.
    if last is None or last <= seconds or not number:
        yield shown
        number += 1
    while last is not None and number / rate <= last - 0.5 / rate + 1e-6:
        yield shown
        number += 1


def _images(path: Path) -> Iterator[tuple[float, Image]]:
    import av

    if not path.stat().st_size:
        raise EmptyFile
    refuse_image(path)
    try:
        with av.open(str(path)) as container:
            stream = next(iter(moving(container)), None)
            if stream is None:
                raise NoVideoStream
            _refuse_large(stream.codec_context.width, stream.codec_context.height)
            stream.thread_type = "AUTO"
            shape = stream.codec_context.sample_aspect_ratio
            stretch = float(shape) if shape else 1.0
            start: float | None = None
            for frame in container.decode(stream):
                now = frame.time or 0.0
                start = now if start is None else start
                yield now - start, as_displayed(frame, stretch)
    except av.error.InvalidDataError as error:
        raise NotMedia(str(error)) from error
    except (av.error.FFmpegError, OSError) as error:
        raise DamagedMedia(str(error)) from error


def _refuse_large(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise ImageTooLarge((width, height), MAX_PIXELS)


def duration_of(path: Path) -> float | None:
    """Return the duration of the video stream in seconds, if the file states it."""
    import av

    with av.open(str(path)) as container:
        stream = next(iter(moving(container)), None)
        if stream is not None and stream.duration and stream.time_base:
            return float(stream.duration * stream.time_base)
        return length_of(container)


def rate_of(path: Path) -> float:
    """Return the frame rate to work at: the clip's own, doubled until captions and fades are smooth."""
    rate = min(60.0, probe(path).frame_rate or 24.0)
    while rate < _SLOWEST:
        rate *= 2
    return rate


def size_of(path: Path) -> tuple[int, int]:
    """Return width and height as displayed, after rotation."""
    for _, image in _images(path):
        return image.size
    raise DamagedMedia("no frame could be decoded")


def placed(image: Image, size: tuple[int, int], fit: Fit) -> Image:
    """Return the image in a frame: cropped to fill it, or whole on a blurred copy of itself."""
    from PIL import Image, ImageOps

    if image.size == size:
        return image
    if fit == "fill":
        return ImageOps.fit(image, size, Image.Resampling.BICUBIC)
    ground = blurred_ground(image, size)
    whole = ImageOps.contain(image, size, Image.Resampling.BICUBIC)
    ground.paste(whole, ((size[0] - whole.width) // 2, (size[1] - whole.height) // 2))
    return ground


def blurred_ground(image: Image, size: tuple[int, int]) -> Image:
    """Return a darker, blurred copy of the image that fills a frame."""
    from PIL import Image, ImageEnhance, ImageFilter, ImageOps

    small = ImageOps.fit(image, (max(1, size[0] // 12), max(1, size[1] // 12)), Image.Resampling.BILINEAR)
    soft = small.filter(ImageFilter.GaussianBlur(3)).resize(size, Image.Resampling.BICUBIC)
    return ImageEnhance.Brightness(soft).enhance(0.72)


class Counted:
    """An iterator over frames that counts them."""

    def __init__(self, source: Iterator[Frame]) -> None:
        self._source, self.count = source, 0

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._source:
            self.count += 1
            yield frame


def max_crossfade_frames(size: tuple[int, int]) -> int:
    """Return how many frames a crossfade may have: that many are held in memory, decoded."""
    return max(2, _HELD_BYTES // (size[0] * size[1] * 3))


def crossfaded(rows: list[Counted], overlap: int) -> Iterator[Frame]:
    """Yield the frames of clips in order; neighbours overlap in a crossfade of `overlap` frames."""
    held: deque[Frame] = deque()
    for row in rows:
        shared = len(held)
        for number, frame in enumerate(row):
            if number < shared:
                yield _mixed(held.popleft(), frame, (number + 1) / (shared + 1))
                continue
            held.append(frame)
            if len(held) > overlap:
                yield held.popleft()
        # A clip is shorter than the crossfade: the rest of the previous one is not mixed.
    yield from held


def _mixed(one: Frame, other: Frame, share: float) -> Frame:
    from PIL import Image

    eased = share * share * (3 - 2 * share)
    return np.asarray(Image.blend(Image.fromarray(one), Image.fromarray(other), eased))
