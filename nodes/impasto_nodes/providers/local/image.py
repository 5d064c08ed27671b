"""The local adapter for images: a renderer in a worker process, one image at a time."""

import asyncio
import io
from pathlib import Path
from typing import Any

from impasto import Context, Image
from impasto_nodes.providers.errors import UnsupportedRatio
from impasto_nodes.providers.local import RENDERER
from impasto_nodes.providers.local.own_fonts import font_files_of
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.protocols import ImageRequest, ImageResult, MaskedImage
from impasto_nodes.providers.spec import RATIOS

FILL = "Fill from the surroundings (on this machine)"
_worker = WorkerProcess("impasto_nodes.providers.local.workers.render:render")


class LocalImage:
    """An `ImageProvider` that needs no key and no network: it draws posters and compositions."""

    async def generate(self, request: ImageRequest, context: Context) -> ImageResult:
        """Draw the images one by one; each is stored and shown when it is complete."""
        if request.aspect_ratio not in RATIOS:
            raise UnsupportedRatio("local", RENDERER, request.aspect_ratio, RATIOS)
        if request.masked is not None:
            return ImageResult(images=(await _fill(request.masked, context),), provider="local", model=FILL)
        task = await _task(request, context)
        position = request.model_settings.get("position")
        images: list[Image] = []
        for index in range(request.n_images):
            context.progress(index / request.n_images, f"{index} of {request.n_images}")
            # The style depends on the place, so a regenerated image differs from the others.
            place = request.places[index]
            first = position + index if isinstance(position, int) else place
            image = await _draw(task | {"index": first}, request, context)
            images.append(image)
            context.preview(image, place=place)
        return ImageResult(images=tuple(images), provider="local", model=RENDERER)


async def _fill(masked: MaskedImage, context: Context) -> Image:
    """Fill what the mask covers from its surroundings: the prompt is not followed."""
    out = Path(context.temp_dir) / "filled.png"
    size = await asyncio.to_thread(_write_filled, masked, out)
    # No model made it: the file's credentials must not say so.
    context.record_generation(provider="local", model=FILL, method="enhanced")
    image = await context.store(out, "image/png", name="filled.png", width=size[0], height=size[1])
    assert isinstance(image, Image)
    return image


def _write_filled(masked: MaskedImage, out: Path) -> tuple[int, int]:
    from PIL import Image as Bitmap

    from impasto_nodes.media.image.masking import filled

    with Bitmap.open(io.BytesIO(masked.picture)) as image, Bitmap.open(io.BytesIO(masked.mask)) as mask:
        result = filled(image, mask)
    result.save(out, "PNG")
    return result.size


async def _task(request: ImageRequest, context: Context) -> dict[str, Any]:
    source = None
    if request.image is not None:
        source = Path(context.temp_dir) / "source"
        source.write_bytes(await context.read(request.image))
    beside = []
    for number, image in enumerate(request.beside):
        path = Path(context.temp_dir) / f"beside-{number}"
        path.write_bytes(await context.read(image))
        beside.append(str(path))
    brand, wanted = request.brand, request.model_settings
    return {
        "prompt": request.prompt,
        "n_images": request.n_images,
        "aspect_ratio": request.aspect_ratio,
        "seed": (context.seed if request.seed is None else request.seed) % 2**31,
        "palette": list(brand.palette) if brand else [],
        "fonts": list(brand.fonts) if brand else [],
        "font_files": await font_files_of(brand, context),
        "brand_name": brand.brand_name if brand else "",
        "image": str(source) if source else None,
        "beside": beside,
        "stride": request.n_images + len(beside),
        **{name: wanted[name] for name in ("style", "headline", "line") if isinstance(wanted.get(name), str)},
    }


async def _draw(task: dict[str, Any], request: ImageRequest, context: Context) -> Image:
    """Draw one image. Its provenance has its style and words, with which it can be drawn again."""
    out = Path(context.temp_dir) / f"image-{task['index']}.png"
    drawn = await _worker.ask(task | {"out": str(out)})
    settings = {name: drawn[name] for name in ("style", "headline", "line", "position")}
    if drawn["undrawn"]:
        letters = drawn["undrawn"][:12]
        settings["note"] = (
            f"No font on this machine can draw '{letters}': the image was made without those words."
        )
        context.progress(1.0, settings["note"])
    context.record_generation(
        provider="local",
        model=RENDERER,
        prompt=request.prompt,
        seed=task["seed"],
        settings=settings,
        method="rendered",
    )
    size = {"width": drawn["width"], "height": drawn["height"]}
    image = await context.store(out, "image/png", name=f"image-{task['index'] + 1}.png", **size)
    assert isinstance(image, Image)
    return image
