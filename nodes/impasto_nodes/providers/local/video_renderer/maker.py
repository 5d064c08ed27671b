"""The film itself: shots that move and melt, a title that rises and goes, a voice under it."""

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
_MELT_SECONDS = 0.6
_SHOT_SECONDS = 2.4


def make_video(request: VideoRequest, progress: Progress | None = None) -> Path:
    """Make the film and say where it is. `progress` hears 0..1; when it raises, nothing is left."""
    from impasto_nodes.media.audio import audio_file
    from impasto_nodes.media.video import video_writer

    size = frame_size(request.aspect_ratio, request.height)
    count = max(1, round(request.duration * request.fps))
    tell = progress or _silence
    tell(0.0)
    shots = _shots(request, size)
    title = _title(request, size)
    with video_writer.film(request.out, size, request.fps, sound=True) as writing:
        for number, frame in enumerate(_frames(shots, count, request.fps)):
            writing.frame(_titled(frame, title, number, count, request.fps) if title else frame)
            tell(0.95 * (number + 1) / count)
        writing.sound(audio_file.fitted(_voice(request), count / request.fps))
    tell(1.0)
    return request.out


def _silence(fraction: float) -> None:
    """Nobody asked."""


def _shots(request: VideoRequest, size: tuple[int, int]) -> list[Mover]:
    from impasto_nodes.media.video.motion import Mover, chosen

    pictures = [_opened(data) for data in request.images] or _own_pictures(request)
    # One picture over a long time is seen in several moves; many over a short one each get their share.
    wanted = max(len(pictures), min(len(pictures) * 3, round(request.duration / _SHOT_SECONDS)) or 1)
    wanted = min(wanted, max(1, round(request.duration / 0.8)))
    return [
        Mover(pictures[number % len(pictures)], size, chosen(request.seed, number))
        for number in range(wanted)
    ]


def _opened(data: bytes) -> Image:
    from impasto_nodes.media.image.image_file import decode, flattened

    return flattened(decode(data))


def _own_pictures(request: VideoRequest) -> list[Image]:
    from PIL import Image

    from impasto_nodes.providers.local.image_renderer import PictureRequest, render_picture

    plain = f"{request.prompt} (no text)"
    order = PictureRequest(
        plain, 3, request.aspect_ratio, request.seed, request.palette, request.brand_name, fonts=request.fonts
    )
    count = max(1, min(3, round(request.duration / _SHOT_SECONDS)))
    return [Image.open(io.BytesIO(render_picture(order, index))) for index in range(count)]


def _frames(shots: list[Mover], count: int, fps: float) -> Iterator[Frame]:
    length = count / len(shots)
    melt = min(_MELT_SECONDS * fps, length * 0.45) if len(shots) > 1 else 0.0
    for number in range(count):
        index = min(len(shots) - 1, int(number / length))
        inside = number - index * length
        # A shot starts moving while the one before still fades, so each runs for its length and one melt.
        frame = shots[index].frame((inside + (melt if index else 0.0)) / (length + melt))
        left = length - inside
        if index + 1 < len(shots) and left < melt:
            share = 1 - left / melt
            frame = _melted(frame, shots[index + 1].frame((melt - left) / (length + melt)), share)
        yield frame


def _melted(one: Frame, other: Frame, share: float) -> Frame:
    from PIL import Image

    smooth = share * share * (3 - 2 * share)
    return _array(Image.blend(Image.fromarray(one), Image.fromarray(other), smooth))


def _array(picture: Image) -> Frame:
    import numpy as np

    return np.asarray(picture)


def _title(request: VideoRequest, size: tuple[int, int]) -> tuple[Image, Image] | None:
    """The words as two see-through layers: a shade from below, and the type."""
    from impasto_nodes.providers.local.image_renderer import words

    said = words.drawn(words.read(request.prompt, request.brand_name))
    # Given pictures may carry words of their own: a second layer would fight them.
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
    """The title comes up in the first half second and is gone before the end."""
    from PIL import Image

    seconds, total = number / fps, count / fps
    share = min(1.0, max(0.0, (seconds - 0.2) / 0.6), max(0.0, (total - 0.25 - seconds) / 0.5))
    if share <= 0:
        return frame
    picture = Image.fromarray(frame)
    eased = share * share * (3 - 2 * share)
    lift = round((1 - eased) * picture.height * 0.02)
    for layer, drop in zip(title, (0, lift), strict=True):
        mask = layer.getchannel("A").point([round(value * eased) for value in range(256)])
        picture.paste(layer.convert("RGB"), (0, drop), mask)
    return _array(picture)


def _voice(request: VideoRequest) -> NDArray[np.floating[Any]]:
    import numpy as np

    from impasto_nodes.media.audio import audio_file

    if request.speech is None:
        return np.zeros((2, 0), np.float32)
    return audio_file.faded(audio_file.load(request.speech), 0.02, 0.05)
