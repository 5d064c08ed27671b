"""The ElevenLabs adapters for music and sound effects."""

from pathlib import Path

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.elevenlabs.audio import MUSIC_FORMAT, OPTIONS, received, stored
from impasto_nodes.providers.elevenlabs.connection import PROVIDER, connected
from impasto_nodes.providers.paid_calls import paid_call, priced_model
from impasto_nodes.providers.protocols import AudioResult, MusicRequest, SoundEffectRequest


class ElevenLabsMusic:
    """A `MusicProvider` that uses ElevenLabs' models of music."""

    async def compose(self, request: MusicRequest, context: Context) -> AudioResult:
        """Return an MP3 file, charged by the length that was asked for."""
        access = await access_to(PROVIDER, context)
        path = Path(context.temp_dir) / "music.mp3"
        context.progress(0.05, "Composing")
        settings = {"seconds": request.seconds, "instrumental": request.is_instrumental}
        context.record_generation(
            provider=PROVIDER, model=request.model, prompt=request.prompt, settings=settings
        )
        model = priced_model("music", PROVIDER, request.model)
        usd = None if model is None else request.seconds / 60 * model.price_usd
        is_first = request.model.startswith("music_v1")
        async with paid_call(context, usd) as call, connected(access, request.model) as client:
            answer = client.music.with_raw_response.compose(
                prompt=request.prompt,
                music_length_ms=round(request.seconds * 1000),
                model_id=request.model,
                force_instrumental=request.is_instrumental,
                **OPTIONS | ({} if is_first else {"output_format": MUSIC_FORMAT}),
            )
            await received(answer, path)
            call.charge(usd or 0.0, seconds=request.seconds)
        return AudioResult(
            audio=await stored(path, context),
            provider=PROVIDER,
            model=request.model,
            usd=usd or 0.0,
            is_charged=True,
        )


class ElevenLabsSoundEffect:
    """A `SoundEffectProvider` that uses ElevenLabs' models of sound effects."""

    async def generate(self, request: SoundEffectRequest, context: Context) -> AudioResult:
        """Return an MP3 file."""
        access = await access_to(PROVIDER, context)
        path = Path(context.temp_dir) / "sound-effect.mp3"
        context.progress(0.05, "Generating the sound effect")
        settings = {"seconds": request.seconds, "loop": request.is_loop}
        context.record_generation(
            provider=PROVIDER, model=request.model, prompt=request.prompt, settings=settings
        )
        model = priced_model("sound_effects", PROVIDER, request.model)
        usd = None if model is None else model.price_usd
        async with paid_call(context, usd) as call, connected(access, request.model) as client:
            answer = client.text_to_sound_effects.with_raw_response.convert(
                text=request.prompt,
                model_id=request.model,
                loop=request.is_loop,
                prompt_influence=request.prompt_influence,
                **({} if request.seconds is None else {"duration_seconds": request.seconds}),
                **OPTIONS,
            )
            await received(answer, path)
            call.charge(usd or 0.0, effects=1)
        return AudioResult(
            audio=await stored(path, context),
            provider=PROVIDER,
            model=request.model,
            usd=usd or 0.0,
            is_charged=True,
        )
