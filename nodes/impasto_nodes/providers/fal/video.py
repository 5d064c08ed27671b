"""The fal adapter for video."""

from pathlib import Path
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.download import download, store_video
from impasto_nodes.providers.fal.connection import Connection, connected
from impasto_nodes.providers.fal.errors import PROVIDER
from impasto_nodes.providers.fal.inputs import image_of, inputs_of, shape_of
from impasto_nodes.providers.fal.jobs import Job
from impasto_nodes.providers.fal.prices import price_of
from impasto_nodes.providers.fal.size import size_factor
from impasto_nodes.providers.jobs.bill import Bill, is_charged
from impasto_nodes.providers.jobs.inputs import Inputs
from impasto_nodes.providers.paid_calls import paid_call
from impasto_nodes.providers.protocols import VideoRequest, VideoResult

_MEMORY = "request"


class FalVideo:
    """A `VideoProvider` that uses fal's models."""

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """Return the clip; a crash while it is generated does not make it paid twice."""
        access = await access_to(PROVIDER, context)
        context.record_generation(
            provider=PROVIDER, model=request.model, prompt=request.prompt, seed=request.seed
        )
        price = await price_of("video", request.model, request.duration, access)
        async with connected(access, request.model, context) as connection:
            inputs = await inputs_of(request.model, access)
            arguments = await _arguments(inputs, connection, request, context)
            price = price.of_size(size_factor(inputs, arguments))
            context.progress(0.05, "Sent; waiting for the model")
            usd = 0.0 if await is_charged(_MEMORY, context) else price.usd
            async with paid_call(context, usd, name="requests") as call:
                job = Job(
                    connection,
                    access,
                    request.model,
                    arguments,
                    _MEMORY,
                    Bill(call, price.usd, context),
                    price,
                    context,
                    lambda position: context.progress(0.05, f"Number {position + 1} in fal's queue"),
                )
                urls = await job.output_urls()
        context.progress(0.9, "Downloading the clip")
        path = Path(context.temp_dir) / "output"
        await download(urls[0], path, PROVIDER, context, trusted=access.address)
        video = await store_video(path, PROVIDER, context, "clip.mp4")
        return VideoResult(
            video=video, provider=PROVIDER, model=request.model, usd=price.usd or 0.0, is_charged=True
        )


async def _arguments(
    inputs: Inputs, connection: Connection, request: VideoRequest, context: Context
) -> dict[str, Any]:
    own = inputs.model_settings(request.model_settings)  # refused before anything is uploaded
    return {
        **inputs.plain("prompt", request.prompt),
        **inputs.duration(request.duration),
        **shape_of(inputs, request.aspect_ratio),
        **inputs.plain("n_outputs", 1),
        **inputs.plain("seed", request.seed),
        **await image_of(inputs, request.image, connection, context),
        **own,
    }
