"""Speech of Gemini, through litellm's chat function: its models of speech answer a chat with audio."""

import asyncio
import base64
import binascii
import math
import wave
from pathlib import Path
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import store_audio
from impasto_nodes.providers.errors import CorruptOutput, GenerationFailed, Moderated
from impasto_nodes.providers.fixed_voices import find_fixed_voice
from impasto_nodes.providers.litellm.errors import map_exceptions
from impasto_nodes.providers.litellm.lazy_import import full_name, library
from impasto_nodes.providers.litellm.prices import token_price
from impasto_nodes.providers.litellm.speech.price import MAX_SECONDS_OF_A_CHARACTER
from impasto_nodes.providers.paid_calls import paid_call
from impasto_nodes.providers.protocols import SpeechRequest, SpeechResult
from impasto_nodes.providers.validation import require_length

PROVIDER = "gemini"
_TIMEOUT_SECONDS = 300.0
_RATE = 24_000
_TOKENS_OF_A_SECOND = 25
_MIN_TOKENS, _MAX_TOKENS = 500, 16_384
_WITHHELD = ("content_filter", "safety", "prohibited_content")


class GeminiSpeech:
    """A `SpeechProvider` that uses Gemini's voices. It has no settings besides the voice."""

    async def speak(self, request: SpeechRequest, context: Context) -> SpeechResult:
        """Return a WAV file, charged by the tokens that Gemini counts."""
        access, voice = await access_to(PROVIDER, context), find_fixed_voice(PROVIDER, request.voice)
        require_length("speech", PROVIDER, request.model, len(request.text))
        context.progress(0.05, f"{voice} is reading")
        context.record_generation(
            provider=PROVIDER, model=request.model, prompt=request.text, settings={"voice": voice}
        )
        price, limit = token_price(PROVIDER, request.model), _max_tokens(request.text)
        max_usd = None if price is None else price.usd(len(request.text.encode()), limit)
        async with paid_call(context, max_usd) as call:
            answer = await _ask(access, request, voice, limit)
            tokens_in, tokens_out = answer.usage.prompt_tokens, answer.usage.completion_tokens
            usd = 0.0 if price is None else price.usd(tokens_in, tokens_out)
            call.charge(usd, tokens_in=tokens_in, tokens_out=tokens_out)
        path = Path(context.temp_dir) / "speech.wav"
        await asyncio.to_thread(_write, answer, request.model, path)
        audio = await store_audio(path, PROVIDER, context, path.name)
        return SpeechResult(
            audio=audio, provider=PROVIDER, model=request.model, voice=voice, usd=usd, is_charged=True
        )


async def _ask(access: Access, request: SpeechRequest, voice: str, max_tokens: int) -> Any:
    litellm = await library()
    async with map_exceptions(PROVIDER, request.model, access.key):
        return await litellm.acompletion(
            model=full_name(PROVIDER, request.model),
            messages=[{"role": "user", "content": request.text}],
            modalities=["audio"],
            audio={"voice": voice, "format": "pcm16"},
            max_tokens=max_tokens,
            api_key=access.key,
            timeout=_TIMEOUT_SECONDS,
            num_retries=0,
            max_retries=0,
            **({"api_base": access.address} if access.address else {}),
        )


def _max_tokens(text: str) -> int:
    """Return a limit above what slow speech takes, so that none is longer than what is reserved."""
    seconds = len(text) * MAX_SECONDS_OF_A_CHARACTER
    return min(_MAX_TOKENS, _MIN_TOKENS + math.ceil(seconds * _TOKENS_OF_A_SECOND))


def _samples(answer: Any, model: str) -> bytes:
    """Return the answer's samples. Raises `Moderated`, `GenerationFailed`, `CorruptOutput`."""
    choice = answer.choices[0] if getattr(answer, "choices", None) else None
    finish = str(getattr(choice, "finish_reason", "") or "").casefold()
    if finish in _WITHHELD:
        raise Moderated(PROVIDER, f"it ended with {finish}")
    audio = getattr(getattr(choice, "message", None), "audio", None)
    if audio is None or finish == "length":
        raise GenerationFailed(PROVIDER, model, f"no complete speech; it ended with {finish or 'no reason'}")
    try:
        samples = base64.b64decode(audio.data, validate=True)
    except (binascii.Error, TypeError) as error:
        raise CorruptOutput(PROVIDER, "speech", str(error)) from None
    if not samples or len(samples) % 2:
        raise CorruptOutput(PROVIDER, "speech", f"{len(samples)} bytes of 16-bit samples")
    return samples


def _write(answer: Any, model: str, path: Path) -> None:
    """Write the answer's samples, of which there may be 40 MB. Raises as `_samples` does."""
    samples = _samples(answer, model)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(samples)
