"""Clips on this machine: the local renderer's pictures set in motion, in a worker process."""

from pathlib import Path
from typing import Any

from impasto import Context
from impasto_nodes.providers.download import keep_video
from impasto_nodes.providers.errors import UnsupportedDuration, UnsupportedRatio
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.models import find
from impasto_nodes.providers.video import VideoRequest, VideoResult

MODEL = "Local renderer (not a diffusion model)"
SHORTEST, LONGEST = 1.0, 30.0
_HEIGHT, _RATE = 720, 24
_worker = WorkerProcess("impasto_nodes.providers.local.workers.render:film")


class LocalVideo:
    """A VideoProvider that needs no key and no network: pan, zoom and title cards."""

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """An H.264 clip of the length and shape asked for."""
        _check(request)
        out = Path(context.temp_dir) / "clip.mp4"
        context.progress(0.0, "Drawing on this machine")
        task = await _order(request, context, out)
        await _worker.ask(task, context.progress)
        context.made_by(provider="local", model=MODEL, prompt=request.prompt, seed=task["seed"])
        return VideoResult(await keep_video(out, "local", context, "clip.mp4"), "local", MODEL)


def _check(request: VideoRequest) -> None:
    listed = find("video", "local", "renderer")
    ratios = listed.ratios if listed else ()
    if request.aspect_ratio not in ratios:
        raise UnsupportedRatio("local", MODEL, request.aspect_ratio, ratios)
    if not SHORTEST <= request.duration <= LONGEST:
        raise UnsupportedDuration("local", MODEL, request.duration, (SHORTEST, LONGEST))


async def _order(request: VideoRequest, context: Context, out: Path) -> dict[str, Any]:
    pictures = []
    if request.picture is not None:
        source = Path(context.temp_dir) / "source"
        source.write_bytes(await context.read(request.picture))
        pictures.append(str(source))
    return {
        "out": str(out),
        "pictures": pictures,
        "duration": request.duration,
        "aspect_ratio": request.aspect_ratio,
        "seed": (context.seed if request.seed is None else request.seed) % 2**31,
        "prompt": request.prompt,
        "palette": list(request.brand.palette) if request.brand else [],
        "brand_name": request.brand.brand_name if request.brand else "",
        "fonts": list(request.brand.fonts) if request.brand else [],
        "height": _HEIGHT,
        "fps": _RATE,
    }
