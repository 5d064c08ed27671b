"""The bill of predictions: each is charged once, in the attempt or process that sees its end."""

from dataclasses import dataclass
from typing import Any

from impasto import Context, PaidCall

UNLISTED_USD_PER_SECOND = 0.001525
"""Of a model without a list price: Replicate bills the seconds of its hardware, at most at this price."""
_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Bill:
    """Charges predictions of one model. `price_usd` is that of a prediction; None if the model has none."""

    call: PaidCall
    price_usd: float | None
    context: Context

    async def charge(self, memory: str, prediction: Any) -> None:
        """Charge a prediction that Replicate bills, unless it was charged."""
        charged = await self.context.recall(_memo(memory))
        if charged == prediction.id:
            return
        if charged != _UNKNOWN:  # else the assumption was this prediction
            self.call.charge(self._price_of(prediction))
        await self.context.remember(_memo(memory), prediction.id)

    async def assume(self, memory: str) -> None:
        """Charge a prediction of which it is not known whether Replicate has created it."""
        if await self.context.recall(_memo(memory)) is None:
            self.call.charge(self.price_usd or 0.0)
            await self.context.remember(_memo(memory), _UNKNOWN)

    async def forget(self, memory: str) -> None:
        """Forget the prediction of this memo: another one will be created, and paid, in its place."""
        await self.context.remember(_memo(memory), None)

    def leave(self) -> None:
        """Charge nothing because the run stops: the prediction is cancelled, or another process goes on."""
        if self.context.abandoned:
            self.call.leave_open()
        else:
            self.call.charge(0.0)

    def _price_of(self, prediction: Any) -> float:
        if self.price_usd is not None:
            return self.price_usd
        metrics = getattr(prediction, "metrics", None) or {}
        seconds = metrics.get("predict_time") or metrics.get("total_time") or 0.0
        return float(seconds) * UNLISTED_USD_PER_SECOND


async def is_charged(memory: str, context: Context) -> bool:
    """Return whether an earlier attempt has charged the prediction of this memo."""
    return await context.recall(_memo(memory)) is not None


def _memo(memory: str) -> str:
    return f"charged {memory}"
