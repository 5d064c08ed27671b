"""The litellm adapter for captions."""

import asyncio
from typing import Any

from impasto import Context
from impasto_nodes.media.captions.segmentation import Cue, Word, cues_along, cues_from_words
from impasto_nodes.media.probe import seconds_of
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.litellm.errors import map_exceptions
from impasto_nodes.providers.litellm.lazy_import import full_name, library
from impasto_nodes.providers.paid_calls import paid_call, priced_model
from impasto_nodes.providers.protocols import CaptionsRequest, CaptionsResult

_TIMEOUT_SECONDS = 300.0


class LiteLLMCaptions:
    """A `CaptionsProvider` for any provider of transcripts that litellm supports."""

    def __init__(self, provider: str) -> None:
        self.provider = provider

    async def transcribe(self, request: CaptionsRequest, context: Context) -> CaptionsResult:
        """Return cues from timed words, else from timed segments, else spread over the recording's length."""
        access, litellm = await access_to(self.provider, context), await library()
        model = priced_model("captions", self.provider, request.model)
        async with context.open(request.recording) as path:
            seconds = await seconds_of(request.recording, path)
            usd = None if model is None else seconds / 60 * model.price_usd
            async with (
                paid_call(context, usd) as call,
                map_exceptions(self.provider, request.model, access.key),
            ):
                answer = await litellm.atranscription(
                    model=full_name(self.provider, request.model),
                    file=(
                        request.file_name,
                        await asyncio.to_thread(path.read_bytes),
                        request.recording.media_type,
                    ),
                    response_format="verbose_json",
                    timestamp_granularities=["word", "segment"],
                    api_key=access.key,
                    timeout=_TIMEOUT_SECONDS,
                    max_retries=0,
                    **({"language": request.language} if request.language else {}),
                    **({"api_base": access.address} if access.address else {}),
                )
                call.charge(usd or 0.0)
        return CaptionsResult(
            cues=_cues(answer, seconds),
            provider=self.provider,
            model=request.model,
            usd=usd or 0.0,
            is_charged=True,
        )


def _cues(answer: Any, seconds: float) -> tuple[Cue, ...]:
    words, segments = getattr(answer, "words", None), getattr(answer, "segments", None)
    if words:
        return cues_from_words(Word(_of(w, "start"), _of(w, "end"), str(_of(w, "word"))) for w in words)
    if segments:
        return tuple(Cue(_of(s, "start"), _of(s, "end"), str(_of(s, "text")).strip()) for s in segments)
    return cues_along(answer.text or "", seconds)


def _of(part: Any, name: str) -> Any:
    return part[name] if isinstance(part, dict) else getattr(part, name)
