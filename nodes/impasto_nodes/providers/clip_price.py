"""The list price of a clip: by its length, its resolution, and an image to start from."""

from collections.abc import Mapping
from typing import Any

from impasto_nodes.providers.models import ClipPrice, Model


def clip_usd(model: Model, seconds: float, settings: Mapping[str, Any], *, has_image: bool = False) -> float:
    """Return the list price of a clip with the model's own `settings`.

    At a resolution that the model does not list, it is the highest price of the model.
    """
    image = model.image_price_usd if has_image or model.needs_image else 0.0
    if not model.clip_prices:
        return seconds * model.price_usd + image
    wanted = resolution_of(model, settings)
    listed = [price for price in model.clip_prices if price.resolution == wanted] or model.clip_prices
    exact = [price for price in listed if price.seconds in {None, seconds}] or listed
    return max(_usd(price, seconds) for price in exact) + image


def lengths_at(model: Model, settings: Mapping[str, Any]) -> tuple[float, ...]:
    """Return the seconds that the model makes at the resolution of `settings`; empty if that is not known."""
    wanted = resolution_of(model, settings)
    listed = [price.seconds for price in model.clip_prices if price.resolution == wanted]
    return tuple(seconds for seconds in listed if seconds is not None) or model.durations


def resolution_of(model: Model, settings: Mapping[str, Any]) -> Any:
    """Return the resolution that `settings` name, else the model's default; None without one."""
    return settings.get("resolution") or model.settings.get("resolution", {}).get("default")


def _usd(price: ClipPrice, seconds: float) -> float:
    if price.seconds is None:
        return price.usd * seconds
    return price.usd if price.seconds == seconds else price.usd / price.seconds * seconds
