"""The visible "AI" mark in exported videos: H.264 in MP4, with the sound as it was."""

import time
from fractions import Fraction
from pathlib import Path
from typing import Any

from impasto_server.marking.visible_mark import mark_for

# What takes about a minute on two cores: half a minute of Full HD at 30 frames a second.
MAX_PIXELS = 1920 * 1080 * 30 * 30
MAX_SECONDS = 180
_CONTAINERS = ("mp4", "mov")
_OPTIONS = {"crf": "18", "preset": "veryfast"}
_DEFAULT_RATE = Fraction(25)


class VideoNotMarked(Exception):
    """The video is no MP4 or MOV, is damaged, or too large."""


def burn_in(source: Path, target: Path, max_seconds: float = MAX_SECONDS) -> None:
    """Write a video with the mark to `target`. Raises `VideoNotMarked`."""
    import av

    try:
        with av.open(str(source)) as given:
            if not given.streams.video or not set(_CONTAINERS) & set(given.format.name.split(",")):
                raise VideoNotMarked("it is no MP4 or MOV")
            if _pixels(given) > MAX_PIXELS:
                raise VideoNotMarked("it is too long or too large")
            with av.open(str(target), "w", format="mp4", options={"movflags": "+faststart"}) as made:
                _Marking(given, made, time.monotonic() + max_seconds).run()
    except (av.FFmpegError, ValueError, OSError) as error:
        raise VideoNotMarked(str(error)) from error


def _pixels(container: Any) -> float:
    """Return the number of pixels in all frames, as the file states it; infinity for an unknown length."""
    stream = container.streams.video[0]
    rate = stream.average_rate or _DEFAULT_RATE
    seconds = container.duration / 1_000_000 if container.duration else float("inf")
    return float(stream.width * stream.height * rate * seconds)


class _Marking:
    def __init__(self, given: Any, made: Any, deadline: float) -> None:
        self._given, self._made, self._deadline = given, made, deadline
        self._video = given.streams.video[0]
        self._video.thread_type = "AUTO"
        self._encoder = self._new_encoder()
        self._copies = {each.index: made.add_stream_from_template(each) for each in given.streams.audio}
        mark = mark_for((self._video.width, self._video.height))
        self._mark = mark.crop(
            (0, 0, min(mark.width, self._video.width), min(mark.height, self._video.height))
        )
        self._planes = self._mark_planes()

    def run(self) -> None:
        """Copy the streams, with the mark in each frame of the first video stream."""
        for packet in self._given.demux([self._video, *self._given.streams.audio]):
            if time.monotonic() > self._deadline:
                raise VideoNotMarked("it takes too long")
            if packet.stream.index in self._copies:
                if packet.dts is not None:
                    packet.stream = self._copies[packet.stream.index]
                    self._made.mux(packet)
                continue
            for frame in packet.decode():
                self._made.mux(self._encoder.encode(self._marked(frame)))
        self._made.mux(self._encoder.encode(None))

    def _new_encoder(self) -> Any:
        video = self._video
        encoder = self._made.add_stream(
            "libx264", rate=video.average_rate or _DEFAULT_RATE, options=dict(_OPTIONS)
        )
        encoder.width, encoder.height = video.width, video.height
        # The colors of 4:2:0 need even sides.
        encoder.pix_fmt = "yuv444p" if video.width % 2 or video.height % 2 else "yuv420p"
        encoder.codec_context.time_base = video.time_base
        for name in ("color_range", "colorspace", "color_primaries", "color_trc"):
            setattr(encoder.codec_context, name, getattr(video.codec_context, name))
        encoder.codec_context.thread_count = 2
        return encoder

    def _mark_planes(self) -> list[tuple[Any, Any]]:
        """Return for each plane of a frame the mark's colors times their opacity, and the rest to 1."""
        import av
        import numpy as np

        shades = av.VideoFrame.from_image(self._mark.convert("RGB")).reformat(format="yuv444p")
        alpha = np.asarray(self._mark.getchannel("A"), np.float32) / 255
        step = 1 if self._encoder.pix_fmt == "yuv444p" else 2
        planes = []
        for index, plane in enumerate(shades.to_ndarray().astype(np.float32)):
            part = slice(None, None, step if index else 1)
            opacity = alpha[part, part]
            planes.append((plane[part, part] * opacity, 1 - opacity))
        return planes

    def _marked(self, frame: Any) -> Any:
        import numpy as np

        result = frame.reformat(format=self._encoder.pix_fmt)
        result.make_writable()  # the decoder may refer to the frame later
        for plane, (shade, rest) in zip(result.planes, self._planes, strict=True):
            pixels = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
            corner = pixels[: shade.shape[0], : shade.shape[1]]
            corner[:] = (corner * rest + shade).astype(np.uint8)
        result.pts, result.time_base = frame.pts, frame.time_base
        result.pict_type = 0
        return result
