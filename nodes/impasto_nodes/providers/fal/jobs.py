"""One request in fal's queue, paid for once: submitted, its id remembered, then polled until it ends."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from impasto import Context
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, Moderated, ProviderError
from impasto_nodes.providers.fal.connection import Connection, connected
from impasto_nodes.providers.fal.errors import PROVIDER
from impasto_nodes.providers.fal.prices import JobPrice
from impasto_nodes.providers.jobs.bill import Bill
from impasto_nodes.providers.jobs.memory import JobMemory

T = TypeVar("T")
FIRST_POLL_SECONDS, MAX_POLL_SECONDS, POLL_GROWTH = 0.5, 5.0, 1.5
_MAX_FAILED_REQUESTS = 5
_CANCEL_SECONDS = 20.0
_FILE_KEYS = ("url", "image", "images", "video", "videos", "output", "outputs")
_cancelling: set[asyncio.Task[None]] = set()


@dataclass(slots=True)
class Job:
    """A request to run a model once. `memory` is the key of the step's memo about it."""

    connection: Connection
    access: Access
    model: str
    arguments: dict[str, Any]
    memory: str
    bill: Bill
    price: JobPrice
    context: Context
    on_queued: Callable[[int], None]
    may_run: bool = False
    """Whether a runner may have started: before that, a cancelled request is free."""

    async def output_urls(self) -> list[str]:
        """Return the addresses of the outputs. After a crash or a retry the same request is continued."""
        remembered = JobMemory(PROVIDER, self.memory, self.context)
        try:
            request_id = await remembered.existing()
            if request_id is None:
                request_id = await remembered.created(lambda: self.connection.submit(self.arguments))
            metrics = await self._finished(request_id)
            result = await self._fetched(request_id)
        except asyncio.CancelledError:
            await self._leave()
            raise
        except _Ended as ended:  # without an output, which fal does not bill
            await remembered.forget()
            raise ended.error from None
        except ProviderError:
            if await remembered.may_exist():
                await self.bill.assume(self.memory)
            raise
        billed = self.price.billed(self.connection.billed_units(request_id))
        await self.bill.charge(self.memory, request_id, self.price.measured(metrics), billed)
        try:
            return _urls(result)
        except ProviderError:
            await self.bill.forget(self.memory)
            await remembered.forget()
            raise

    async def _finished(self, request_id: str) -> Mapping[str, Any] | None:
        """Poll until the request is completed, and return its metrics."""
        from fal_client import Completed, Queued

        wait = FIRST_POLL_SECONDS
        while True:
            state = await _repeated(lambda: self.connection.status(request_id))
            if isinstance(state, Completed):
                self.may_run = True
                metrics: Mapping[str, Any] | None = state.metrics
                return metrics
            if isinstance(state, Queued):
                self.on_queued(state.position)
            else:
                self.may_run = True
            await asyncio.sleep(wait)
            wait = min(wait * POLL_GROWTH, MAX_POLL_SECONDS)

    async def _fetched(self, request_id: str) -> dict[str, Any]:
        """Return the result of a completed request. Raises `_Ended` if the model has made none."""
        try:
            return await _repeated(lambda: self.connection.result(request_id))
        except ProviderError as error:
            if _is_passing(error) or error.code in {"wrong_credential", "no_credit"}:
                raise
            raise _Ended(error) from None

    async def _leave(self) -> None:
        """Cancel the request because the run stops, unless another process goes on with it."""
        if self.context.abandoned:
            self.bill.call.leave_open()
            return
        found = await self.context.recall(self.memory)
        if isinstance(found, str):
            cancelling = asyncio.ensure_future(self._cancel(found))
            _cancelling.add(cancelling)
            cancelling.add_done_callback(_cancelling.discard)
            await asyncio.wait((cancelling,))
        if self.may_run or isinstance(found, Mapping):
            await self.bill.assume(self.memory)
        else:
            self.bill.leave()

    async def _cancel(self, request_id: str) -> None:
        try:  # with a connection of its own: that of the step closes with it
            async with (
                asyncio.timeout(_CANCEL_SECONDS),
                connected(self.access, self.model, self.context) as own,
            ):
                await own.cancel(request_id)
        except Exception as error:  # noqa: BLE001 - the cancellation of the run continues in any case
            kind = type(error).__name__
            self.context.log.warning("Failed to cancel request %s: %s", request_id, kind)


class _Ended(Exception):
    """The request is completed without an output."""

    def __init__(self, error: ProviderError) -> None:
        self.error = error


async def _repeated(ask: Callable[[], Awaitable[T]]) -> T:
    """Return an answer; a free request that fails in passing is repeated up to five times in a row."""
    wait = FIRST_POLL_SECONDS
    for _ in range(_MAX_FAILED_REQUESTS - 1):
        try:
            return await ask()
        except ProviderError as error:
            if not _is_passing(error):
                raise
        await asyncio.sleep(wait)
        wait = min(wait * POLL_GROWTH, MAX_POLL_SECONDS)
    return await ask()


def _is_passing(error: ProviderError) -> bool:
    return error.retryable or isinstance(error, CorruptOutput)  # a gateway's page, for example


def _urls(result: Mapping[str, Any]) -> list[str]:
    """Return the files of a result. Raises `Moderated` if all are black, `CorruptOutput` without any."""
    hidden = result.get("has_nsfw_concepts")
    if isinstance(hidden, list) and hidden and all(hidden):
        raise Moderated(PROVIDER, "has_nsfw_concepts")
    urls = _flattened(result)
    if not urls or not all(isinstance(url, str) and url.startswith(("http", "data:")) for url in urls):
        raise CorruptOutput(PROVIDER, "an output", f"output: {str(result)[:200]}")
    return urls


def _flattened(output: Any) -> list[Any]:
    if isinstance(output, list):
        return [url for item in output for url in _flattened(item)]
    if isinstance(output, dict):
        return [url for name in _FILE_KEYS if name in output for url in _flattened(output[name])]
    return [output]
