"""xAI's adapter for video: jobs of `/videos/generations`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.errors import CorruptOutput, GenerationFailed, Moderated, UnknownModel
from impasto_nodes.providers.jobs.api import Api, connected
from impasto_nodes.providers.jobs.clip_request import list_usd, require_supported, settings_of
from impasto_nodes.providers.jobs.clips import Clip, Ended, Unfinished, generate_clip
from impasto_nodes.providers.jobs.data_url import data_url
from impasto_nodes.providers.protocols import VideoRequest, VideoResult
from impasto_nodes.providers.xai.errors import PROVIDER, error_of, is_moderated

ADDRESS = "https://api.x.ai/v1"
_SETTINGS = ("resolution", "generate_audio")
_USD_PER_TICK = 1e-10


class XaiVideo:
    """A `VideoProvider` that uses xAI's Grok Imagine models."""

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """Return the clip; a crash while it is generated does not make it paid twice."""
        access = await access_to(PROVIDER, context)
        require_supported(PROVIDER, request)
        body = {
            "model": request.model,
            "prompt": request.prompt,
            "duration": int(request.duration),
            **({} if request.image else {"aspect_ratio": request.aspect_ratio}),
            **settings_of(PROVIDER, request, _SETTINGS),
        }
        if (image := await data_url(request.image, context)) is not None:
            body["image"] = {"url": image}
        usd = list_usd(PROVIDER, request)
        async with connected(access, ADDRESS, error_of(request.model)) as api:
            return await generate_clip(_Jobs(api, request.model, body), request, access, usd, context)


@dataclass(frozen=True, slots=True)
class _Jobs:
    """The `ClipService` of one request."""

    api: Api
    model: str
    body: Mapping[str, Any]

    async def create(self) -> str:
        """Create the job and return its id."""
        answer = await self.api.create("/videos/generations", self.body)
        found = answer.get("request_id")
        if not isinstance(found, str) or not found:
            raise CorruptOutput(PROVIDER, "a job", "an answer without a request_id")
        return found

    async def look(self, job_id: str) -> Clip | Unfinished:
        """Return how far the job is. Raises `Ended`."""
        try:
            answer = await self.api.get(f"/videos/{job_id}")
        except UnknownModel as error:  # the job's result is no longer kept
            raise Ended(self._failure(error.detail or ""), None) from None
        status, usd = answer.get("status"), _usd_of(answer)
        if status == "pending":
            return Unfinished(_progress_of(answer))
        if status == "failed":
            raise Ended(self._failure(f"failed: {answer.get('error')}"), usd or 0.0)
        if status == "expired":
            raise Ended(self._failure("the result has expired"), usd)
        video = answer.get("video")
        if status != "done" or not isinstance(video, Mapping):
            raise CorruptOutput(PROVIDER, "a job", f"status: {str(status)[:50]}")
        if video.get("respect_moderation") is False:  # made, and therefore billed, but withheld
            raise Ended(Moderated(PROVIDER, "the clip does not respect the content rules"), usd)
        url = video.get("url")
        if not isinstance(url, str) or not url.startswith("http"):
            raise CorruptOutput(PROVIDER, "a job", "a clip without an address")
        return Clip(url, usd)

    def _failure(self, reason: str) -> GenerationFailed | Moderated:
        if is_moderated(reason):
            return Moderated(PROVIDER, reason)
        return GenerationFailed(PROVIDER, self.model, reason)


def _usd_of(answer: Mapping[str, Any]) -> float | None:
    """Return what xAI says that a job has cost; None if it does not."""
    usage = answer.get("usage")
    ticks = usage.get("cost_in_usd_ticks") if isinstance(usage, Mapping) else None
    return ticks * _USD_PER_TICK if isinstance(ticks, int) and ticks >= 0 else None


def _progress_of(answer: Mapping[str, Any]) -> float | None:
    percent = answer.get("progress")
    return percent / 100 if isinstance(percent, int | float) else None
