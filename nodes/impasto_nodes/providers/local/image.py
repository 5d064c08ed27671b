"""The local adapter for images: a renderer in a worker process, one image at a time."""

from pathlib import Path
from typing import Any

from impasto import Context, Image
from impasto_nodes.providers.errors import UnsupportedRatio
from impasto_nodes.providers.local import RENDERER
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.protocols import ImageRequest, ImageResult
from impasto_nodes.providers.spec import RATIOS

_worker = WorkerProcess("impasto_nodes.providers.local.workers.render:render")


class LocalImage:
    """An `ImageProvider` that needs no key and no network: it draws posters and compositions."""

    async def generate(self, request: ImageRequest, context: Context) -> ImageResult:
        """Draw the images one by one; each is stored and shown when it is complete."""
        if request.aspect_ratio not in RATIOS:
            raise UnsupportedRatio("local", RENDERER, request.aspect_ratio, RATIOS)
        task = await _task(request, context)
        context.record_generation(
            provider="local", model=RENDERER, prompt=request.prompt, seed=task["seed"], method="rendered"
        )
        images: list[Image] = []
        for index in range(request.n_images):
            context.progress(index / request.n_images, f"{index} of {request.n_images}")
            # The style depends on the place, so a regenerated image differs from the others.
            place = request.places[index]
            image, undrawn = await _draw(task, place, context)
            images.append(image)
            context.preview(image, place=place)
            if undrawn:
                _report_undrawn(undrawn, request, task["seed"], context)
        return ImageResult(tuple(images), "local", RENDERER)


async def _task(request: ImageRequest, context: Context) -> dict[str, Any]:
    source = None
    if request.image is not None:
        source = Path(context.temp_dir) / "source"
        source.write_bytes(await context.read(request.image))
    brand = request.brand
    return {
        "prompt": request.prompt,
        "n_images": request.n_images,
        "aspect_ratio": request.aspect_ratio,
        "seed": (context.seed if request.seed is None else request.seed) % 2**31,
        "palette": list(brand.palette) if brand else [],
        "fonts": list(brand.fonts) if brand else [],
        "brand_name": brand.brand_name if brand else "",
        "image": str(source) if source else None,
    }


def _report_undrawn(undrawn: str, request: ImageRequest, seed: int, context: Context) -> None:
    """Report words that no font can draw, as progress and in the images' provenance."""
    note = f"No font on this machine can draw '{undrawn[:12]}': the image was made without those words."
    context.progress(1.0, note)
    context.record_generation(
        provider="local",
        model=RENDERER,
        prompt=request.prompt,
        seed=seed,
        settings={"note": note},
        method="rendered",
    )


async def _draw(task: dict[str, Any], index: int, context: Context) -> tuple[Image, str]:
    out = Path(context.temp_dir) / f"image-{index}.png"
    drawn = await _worker.ask(task | {"index": index, "out": str(out)})
    size = {"width": drawn["width"], "height": drawn["height"]}
    image = await context.store(out, "image/png", name=f"image-{index + 1}.png", **size)
    assert isinstance(image, Image)
    return image, str(drawn["undrawn"])
