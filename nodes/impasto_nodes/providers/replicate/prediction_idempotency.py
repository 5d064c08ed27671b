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
from impasto_nodes.providers.replicate.connection import latest, look, say_last, translate

CAME_TO_NOTHING = frozenset({"failed", "canceled"})
_SKEW = 120.0
"""Seconds by which their clock may be behind ours."""
_LOST = frozenset({"provider_unavailable", "provider_timeout", "stream_dropped", "corrupt_output"})
_REFUSED = frozenset({"wrong_credential", "no_credit"})
_KEPT = 4096
_taken: dict[str, str] = {}
"""The newest predictions that an order has, and whose: no two orders of the same words share one, and an
order whose process went on (a lease lost and won again) finds its own."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of a model, and under which `memory` the step keeps what came of it."""

    client: Any
    model: str
    inputs: Mapping[str, Any]
    memory: str
    context: Context

    @property
    def name(self) -> str:
        """The same for every try, in every process."""
        return f"{self.context.idempotency_key} {self.memory}"

    async def known(self) -> Any | None:
        """The prediction that was made already: its id is remembered, or at least that it was asked for."""
        found = await self.context.recall(self.memory)
        if isinstance(found, str):
            self._take(found)
            return await look(self.client, found)
        made = await self._find(float(found["since"])) if found else None
        if made is not None:
            self._take(made.id)
        return made

    async def place(self, webhook: Mapping[str, Any]) -> Any:
        """The prediction made of it. That it is asked for is remembered first, its id at once afterwards.

        Where the run is cancelled meanwhile the prediction is waited for and cancelled too.
        """
        earlier = await self.context.recall(self.memory)
        await self.context.remember(self.memory, earlier or {"since": time.time()})
        asking = asyncio.ensure_future(self._create(webhook))
        try:
            made = await asyncio.shield(asking)
        except asyncio.CancelledError:
            await say_last(self.client, self._call_back(asking))
            raise
        except Exception as error:
            if earlier is None and self._fault(error).code not in _LOST:
                await self.forget()  # what was refused was not made
            raise
        self._take(made.id)
        return made

    async def call_off(self, prediction_id: str) -> None:
        """Tell the provider that nobody waits any more; a run that was only let go leaves it to the next."""
        if not self.context.abandoned:
            await say_last(self.client, self._cancel(prediction_id))

    async def forget(self) -> None:
        """What came to nothing is not taken up again."""
        await self.context.remember(self.memory, None)

    async def _find(self, since: float) -> Any | None:
        """The prediction that was made of this order since then, though nobody heard of it; None for none."""
        try:
            found = await latest(self.client)
        except Exception as error:
            fault = self._fault(error)
            if fault.retryable or fault.code in _REFUSED:
                raise
            return None  # a gateway that lists nothing: what cannot be known is asked for again
        fitting = [one for one in found if self._may_take(one.id) and self._fits(one, since)]
        return min(fitting, key=lambda one: str(one.created_at), default=None)

    def _take(self, prediction_id: str) -> None:
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

    async def _call_back(self, asking: asyncio.Future[Any]) -> None:
        with suppress(Exception):
            made = await asking
            if self.context.abandoned:  # the next process takes it up
                await self.context.remember(self.memory, made.id)
            else:
                await self._cancel(made.id)

    async def _cancel(self, prediction_id: str) -> None:
        try:
            await self.client.predictions.async_cancel(prediction_id)
        except Exception as error:  # noqa: BLE001 - nothing more can be done, and the cancel goes on
            said = type(error).__name__
            self.context.log.warning("prediction %s could not be cancelled: %s", prediction_id, said)

    def _fault(self, error: Exception) -> ProviderError:
        return error if isinstance(error, ProviderError) else translate(error, self.model)

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
        return made > since - _SKEW and found.status not in CAME_TO_NOTHING


def _is_file(value: Any) -> bool:
    """Whether they would keep it as a file of their own, under another address."""
    return _is_file(value[0]) if isinstance(value, list) and value else str(value)[:5] == "data:"
