"""A paid job that no second request may create: its request and its id are remembered by the step.

For services without a list in which a job could be looked up. A request whose answer was lost is not sent
again: the step fails, and the user decides.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from impasto import Context
from impasto_nodes.providers.errors import ProviderError, StreamDropped
from impasto_nodes.providers.paid_calls import MAY_BE_BILLED

_FINAL_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class JobMemory:
    """The memo of a step about one job. `key` is the memo's key."""

    provider: str
    key: str
    context: Context

    async def existing(self) -> str | None:
        """Return the id of the job of an earlier attempt; None if none was requested.

        Raises `StreamDropped`, which is not retried, if it is not known whether the job exists.
        """
        found = await self.context.recall(self.key)
        if found is None or isinstance(found, str):
            return found
        raise _lost(StreamDropped(self.provider, "an earlier attempt may have created a job"))

    async def created(self, create: Callable[[], Awaitable[str]]) -> str:
        """Create the job and remember its id; a cancelled step still waits a moment for the answer."""
        await self.context.remember(self.key, {"requested": True})
        creating = asyncio.ensure_future(self._create(create))
        try:
            return await asyncio.shield(creating)
        except asyncio.CancelledError:
            with suppress(Exception):
                async with asyncio.timeout(_FINAL_SECONDS):
                    await creating
            raise

    async def forget(self) -> None:
        """Forget the job: another one may be created, and paid, in its place."""
        await self.context.remember(self.key, None)

    async def is_known(self) -> bool:
        """Return whether the service has said the id of a job that it has."""
        return isinstance(await self.context.recall(self.key), str)

    async def may_exist(self) -> bool:
        """Return whether the service may have the job."""
        return await self.context.recall(self.key) is not None

    async def _create(self, create: Callable[[], Awaitable[str]]) -> str:
        try:
            job_id = await create()
        except ProviderError as error:
            if error.code in MAY_BE_BILLED:
                raise _lost(error) from None
            await self.forget()
            raise
        await self.context.remember(self.key, job_id)
        return job_id


def _lost(error: ProviderError) -> ProviderError:
    """Return an error of a request whose job may exist: the engine does not send it again."""
    error.retryable = False
    return error
