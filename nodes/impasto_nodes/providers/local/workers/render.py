"""Worker process: images and clips of the local renderer."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

Report = Callable[[float, str], None]
Handler = Callable[[dict[str, Any], Report], dict[str, Any]]


_NEAR_COPY = 0.15
"""Two images whose thumbnails differ by less than this, of 1, look alike."""
_MAX_ATTEMPTS = 4


def _with_own_fonts(handler: Handler) -> Handler:
    """Let the handler find families in task["font_files"], the paths and names of a brand's files."""

    @wraps(handler)
    def wrapped(task: dict[str, Any], report: Report) -> dict[str, Any]:
        from impasto_nodes.media.text.fonts import own_fonts

        with own_fonts((Path(path), name) for path, name in task.pop("font_files", ())):
            return handler(task, report)

    return wrapped


@_with_own_fonts
def render(task: dict[str, Any], report: Report) -> dict[str, Any]:
    """Draw image number `index` to task["out"]; return its size, style and words.

    An image that would look like one of the files in task["beside"] is drawn as image `index + stride`
    instead, and so on; the one that differs most is taken. `undrawn` are the letters that no font draws.
    """
    from impasto_nodes.providers.local.image_renderer import (
        RenderRequest,
        render_image,
        size_of,
        style_of,
        undrawn_letters,
        words_of,
    )

    source = task.pop("image")
    out, index = Path(task.pop("out")), task.pop("index")
    beside, stride = task.pop("beside"), task.pop("stride")
    task["palette"], task["fonts"] = tuple(task["palette"]), tuple(task["fonts"])
    request = RenderRequest(**task, image=Path(source).read_bytes() if source else None)
    first, data = index, render_image(request, index)
    if beside:
        neighbors = [_thumbnail(Path(path).read_bytes()) for path in beside]
        farthest = _distance(data, neighbors)
        for attempt in range(1, _MAX_ATTEMPTS):
            if farthest >= _NEAR_COPY:
                break
            other = render_image(request, first + attempt * stride)
            if (distance := _distance(other, neighbors)) > farthest:
                data, farthest, index = other, distance, first + attempt * stride
    out.write_bytes(data)
    width, height = size_of(request.aspect_ratio)
    said = words_of(request)
    return {
        "width": width,
        "height": height,
        "style": style_of(request, index),
        "headline": said.headline,
        "line": said.subline,
        "position": index,
        "undrawn": undrawn_letters(request),
    }


def _distance(image: bytes, others: list[Any]) -> float:
    """Return how far an image is from the nearest of others: 0 for the same, 1 for black beside white."""
    small = _thumbnail(image)
    return min(float(abs(small - other).mean()) for other in others)


def _thumbnail(image: bytes) -> Any:
    import numpy as np
    from PIL.Image import Resampling

    from impasto_nodes.media.image.image_file import decode

    small = decode(image).convert("RGB").resize((16, 16), Resampling.BOX)
    return np.asarray(small, np.float32) / 255


@_with_own_fonts
def render_video(task: dict[str, Any], report: Report) -> dict[str, Any]:
    """Make one clip at task["out"]; report the fraction done."""
    from impasto_nodes.providers.local.video_renderer import VideoRequest, make_video

    task["images"] = tuple(Path(path).read_bytes() for path in task["images"])
    task["palette"], task["fonts"] = tuple(task["palette"]), tuple(task["fonts"])
    task["out"] = Path(task["out"])
    make_video(VideoRequest(**task), lambda fraction: report(fraction, ""))
    return {}
