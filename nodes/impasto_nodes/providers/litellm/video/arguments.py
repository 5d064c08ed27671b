"""A request for a clip as arguments of litellm's function."""

import asyncio
import base64
import io
from typing import Any

from impasto import Context
from impasto_nodes.providers.errors import BadRequest, Unsupported, UnsupportedDuration, UnsupportedRatio
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import VideoRequest
from impasto_nodes.providers.registry import find_model

SIZES = {
    "16:9": "1280x720",
    "9:16": "720x1280",
    "4:3": "1104x832",
    "3:4": "832x1104",
    "1:1": "960x960",
    "21:9": "1584x672",
}


async def arguments_of(provider: str, request: VideoRequest, context: Context) -> dict[str, Any]:
    """Return the arguments. Raises `UnsupportedRatio`, `UnsupportedDuration`, `Unsupported`, `BadRequest`."""
    model = find_model("video", provider, request.model)
    title = model.title if model else request.model
    ratios = (model.ratios if model else ()) or tuple(SIZES)
    if request.aspect_ratio not in ratios or request.aspect_ratio not in SIZES:
        raise UnsupportedRatio(provider, title, request.aspect_ratio, ratios)
    if model and model.durations and request.duration not in model.durations:
        raise UnsupportedDuration(provider, title, request.duration, model.durations)
    if model and model.needs_image and request.image is None:
        raise Unsupported(provider, f"run {title} without an image", "Connect one.")
    arguments: dict[str, Any] = {
        "prompt": request.prompt,
        "size": SIZES[request.aspect_ratio],
        "seconds": f"{request.duration:g}",
    }
    if request.image is not None:
        arguments["input_reference"] = await _first_frame(provider, request, context)
    if settings := _model_settings(provider, request, model):
        arguments["extra_body"] = settings
    return arguments


async def _first_frame(provider: str, request: VideoRequest, context: Context) -> Any:
    """Return the image as litellm hands it on: a data URL for Runway, a file for the others."""
    from impasto_nodes.media.image.normalize_image import plain

    assert request.image is not None
    source = await context.read(request.image), request.image.media_type
    media_type, data = await asyncio.to_thread(plain, *source)
    if provider == "runwayml":
        return f"data:{media_type};base64,{base64.b64encode(data).decode()}"
    file = io.BytesIO(data)
    file.name = f"image.{media_type.rpartition('/')[2]}"
    return file


def _model_settings(provider: str, request: VideoRequest, model: Model | None) -> dict[str, Any]:
    """Return the model's own settings. Others are refused: litellm would take them as arguments."""
    known = model.settings if model else {}
    unknown = sorted(set(request.model_settings) - set(known))
    if unknown:
        raise BadRequest(provider, f"unknown settings {unknown}; the known ones are {sorted(known)}")
    return dict(request.model_settings)
