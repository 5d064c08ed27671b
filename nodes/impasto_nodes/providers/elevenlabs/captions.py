"""The ElevenLabs adapter for captions."""

from typing import Any

from impasto import Context
from impasto_nodes.media.captions.segmentation import Cue, Word, cues_from_words
from impasto_nodes.media.probe import seconds_of
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.elevenlabs.connection import NO_RETRY, PROVIDER, connected
from impasto_nodes.providers.paid_calls import paid_call, priced_model
from impasto_nodes.providers.protocols import CaptionsRequest, CaptionsResult


class ElevenLabsCaptions:
    """A `CaptionsProvider` that uses ElevenLabs' transcription."""

    async def transcribe(self, request: CaptionsRequest, context: Context) -> CaptionsResult:
        """Return cues made of timed words."""
        access = await access_to(PROVIDER, context)
        model = priced_model("captions", PROVIDER, request.model)
        context.record_generation(provider=PROVIDER, model=request.model)
        async with context.open(request.recording) as path:
            usd = None if model is None else await seconds_of(request.recording, path) / 60 * model.price_usd
            async with paid_call(context, usd) as call, connected(access, request.model) as client:
                with path.open("rb") as file:
                    answer = await client.speech_to_text.convert(
                        model_id=request.model,
                        file=(request.file_name, file, request.recording.media_type),
                        timestamps_granularity="word",
                        request_options=NO_RETRY,
                        **({"language_code": request.language} if request.language else {}),
                    )
                call.charge(usd or 0.0)
        return CaptionsResult(
            cues=_cues(answer), provider=PROVIDER, model=request.model, usd=usd or 0.0, is_charged=True
        )


def _cues(answer: Any) -> tuple[Cue, ...]:
    words = [
        Word(word.start or 0.0, word.end or 0.0, word.text) for word in answer.words if word.type == "word"
    ]
    return cues_from_words(words)
