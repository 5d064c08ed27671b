"""Captions written down on this machine, by a real model of the real format in a worker process."""

import asyncio
import shutil
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.fakes.running import error_of, run
from tests.nodes.providers.caption_models.whisper_model import WORDS, write_model

from impasto import Audio, MemoryStore, RunResult, Video
from impasto_nodes.providers.local import captions as module
from impasto_nodes.providers.local.workers import transcribe as worker
from impasto_nodes.providers.local.workers.tts import speak

pytestmark = [pytest.mark.anyio, pytest.mark.local]
RATE = 16_000
TEXT = "".join(WORDS)


@pytest.fixture(scope="session")
def said(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    """A spoken sentence of about two seconds, at 16 kHz."""
    path = tmp_path_factory.mktemp("said") / "said.wav"
    task = {"text": "There is rain on the window today.", "out": str(path), "speed": 1.0, "seed": 1}
    speak(task, lambda share, message: None)
    with wave.open(str(path)) as file:
        at_24 = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
    times = np.arange(len(at_24) * 2 // 3) * 1.5
    return np.interp(times, np.arange(len(at_24)), at_24).astype(np.float32)


@pytest.fixture(scope="session")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "captions" / "tiny")


@pytest.fixture
def models(english: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of caption models, with one."""
    folder = tmp_path / "models" / "captions"
    folder.mkdir(parents=True)
    shutil.copytree(english, folder / "tiny")
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.delenv("IMPASTO_LOCAL_CAPTIONS_MODEL", raising=False)
    for name in ("OPENAI", "GROQ", "ELEVENLABS"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)
    return folder


def pause(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), np.float32)


def write(path: Path, *parts: np.ndarray) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((np.concatenate(parts) * 32767).astype("<i2").tobytes())
    return path


async def captioned(path: Path, kind: type = Audio, **settings: object) -> RunResult:
    store = MemoryStore()
    media_type = "audio/wav" if kind is Audio else "video/mp4"
    kept = await store.put(path.read_bytes(), media_type)
    recording = kind(asset_id=kept.asset_id, media_type=media_type)
    name = "audio" if kind is Audio else "video"
    return await run(
        "captions", {name: recording}, key=None, store=store, **{"provider": "local", **settings}
    )


async def test_words_have_the_times_at_which_they_are_spoken(
    models: Path, said: np.ndarray, tmp_path: Path
) -> None:
    result = await captioned(write(tmp_path / "a.wav", pause(5), said, pause(5), said, pause(1)))
    assert result.status == "finished", result.steps["it"].error
    cues = result.outputs["it.cues"]
    # The sentences are one piece for the model, and their times are those of the recording.
    assert {cue["text"] for cue in cues} == {TEXT}
    assert 4.5 < cues[0]["start"] < 5.8
    assert cues[0]["end"] - cues[0]["start"] == pytest.approx(1.7, abs=0.4)
    assert "00:00:0" in result.outputs["it.srt"]
    assert result.steps["it"].cost_usd == 0
    (done,) = [event for event in result.events if event.type == "step.finished" and event.step == "it"]
    assert done.data["made_by"]["model"] == "tiny (on this machine)"


async def test_provider_is_this_machine_where_no_other_has_a_key(
    models: Path, said: np.ndarray, tmp_path: Path
) -> None:
    result = await captioned(write(tmp_path / "a.wav", said), provider="auto")
    assert result.outputs["it.text"] == TEXT


async def test_language_is_detected_unless_it_is_given(
    models: Path, said: np.ndarray, tmp_path: Path
) -> None:
    write_model(models / "tiny-german", "de")
    recording = write(tmp_path / "a.wav", said)
    task = {"recording": str(recording), "model": str(models / "tiny-german"), "threads": 1}
    assert worker.transcribe({**task, "language": ""}, lambda share, message: None)["language"] == "de"
    assert worker.transcribe({**task, "language": "en"}, lambda share, message: None)["language"] == "en"


async def test_language_that_the_model_does_not_know_is_refused(
    models: Path, said: np.ndarray, tmp_path: Path
) -> None:
    error = error_of(await captioned(write(tmp_path / "a.wav", said), language="tlh"))
    assert error.code == "unsupported"
    assert "'tlh'" in error.message
    assert " de," in error.message


@pytest.mark.parametrize("sound", ["silence", "noise"])
async def test_no_speech_gives_no_words(sound: str, models: Path, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    samples = pause(8) if sound == "silence" else (random.standard_normal(8 * RATE) * 0.02).astype(np.float32)
    result = await captioned(write(tmp_path / "a.wav", samples))
    assert (result.outputs["it.cues"], result.outputs["it.text"]) == ([], "")


async def test_long_recording_is_split_into_windows_at_pauses(
    models: Path, said: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_WINDOW_SECONDS", 15)
    sentence = np.concatenate([said, pause(1.5)])
    recording = write(tmp_path / "long.wav", *[sentence] * 15)
    windows = list(worker._windows(str(recording)))
    assert len(windows) > 2
    assert all(len(samples) <= 16 * RATE for _, samples, _ in windows)
    assert sum(len(samples) for _, samples, _ in windows) == pytest.approx(15 * len(sentence), abs=64)
    for _, samples, _ in windows[:-1]:
        assert np.abs(samples[-RATE // 10 :]).max() < 0.01  # in a pause
    starts = [start for start, _, _ in windows]
    lengths = [len(samples) / RATE for _, samples, _ in windows]
    assert starts == pytest.approx([sum(lengths[:number]) for number in range(len(lengths))])
    assert all(part["end"] <= len(samples) for _, samples, speech in windows for part in speech)
    reports: list[tuple[float, str]] = []
    task = {"recording": str(recording), "model": str(models / "tiny"), "language": "", "threads": 1}
    words = worker.transcribe(task, lambda share, message: reports.append((share, message)))["words"]
    assert reports[:2] == [(0.0, "Loading the caption model"), (0.0, "Listening")]
    shares = [share for share, _ in reports]
    whole = 15 * len(sentence) / RATE
    for start in starts:
        assert start / whole in [pytest.approx(share, abs=1e-4) for share in shares]
    starts = [start for start, _, _ in words]
    assert starts == sorted(starts)
    assert starts[-1] > 2 * 15
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] <= 1


@pytest.mark.parametrize(
    ("speech", "cut"),
    [
        ([], 1000),
        ([(0, 1000)], 1000),
        ([(0, 700)], 850),
        ([(0, 600)], 800),
        ([(0, 598)], 1000),
        ([(0, 100), (200, 850), (900, 1000)], 875),
        ([(0, 850), (860, 900), (940, 1000)], 920),
        ([(0, 700), (760, 1000)], 1000),
    ],
)
def test_window_is_cut_in_the_last_pause_of_its_last_fifth(speech: list[tuple[int, int]], cut: int) -> None:
    assert worker._cut([{"start": start, "end": end} for start, end in speech], 1000) == cut


async def test_cancelled_transcription_ends_its_process_and_the_next_one_works(
    models: Path, said: np.ndarray, tmp_path: Path
) -> None:
    recording = write(tmp_path / "long.wav", *[said, pause(1)] * 100)
    listening = asyncio.Event()
    task = {"recording": str(recording), "model": str(models / "tiny"), "language": "", "threads": 1}

    def heard(share: float, message: str) -> None:
        if message == "Listening":
            listening.set()

    asking = asyncio.ensure_future(module._worker.ask(task, heard))
    async with asyncio.timeout(60):
        await listening.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    result = await captioned(write(tmp_path / "short.wav", said))
    assert result.outputs["it.text"] == TEXT


def emptied(folder: Path) -> None:
    (folder / "tiny" / "model.bin").write_bytes(b"no model")


def without_words(folder: Path) -> None:
    (folder / "tiny" / "tokenizer.json").unlink()


@pytest.mark.parametrize("harm", [emptied, without_words])
async def test_model_that_cannot_be_loaded_is_named(
    harm: Callable[[Path], None], models: Path, said: np.ndarray, tmp_path: Path
) -> None:
    harm(models)
    error = error_of(await captioned(write(tmp_path / "a.wav", said)))
    assert error.code == "caption_model_broken"
    assert "tiny" in error.message


async def test_without_a_model_the_download_is_offered(
    models: Path, said: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPASTO_LOCAL_DOWNLOAD", "1")
    shutil.rmtree(models / "tiny")
    error = error_of(await captioned(write(tmp_path / "a.wav", said)))
    assert error.code == "caption_model_missing"
    assert "impasto models pull whisper-small" in error.message


async def test_video_without_sound_is_refused(models: Path, tmp_path: Path) -> None:
    from tests.fakes.media import mp4

    path = tmp_path / "silent.mp4"
    path.write_bytes(mp4())
    assert error_of(await captioned(path, Video)).code == "no_audio_stream"


async def test_threads_are_those_of_the_settings(
    models: Path, said: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPASTO_LOCAL_THREADS", "many")
    assert error_of(await captioned(write(tmp_path / "a.wav", said))).code == "bad_configuration"
