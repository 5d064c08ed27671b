"""The local adapter for speech: one neural voice, 24 kHz, in a worker process."""

from pathlib import Path
from typing import Any

from impasto import Audio, Context
from impasto_nodes.providers.errors import CorruptOutput, Unsupported
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.protocols import SpeechRequest, SpeechResult

VOICE = "heart"
MODEL = "Hibari (on this machine)"
_MAX_CHARACTERS = 20_000
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
        return SpeechResult(audio, "local", MODEL, VOICE)
