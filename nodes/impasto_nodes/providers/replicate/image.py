"""Pictures from Replicate: one prediction a picture, side by side."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from impasto import Context, Image
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import fetch, keep_image
from impasto_nodes.providers.image import ImageRequest, ImageResult
from impasto_nodes.providers.models import find
from impasto_nodes.providers.replicate.connection import PROVIDER, connected
from impasto_nodes.providers.replicate.predictions import predict
from impasto_nodes.providers.replicate.requests import inline, inputs_of


class ReplicateImage:
    """An ImageProvider over Replicate's models."""

    async def generate(self, request: ImageRequest, context: Context) -> ImageResult:
        """All the pictures; when one fails the others finish, so that a retry finds them done."""
        access = await access_to(PROVIDER, context)
        context.made_by(provider=PROVIDER, model=request.model, prompt=request.prompt, seed=request.seed)
        async with connected(access, request.model) as client:
            order = await _order(client, access, request, context)
            work = _Work(client, access, request, order, context)
            done = await asyncio.gather(*map(work.one, range(request.n_images)), return_exceptions=True)
            for outcome in done:
                if isinstance(outcome, BaseException):
                    raise outcome
        images = tuple(image for image in done if isinstance(image, Image))
        listed = find("image", PROVIDER, request.model)
        return ImageResult(images, PROVIDER, request.model, len(images) * (listed.usd if listed else 0.0))


class _Work:
    def __init__(
        self, client: Any, access: Access, request: ImageRequest, order: Mapping[str, Any], context: Context
    ) -> None:
        self.client, self.access, self.request, self.order, self.context = (
            client,
            access,
            request,
            order,
            context,
        )
        self.done = 0

    async def one(self, index: int) -> Image:
        """Picture number `index`, stored."""
        order = dict(self.order)
        if "seed" in order:
            order["seed"] += index
        addresses = await predict(self.client, self.request.model, order, f"prediction:{index}", self.context)
        path = Path(self.context.temp_dir) / f"output-{index}"
        await fetch(addresses[0], path, PROVIDER, self.context, trusted=self.access.address)
        image = await keep_image(path, PROVIDER, self.context, f"picture-{index + 1}")
        self.done += 1
        self.context.progress(self.done / self.request.n_images, f"{self.done} of {self.request.n_images}")
        self.context.preview(image, place=self.request.places[index])
        return image


async def _order(client: Any, access: Access, request: ImageRequest, context: Context) -> dict[str, Any]:
    takes = await inputs_of(client, access.address, request.model)
    return {
        **takes.plain("prompt", request.prompt),
        **takes.ratio(request.aspect_ratio),
        **takes.plain("seed", request.seed),
        **takes.plain("negative_prompt", request.negative_prompt),
        **takes.picture(await inline(request.picture, context)),
        **takes.more(request.more),
    }
