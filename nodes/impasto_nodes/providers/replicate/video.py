"""Clips from Replicate."""

from pathlib import Path
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import fetch, keep_video
from impasto_nodes.providers.models import find
from impasto_nodes.providers.replicate.connection import PROVIDER, connected
from impasto_nodes.providers.replicate.predictions import predict
from impasto_nodes.providers.replicate.requests import inline, inputs_of
from impasto_nodes.providers.video import VideoRequest, VideoResult


class ReplicateVideo:
    """A VideoProvider over Replicate's models."""

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """The clip; a crash while it is being made costs nothing twice."""
        access = await access_to(PROVIDER, context)
        context.made_by(provider=PROVIDER, model=request.model, prompt=request.prompt, seed=request.seed)
        async with connected(access, request.model) as client:
            order = await _order(client, access, request, context)
            context.progress(0.05, "Sent; waiting for the model")
            addresses = await predict(client, request.model, order, "prediction", context)
        context.progress(0.9, "Fetching the clip")
        path = await fetch(
            addresses[0], Path(context.temp_dir) / "output", PROVIDER, context, trusted=access.address
        )
        video = await keep_video(path, PROVIDER, context, "clip.mp4")
        listed = find("video", PROVIDER, request.model)
        return VideoResult(video, PROVIDER, request.model, request.duration * (listed.usd if listed else 0.0))


async def _order(client: Any, access: Access, request: VideoRequest, context: Context) -> dict[str, Any]:
    takes = await inputs_of(client, access.address, request.model)
    return {
        **takes.plain("prompt", request.prompt),
        **takes.length(request.duration),
        **takes.ratio(request.aspect_ratio),
        **takes.plain("seed", request.seed),
        **takes.picture(await inline(request.picture, context)),
        **takes.more(request.more),
    }
