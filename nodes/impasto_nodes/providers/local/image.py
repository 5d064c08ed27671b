"""Pictures on this machine: the local renderer, in a worker process, one picture at a time."""

from pathlib import Path
from typing import Any

from impasto import Context, Image
from impasto_nodes.providers.errors import UnsupportedRatio
from impasto_nodes.providers.image import ImageRequest, ImageResult
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.models import RATIOS

MODEL = "Local renderer (not a diffusion model)"
_worker = WorkerProcess("impasto_nodes.providers.local.workers.render:render")


class LocalImage:
    """An ImageProvider that needs no key and no network: posters and compositions, drawn."""

    async def generate(self, request: ImageRequest, context: Context) -> ImageResult:
        """The pictures one by one, each stored and shown as it is done."""
        if request.aspect_ratio not in RATIOS:
            raise UnsupportedRatio("local", MODEL, request.aspect_ratio, RATIOS)
        task = await _order(request, context)
        context.made_by(provider="local", model=MODEL, prompt=request.prompt, seed=task["seed"])
        images: list[Image] = []
        for index in range(request.n_images):
            context.progress(index / request.n_images, f"{index} of {request.n_images}")
            # Each place has a style of its own: another picture for one is not like its sister's.
            place = request.places[index]
            image, undrawn = await _draw(task, place, context)
            images.append(image)
            context.preview(image, place=place)
            if undrawn:
                _tell(undrawn, request, task["seed"], context)
        return ImageResult(tuple(images), "local", MODEL)


async def _order(request: ImageRequest, context: Context) -> dict[str, Any]:
    source = None
    if request.picture is not None:
        source = Path(context.temp_dir) / "source"
        source.write_bytes(await context.read(request.picture))
    brand = request.brand
    return {
        "prompt": request.prompt,
        "n_images": request.n_images,
        "aspect_ratio": request.aspect_ratio,
        "seed": (context.seed if request.seed is None else request.seed) % 2**31,
        "palette": list(brand.palette) if brand else [],
        "fonts": list(brand.fonts) if brand else [],
        "brand_name": brand.brand_name if brand else "",
        "picture": str(source) if source else None,
    }


def _tell(undrawn: str, request: ImageRequest, seed: int, context: Context) -> None:
    """Say that words were left out, while it runs and in the pictures' lineage."""
    said = f"No font here can draw '{undrawn[:12]}', so the picture goes without those words."
    context.progress(1.0, said)
    context.made_by(provider="local", model=MODEL, prompt=request.prompt, seed=seed, settings={"note": said})


async def _draw(task: dict[str, Any], index: int, context: Context) -> tuple[Image, str]:
    out = Path(context.temp_dir) / f"picture-{index}.png"
    drawn = await _worker.ask(task | {"index": index, "out": str(out)})
    size = {"width": drawn["width"], "height": drawn["height"]}
    image = await context.store(out, "image/png", name=f"picture-{index + 1}.png", **size)
    assert isinstance(image, Image)
    return image, str(drawn["undrawn"])
