"""The ElevenLabs adapter for speech."""

from pathlib import Path
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.elevenlabs.audio import OPTIONS, even_or_lively, received, stored
from impasto_nodes.providers.elevenlabs.connection import PROVIDER, connected
from impasto_nodes.providers.elevenlabs.voices import find_voice
from impasto_nodes.providers.paid_calls import paid_call
from impasto_nodes.providers.protocols import SpeechRequest, SpeechResult
from impasto_nodes.providers.registry import find_model
from impasto_nodes.providers.validation import require_length

_MAX_PRICE_USD = 0.10  # of 1,000 characters with any model
_MIN_SPEED, _MAX_SPEED = 0.7, 1.2


class ElevenLabsSpeech:
    """A `SpeechProvider` that uses ElevenLabs' voices."""

    async def speak(self, request: SpeechRequest, context: Context) -> SpeechResult:
        """Return an MP3 file; its cost is that of the characters that ElevenLabs reports as charged."""
        access = await access_to(PROVIDER, context)
        path = Path(context.temp_dir) / "speech.mp3"
        context.progress(0.05, f"{request.voice} is reading")
        settings = {"voice": request.voice, "speed": request.speed, "stability": request.stability}
        context.record_generation(
            provider=PROVIDER, model=request.model, prompt=request.text, settings=settings
        )
        require_length("speech", PROVIDER, request.model, len(request.text))
        listed = find_model("speech", PROVIDER, request.model)
        price_usd = (listed.price_usd if listed else _MAX_PRICE_USD) / 1000
        async with (
            paid_call(context, len(request.text) * price_usd) as call,
            connected(access, request.model, request.voice) as client,
        ):
            voice = await find_voice(client, access, request.voice)
            if voice.name != request.voice:
                context.progress(0.1, f"This account has no voice {request.voice}; {voice.name} reads")
                context.record_generation(
                    provider=PROVIDER,
                    model=request.model,
                    prompt=request.text,
                    settings=settings | {"voice": voice.name},
                )
            usd = await _receive(client, voice.id, request, path) * price_usd
            call.charge(usd, characters=len(request.text))
        audio = await stored(path, context)
        return SpeechResult(
            audio=audio, provider=PROVIDER, model=request.model, voice=voice.name, usd=usd, is_charged=True
        )


async def _receive(client: Any, voice_id: str, request: SpeechRequest, path: Path) -> int:
    """Write the speech to `path`; return the characters that ElevenLabs bills."""
    from elevenlabs import VoiceSettings

    is_v3 = request.model.startswith("eleven_v3")
    voice_settings = VoiceSettings(
        stability=even_or_lively(request.stability) if is_v3 else request.stability,
        similarity_boost=request.similarity_boost,
        style=request.style,
        speed=min(max(request.speed, _MIN_SPEED), _MAX_SPEED),
    )
    answer = client.text_to_speech.with_raw_response.stream(
        voice_id, text=request.text, model_id=request.model, voice_settings=voice_settings, **OPTIONS
    )
    charged = await received(answer, path)
    return len(request.text) if charged is None else charged
