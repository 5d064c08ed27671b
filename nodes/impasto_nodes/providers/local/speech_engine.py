"""In the worker process: text to a 24 kHz WAV file with the small neural voice that its package ships."""

import functools
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

_LOUDNESS, _PEAK = -16.0, 0.89


def speak(task: dict[str, Any], report: Callable[[float, str], None]) -> dict[str, Any]:
    """Write task["text"] as speech to task["out"], as loud as others speak; answer its seconds."""
    import numpy as np

    voice = _voice()
    sentences = voice.phonemize(task["text"])
    random = np.random.default_rng(task["seed"])
    spoken = [np.zeros(0, np.float32)]
    for done, sentence in enumerate(sentences, start=1):
        spoken.append(voice.from_ids(voice.ids(sentence), speed=task["speed"], rng=random))
        report(done / len(sentences), "")
    sound = np.concatenate(spoken)
    with wave.open(str(Path(task["out"])), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(voice.sample_rate)
        out.writeframes((sound * _gain(sound, voice.sample_rate) * 32767.0).astype("<i2").tobytes())
    return {"seconds": len(sound) / voice.sample_rate}


def _gain(sound: Any, rate: int) -> float:
    """What brings a voice to the loudness of speech online, by its first minute, with no peak cut."""
    import numpy as np

    from impasto_nodes.media.loudness import loudness
    from impasto_nodes.media.sound import RATE

    heard = sound[: rate * 60]
    count = len(heard) * RATE // rate
    dense = np.interp(np.arange(count) * rate / RATE, np.arange(len(heard)), heard) if count else heard
    wanted = 10 ** ((_LOUDNESS - loudness(np.stack([dense, dense]).astype(np.float32))) / 20)
    return float(min(wanted, 8.0, _PEAK / max(1e-6, float(np.abs(sound).max(initial=0.0)))))


@functools.cache
def _voice() -> Any:
    from hibari import Hibari

    return Hibari(threads=1)
