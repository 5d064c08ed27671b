"""Renders a video: moving shots with cross-fades, a title that fades in and out, a voice."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from impasto_nodes.providers.local.video_renderer.request import VideoRequest, frame_size
from impasto_nodes.providers.local.video_renderer.shots import frames_of
from impasto_nodes.providers.local.video_renderer.title import title_layers, with_title

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    from impasto_nodes.media.video.motion import Mover

Progress: TypeAlias = Callable[[float], None]
_SHOT_SECONDS = 2.4


def make_video(request: VideoRequest, progress: Progress | None = None) -> Path:
    """Make the video and return its path. `progress` gets 0 to 1; if it raises, no file is left."""
    from impasto_nodes.media.audio import audio_file
    from impasto_nodes.media.video import video_writer

    size = frame_size(request.aspect_ratio, request.height)
    count = max(1, round(request.duration * request.fps))
    report = progress or _ignore
    report(0.0)
    shots = _shots(request, size)
    title = _title(request, size)
    with video_writer.open_video(request.out, size, request.fps, with_audio=True) as writing:
        for number, frame in enumerate(frames_of(shots, count, request.fps)):
            writing.add_frame(with_title(frame, title, number, count, request.fps) if title else frame)
            report(0.95 * (number + 1) / count)
        writing.add_audio(audio_file.fitted(_voice(request), count / request.fps))
    report(1.0)
    return request.out


def _ignore(fraction: float) -> None:
    """Report no progress."""


def _shots(request: VideoRequest, size: tuple[int, int]) -> list[Mover]:
    from impasto_nodes.media.video.motion import Mover, chosen

    images = [_opened(data) for data in request.images] or _own_images(request)
    # A single image gets several shots in a long video; many images share a short one.
    wanted = max(len(images), min(len(images) * 3, round(request.duration / _SHOT_SECONDS)))
    wanted = min(wanted, max(1, round(request.duration / 0.8)))
    return [
        Mover(images[number % len(images)], size, chosen(request.seed, number)) for number in range(wanted)
    ]


def _opened(data: bytes) -> Image:
    from impasto_nodes.media.image.image_file import decode, flattened

    return flattened(decode(data))


def _own_images(request: VideoRequest) -> list[Image]:
    from PIL import Image

    from impasto_nodes.providers.local.image_renderer import RenderRequest, render_image

    plain = f"{request.prompt} (no text)"
    order = RenderRequest(
        plain, 3, request.aspect_ratio, request.seed, request.palette, request.brand_name, fonts=request.fonts
    )
    count = max(1, min(3, round(request.duration / _SHOT_SECONDS)))
    return [Image.open(io.BytesIO(render_image(order, index))) for index in range(count)]


def _title(request: VideoRequest, size: tuple[int, int]) -> tuple[Image, Image] | None:
    """Return the title as two transparent layers, a shade and the letters; None for no title."""
    from impasto_nodes.providers.local.image_renderer import words

    said = words.drawn(words.read(request.prompt, request.brand_name))
    # Given images may contain text that a title would cover.
    if request.images or not request.title or said.silent:
        return None
    family = request.fonts[0] if request.fonts else "Source Serif Pro"
    return title_layers(said.headline, request.brand_name, family, size)


def _voice(request: VideoRequest) -> NDArray[np.floating[Any]]:
    import numpy as np

    from impasto_nodes.media.audio import audio_file

    if request.speech is None:
        return np.zeros((2, 0), np.float32)
    return audio_file.faded(audio_file.load(request.speech), 0.02, 0.05)
