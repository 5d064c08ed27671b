"""In the worker process: text to a 24 kHz WAV file with the small neural voice that its package ships."""

import functools
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any


def speak(task: dict[str, Any], report: Callable[[float, str], None]) -> dict[str, Any]:
    """Write task["text"] as speech to task["out"], sentence by sentence; answer its seconds."""
    import numpy as np

    voice = _voice()
    sentences = voice.phonemize(task["text"])
    random = np.random.default_rng(task["seed"])
    frames = 0
    with wave.open(str(Path(task["out"])), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(voice.sample_rate)
        for done, sentence in enumerate(sentences, start=1):
            sound = voice.from_ids(voice.ids(sentence), speed=task["speed"], rng=random)
            out.writeframes((np.clip(sound, -1.0, 1.0) * 32767.0).astype("<i2").tobytes())
            frames += len(sound)
            report(done / len(sentences), "")
    return {"seconds": frames / voice.sample_rate}


@functools.cache
def _voice() -> Any:
    from hibari import Hibari

    return Hibari(threads=1)
