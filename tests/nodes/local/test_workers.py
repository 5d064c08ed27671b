"""Handlers of worker processes, with a voice and a server of models that only note what they are asked."""

import sys
import wave
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from impasto_nodes.media.audio.audio_file import load
from impasto_nodes.media.audio.loudness import loudness
from impasto_nodes.providers.local.workers import llm, transcribe, tts

SENTENCES = ["One.", "Two is longer."]
LIMIT = 0.89 * 32767


class Voice:
    """Speaks each sentence as a second of a tone of this amplitude, with one sample at the peak."""

    def __init__(self, rate: int, amplitude: float, peak: float = 0.0) -> None:
        self.sample_rate, self.amplitude, self.peak = rate, amplitude, peak
        self.asked: list[tuple[str, float, float]] = []

    def phonemize(self, text: str) -> list[str]:
        return [f"{each.strip()}." for each in text.split(".") if each.strip()]

    def ids(self, sentence: str) -> str:
        return f"ids of {sentence}"

    def from_ids(self, ids: str, speed: float, rng: Any) -> Any:
        self.asked.append((ids, speed, round(float(rng.random()), 6)))
        tone = np.sin(2 * np.pi * 440 * np.arange(self.sample_rate) / self.sample_rate)
        made = (tone * self.amplitude).astype(np.float32)
        made[self.sample_rate // 2] = self.peak
        return made


@pytest.fixture
def voices(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Voice]]:
    """The voices that are loaded; the first of the list is loaded next."""
    found: list[Voice] = []
    monkeypatch.setitem(sys.modules, "hibari", SimpleNamespace(Hibari=lambda threads: found[-threads]))
    tts._voice.cache_clear()
    yield found
    tts._voice.cache_clear()


def spoken(tmp_path: Path, text: str = " ".join(SENTENCES)) -> tuple[dict[str, Any], list[Any], Path]:
    reports: list[Any] = []
    out = tmp_path / "speech.wav"
    task = {"text": text, "out": str(out), "speed": 1.25, "seed": 7}
    answer = tts.speak(task, lambda fraction, message: reports.append((fraction, message)))
    return answer, reports, out


def samples_of(path: Path) -> tuple[int, Any]:
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)


@pytest.mark.parametrize("rate", [24_000, 22_050])
def test_sentences_are_spoken_in_order_at_the_target_loudness(
    voices: list[Voice], tmp_path: Path, rate: int
) -> None:
    voices.append(Voice(rate, 0.05, peak=1.0))
    answer, reports, out = spoken(tmp_path)
    assert answer == {"seconds": 2.0}
    assert reports == [(0.5, ""), (1.0, "")]
    random = np.random.default_rng(7)
    assert voices[0].asked == [
        (f"ids of {each}", 1.25, round(float(random.random()), 6)) for each in SENTENCES
    ]
    found, samples = samples_of(out)
    assert (found, len(samples)) == (rate, 2 * rate)
    assert np.abs(samples).max() == pytest.approx(LIMIT, abs=1)


def test_loudness_of_speech_without_peaks_is_the_target(voices: list[Voice], tmp_path: Path) -> None:
    voices.append(Voice(24_000, 0.2))
    _, _, out = spoken(tmp_path)
    assert loudness(load(out)) == pytest.approx(-16.0, abs=0.3)


def test_voice_that_is_hardly_heard_is_raised_eight_times_at_most(
    voices: list[Voice], tmp_path: Path
) -> None:
    voices.append(Voice(24_000, 0.001))
    _, _, out = spoken(tmp_path)
    _, samples = samples_of(out)
    assert np.median(np.abs(samples)) == pytest.approx(0.001 * 8 * 32767 * 0.7071, rel=0.05)


@pytest.mark.parametrize(("text", "seconds"), [("One.", 1.0), ("", 0.0)])
def test_silence_stays_silent(voices: list[Voice], tmp_path: Path, text: str, seconds: float) -> None:
    voices.append(Voice(24_000, 0.0))
    answer, _, out = spoken(tmp_path, text)
    assert answer == {"seconds": seconds}
    _, samples = samples_of(out)
    assert not samples.any()


