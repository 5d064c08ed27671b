"""The local adapter for speech: one neural voice, 24 kHz, in a worker process.

The voice pronounces Latin letters only. A text in another script becomes silence that lasts as long as
reading it, so that a video, its captions and its music keep their length; the notices tell before the launch.
"""

import asyncio
import unicodedata
import wave
from pathlib import Path
from typing import Any

from impasto import Audio, Context
from impasto_nodes.providers.errors import CorruptOutput, Unsupported
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.protocols import SpeechRequest, SpeechResult

VOICE = "heart"
MODEL = "Hibari (on this machine)"
_MAX_CHARACTERS = 20_000
_RATE = 24_000
_WORDS_PER_SECOND, _CHARACTERS_PER_SECOND = 2.4, 6.0
_WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI")
_worker = WorkerProcess("impasto_nodes.providers.local.workers.tts:speak")


class LocalSpeech:
    """A `SpeechProvider` that needs no key and no network. Of the settings it honours `speed`."""

    async def speak(self, request: SpeechRequest, context: Context) -> SpeechResult:
        """Return a WAV file. There is one voice, whatever the request names."""
        if len(request.text) > _MAX_CHARACTERS:
            raise Unsupported(
                "local", f"speak more than {_MAX_CHARACTERS:,} characters at once", "Shorten the text."
            )
        out = Path(context.temp_dir) / "speech.wav"
        if not is_spoken(request.text):
            return await self._silence(request, out, context)
        context.progress(0.0, "Preparing the voice on this machine")
        task: dict[str, Any] = {
            "text": request.text,
            "out": str(out),
            "speed": min(max(request.speed, 0.5), 2.0),
            "seed": (context.seed if request.seed is None else request.seed) % 2**32,
        }
        answer = await _worker.ask(task, context.progress)
        if answer["seconds"] <= 0:
            raise CorruptOutput("local", "silence", "the text contains nothing that can be spoken")
        context.record_generation(
            provider="local",
            model=MODEL,
            prompt=request.text,
            settings={"voice": VOICE, "speed": task["speed"]},
        )
        audio = await context.store(out, "audio/wav", name="speech.wav", seconds=answer["seconds"])
        assert isinstance(audio, Audio)
        return SpeechResult(audio=audio, provider="local", model=MODEL, voice=VOICE)

    async def _silence(self, request: SpeechRequest, out: Path, context: Context) -> SpeechResult:
        seconds = reading_seconds(request.text)
        context.progress(1.0, f"The voice cannot read this script: {seconds:.0f} s of silence instead")
        await asyncio.to_thread(_write_silence, out, seconds)
        audio = await context.store(out, "audio/wav", name="speech.wav", seconds=seconds)
        assert isinstance(audio, Audio)
        return SpeechResult(audio=audio, provider="local", model=MODEL, voice=VOICE)


def is_spoken(text: str) -> bool:
    """Return whether the voice pronounces at least half of a text's letters: the Latin ones."""
    names = [unicodedata.name(letter, "") for letter in text if letter.isalpha()]
    return 2 * sum(name.startswith("LATIN") for name in names) >= len(names)


def reading_seconds(text: str) -> float:
    """Return how long reading a text aloud takes, in seconds; at least one.

    2.4 words a second, and 6 characters in scripts that write several words without a space.
    """
    dense = sum(map(_is_dense, text))
    words = sum(any(letter.isalpha() and not _is_dense(letter) for letter in word) for word in text.split())
    return max(1.0, words / _WORDS_PER_SECOND + dense / _CHARACTERS_PER_SECOND)


def _is_dense(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(_WITHOUT_SPACES)


def _write_silence(out: Path, seconds: float) -> None:
    with wave.open(str(out), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        for _ in range(int(seconds)):
            file.writeframes(bytes(2 * _RATE))
        file.writeframes(bytes(2 * round(seconds % 1 * _RATE)))
