"""The ElevenLabs adapter for captions."""

from typing import Any

from impasto import Context
from impasto_nodes.media.captions.segmentation import Cue, Word, cues_from_words
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.elevenlabs.connection import NO_RETRY, PROVIDER, connected
from impasto_nodes.providers.protocols import CaptionsRequest, CaptionsResult
from impasto_nodes.providers.registry import find_model


class ElevenLabsCaptions:
    """A `CaptionsProvider` that uses ElevenLabs' transcription."""

    async def transcribe(self, request: CaptionsRequest, context: Context) -> CaptionsResult:
        """Return cues made of timed words."""
        access = await access_to(PROVIDER, context)
        async with context.open(request.recording) as path, connected(access, request.model) as client:
            with path.open("rb") as file:
                answer = await client.speech_to_text.convert(
                    model_id=request.model,
                    file=(request.file_name, file, request.recording.media_type),
                    timestamps_granularity="word",
                    request_options=NO_RETRY,
                    **({"language_code": request.language} if request.language else {}),
                )
        cues = _cues(answer)
        listed = find_model("captions", PROVIDER, request.model)
        minutes = (request.recording.seconds or (cues[-1].end if cues else 0.0)) / 60
        return CaptionsResult(cues, PROVIDER, request.model, minutes * (listed.price_usd if listed else 0.0))


def _cues(answer: Any) -> tuple[Cue, ...]:
    words = [
        Word(word.start or 0.0, word.end or 0.0, word.text) for word in answer.words if word.type == "word"
    ]
    return cues_from_words(words)
