"""The litellm adapter for video: a job is created once, its id remembered, then polled until it ends.

The services bill a finished job and have no list of jobs to search. So a request whose answer was lost counts
as spent.
"""

import asyncio
from pathlib import Path
from typing import Any

import httpx

from impasto import Context, PaidCall
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import MAX_BYTES, store_video
from impasto_nodes.providers.errors import (
    CorruptOutput,
    GenerationFailed,
    Moderated,
    ProviderError,
    RateLimited,
    StreamDropped,
    TimedOut,
    Unavailable,
)
from impasto_nodes.providers.http_errors import transport_error
from impasto_nodes.providers.jobs.memory import JobMemory
from impasto_nodes.providers.litellm.errors import map_exceptions
from impasto_nodes.providers.litellm.lazy_import import full_name, library
from impasto_nodes.providers.litellm.video.arguments import arguments_of
from impasto_nodes.providers.litellm.video.clients import Connection
from impasto_nodes.providers.litellm.video.files import NotMade, clip_address, fetch_clip
from impasto_nodes.providers.paid_calls import paid_call, priced_model
from impasto_nodes.providers.protocols import VideoRequest, VideoResult

POLL_SECONDS, MAX_POLL_SECONDS = 3.0, 10.0
_MAX_FAILED_POLLS = 5
_DOWNLOAD_DELAYS_SECONDS = (0.25, 1.0)
_TIMEOUT_SECONDS = 120.0
_JOB, _CHARGED = "video job", "video charged"
_MODERATED = ("raimedia", "safety", "moderat", "content policy", "sensitive")
_NOT_MADE = ("no response data", "generation failed", "validation error", "list index", "url not found")


class LiteLLMVideo:
    """A `VideoProvider` for the providers of video that litellm supports."""

    def __init__(self, provider: str) -> None:
        self.provider = provider

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """Return the clip. After a crash or a retry the same job is continued, and no second one is paid."""
        access = await access_to(self.provider, context)
        model = priced_model("video", self.provider, request.model)
        arguments = await arguments_of(self.provider, request, context)
        usd = None if model is None else request.duration * model.price_usd
        is_charged = await context.recall(_CHARGED) is not None
        job = _Job(self.provider, request.model, access, context)
        memory = JobMemory(self.provider, _JOB, context)
        async with paid_call(context, 0.0 if is_charged else usd, name="video") as call:
            try:
                video_id = await memory.existing() or await memory.created(lambda: job.created(arguments))
                await job.finished(video_id)
                path = await job.downloaded(video_id)
            except (GenerationFailed, Moderated):
                await memory.forget()  # it is not billed, and another one may be made
                raise
            except asyncio.CancelledError:
                _leave(call, context, 0.0 if is_charged else usd)
                raise
            except ProviderError:
                if await memory.is_known() and not is_charged:
                    call.assume_spent()  # the job goes on without this step
                raise
            call.charge(0.0 if is_charged else usd or 0.0, seconds=request.duration)
            await context.remember(_CHARGED, True)
        video = await store_video(path, self.provider, context, "clip.mp4")
        return VideoResult(
            video=video, provider=self.provider, model=request.model, usd=usd or 0.0, is_charged=True
        )


def _leave(call: PaidCall, context: Context, usd: float | None) -> None:
    """Settle for a step that is cancelled: its job cannot be stopped, unless another process goes on."""
    if context.abandoned:
        call.leave_open()
    elif not call.is_settled:
        call.charge(usd or 0.0)


class _Job:
    """One job at the service."""

    def __init__(self, provider: str, model: str, access: Access, context: Context) -> None:
        self.provider, self.model, self.access, self.context = provider, model, access, context

    async def created(self, arguments: dict[str, Any]) -> str:
        """Create the job and return its id."""
        litellm = await library()
        name = full_name(self.provider, self.model)
        made = await self._called(litellm.avideo_generation, model=name, **arguments)
        if not getattr(made, "id", ""):
            raise CorruptOutput(self.provider, "a job without an id")
        return str(made.id)

    async def finished(self, video_id: str) -> None:
        """Poll until the job has ended well. Raises `GenerationFailed` or `Moderated` if it has not."""
        litellm, wait, failures = await library(), POLL_SECONDS, 0
        self.context.progress(0.05, "Sent; waiting for the model")
        while True:
            try:
                job = await self._called(litellm.avideo_status, video_id=video_id)
                failures = 0
                if job.status == "completed":
                    return
                if job.status in {"failed", "cancelled"}:
                    raise self._failure(str(job.error or job.status))
            except ProviderError as error:
                if isinstance(failed := self._ended(error), GenerationFailed | Moderated):
                    raise failed from None
                failures += 1
                is_passing = error.retryable or isinstance(error, CorruptOutput)
                if failures >= _MAX_FAILED_POLLS or not is_passing:
                    raise
            await asyncio.sleep(wait)
            wait = min(wait * 1.5, MAX_POLL_SECONDS)

    async def downloaded(self, video_id: str) -> Path:
        """Return the clip's file; a file that is not there yet is fetched again."""
        self.context.progress(0.9, "Downloading the clip")
        for delay in _DOWNLOAD_DELAYS_SECONDS:
            try:
                return await self._download(video_id)
            except (Unavailable, TimedOut, StreamDropped, RateLimited):
                await asyncio.sleep(delay)
        return await self._download(video_id)

    async def _download(self, video_id: str) -> Path:
        path = Path(self.context.temp_dir) / "output"
        try:
            url = await clip_address(video_id, self.access, self.context)
        except NotMade as error:
            raise self._failure(str(error)) from None
        return await fetch_clip(url, path, self.access, self.context, MAX_BYTES)

    def _ended(self, error: ProviderError) -> ProviderError:
        """Return how the job ended if that is what the error says; else the error.

        litellm reports Veo's failed jobs as completed, and fails to read their answers.
        """
        reason = (error.detail or "").partition("Traceback")[0]
        is_ended = any(word in reason.casefold() for word in _NOT_MADE)
        return self._failure(reason) if is_ended else error

    def _failure(self, reason: str) -> ProviderError:
        if any(word in reason.casefold() for word in _MODERATED):
            return Moderated(self.provider, reason)
        return GenerationFailed(self.provider, self.model, reason)

    def _options(self) -> dict[str, Any]:
        address = self.access.address.removesuffix("/v1beta")  # litellm adds Gemini's version itself
        return {
            "custom_llm_provider": full_name(self.provider, "").rstrip("/"),
            "timeout": _TIMEOUT_SECONDS,
            **({"api_key": self.access.key} if self.access.key else {}),
            **self.access.more,
            **({"api_base": address} if address else {}),
        }

    async def _called(self, function: Any, **arguments: Any) -> Any:
        """Call litellm once: its client sends a request a second time when the connection is lost."""
        connection = Connection(await library())
        try:
            async with map_exceptions(self.provider, self.model, *self.access.secrets):
                return await function(**arguments, **self._options(), client=connection.client)
        except ProviderError:
            if isinstance(connection.failure, httpx.HTTPError):
                raise transport_error(connection.failure, self.provider, *self.access.secrets) from None
            raise
        finally:
            await connection.client.close()
