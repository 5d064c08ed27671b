"""Speech of OpenAI, through OpenAI's own SDK: its answer is written to a file while it arrives.

litellm's function holds the whole answer in memory, and has no place for an idempotency key.
"""

import asyncio
import importlib
from pathlib import Path
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.download import store_audio, write_stream
from impasto_nodes.providers.fixed_voices import find_fixed_voice
from impasto_nodes.providers.litellm.errors import map_exceptions
from impasto_nodes.providers.litellm.speech.price import speech_price
from impasto_nodes.providers.paid_calls import paid_call
from impasto_nodes.providers.protocols import SpeechRequest, SpeechResult
from impasto_nodes.providers.validation import require_length

_TIMEOUT_SECONDS = 120.0
_CHUNK_BYTES = 1 << 14


class OpenAISpeech:
    """A `SpeechProvider` that uses OpenAI's voices. Of the settings it honours `speed`."""

    async def speak(self, request: SpeechRequest, context: Context) -> SpeechResult:
        """Return an MP3 file, charged by its length, or by its characters where the model is priced so."""
        provider = "openai"
        access, voice = await access_to(provider, context), find_fixed_voice(provider, request.voice)
        require_length("speech", provider, request.model, len(request.text))
        path = Path(context.temp_dir) / "speech.mp3"
        context.progress(0.05, f"{voice.capitalize()} is reading")
        context.record_generation(
            provider=provider,
            model=request.model,
            prompt=request.text,
            settings={"voice": voice, "speed": request.speed},
        )
        price = speech_price(provider, request.model)
        openai: Any = await asyncio.to_thread(importlib.import_module, "openai")
        client = openai.AsyncOpenAI(
            api_key=access.key,
            base_url=access.address or None,
            default_headers={"Idempotency-Key": context.idempotency_key},
            timeout=_TIMEOUT_SECONDS,
            max_retries=0,
        )
        async with paid_call(context, price and price.max_usd(request.text, request.speed)) as call:
            async with map_exceptions(provider, request.model, access.key), client:
                answer = client.audio.speech.with_streaming_response.create(
                    model=request.model,
                    input=request.text,
                    voice=voice,
                    response_format="mp3",
                    **({} if request.speed == 1.0 else {"speed": request.speed}),
                )
                async with answer as response:
                    await write_stream(response.iter_bytes(_CHUNK_BYTES), path, provider)
            audio = await store_audio(path, provider, context, path.name)
            usd = price.usd(request.text, audio.seconds or 0.0) if price else 0.0
            call.charge(usd, characters=len(request.text))
        return SpeechResult(
            audio=audio, provider=provider, model=request.model, voice=voice, usd=usd, is_charged=True
        )
