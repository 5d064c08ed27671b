"""The fal adapter for images: one request an image, concurrently."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from impasto import Context, Image
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import download, store_image
from impasto_nodes.providers.fal.connection import Connection, connected
from impasto_nodes.providers.fal.errors import PROVIDER
from impasto_nodes.providers.fal.inputs import image_of, inputs_of, masked_image_of, shape_of
from impasto_nodes.providers.fal.jobs import Job
from impasto_nodes.providers.fal.prices import JobPrice, price_of
from impasto_nodes.providers.fal.size import size_factor
from impasto_nodes.providers.jobs.bill import Bill, is_charged
from impasto_nodes.providers.jobs.inputs import Inputs
from impasto_nodes.providers.paid_calls import paid_call
from impasto_nodes.providers.protocols import ImageRequest, ImageResult


class FalImage:
    """An `ImageProvider` that uses fal's models."""

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
        price = await price_of("image", request.model, 1.0, access)
        async with connected(access, request.model, context) as connection:
            inputs = await inputs_of(request.model, access)
            arguments = await _arguments(inputs, connection, request, context)
            price = price.of_size(size_factor(inputs, arguments))
            missing = [not await is_charged(_memory(index), context) for index in range(request.n_images)]
            usd = None if price.usd is None else price.usd * sum(missing)
            async with paid_call(context, usd, name="requests") as call:
                batch = _Batch(
                    connection, access, request, arguments, price, Bill(call, price.usd, context), context
                )
                made = map(batch.generate, range(request.n_images))
                done = await asyncio.gather(*made, return_exceptions=True)
                for outcome in done:
                    if isinstance(outcome, BaseException):
                        raise outcome
        images = tuple(image for image in done if isinstance(image, Image))
        return ImageResult(
            images=images,
            provider=PROVIDER,
            model=request.model,
            usd=len(images) * (price.usd or 0.0),
            is_charged=True,
        )


def _memory(index: int) -> str:
    return f"request:{index}"


@dataclass
class _Batch:
    connection: Connection
    access: Access
    request: ImageRequest
    arguments: Mapping[str, Any]
    price: JobPrice
    bill: Bill
    context: Context
    done: int = 0

    async def generate(self, index: int) -> Image:
        """Return image number `index`, stored."""
        arguments = dict(self.arguments)
        if "seed" in arguments:
            arguments["seed"] += index
        job = Job(
            self.connection,
            self.access,
            self.request.model,
            arguments,
            _memory(index),
            self.bill,
            self.price,
            self.context,
            self._show_position,
        )
        urls = await job.output_urls()
        path = Path(self.context.temp_dir) / f"output-{index}"
        await download(urls[0], path, PROVIDER, self.context, trusted=self.access.address)
        image = await store_image(path, PROVIDER, self.context, f"image-{index + 1}")
        self.done += 1
        self.context.progress(self.done / self.request.n_images, f"{self.done} of {self.request.n_images}")
        self.context.preview(image, place=self.request.places[index])
        return image

    def _show_position(self, position: int) -> None:
        self.context.progress(self.done / self.request.n_images, f"Number {position + 1} in fal's queue")


async def _arguments(
    inputs: Inputs, connection: Connection, request: ImageRequest, context: Context
) -> dict[str, Any]:
    own = inputs.model_settings(request.model_settings)  # refused before anything is uploaded
    return {
        **inputs.plain("prompt", request.prompt),
        **shape_of(inputs, request.aspect_ratio),
        **inputs.plain("n_outputs", 1),
        **inputs.plain("seed", request.seed),
        **inputs.plain("negative_prompt", request.negative_prompt),
        **(
            inputs.mask(None) | await image_of(inputs, request.image, connection, context)
            if request.masked is None
            else await masked_image_of(inputs, request.masked, connection)
        ),
        **own,
    }
