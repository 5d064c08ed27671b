"""Speech from ElevenLabs, streamed."""

from pathlib import Path
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import keep_audio, land
from impasto_nodes.providers.elevenlabs.connection import NO_RETRY, PROVIDER, connected
from impasto_nodes.providers.elevenlabs.voices import voice_id
from impasto_nodes.providers.models import find
from impasto_nodes.providers.speech import SpeechRequest, SpeechResult

_FORMAT = "mp3_44100_128"
_DEAREST = 0.10
_SLOWEST, _FASTEST = 0.7, 1.2


class ElevenLabsSpeech:
    """A SpeechProvider over ElevenLabs' voices."""

    async def speak(self, request: SpeechRequest, context: Context) -> SpeechResult:
        """An MP3 of the text; the cost is counted from the characters that the provider says it charged."""
        access = await access_to(PROVIDER, context)
        path = Path(context.temp_dir) / "speech.mp3"
        context.progress(0.05, f"{request.voice} is reading")
        async with connected(access, request.model, request.voice) as client:
            charged = await _receive(client, access, request, path)
        settings = {"voice": request.voice, "speed": request.speed, "stability": request.stability}
        context.made_by(provider=PROVIDER, model=request.model, prompt=request.text, settings=settings)
        audio = await keep_audio(path, PROVIDER, context, "speech.mp3")
        listed = find("speech", PROVIDER, request.model)
        usd = charged / 1000 * (listed.usd if listed else _DEAREST)
        return SpeechResult(audio, PROVIDER, request.model, request.voice, usd)


async def _receive(client: Any, access: Access, request: SpeechRequest, path: Path) -> int:
    from elevenlabs import VoiceSettings

    voice = await voice_id(client, access, request.voice)
    dials = VoiceSettings(
        stability=request.stability,
        similarity_boost=request.similarity_boost,
        style=request.style,
        speed=min(max(request.speed, _SLOWEST), _FASTEST),
    )
    async with client.text_to_speech.with_raw_response.stream(
        voice,
        text=request.text,
        model_id=request.model,
        output_format=_FORMAT,
        voice_settings=dials,
        request_options=NO_RETRY | {"chunk_size": 1 << 14},
    ) as answer:
        await land(answer.data, path, PROVIDER)
        said = {name.lower(): value for name, value in answer.headers.items()}.get("character-cost", "")
    return int(said) if said.isdigit() else len(request.text)
