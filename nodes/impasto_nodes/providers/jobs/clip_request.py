"""A request for a clip beside what the catalog says of its model: refused before anything is sent."""

from collections.abc import Sequence
from typing import Any

from impasto_nodes.providers.clip_price import clip_usd, lengths_at
from impasto_nodes.providers.errors import BadRequest, Unsupported, UnsupportedDuration, UnsupportedRatio
from impasto_nodes.providers.paid_calls import priced_model
from impasto_nodes.providers.protocols import VideoRequest
from impasto_nodes.providers.registry import find_model


def require_supported(provider: str, request: VideoRequest) -> None:
    """Raise `UnsupportedDuration`, `UnsupportedRatio` or `Unsupported` for what the model does not make.

    A clip that starts from an image has the image's shape.
    """
    model = find_model("video", provider, request.model)
    if model is None:
        return
    lengths = lengths_at(model, request.model_settings)
    if lengths and request.duration not in lengths:
        raise UnsupportedDuration(provider, model.title, request.duration, lengths)
    if request.image is None and model.ratios and request.aspect_ratio not in model.ratios:
        raise UnsupportedRatio(provider, model.title, request.aspect_ratio, model.ratios)
    if request.image is None and model.needs_image:
        raise Unsupported(provider, f"run {model.title} without an image", "Connect one.")


def settings_of(provider: str, request: VideoRequest, known: Sequence[str]) -> dict[str, Any]:
    """Return the model's own settings; those that the catalog does not list are `known` of every model.

    Raises `BadRequest` for others.
    """
    model = find_model("video", provider, request.model)
    allowed = sorted(model.settings if model is not None else known)
    if unknown := sorted(set(request.model_settings) - set(allowed)):
        raise BadRequest(provider, f"unknown settings {unknown}; the known ones are {allowed}")
    return dict(request.model_settings)


def list_usd(provider: str, request: VideoRequest) -> float | None:
    """Return the list price of the clip; None if it is not known."""
    model = priced_model("video", provider, request.model)
    if model is None:
        return None
    return clip_usd(model, request.duration, request.model_settings, has_image=request.image is not None)
