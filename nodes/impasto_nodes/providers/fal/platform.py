"""fal's list of models: their names, input schemas and prices. No call of it is paid."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from impasto import Context
from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.errors import CorruptOutput, UnknownModel
from impasto_nodes.providers.fal.errors import PROVIDER, answer_error
from impasto_nodes.providers.http_errors import transport_error
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.registry import model_option, specs
from impasto_nodes.providers.spec import Option

_ADDRESS = "https://api.fal.ai"
_TIMEOUT_SECONDS = 6.0
_CACHE_SECONDS = 300.0
_MAX_CACHED = 256
_MAX_PAGES = 5
_PAGE_SIZE = 100
_PRICES_AT_ONCE = 50
_CATEGORIES: Mapping[Kind, Sequence[str]] = {
    "image": ("text-to-image", "image-to-image"),
    "video": ("text-to-video", "image-to-video"),
}
_EACH = frozenset({"image", "megapixel", "request", "generation"})
_lists: dict[tuple[str, str, Kind], tuple[float, list[tuple[str, str]]]] = {}
_schemas: dict[tuple[str, str], Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Price:
    """What fal charges for one unit of a model's output, in US dollars. `unit` is in the singular."""

    usd: float
    unit: str

    def of_one(self, kind: Kind) -> float | None:
        """Return the price of an image of a megapixel, or of a second; None if another unit counts."""
        fits = self.unit in _EACH if kind == "image" else self.unit.split()[-1:] == ["second"]
        return self.usd if fits and "compute" not in self.unit else None

    def measured(self, metrics: Mapping[str, Any] | None) -> float:
        """Return what a request of another unit has cost: by its seconds, else that of one unit."""
        seconds = (metrics or {}).get("inference_time")
        if "second" in self.unit and isinstance(seconds, int | float):
            return self.usd * float(seconds)
        return self.usd


async def ping(context: Context) -> None:
    """Raise a `ProviderError` if fal does not accept the key: the prices, unlike the list, need one."""
    await prices_of(["fal-ai/flux/schnell"], await access_to(PROVIDER, context))


async def list_models(kind: Kind, context: Context) -> list[Option]:
    """Return the models of a kind that fal offers today, as choices; asked at most every five minutes."""
    access = await access_to(PROVIDER, context)
    key = (access.address, access.key, kind)
    asked_at, found = _lists.get(key, (0.0, []))
    if not found or time.monotonic() - asked_at > _CACHE_SECONDS:
        found = [one for category in _CATEGORIES[kind] for one in await _listed(category, access)]
        if len(_lists) >= _MAX_CACHED:
            _lists.clear()
        _lists[key] = (time.monotonic(), found)
    return [model_option(specs()[PROVIDER], name, title) for name, title in found]


async def schema_of(model: str, access: Access) -> Mapping[str, Any]:
    """Return a model's OpenAPI document, cached for the life of the process. Raises `UnknownModel`."""
    key = (access.address, model)
    if key not in _schemas:
        answer = await _get("/v1/models", {"endpoint_id": model, "expand": "openapi-3.0"}, model, access)
        try:
            found = [one["openapi"] for one in answer["models"] if one["endpoint_id"] == model]
        except (KeyError, TypeError) as error:
            raise CorruptOutput(PROVIDER, "a schema", f"{type(error).__name__}: {error}") from None
        if not found:
            raise UnknownModel(PROVIDER, model, "fal lists no model of this name")
        if not isinstance(found[0], Mapping) or not isinstance(found[0].get("paths"), Mapping):
            raise CorruptOutput(PROVIDER, "a schema")
        if len(_schemas) >= _MAX_CACHED:
            _schemas.clear()
        _schemas[key] = found[0]
    return _schemas[key]


async def prices_of(models: Sequence[str], access: Access) -> dict[str, Price]:
    """Return the key's prices in US dollars, by model; models without one are left out."""
    found: dict[str, Price] = {}
    for start in range(0, len(models), _PRICES_AT_ONCE):
        asked = models[start : start + _PRICES_AT_ONCE]
        answer = await _get("/v1/models/pricing", {"endpoint_id": ",".join(asked)}, asked[0], access)
        try:
            for one in answer["prices"]:
                if one["currency"] == "USD" and (usd := float(one["unit_price"])) >= 0:
                    found[str(one["endpoint_id"])] = Price(usd, _singular(str(one["unit"])))
        except (KeyError, TypeError, ValueError) as error:
            raise CorruptOutput(PROVIDER, "a list of prices", f"{type(error).__name__}: {error}") from None
    return found


async def _listed(category: str, access: Access) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    cursor: str | None = ""
    for _ in range(_MAX_PAGES):
        asked = {"category": category, "status": "active", "limit": str(_PAGE_SIZE)}
        answer = await _get("/v1/models", asked | ({"cursor": cursor} if cursor else {}), "", access)
        try:
            found += [
                (str(one["endpoint_id"]), str((one.get("metadata") or {}).get("display_name") or ""))
                for one in answer["models"]
            ]
            cursor = answer.get("next_cursor")
        except (KeyError, TypeError, AttributeError) as error:
            raise CorruptOutput(PROVIDER, "a list of models", f"{type(error).__name__}: {error}") from None
        if not cursor:
            break
    return [(name, title or name) for name, title in found]


async def _get(path: str, query: Mapping[str, str], model: str, access: Access) -> dict[str, Any]:
    url, headers = f"{access.address or _ADDRESS}{path}", {"Authorization": f"Key {access.key}"}
    try:
        async with httpx.AsyncClient(verify=tls_context(), timeout=_TIMEOUT_SECONDS) as client:
            response = await client.get(url, params=dict(query), headers=headers)
    except httpx.HTTPError as error:
        raise transport_error(error, PROVIDER, access.key) from None
    if response.status_code >= 400:
        raise answer_error(response, model, access.key)
    try:
        found = response.json()
    except ValueError as error:
        raise CorruptOutput(PROVIDER, "a list of models", str(error)) from None
    if not isinstance(found, dict):
        raise CorruptOutput(PROVIDER, "a list of models", type(found).__name__)
    return found


def _singular(unit: str) -> str:
    """Return a unit in one spelling: "Compute Seconds" and "compute_second" are "compute second"."""
    return re.sub(r"[\s_]+", " ", unit.strip().casefold()).removesuffix("s")
