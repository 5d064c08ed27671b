"""Create a prediction exactly once: if the response was lost, it is found in the account's list."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from impasto import Context
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.replicate.connection import (
    get_prediction,
    list_latest,
    map_exception,
    send_final,
)

FAILED_STATUSES = frozenset({"failed", "canceled"})
_CLOCK_SKEW_SECONDS = 120.0
"""By how much Replicate's clock may be behind this machine's."""
_AMBIGUOUS = frozenset({"provider_unavailable", "provider_timeout", "stream_dropped", "corrupt_output"})
"""Codes of errors after which the prediction may exist."""
_ACCESS_ERRORS = frozenset({"wrong_credential", "no_credit"})
_MAX_OWNED = 4096
_in_flight: dict[str, asyncio.Future[Any]] = {}
"""Requests without a response yet, by name: a run that was lost and won back during one finds its own."""
_owners: dict[str, str] = {}
"""The newest predictions with the name of the request that owns each: two equal requests never share a
prediction, and a request that another process had taken over in between finds its own again."""


@dataclass(frozen=True, slots=True)
class PredictionRequest:
    """A request for one prediction. `memory` is the key of the step's memo about it."""

    client: Any
    model: str
    inputs: Mapping[str, Any]
    memory: str
    context: Context

    @property
    def name(self) -> str:
        """A name that is the same on every attempt and in every process."""
        return f"{self.context.idempotency_key} {self.memory}"

    async def existing(self) -> Any | None:
        """Return the prediction of an earlier attempt.

        From a request of this process that has no response yet, the remembered id, or the account's list.
        """
        if (creating := self._request_in_flight()) is not None:
            with suppress(Exception):  # without a response it may exist all the same: the list says
                made = await asyncio.shield(creating)
                if made.status not in FAILED_STATUSES:
                    self._own(made.id)
                    return made
        found = await self.context.recall(self.memory)
        if isinstance(found, str):
            self._own(found)
            return await get_prediction(self.client, found)
        made = await self._find(float(found["since"])) if found else None
        if made is not None:
            self._own(made.id)
        return made

    async def create(self, webhook: Mapping[str, Any]) -> Any:
        """Create the prediction. A memo is written before the request; the caller remembers the id after it.

        If the run is cancelled during the request, its response is awaited and the prediction cancelled.
        """
        earlier = await self.context.recall(self.memory)
        await self.context.remember(self.memory, earlier or {"since": time.time()})
        creating = asyncio.ensure_future(self._create(webhook))
        _in_flight[self.name] = creating
        creating.add_done_callback(self._on_created)
        try:
            made = await asyncio.shield(creating)
        except asyncio.CancelledError:
            await send_final(self.client, self._cancel_created(creating))
            raise
        except Exception as error:
            if earlier is None and self._mapped(error).code not in _AMBIGUOUS:
                await self.forget()  # Replicate rejected the request: there is no prediction
            raise
        self._own(made.id)
        return made

    async def cancel(self, prediction_id: str) -> None:
        """Cancel the prediction, unless the run is to be resumed by another process."""
        if not self.context.abandoned:
            await send_final(self.client, self._cancel(prediction_id))

    async def forget(self) -> None:
        """Delete the memo, so that a later attempt creates a new prediction."""
        await self.context.remember(self.memory, None)

    def _request_in_flight(self) -> asyncio.Future[Any] | None:
        found = _in_flight.get(self.name)
        return found if found is not None and found.get_loop() is asyncio.get_running_loop() else None

    def _on_created(self, creating: asyncio.Future[Any]) -> None:
        if _in_flight.get(self.name) is creating:
            del _in_flight[self.name]

    async def _find(self, since: float) -> Any | None:
        """Return the oldest unowned prediction that matches this request, or None."""
        try:
            found = await list_latest(self.client)
        except Exception as error:
            mapped = self._mapped(error)
            if mapped.retryable or mapped.code in _ACCESS_ERRORS:
                raise
            return None  # a gateway without this call: the prediction is created again
        matching = [one for one in found if self._may_own(one.id) and self._matches(one, since)]
        return min(matching, key=lambda one: str(one.created_at), default=None)

    def _own(self, prediction_id: str) -> None:
        _owners[prediction_id] = self.name
        if len(_owners) > _MAX_OWNED:
            del _owners[next(iter(_owners))]

    def _may_own(self, prediction_id: str) -> bool:
        return _owners.get(prediction_id, self.name) == self.name

    async def _create(self, webhook: Mapping[str, Any]) -> Any:
        name, _, version = self.model.partition(":")
        if version:
            return await self.client.predictions.async_create(
                version=version, input=dict(self.inputs), **webhook
            )
        return await self.client.models.predictions.async_create(
            model=name, input=dict(self.inputs), **webhook
        )

    async def _cancel_created(self, creating: asyncio.Future[Any]) -> None:
        with suppress(Exception):
            made = await creating
            if self.context.abandoned:  # the process that resumes the run continues with it
                await self.context.remember(self.memory, made.id)
            else:
                await self._cancel(made.id)

    async def _cancel(self, prediction_id: str) -> None:
        try:
            await self.client.predictions.async_cancel(prediction_id)
        except Exception as error:  # noqa: BLE001 - the cancellation of the run continues in any case
            kind = type(error).__name__
            self.context.log.warning("Failed to cancel prediction %s: %s", prediction_id, kind)

    def _mapped(self, error: Exception) -> ProviderError:
        return error if isinstance(error, ProviderError) else map_exception(error, self.model)

    def _matches(self, found: Any, since: float) -> bool:
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
        return made > since - _CLOCK_SKEW_SECONDS and found.status not in FAILED_STATUSES


def _is_file(value: Any) -> bool:
    """Return whether Replicate stores the value as a file and lists its URL instead."""
    return _is_file(value[0]) if isinstance(value, list) and value else str(value)[:5] == "data:"
