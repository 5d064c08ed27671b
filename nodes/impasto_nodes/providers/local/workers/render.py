"""Worker process: images and clips of the local renderer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Report = Callable[[float, str], None]


def render(task: dict[str, Any], report: Report) -> dict[str, Any]:
    """Draw image number `index` to task["out"]; return its size, style and the letters that no font draws."""
    from impasto_nodes.providers.local.image_renderer import (
        RenderRequest,
        render_image,
        size_of,
        style_of,
        undrawn_letters,
    )

    source = task.pop("image")
    out, index = Path(task.pop("out")), task.pop("index")
    task["palette"], task["fonts"] = tuple(task["palette"]), tuple(task["fonts"])
    request = RenderRequest(**task, image=Path(source).read_bytes() if source else None)
    out.write_bytes(render_image(request, index))
    width, height = size_of(request.aspect_ratio)
    style, undrawn = style_of(request, index), undrawn_letters(request)
    return {"width": width, "height": height, "style": style, "undrawn": undrawn}


def render_video(task: dict[str, Any], report: Report) -> dict[str, Any]:
    """Make one clip at task["out"]; report the fraction done."""
    from impasto_nodes.providers.local.video_renderer import VideoRequest, make_video

    task["images"] = tuple(Path(path).read_bytes() for path in task["images"])
    task["palette"], task["fonts"] = tuple(task["palette"]), tuple(task["fonts"])
    task["out"] = Path(task["out"])
    make_video(VideoRequest(**task), lambda fraction: report(fraction, ""))
    return {}
