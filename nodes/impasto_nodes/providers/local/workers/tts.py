"""Worker process: text to a 24 kHz WAV file with a small neural voice."""

import functools
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

_LOUDNESS_LUFS, _PEAK, _MAX_GAIN = -16.0, 0.89, 8.0


def speak(task: dict[str, Any], report: Callable[[float, str], None]) -> dict[str, Any]:
    """Speak task["text"] to task["out"], normalized to -16 LUFS; return its duration in seconds."""
    import numpy as np

    voice = _voice()
    sentences = voice.phonemize(task["text"])
    random = np.random.default_rng(task["seed"])
    spoken = [np.zeros(0, np.float32)]
    for done, sentence in enumerate(sentences, start=1):
        spoken.append(voice.from_ids(voice.ids(sentence), speed=task["speed"], rng=random))
        report(done / len(sentences), "")
    audio = np.concatenate(spoken)
    with wave.open(str(Path(task["out"])), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(voice.sample_rate)
        gain = _gain(audio, voice.sample_rate)
        for part in spoken:
            out.writeframes((_limited(part * gain, voice.sample_rate) * 32767.0).astype("<i2").tobytes())
    return {"seconds": len(audio) / voice.sample_rate}


def _gain(audio: Any, rate: int) -> float:
    """Return the gain that brings a voice to the target loudness, measured on its first minute."""
    import numpy as np

    from impasto_nodes.media.audio.audio_file import RATE
    from impasto_nodes.media.audio.loudness import loudness

    heard = audio[: rate * 60]
    count = len(heard) * RATE // rate
    dense = np.interp(np.arange(count) * rate / RATE, np.arange(len(heard)), heard) if count else heard
    both = np.stack([dense, dense]).astype(np.float32) * np.float32(0.5**0.5)  # as one channel is folded out
    wanted = 10 ** ((_LOUDNESS_LUFS - loudness(both)) / 20)
    return float(min(wanted, _MAX_GAIN))


def _limited(audio: Any, rate: int) -> Any:
    """Return a sentence with its peaks limited instead of clipped."""
    import numpy as np

    from impasto_nodes.media.audio.audio_file import RATE
    from impasto_nodes.media.audio.loudness import limited

    highest = float(np.abs(audio).max(initial=0.0))
    if highest <= _PEAK:
        return audio
    if RATE % rate:
        return audio * (_PEAK / highest)
    step = RATE // rate
    dense = np.interp(np.arange(len(audio) * step) / step, np.arange(len(audio)), audio).astype(np.float32)
    return np.clip(limited(np.stack([dense, dense]))[0, ::step], -_PEAK, _PEAK)


@functools.cache
def _voice() -> Any:
    from hibari import Hibari

    return Hibari(threads=1)
