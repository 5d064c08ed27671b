"""litellm's published map of models: prices, limits and dates, for `impasto models refresh`.

The map is remote data: its size is limited, entries that are not as expected are left out, and only the
fields that are read here are kept.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import httpx
import msgspec

from impasto import Context, NodeError
from impasto_nodes.providers.catalog import is_storable
from impasto_nodes.providers.http_errors import transport_error
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import Kind

URL_VARIABLE = "LITELLM_MODEL_COST_MAP_URL"
URL = "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json"
MAX_BYTES = 32_000_000
_MIN_MODELS = 50
"""With fewer models it is not litellm's map."""
_SECONDS = 60.0
_KINDS: Mapping[str, Kind] = {
    "chat": "text",
    "responses": "text",
    "image_generation": "image",
    "video_generation": "video",
    "audio_speech": "speech",
    "audio_transcription": "captions",
}
_UNUSABLE = ("sora", "realtime", "-audio", "search", "codex", "deep-research", "live", "computer-use")
_FAMILIES = {
    "bedrock": ("bedrock", "bedrock_converse"),
    "vertex_ai": ("vertex_ai", "vertex_ai-language-models"),
}
_maps: dict[str, "asyncio.Task[dict[str, Any]]"] = {}


class _Entry(msgspec.Struct):
    """The fields of an entry that are read; a value of another type makes the entry invalid."""

    litellm_provider: str
    mode: str
    input_cost_per_token: float | None = None
    output_cost_per_token: float | None = None
    output_cost_per_image: float | None = None
    output_cost_per_second: float | None = None
    output_cost_per_video_per_second: float | None = None
    input_cost_per_second: float | None = None
    input_cost_per_character: float | None = None
    max_input_tokens: int | None = None
    max_output_tokens: int | None = None
    supports_vision: bool = False
    deprecation_date: date | None = None


class MapUnusable(NodeError):
    """The map could not be read."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"litellm's list of models cannot be used: {reason}.", code="models_unreadable")


async def refresh_models(provider: str, kinds: tuple[Kind, ...], context: Context) -> list[Model]:
    """Return a provider's models by litellm's map. Raises a NodeError if the map cannot be read."""
    url = context.configuration.text(URL_VARIABLE) or URL
    entries = await _fetched(url, context)
    found = {(model.kind, model.name): model for model in _models(provider, entries) if model.kind in kinds}
    if not found:
        raise MapUnusable(f"it lists no model of {provider}")
    return list(found.values())


async def _fetched(url: str, context: Context) -> dict[str, Any]:
    """Return the map, fetched once for all providers of an event loop."""
    task = _maps.get(url)
    if task is None or task.get_loop() is not asyncio.get_running_loop():
        task = _maps[url] = asyncio.ensure_future(_fetch(url, context))
    return await asyncio.shield(task)


async def _fetch(url: str, context: Context) -> dict[str, Any]:
    data = bytearray()
    try:
        async with asyncio.timeout(_SECONDS), context.http.stream("GET", url) as response:
            if response.status_code != 200:
                raise MapUnusable(f"status {response.status_code} for its file")
            async for chunk in response.aiter_bytes():
                data += chunk
                if len(data) > MAX_BYTES:
                    raise MapUnusable(f"it has more than {MAX_BYTES:,} bytes")
    except TimeoutError:
        raise MapUnusable(f"it did not arrive within {_SECONDS:g} seconds") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise MapUnusable(transport_error(error, "litellm").detail or "no connection") from None
    try:
        found = await asyncio.to_thread(msgspec.json.decode, bytes(data), type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise MapUnusable(f"it is no JSON object: {error}") from None
    valid = {name: entry for name, entry in found.items() if _entry(entry) is not None}
    if len(valid) < _MIN_MODELS:
        raise MapUnusable(f"it has {len(valid)} models; {_MIN_MODELS} are expected at least")
    return valid


def _entry(value: Any) -> _Entry | None:
    try:
        found = msgspec.convert(value, _Entry, strict=True)
    except (msgspec.ValidationError, RecursionError):
        return None
    prices = [cost for cost in _costs(found) if cost is not None]
    return found if all(0 <= cost < 1_000 for cost in prices) else None


def _costs(entry: _Entry) -> tuple[float | None, ...]:
    return (
        entry.input_cost_per_token,
        entry.output_cost_per_token,
        entry.output_cost_per_image,
        entry.output_cost_per_second,
        entry.output_cost_per_video_per_second,
        entry.input_cost_per_second,
        entry.input_cost_per_character,
    )


def _models(provider: str, entries: Mapping[str, Any]) -> Iterator[Model]:
    today, families = datetime.now(UTC).date(), _FAMILIES.get(provider, (provider,))
    for full_name, value in entries.items():
        entry = _entry(value)
        if entry is None or entry.litellm_provider not in families:
            continue
        name = full_name.removeprefix(f"{provider}/")
        kind = _KINDS.get(entry.mode)
        if kind is None or _is_variant(name, kind) or any(word in name for word in _UNUSABLE):
            continue
        model = replace(_model(kind, name, entry), checked_on=today)
        if is_storable(model):
            yield model


def _is_variant(name: str, kind: Kind) -> bool:
    """Return whether a name stands for a size, a quality or a region of a model, or cannot be a name."""
    is_odd = not name.isprintable() or " " in name or name.startswith("ft:")
    return is_odd or ("/" in name and kind == "image") or "commitment" in name


def _model(kind: Kind, name: str, entry: _Entry) -> Model:
    price, price_in = _price(kind, entry)
    return Model(
        kind=kind,
        name=name,
        title=name,
        price_usd=price or 0.0,
        input_price_usd=price_in,
        is_priced=price is not None,
        takes_image=entry.supports_vision if kind == "text" else True,
        max_input=_positive(entry.max_input_tokens) if kind == "text" else None,
        max_output=_positive(entry.max_output_tokens) if kind == "text" else None,
        retires_on=entry.deprecation_date,
    )


def _price(kind: Kind, entry: _Entry) -> tuple[float | None, float]:
    """Return the list price in the units of `Model`, None if it is not known, and that of the input."""
    if kind == "text":
        price_in, price = entry.input_cost_per_token, entry.output_cost_per_token
        return (None, 0.0) if price is None or price_in is None else (1000 * price, 1000 * price_in)
    if kind == "video":
        return entry.output_cost_per_second or entry.output_cost_per_video_per_second, 0.0
    if kind == "speech":
        price = entry.input_cost_per_character
        return (None if price is None else 1000 * price), 0.0
    if kind == "captions":
        return (None if entry.input_cost_per_second is None else 60 * entry.input_cost_per_second), 0.0
    return entry.output_cost_per_image, 0.0


def _positive(count: int | None) -> int | None:
    return count if count is not None and 0 < count <= 1_000_000_000 else None