class Server:
    """Notes the parameters that it is started with."""

    listening_address = "http://127.0.0.1:4711"

    def __init__(self, parameters: Any) -> None:
        started.append(parameters)


def parameters() -> Any:
    names = ("model", "cpuparams", "cpuparams_batch")
    return SimpleNamespace(**{name: SimpleNamespace() for name in names})


started: list[Any] = []


@pytest.mark.parametrize(("threads", "used"), [(3, 3), (0, 5)])
def test_model_is_served_once_to_this_machine_with_a_key(
    monkeypatch: pytest.MonkeyPatch, threads: int, used: int
) -> None:
    stub = SimpleNamespace(CommonParams=parameters, Server=Server)
    monkeypatch.setitem(sys.modules, "xllamacpp", stub)
    monkeypatch.setattr(llm.os, "cpu_count", lambda: 5)
    llm._server.cache_clear()
    started.clear()
    reports: list[Any] = []
    task = {"model": f"/models/{used}.gguf", "key": "secret", "threads": threads}
    for _ in range(2):
        answer = llm.serve(task, lambda fraction, message: reports.append((fraction, message)))
        assert answer == {"address": "http://127.0.0.1:4711"}
    llm._server.cache_clear()
    assert reports == [(0.0, "Loading the language model")] * 2
    (made,) = started
    assert (made.model.path, made.hostnames, made.api_keys) == (task["model"], ["127.0.0.1"], ["secret"])
    assert (made.ui, made.endpoint_slots, made.cors_origins) == (False, False, "")
    assert (made.cpuparams.n_threads, made.cpuparams_batch.n_threads) == (used, used)
    assert (made.n_parallel, made.n_ctx, made.cache_ram_mib, made.verbosity) == (2, 8192, 64, 0)


class Whisper:
    """A caption model that hears no speech, and notes how it is loaded."""

    supported_languages: ClassVar = ["en", "de"]

    def __init__(self, folder: str, **options: Any) -> None:
        started.append((folder, options))


def recording(path: Path, samples: Any, rate: int = 16_000) -> str:
    """The path of a new file of the samples, a column for each channel."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.astype("<i2").tobytes())
    return str(path)


def quiet(tmp_path: Path) -> dict[str, Any]:
    """A task for five seconds of silence and a folder with a tokenizer."""
    path = recording(tmp_path / "quiet.wav", np.zeros((5 * 16_000, 1)))
    (tmp_path / "tokenizer.json").touch()
    return {"recording": path, "model": str(tmp_path), "language": "", "threads": 3}


@pytest.fixture
def no_caption_model() -> Iterator[None]:
    """No caption model is loaded before the test, and none of its models after it."""
    transcribe._model.cache_clear()
    started.clear()
    yield
    transcribe._model.cache_clear()


@pytest.mark.usefixtures("no_caption_model")
@pytest.mark.parametrize(("threads", "cores", "used"), [(3, 5, 3), (0, 5, 5), (0, None, 1)])
def test_caption_model_is_loaded_once_for_the_processor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, threads: int, cores: int | None, used: int
) -> None:
    monkeypatch.setattr("faster_whisper.WhisperModel", Whisper)
    monkeypatch.setattr(transcribe.os, "cpu_count", lambda: cores)
    task = quiet(tmp_path) | {"threads": threads}
    for _ in range(2):
        assert transcribe.transcribe(task, lambda *_: None) == {"words": [], "language": ""}
    unknown = transcribe.transcribe(task | {"language": "tlh"}, lambda *_: None)
    assert unknown == {"languages": ["de", "en"]}
    assert started == [(str(tmp_path), {"device": "cpu", "compute_type": "int8", "cpu_threads": used})]


OPTIONS = {"word_timestamps": True, "condition_on_previous_text": False}
"""What a caption model is asked for besides a language."""


class Listening(Whisper):
    """A caption model that hears a word in each window, of which it notes the samples and the options."""

    def transcribe(self, samples: Any, **options: Any) -> tuple[Any, Any]:
        started.append((len(samples), options))
        heard = [("  ", 0.1, 0.3), (" Cold", 0.5, 0.9)]
        words = [SimpleNamespace(word=word, start=start, end=end) for word, start, end in heard]
        segments = [SimpleNamespace(start=0.0, end=1.0, words=each) for each in (words, None)]
        return iter(segments), SimpleNamespace(language="de")


def all_but_the_beginning(samples: Any, options: Any) -> list[dict[str, int]]:
    return [{"start": 4_000, "end": len(samples)}]


@pytest.fixture
def listening(no_caption_model: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of about two seconds without a pause, all speech after the first quarter of a second."""
    monkeypatch.setattr("faster_whisper.vad.get_speech_timestamps", all_but_the_beginning)
    monkeypatch.setattr("faster_whisper.WhisperModel", Listening)
    # A recording arrives in pieces of 16,384 samples: a window is two of them.
    monkeypatch.setattr(transcribe, "_WINDOW_SECONDS", 2.048)


