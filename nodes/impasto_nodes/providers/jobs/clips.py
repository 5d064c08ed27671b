"""A clip of a service without a list of jobs: created and paid once, its id remembered, then polled.

Such a service cannot cancel a job either: one that the run no longer waits for is charged.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from impasto import Context
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.download import download, store_video
from impasto_nodes.providers.errors import CorruptOutput, ProviderError
from impasto_nodes.providers.jobs.bill import Bill, is_charged
from impasto_nodes.providers.jobs.memory import JobMemory
from impasto_nodes.providers.paid_calls import paid_call
from impasto_nodes.providers.protocols import VideoRequest, VideoResult

T = TypeVar("T")
FIRST_POLL_SECONDS, MAX_POLL_SECONDS, POLL_GROWTH = 1.0, 10.0, 1.5
_MAX_FAILED_REQUESTS = 5
_MEMORY = "video job"


@dataclass(frozen=True, slots=True)
class Clip:
    """A finished clip. `usd` is what the service says that it costs; None if it does not say."""

    url: str
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A clip that is being made; `progress` is from 0 to 1, None if the service does not say."""

    progress: float | None = None


class Ended(Exception):
    """A job has ended without a clip. `usd` is what it costs; None: its price."""

    def __init__(self, error: ProviderError, usd: float | None = 0.0) -> None:
        self.error, self.usd = error, usd


class ClipService(Protocol):
    """The jobs of one service. The methods raise `ProviderError`s."""

    async def create(self) -> str:
        """Create the job, which is paid, and return its id."""
        ...

    async def look(self, job_id: str) -> Clip | Unfinished:
        """Return how far a job is. Raises `Ended`."""
        ...


async def generate_clip(
    service: ClipService, request: VideoRequest, access: Access, usd: float | None, context: Context
) -> VideoResult:
    """Return the stored clip of a job that costs `usd`, None if that is not known.

    After a crash or a retry the same job goes on.
    """
    provider = access.provider
    reserved = 0.0 if await is_charged(_MEMORY, context) else usd
    async with paid_call(context, reserved, name="video") as call:
        clip = await _made(service, provider, Bill(call, usd, context), context)
    context.progress(0.9, "Downloading the clip")
    path = Path(context.temp_dir) / "output"
    await download(clip.url, path, provider, context, trusted=access.address)
    video = await store_video(path, provider, context, "clip.mp4")
    return VideoResult(video=video, provider=provider, model=request.model, usd=usd or 0.0, is_charged=True)


async def _made(service: ClipService, provider: str, bill: Bill, context: Context) -> Clip:
    memory = JobMemory(provider, _MEMORY, context)
    try:
        job_id = await memory.existing() or await memory.created(service.create)
        clip = await _finished(service, job_id, context)
    except asyncio.CancelledError:
        await _leave(memory, bill)
        raise
    except Ended as ended:
        if ended.usd != 0:
            await bill.charge(_MEMORY, job_id, 0.0, ended.usd)
            await bill.forget(_MEMORY)
        await memory.forget()
        raise ended.error from None
    except ProviderError:
        if await memory.may_exist():
            await bill.assume(_MEMORY)
        raise
    await bill.charge(_MEMORY, job_id, 0.0, clip.usd)
    return clip


async def _finished(service: ClipService, job_id: str, context: Context) -> Clip:
    """Poll until the clip is made. Raises `Ended`."""
    context.progress(0.05, "Sent; waiting for the model")
    wait = FIRST_POLL_SECONDS
    while True:
        state = await _repeated(lambda: service.look(job_id))
        if isinstance(state, Clip):
            return state
        if state.progress is not None:
            context.progress(0.05 + 0.85 * min(max(state.progress, 0.0), 1.0), "The model is working")
        await asyncio.sleep(wait)
        wait = min(wait * POLL_GROWTH, MAX_POLL_SECONDS)


async def _leave(memory: JobMemory, bill: Bill) -> None:
    """Settle for a step that is cancelled: its job goes on, unless it was never created."""
    if not bill.context.abandoned and await memory.may_exist():
        await bill.assume(_MEMORY)
    else:
        bill.leave()


async def _repeated(ask: Callable[[], Awaitable[T]]) -> T:
    """Return an answer; a free request that fails in passing is repeated up to five times in a row."""
    wait = FIRST_POLL_SECONDS
    for _ in range(_MAX_FAILED_REQUESTS - 1):
        try:
            return await ask()
        except ProviderError as error:
            if not (error.retryable or isinstance(error, CorruptOutput)):
                raise
        await asyncio.sleep(wait)
        wait = min(wait * POLL_GROWTH, MAX_POLL_SECONDS)
    return await ask()
