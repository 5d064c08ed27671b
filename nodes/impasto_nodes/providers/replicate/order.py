"""An order for one prediction, placed once: where its answer was lost, what was made of it is found again."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from impasto import Context
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.replicate.connection import translate

_SKEW = 120.0
"""Seconds by which their clock may be behind ours."""
_FAREWELL = 0.8
_KEPT = 4096
_taken: dict[str, str] = {}
"""The newest predictions that an order has, and whose: no two orders of the same words share one, and an
order whose process went on (a lease lost and won again) finds its own."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of a model. Its name is the same for every try, in every process."""

    client: Any
    model: str
    inputs: Mapping[str, Any]
    name: str

    async def place(self, memory: str, webhook: Mapping[str, Any], context: Context) -> Any:
        """The prediction made of it. That it is asked for is remembered first, its id at once afterwards.

        Where the run is cancelled meanwhile the prediction is waited for, briefly, and cancelled too.
        """
        await context.remember(memory, {"since": time.time()})
        asking = asyncio.ensure_future(self._create(webhook))
        try:
            made = await asyncio.shield(asking)
        except asyncio.CancelledError:
            await self._call_back(asking, memory, context)
            raise
        except Exception as error:
            await self._forget_refused(error, memory, context)
            raise
        return made

    async def find(self, since: float) -> Any | None:
        """The prediction that was made of this order since then, though nobody heard of it; None for none."""
        try:
            page = await self.client.predictions.async_list()
        except Exception as error:  # noqa: BLE001 - told again in our words
            fault = error if isinstance(error, ProviderError) else translate(error, self.model)
            if fault.retryable:
                raise fault from None
            return None  # a gateway that lists nothing: what cannot be known is asked for again
        fitting = [one for one in page.results if self._may_take(one.id) and self._fits(one, since)]
        return min(fitting, key=lambda one: str(one.created_at), default=None)

    def take(self, prediction_id: str) -> None:
        """Say that a prediction is this order's."""
        _taken[prediction_id] = self.name
        if len(_taken) > _KEPT:
            del _taken[next(iter(_taken))]

    def _may_take(self, prediction_id: str) -> bool:
        return _taken.get(prediction_id, self.name) == self.name

    async def _create(self, webhook: Mapping[str, Any]) -> Any:
        name, _, version = self.model.partition(":")
        if version:
            return await self.client.predictions.async_create(
                version=version, input=dict(self.inputs), **webhook
            )
        return await self.client.models.predictions.async_create(
            model=name, input=dict(self.inputs), **webhook
        )

    async def _call_back(self, asking: asyncio.Future[Any], memory: str, context: Context) -> None:
        with suppress(Exception):
            async with asyncio.timeout(_FAREWELL):
                made = await asking
            if context.abandoned:  # the next process takes it up
                await context.remember(memory, made.id)
            else:
                await cancel(self.client, made.id, context)

    async def _forget_refused(self, error: Exception, memory: str, context: Context) -> None:
        """What was refused was not made: only an answer that was lost is worth looking for."""
        fault = error if isinstance(error, ProviderError) else translate(error, self.model)
        if fault.code not in {"provider_unavailable", "provider_timeout", "stream_dropped", "corrupt_output"}:
            await context.remember(memory, None)

    def _fits(self, found: Any, since: float) -> bool:
        name, _, version = self.model.partition(":")
        if found.model != name and not (version and found.version == version):
            return False
        sent = {key: value for key, value in self.inputs.items() if not _is_file(value)}
        kept = found.input or {}
        if any(kept.get(key) != value for key, value in sent.items()) or set(kept) - set(self.inputs):
            return False
        try:
            made = datetime.fromisoformat(str(found.created_at)).timestamp()
        except ValueError:
            return False
        return made > since - _SKEW and found.status not in {"failed", "canceled"}


def _is_file(value: Any) -> bool:
    """Whether they would keep it as a file of their own, under another address."""
    return _is_file(value[0]) if isinstance(value, list) and value else str(value)[:5] == "data:"


async def cancel(client: Any, prediction_id: str, context: Context) -> None:
    """Tell the provider, briefly: a run that is cancelled ends within two seconds."""
    try:
        async with asyncio.timeout(_FAREWELL):
            await client.predictions.async_cancel(prediction_id)
    except Exception as error:  # noqa: BLE001 - nothing more can be done, and the cancel goes on
        context.log.warning("prediction %s could not be cancelled: %s", prediction_id, type(error).__name__)
