"""The ElevenLabs adapter for dialogue."""

from pathlib import Path

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.elevenlabs.audio import OPTIONS, even_or_lively, received, stored
from impasto_nodes.providers.elevenlabs.connection import PROVIDER, connected
from impasto_nodes.providers.elevenlabs.voices import find_voice
from impasto_nodes.providers.errors import Unsupported
from impasto_nodes.providers.paid_calls import paid_call, priced_model
from impasto_nodes.providers.protocols import AudioResult, DialogueRequest
from impasto_nodes.providers.registry import listed
from impasto_nodes.providers.validation import require_length

_MAX_VOICES = 10


class ElevenLabsDialogue:
    """A `DialogueProvider` that uses ElevenLabs' voices."""

    async def speak(self, request: DialogueRequest, context: Context) -> AudioResult:
        """Return an MP3 file. Raises `TextTooLong`, `Unsupported` for what one request cannot hold."""
        access = await access_to(PROVIDER, context)
        voices = list(dict.fromkeys(line.voice for line in request.lines))
        require_length("dialogue", PROVIDER, request.model, request.characters)
        if len(voices) > _MAX_VOICES:
            what = f"speak with more than {_MAX_VOICES} voices at once"
            raise Unsupported(PROVIDER, what, "Use fewer voices.")
        path = Path(context.temp_dir) / "dialogue.mp3"
        script = "\n".join(f"{line.voice}: {line.text}" for line in request.lines)
        context.progress(0.05, f"Reading: {listed(voices)}")
        context.record_generation(
            provider=PROVIDER,
            model=request.model,
            prompt=script,
            seed=request.seed,
            settings={"voices": voices, "stability": request.stability},
        )
        model = priced_model("dialogue", PROVIDER, request.model)
        usd = None if model is None else request.characters / 1000 * model.price_usd
        async with (
            paid_call(context, usd) as call,
            connected(access, request.model, listed(voices)) as client,
        ):
            from elevenlabs import DialogueInput
            from elevenlabs.types import ToDialogueSettingsResponseModel

            ids: dict[str, str] = {}
            for wanted in voices:
                voice = await find_voice(client, access, wanted)
                ids[wanted] = voice.id
                if voice.name != wanted:
                    context.progress(0.1, f"This account has no voice {wanted}; {voice.name} reads")
            answer = client.text_to_dialogue.with_raw_response.convert(
                inputs=[DialogueInput(text=line.text, voice_id=ids[line.voice]) for line in request.lines],
                model_id=request.model,
                settings=ToDialogueSettingsResponseModel(stability=even_or_lively(request.stability)),
                **({} if request.seed is None else {"seed": request.seed}),
                **OPTIONS,
            )
            charged = await received(answer, path)
            if model is not None and charged is not None:
                usd = charged / 1000 * model.price_usd
            call.charge(usd or 0.0, characters=request.characters)
        audio = await stored(path, context)
        return AudioResult(
            audio=audio, provider=PROVIDER, model=request.model, usd=usd or 0.0, is_charged=True
        )
