"""Writing video: H.264 and AAC in MP4, its index first so that it plays while it loads."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from impasto_nodes.media.audio.audio_file import RATE, frames

if TYPE_CHECKING:
    from av.audio.stream import AudioStream
    from av.container import OutputContainer
    from av.video.stream import VideoStream
    from numpy.typing import NDArray


class VideoWriter:
    """An open video file: add frames (RGB arrays of its size) and, once, the audio."""

    def __init__(self, container: OutputContainer, video: VideoStream, audio: AudioStream | None) -> None:
        self._container, self._video, self._audio = container, video, audio
        self._frames = 0

    def add_frame(self, pixels: NDArray[np.uint8]) -> None:
        """Add one frame."""
        import av

        drawn = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
        # The default conversion is BT.601, which would contradict the BT.709 tags below.
        image = drawn.reformat(format="yuv420p", dst_colorspace="ITU709", dst_color_range="MPEG")
        image.pts = self._frames
        self._frames += 1
        self._container.mux(self._video.encode(image))

    def add_audio(self, samples: NDArray[np.floating[Any]]) -> None:
        """Add the whole audio track: samples of shape (2, n) at 48 kHz."""
        assert self._audio is not None
        for frame in frames(samples):
            self._container.mux(self._audio.encode(frame))

    def _finish(self) -> None:
        self._container.mux(self._video.encode(None))
        if self._audio is not None:
            self._container.mux(self._audio.encode(None))


# An encoder holds dozens of frames: more encoders than processors cost memory and gain nothing.
_ENCODERS = threading.BoundedSemaphore(max(2, os.cpu_count() or 2))


@contextmanager
def open_video(
    path: Path, size: tuple[int, int], frame_rate: float, *, with_audio: bool
) -> Iterator[VideoWriter]:
    """Open a video to write to `path`. If the block raises, no file is left there."""
    import av

    half = path.with_suffix(".part.mp4")
    try:
        with (
            _ENCODERS,
            av.open(str(half), "w", format="mp4", options={"movflags": "+faststart"}) as container,
        ):
            video = _video(container, size, frame_rate)
            audio = (
                container.add_stream("aac", rate=RATE, layout="stereo", bit_rate=160_000)
                if with_audio
                else None
            )
            writing = VideoWriter(container, video, audio)
            yield writing
            writing._finish()
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def _video(container: OutputContainer, size: tuple[int, int], frame_rate: float) -> VideoStream:
    options = {"crf": "19", "preset": "veryfast", "profile": "high"}
    video = container.add_stream(
        "libx264", rate=Fraction(frame_rate).limit_denominator(1001), options=options
    )
    video.width, video.height = size
    video.pix_fmt = "yuv420p"
    # Untagged files are shown in different colors by different players.
    video.codec_context.colorspace = 1
    video.codec_context.color_primaries = 1
    video.codec_context.color_trc = 1
    video.codec_context.color_range = 1
    video.codec_context.thread_count = 2
    return video


def even(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size rounded down to even numbers, as H.264 needs."""
    return max(2, size[0] - size[0] % 2), max(2, size[1] - size[1] % 2)
