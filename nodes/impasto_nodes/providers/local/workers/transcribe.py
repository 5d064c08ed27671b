"""Worker process: the words of a recording, and when each is heard, with a Whisper model.

A recording of any length takes the memory of one window. Only what sounds like speech reaches the model,
which invents words for silence.
"""

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

Report = Callable[[float, str], None]
_RATE = 16_000
_WINDOW_SECONDS = 300
# A window is cut in a pause of its last fifth: a word is then heard whole.
_CUT_AFTER = 0.8
_PAUSE_MS = 500


class UnusableModel(Exception):
    """The model's files cannot be loaded."""


def transcribe(task: dict[str, Any], report: Report) -> dict[str, Any]:
    """Return `words` as (start, end, text) in seconds, and the `language` that was heard first.

    `task`: recording and model (paths), language (a code; empty: detected), threads (0: all). Without
    `words` the model does not know the language, and `languages` are those that it knows.
    """
    report(0.0, "Loading the caption model")
    model = _model(task["model"], task["threads"] or os.cpu_count() or 1)
    language = task["language"]
    if language and language not in model.supported_languages:
        return {"languages": sorted(model.supported_languages)}
    seconds = _seconds(task["recording"])
    words: list[tuple[float, float, str]] = []
    for start, samples, speech in _windows(task["recording"]):

        def heard(at: float, start: float = start) -> None:
            done = min(1.0, (start + at) / seconds) if seconds else 0.0
            report(done, "Listening")

        heard(0.0)
        found, spoken = _words(model, samples, speech, language, heard)
        words += [(start + begin, start + end, text) for begin, end, text in found]
        language = language or spoken
    return {"words": words, "language": language}


def _words(
    model: Any, samples: Any, speech: Sequence[dict[str, int]], language: str, heard: Callable[[float], None]
) -> tuple[list[tuple[float, float, str]], str]:
    """Return the words of the parts of a window with speech, and their language."""
    import numpy as np
    from faster_whisper.transcribe import restore_speech_timestamps
    from faster_whisper.vad import collect_chunks

    if not speech:
        return [], ""
    parts, _ = collect_chunks(samples, speech)
    segments, info = model.transcribe(
        np.concatenate(parts),
        language=language or None,
        word_timestamps=True,
        condition_on_previous_text=False,  # else one repetition is repeated for the rest
    )
    words: list[tuple[float, float, str]] = []
    for segment in restore_speech_timestamps(segments, speech, _RATE):
        words += [(word.start, word.end, word.word.strip()) for word in segment.words or ()]
        heard(segment.end)
    return [word for word in words if word[2]], info.language


def _windows(path: str) -> Iterator[tuple[float, Any, list[dict[str, int]]]]:
    """Yield the start of each window in seconds, its samples, and where they have speech, in samples."""
    import numpy as np
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(min_silence_duration_ms=_PAUSE_MS)
    max_samples, start = _WINDOW_SECONDS * _RATE, 0
    held = np.zeros(0, np.float32)
    for samples in _samples(path):
        held = np.concatenate([held, samples])
        if len(held) >= max_samples:
            speech = get_speech_timestamps(held, options)
            cut = _cut(speech, len(held))
            yield start / _RATE, held[:cut], [part for part in speech if part["end"] <= cut]
            start, held = start + cut, held[cut:]
    if len(held):
        yield start / _RATE, held, get_speech_timestamps(held, options)


def _cut(speech: Sequence[dict[str, int]], length: int) -> int:
    """Return the middle of the last pause of a window, if it is late enough; else the window's end."""
    edges = [*speech, {"start": length, "end": length}]
    pauses = [(one["end"] + other["start"]) // 2 for one, other in pairwise(edges)]
    return next((at for at in reversed(pauses) if _CUT_AFTER * length <= at < length), length)


def _samples(path: str) -> Iterator[Any]:
    """Yield a recording's sound in pieces of about a second: one channel of floats, 16 kHz."""
    import av
    import numpy as np

    resampler = av.AudioResampler(format="fltp", layout="mono", rate=_RATE)
    held: list[Any] = []
    with av.open(path) as container:
        for frame in _frames(container):
            held += [one.to_ndarray().ravel() for one in resampler.resample(frame)]
            if sum(map(len, held)) >= _RATE:
                yield np.concatenate(held)
                held = []
    if held:
        yield np.concatenate(held)


def _frames(container: Any) -> Iterator[Any]:
    """Yield the audio frames that can be decoded, and None at the end."""
    yield from container.decode(audio=0)
    yield None


def _seconds(path: str) -> float:
    import av

    with av.open(path) as container:
        return float((container.duration or 0) / av.time_base)


@functools.lru_cache(maxsize=1)
def _model(folder: str, threads: int) -> Any:
    from faster_whisper import WhisperModel

    if not (Path(folder) / "tokenizer.json").exists():  # it would be fetched from the hub
        raise UnusableModel("it has no tokenizer.json")
    try:
        return WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=threads)
    except MemoryError:
        raise
    except Exception as error:
        raise UnusableModel(f"{type(error).__name__}: {error}") from error
