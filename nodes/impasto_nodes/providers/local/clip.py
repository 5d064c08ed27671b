"""The local adapter for video: the renderer's images in motion, made in a worker process."""

from pathlib import Path
from typing import Any

from impasto import Context
from impasto_nodes.providers.download import store_video
from impasto_nodes.providers.errors import UnsupportedDuration, UnsupportedRatio
from impasto_nodes.providers.local import RENDERER
from impasto_nodes.providers.local.own_fonts import font_files_of
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.protocols import VideoRequest, VideoResult
from impasto_nodes.providers.registry import find_model

MIN_SECONDS, MAX_SECONDS = 1.0, 30.0
_HEIGHT, _RATE = 720, 24
_worker = WorkerProcess("impasto_nodes.providers.local.workers.render:render_video")


class LocalVideo:
    """A `VideoProvider` that needs no key and no network: pan, zoom and title cards."""

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """Return an H.264 clip of the requested duration and aspect ratio."""
        _check(request)
        out = Path(context.temp_dir) / "clip.mp4"
        context.progress(0.0, "Drawing on this machine")
        task = await _task(request, context, out)
        await _worker.ask(task, context.progress)
        context.record_generation(
            provider="local", model=RENDERER, prompt=request.prompt, seed=task["seed"], method="rendered"
        )
        return VideoResult(
            video=await store_video(out, "local", context, "clip.mp4"), provider="local", model=RENDERER
        )


def _check(request: VideoRequest) -> None:
    listed = find_model("video", "local", "renderer")
    ratios = listed.ratios if listed else ()
    if request.aspect_ratio not in ratios:
        raise UnsupportedRatio("local", RENDERER, request.aspect_ratio, ratios)
    if not MIN_SECONDS <= request.duration <= MAX_SECONDS:
        raise UnsupportedDuration("local", RENDERER, request.duration, (MIN_SECONDS, MAX_SECONDS))


async def _task(request: VideoRequest, context: Context, out: Path) -> dict[str, Any]:
    images = []
    if request.image is not None:
        source = Path(context.temp_dir) / "source"
        source.write_bytes(await context.read(request.image))
        images.append(str(source))
    return {
        "out": str(out),
        "images": images,
        "duration": request.duration,
        "aspect_ratio": request.aspect_ratio,
        "seed": (context.seed if request.seed is None else request.seed) % 2**31,
        "prompt": request.prompt,
        "palette": list(request.brand.palette) if request.brand else [],
        "brand_name": request.brand.brand_name if request.brand else "",
        "fonts": list(request.brand.fonts) if request.brand else [],
        "font_files": await font_files_of(request.brand, context),
        "height": _HEIGHT,
        "fps": _RATE,
    }
