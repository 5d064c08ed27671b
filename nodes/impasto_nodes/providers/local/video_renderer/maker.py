"""Renders a video: moving shots with cross-fades, a title that fades in and out, a voice."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from impasto_nodes.providers.local.video_renderer.request import VideoRequest, frame_size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    from impasto_nodes.media.video.motion import Mover

    Frame: TypeAlias = NDArray[np.uint8]

Progress: TypeAlias = Callable[[float], None]
_FADE_SECONDS = 0.6
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
        for number, frame in enumerate(_frames(shots, count, request.fps)):
            writing.add_frame(_titled(frame, title, number, count, request.fps) if title else frame)
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


def _frames(shots: list[Mover], count: int, fps: float) -> Iterator[Frame]:
    length = count / len(shots)
    fade = min(_FADE_SECONDS * fps, length * 0.45) if len(shots) > 1 else 0.0
    for number in range(count):
        index = min(len(shots) - 1, int(number / length))
        inside = number - index * length
        # A shot starts while the previous one fades out, so it lasts for its length and one cross-fade.
        frame = shots[index].frame((inside + (fade if index else 0.0)) / (length + fade))
        left = length - inside
        if index + 1 < len(shots) and left < fade:
            share = 1 - left / fade
            frame = _blended(frame, shots[index + 1].frame((fade - left) / (length + fade)), share)
        yield frame


def _blended(one: Frame, other: Frame, share: float) -> Frame:
    from PIL import Image

    smooth = share * share * (3 - 2 * share)
    return _array(Image.blend(Image.fromarray(one), Image.fromarray(other), smooth))


def _array(image: Image) -> Frame:
    import numpy as np

    return np.asarray(image)


def _title(request: VideoRequest, size: tuple[int, int]) -> tuple[Image, Image] | None:
    """Return the title as two transparent layers, a shade and the letters; None for no title."""
    from impasto_nodes.providers.local.image_renderer import words

    said = words.drawn(words.read(request.prompt, request.brand_name))
    # Given images may contain text that a title would cover.
    if request.images or not request.title or said.silent:
        return None
    return _layers(replace(request), size, said.headline)


def _layers(request: VideoRequest, size: tuple[int, int], headline: str) -> tuple[Image, Image]:
    import numpy as np
    from PIL import Image

    from impasto_nodes.media.text import typeset
    from impasto_nodes.media.text.typeset import Face

    unit, margin = min(size), round(min(size) * 0.075)
    family = request.fonts[0] if request.fonts else "Source Serif Pro"
    room = (size[0] - 2 * margin, round(size[1] * 0.3))
    block = typeset.fit(headline, Face(family, "light", -0.02, 1.04), room, largest=round(unit * 0.13))
    letters = Image.new("RGBA", size, (255, 253, 249, 0))
    top = size[1] - margin - block.height
    typeset.draw(letters, block, (margin, top), (255, 253, 249))
    if request.brand_name:
        small = typeset.fit(
            request.brand_name,
            Face("Manrope", "bold", 0.01, 1.0),
            (room[0], unit),
            largest=round(unit * 0.03),
        )
        typeset.draw(letters, small, (margin, top - round(unit * 0.03) - small.height), (255, 253, 249))
    rise = np.clip((np.arange(size[1]) - (top - unit * 0.3)) / (size[1] - top + unit * 0.3), 0, 1)
    alpha = (np.broadcast_to(rise[:, None], (size[1], size[0])) ** 1.3 * 200).astype(np.uint8)
    shade = Image.new("RGBA", size, (10, 8, 7, 0))
    shade.putalpha(Image.fromarray(alpha))
    return shade, letters


def _titled(frame: Frame, title: tuple[Image, Image], number: int, count: int, fps: float) -> Frame:
    """Return the frame with the title, which fades in during the first half second and out before the end."""
    from PIL import Image

    seconds, total = number / fps, count / fps
    share = min(1.0, max(0.0, (seconds - 0.2) / 0.6), max(0.0, (total - 0.25 - seconds) / 0.5))
    if share <= 0:
        return frame
    image = Image.fromarray(frame)
    eased = share * share * (3 - 2 * share)
    lift = round((1 - eased) * image.height * 0.02)
    for layer, drop in zip(title, (0, lift), strict=True):
        mask = layer.getchannel("A").point([round(value * eased) for value in range(256)])
        image.paste(layer.convert("RGB"), (0, drop), mask)
    return _array(image)


def _voice(request: VideoRequest) -> NDArray[np.floating[Any]]:
    import numpy as np

    from impasto_nodes.media.audio import audio_file

    if request.speech is None:
        return np.zeros((2, 0), np.float32)
    return audio_file.faded(audio_file.load(request.speech), 0.02, 0.05)
