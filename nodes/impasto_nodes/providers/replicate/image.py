"""The Replicate adapter for images: one prediction an image, concurrently."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from impasto import Context, Image
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import download, store_image
from impasto_nodes.providers.jobs.bill import Bill, is_charged
from impasto_nodes.providers.jobs.data_url import data_url
from impasto_nodes.providers.paid_calls import paid_call
from impasto_nodes.providers.protocols import ImageRequest, ImageResult
from impasto_nodes.providers.registry import find_model
from impasto_nodes.providers.replicate.connection import PROVIDER, connected
from impasto_nodes.providers.replicate.predictions import predict
from impasto_nodes.providers.replicate.requests import inputs_of, png_url


class ReplicateImage:
    """An `ImageProvider` that uses Replicate's models."""

    async def generate(self, request: ImageRequest, context: Context) -> ImageResult:
        """Return all images. If one fails, the others still finish, so that a retry finds them."""
        access = await access_to(PROVIDER, context)
        context.record_generation(
            provider=PROVIDER,
            model=request.model,
            prompt=request.prompt,
            seed=request.seed,
            method="edited" if request.image else "generated",
        )
        listed = find_model("image", PROVIDER, request.model)
        price_usd = listed.price_usd if listed else None
        async with connected(access, request.model) as client:
            inputs = await _inputs(client, access, request, context)
            usd = None if price_usd is None else price_usd * await _number_to_charge(request, context)
            async with paid_call(context, usd, name="predictions") as call:
                bill = Bill(call, price_usd, context)
                batch = _Batch(client, access, request, inputs, bill, context)
                made = map(batch.generate, range(request.n_images))
                done = await asyncio.gather(*made, return_exceptions=True)
                for outcome in done:
                    if isinstance(outcome, BaseException):
                        raise outcome
        images = tuple(image for image in done if isinstance(image, Image))
        usd = len(images) * (price_usd or 0.0)
        return ImageResult(images=images, provider=PROVIDER, model=request.model, usd=usd, is_charged=True)


async def _number_to_charge(request: ImageRequest, context: Context) -> int:
    """Return how many of the images an earlier attempt has not charged."""
    charged = [await is_charged(_memory(index), context) for index in range(request.n_images)]
    return charged.count(False)


def _memory(index: int) -> str:
    return f"prediction:{index}"


@dataclass
class _Batch:
    client: Any
    access: Access
    request: ImageRequest
    inputs: Mapping[str, Any]
    bill: Bill
    context: Context
    done: int = 0

    async def generate(self, index: int) -> Image:
        """Return image number `index`, stored."""
        inputs = dict(self.inputs)
        if "seed" in inputs:
            inputs["seed"] += index
        urls = await predict(self.client, self.request.model, inputs, _memory(index), self.bill, self.context)
        path = Path(self.context.temp_dir) / f"output-{index}"
        await download(urls[0], path, PROVIDER, self.context, trusted=self.access.address)
        image = await store_image(path, PROVIDER, self.context, f"image-{index + 1}")
        self.done += 1
        self.context.progress(self.done / self.request.n_images, f"{self.done} of {self.request.n_images}")
        self.context.preview(image, place=self.request.places[index])
        return image


async def _inputs(client: Any, access: Access, request: ImageRequest, context: Context) -> dict[str, Any]:
    inputs = await inputs_of(client, access.address, request.model)
    return {
        **inputs.plain("prompt", request.prompt),
        **inputs.ratio(request.aspect_ratio),
        **(inputs.plain("n_outputs", 1) if inputs.known else {}),
        **inputs.plain("seed", request.seed),
        **inputs.plain("negative_prompt", request.negative_prompt),
        **(
            inputs.mask(None) | inputs.image(await data_url(request.image, context))
            if request.masked is None
            else inputs.image(png_url(request.masked.picture)) | inputs.mask(png_url(request.masked.mask))
        ),
        **inputs.model_settings(request.model_settings),
    }
