"""The Replicate adapter for video."""

from pathlib import Path
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import download, store_video
from impasto_nodes.providers.jobs.bill import Bill, is_charged
from impasto_nodes.providers.jobs.data_url import data_url
from impasto_nodes.providers.paid_calls import paid_call
from impasto_nodes.providers.protocols import VideoRequest, VideoResult
from impasto_nodes.providers.registry import find_model
from impasto_nodes.providers.replicate.connection import PROVIDER, connected
from impasto_nodes.providers.replicate.predictions import predict
from impasto_nodes.providers.replicate.requests import inputs_of

_MEMORY = "prediction"


class ReplicateVideo:
    """A `VideoProvider` that uses Replicate's models."""

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """Return the clip; a crash while it is generated does not make it paid twice."""
        access = await access_to(PROVIDER, context)
        context.record_generation(
            provider=PROVIDER, model=request.model, prompt=request.prompt, seed=request.seed
        )
        listed = find_model("video", PROVIDER, request.model)
        price_usd = request.duration * listed.price_usd if listed else None
        async with connected(access, request.model) as client:
            inputs = await _inputs(client, access, request, context)
            context.progress(0.05, "Sent; waiting for the model")
            usd = 0.0 if await is_charged(_MEMORY, context) else price_usd
            async with paid_call(context, usd, name="predictions") as call:
                urls = await predict(
                    client, request.model, inputs, _MEMORY, Bill(call, price_usd, context), context
                )
        context.progress(0.9, "Downloading the clip")
        path = Path(context.temp_dir) / "output"
        await download(urls[0], path, PROVIDER, context, trusted=access.address)
        video = await store_video(path, PROVIDER, context, "clip.mp4")
        return VideoResult(
            video=video, provider=PROVIDER, model=request.model, usd=price_usd or 0.0, is_charged=True
        )


async def _inputs(client: Any, access: Access, request: VideoRequest, context: Context) -> dict[str, Any]:
    inputs = await inputs_of(client, access.address, request.model)
    return {
        **inputs.plain("prompt", request.prompt),
        **inputs.duration(request.duration),
        **inputs.ratio(request.aspect_ratio),
        **inputs.plain("seed", request.seed),
        **inputs.image(await data_url(request.image, context)),
        **inputs.model_settings(request.model_settings),
    }