@pytest.mark.usefixtures("listening")
def test_words_of_each_window_have_the_times_of_the_recording(tmp_path: Path) -> None:
    reports: list[tuple[float, str]] = []
    found = transcribe.transcribe(quiet(tmp_path), lambda share, message: reports.append((share, message)))
    assert found["language"] == "de"
    assert [text for _, _, text in found["words"]] == ["Cold"] * 3
    times = [time for start, end, _ in found["words"] for time in (start, end)]
    assert times == pytest.approx([0.75, 1.15, 2.798, 3.198, 4.846, 5.246])
    assert started[1:] == [
        (28_768, {"language": None, **OPTIONS}),
        (28_768, {"language": "de", **OPTIONS}),
        (10_464, {"language": "de", **OPTIONS}),
    ]
    assert {message for _, message in reports[1:]} == {"Listening"}
    assert reports[0] == (0.0, "Loading the caption model")
    shares = [0.0, 0.23, 0.25, 0.4096, 0.6396, 0.6596, 0.8192, 1.0, 1.0]
    assert [share for share, _ in reports[1:]] == pytest.approx(shares)


@pytest.mark.usefixtures("listening")
def test_language_that_is_given_is_kept(tmp_path: Path) -> None:
    found = transcribe.transcribe(quiet(tmp_path) | {"language": "en"}, lambda *_: None)
    assert found["language"] == "en"
    assert [options for _, options in started[1:]] == [{"language": "en", **OPTIONS}] * 3


@pytest.mark.usefixtures("listening")
def test_window_of_speech_without_a_pause_is_heard_whole(tmp_path: Path) -> None:
    windows = [
        (start, len(samples), [(part["start"], part["end"]) for part in speech])
        for start, samples, speech in transcribe._windows(quiet(tmp_path)["recording"])
    ]
    assert windows == [
        (0.0, 32_768, [(4_000, 32_768)]),
        (2.048, 32_768, [(4_000, 32_768)]),
        (4.096, 14_464, [(4_000, 14_464)]),
    ]


def test_recording_is_heard_in_one_channel_at_16_khz(tmp_path: Path) -> None:
    both = np.stack([np.full(72_000, 16_384), np.zeros(72_000)], axis=1)
    first, *others = transcribe._samples(recording(tmp_path / "stereo.wav", both, 48_000))
    assert 16_000 <= len(first) < 17_000
    samples = np.concatenate([first, *others])
    assert (samples.dtype, samples.ndim) == (np.float32, 1)
    assert len(samples) == pytest.approx(24_000, abs=50)
    assert np.median(samples) == pytest.approx(0.5 * 0.5**0.5, abs=0.001)
