"""The price of a request: by the catalog, else fal's own price for the key."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.fal.errors import PROVIDER
from impasto_nodes.providers.fal.platform import Price, prices_of
from impasto_nodes.providers.paid_calls import priced_model
from impasto_nodes.providers.protocols import Kind


@dataclass(frozen=True, slots=True)
class JobPrice:
    """`usd` is the most that one request costs; None if it is not known before its end.

    `unit` is fal's price, if the catalog has none.
    """

    usd: float | None
    unit: Price | None = None

    def of_size(self, factor: float) -> "JobPrice":
        """Return the price of a request that is so many times dearer because of its size."""
        return self if self.usd is None else replace(self, usd=self.usd * factor)

    def billed(self, units: float | None) -> float | None:
        """Return what fal has billed, by the units that it states; None if that is not known."""
        return None if self.unit is None or units is None else self.unit.usd * units

    def measured(self, metrics: Mapping[str, Any] | None) -> float:
        """Return what a request without a price has cost, by fal's metrics; 0 if fal states no price."""
        return self.unit.measured(metrics) if self.unit else 0.0


async def price_of(kind: Kind, model: str, amount: float, access: Access) -> JobPrice:
    """Return the price of one request that makes `amount` images, or seconds of video."""
    listed = priced_model(kind, PROVIDER, model)
    if listed is not None:
        return JobPrice(amount * listed.price_usd)
    try:
        found = (await prices_of([model], access)).get(model)
    except ProviderError as error:
        if error.code in {"unknown_model", "bad_request"}:
            return JobPrice(None)
        raise
    each = found.of_one(kind) if found else None
    return JobPrice(None if each is None else amount * each, found)
