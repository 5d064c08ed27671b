"""MiniMax's adapter for video: tasks of `/video_generation`, whose clip is a file to retrieve."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.errors import CorruptOutput, GenerationFailed, Moderated, TextTooLong
from impasto_nodes.providers.jobs.api import Api, connected
from impasto_nodes.providers.jobs.clip_request import list_usd, require_supported, settings_of
from impasto_nodes.providers.jobs.clips import Clip, Ended, Unfinished, generate_clip
from impasto_nodes.providers.jobs.data_url import data_url
from impasto_nodes.providers.minimax.errors import MODERATED, PROVIDER, code_of, error_of
from impasto_nodes.providers.protocols import VideoRequest, VideoResult

ADDRESS = "https://api.minimax.io/v1"
_SETTINGS = ("resolution", "prompt_optimizer", "fast_pretreatment", "aigc_watermark")
_UNFINISHED = frozenset({"Preparing", "Queueing", "Processing"})
_MAX_PROMPT = 2_000


class MiniMaxVideo:
    """A `VideoProvider` that uses MiniMax's Hailuo models."""

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """Return the clip; a crash while it is generated does not make it paid twice."""
        access = await access_to(PROVIDER, context)
        require_supported(PROVIDER, request)
        if len(request.prompt) > _MAX_PROMPT:
            raise TextTooLong(
                PROVIDER, request.model, f"{len(request.prompt):,} characters of {_MAX_PROMPT:,}"
            )
        body = {
            "model": request.model,
            **({"prompt": request.prompt} if request.prompt else {}),
            "duration": int(request.duration),
            **settings_of(PROVIDER, request, _SETTINGS),
        }
        if (image := await data_url(request.image, context)) is not None:
            body["first_frame_image"] = image
        usd = list_usd(PROVIDER, request)
        async with connected(access, ADDRESS, error_of(request.model)) as api:
            return await generate_clip(_Tasks(api, request.model, body), request, access, usd, context)


@dataclass(frozen=True, slots=True)
class _Tasks:
    """The `ClipService` of one request."""

    api: Api
    model: str
    body: Mapping[str, Any]

    async def create(self) -> str:
        """Create the task and return its id."""
        found = (await self.api.create("/video_generation", self.body)).get("task_id")
        if not isinstance(found, str | int) or not found:
            raise CorruptOutput(PROVIDER, "a task", "an answer without a task_id")
        return str(found)

    async def look(self, job_id: str) -> Clip | Unfinished:
        """Return how far the task is. Raises `Ended` for one that failed, which MiniMax does not bill."""
        answer = await self.api.get("/query/video_generation", task_id=job_id)
        status = answer.get("status")
        if status in _UNFINISHED:
            return Unfinished()
        if status == "Fail":
            raise Ended(self._failure(answer))
        file_id = answer.get("file_id")
        if status != "Success" or not file_id:
            raise CorruptOutput(PROVIDER, "a task", f"status: {str(status)[:50]}")
        return Clip(await self._address(str(file_id)))

    def _failure(self, answer: Mapping[str, Any]) -> GenerationFailed | Moderated:
        reason = f"Fail: {answer.get('base_resp')}"
        if code_of(answer) in MODERATED:
            return Moderated(PROVIDER, reason)
        return GenerationFailed(PROVIDER, self.model, reason)

    async def _address(self, file_id: str) -> str:
        """Return the address of a file, which is valid for some hours: each attempt asks again."""
        file = (await self.api.get("/files/retrieve", file_id=file_id)).get("file")
        url = file.get("download_url") if isinstance(file, Mapping) else None
        if not isinstance(url, str) or not url.startswith("http"):
            raise CorruptOutput(PROVIDER, "a file", "a file without an address")
        return url
