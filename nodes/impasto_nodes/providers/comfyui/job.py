"""One job on the server: queued once, its id remembered before the wait, found again after a crash."""

import asyncio
import uuid
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from impasto import Context
from impasto_nodes.media.image.sketch import sketch_of
from impasto_nodes.providers.comfyui.client import ORDER, ComfyUI
from impasto_nodes.providers.comfyui.errors import JobLost, JobStopped, failure
from impasto_nodes.providers.comfyui.events import ShowPreview, Watch, listen
from impasto_nodes.providers.errors import ProviderError

POLL_SECONDS = 1.0
"""Between two looks at the queue without a websocket."""
CONNECTED_POLL_SECONDS = 10.0
_MIN_POLL_SECONDS = 0.2
_MAX_FAILED_POLLS = 5
_MAX_MISSING = 3
_FINAL_SECONDS = 15.0
_MEMORY = "comfyui job"


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is remembered: the id that this client chose, and the one that the server knows it by."""

    order: str
    client_id: str
    prompt_id: str

    def is_entry(self, entry: Any) -> bool:
        """Return whether an entry of the queue or of the history is this job."""
        extra = entry[3] if len(entry) > 3 and isinstance(entry[3], dict) else {}
        return entry[1] in {self.prompt_id, self.order} or extra.get(ORDER) == self.order


async def run_job(server: ComfyUI, nodes: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Return the history's entry of a job that has succeeded; queues it unless an earlier attempt has.

    A run that is cancelled removes the job from the queue, or interrupts it; one that stops in order to be
    resumed leaves it. Raises `ProviderError`.
    """
    job, is_new = await _existing_job(server, context), False
    if job is None:
        job, is_new = Job(uuid.uuid4().hex, uuid.uuid4().hex, ""), True
    watch = Watch(job.prompt_id or job.order, nodes, context.progress, _previews(context))
    listening = asyncio.create_task(listen(server.address, job.client_id, watch))
    try:
        if is_new:
            job = await _submit(server, job, nodes, watch, context)
        try:
            if is_new:
                await _remember(job, context)
            entry = await _finished(server, job, watch, context)
        except asyncio.CancelledError:
            await _final(_cancel(server, job, context))
            raise
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
    return await _succeeded(entry, watch, context)


async def _existing_job(server: ComfyUI, context: Context) -> Job | None:
    """Return the job of an earlier attempt, if the server still knows it."""
    found = await context.recall(_MEMORY)
    if not found:
        return None
    job = Job(**found)
    running, pending = await server.queue()
    entry = next((one for one in (*running, *pending) if job.is_entry(one)), None)
    if entry is not None:
        return Job(job.order, job.client_id, str(entry[1]))
    for prompt_id in filter(None, dict.fromkeys((job.prompt_id, job.order))):
        if await server.history(prompt_id) is not None:
            return Job(job.order, job.client_id, prompt_id)
    for prompt_id, done in (await server.latest()).items():
        if isinstance(done, dict) and job.is_entry(done.get("prompt") or [0, prompt_id]):
            return Job(job.order, job.client_id, prompt_id)
    return None


async def _submit(server: ComfyUI, job: Job, nodes: Mapping[str, Any], watch: Watch, context: Context) -> Job:
    """Queue the job and return it with the server's id. A memo is written before the request."""
    await _remember(job, context)
    sending = asyncio.ensure_future(server.submit(nodes, job.order, job.client_id))
    try:
        prompt_id = await asyncio.shield(sending)
    except asyncio.CancelledError:
        await _final(_cancel_sent(server, job, sending, context))
        raise
    except ProviderError as error:
        if not error.retryable:
            await context.remember(_MEMORY, None)  # the server rejected it: there is no job
        raise
    watch.prompt_id = prompt_id
    return Job(job.order, job.client_id, prompt_id)


async def _finished(server: ComfyUI, job: Job, watch: Watch, context: Context) -> dict[str, Any]:
    """Wait for the job's entry in the history; shows its place in the queue until it runs."""
    failures = missing = 0
    while True:
        watch.changed.clear()
        try:
            entry = await _look(server, job, watch)
            failures = 0
        except ProviderError as error:
            failures += 1
            if not error.retryable or failures >= _MAX_FAILED_POLLS:
                raise
            entry = {}
        if entry is None:
            missing += 1
            if missing >= _MAX_MISSING:
                await context.remember(_MEMORY, None)
                raise JobLost
        elif entry:
            return entry
        else:
            missing = 0
        await asyncio.sleep(_MIN_POLL_SECONDS)
        calm = watch.is_connected and not failures and not missing
        with suppress(TimeoutError):
            async with asyncio.timeout(CONNECTED_POLL_SECONDS if calm else POLL_SECONDS):
                await watch.changed.wait()


async def _look(server: ComfyUI, job: Job, watch: Watch) -> dict[str, Any] | None:
    """Return the job's entry in the history; an empty one while it waits or runs, None if it is unknown."""
    running, pending = await server.queue()
    place = next((at for at, one in enumerate(pending) if job.is_entry(one)), None)
    if place is not None:
        ahead = place + len(running)
        watch.progress(0.0, f"Waiting in ComfyUI's queue: {ahead} before this one" if ahead else "Starting")
        return {}
    if any(job.is_entry(one) for one in running):
        return {}
    return await server.history(job.prompt_id)


async def _succeeded(entry: dict[str, Any], watch: Watch, context: Context) -> dict[str, Any]:
    """Return the entry of a job that succeeded. A job that failed is forgotten: a retry queues a new one."""
    status = entry.get("status")
    status = status if isinstance(status, dict) else {}
    if status.get("status_str", "success") == "success" and status.get("completed", True):
        return entry
    await context.remember(_MEMORY, None)
    found = status.get("messages")
    messages = {
        one[0]: one[1]
        for one in (found if isinstance(found, list) else [])
        if isinstance(one, list) and len(one) == 2 and isinstance(one[1], dict)
    }
    if "execution_interrupted" in messages:
        raise JobStopped
    raise failure(messages.get("execution_error") or watch.error or {}, watch.nodes)


async def _cancel(server: ComfyUI, job: Job, context: Context) -> None:
    """Remove the job from the queue, or interrupt it if it is what runs."""
    if context.abandoned:
        return  # the process that resumes the run continues with it
    try:
        await server.delete(job.prompt_id)
        running, _ = await server.queue()
        if any(job.is_entry(one) for one in running):
            await server.interrupt(job.prompt_id)
    except ProviderError as error:
        context.log.warning("Failed to cancel the ComfyUI job %s: %s", job.prompt_id, error.detail)


async def _cancel_sent(server: ComfyUI, job: Job, sending: asyncio.Future[str], context: Context) -> None:
    """Cancel a job whose request has no answer yet."""
    with suppress(ProviderError):
        await _cancel(server, Job(job.order, job.client_id, await sending), context)


async def _final(request: Coroutine[Any, Any, None]) -> None:
    """Complete a request of a step that is cancelled, within a limit."""

    async def within_limit() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_FINAL_SECONDS):
                await request

    await asyncio.wait((asyncio.ensure_future(within_limit()),))


async def _remember(job: Job, context: Context) -> None:
    memo = {"order": job.order, "client_id": job.client_id, "prompt_id": job.prompt_id}
    await context.remember(_MEMORY, memo)


def _previews(context: Context) -> ShowPreview:
    async def show(data: bytes) -> None:
        if (sketch := await asyncio.to_thread(sketch_of, data)) is not None:
            context.partial(sketch)

    return show
