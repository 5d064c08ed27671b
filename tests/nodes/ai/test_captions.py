"""Captions of a known text, laid along what is heard."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.fakes.media import mp4
from tests.fakes.running import flow_of, installed, run

from impasto import Audio, FlowInvalid, MemoryStore, Video, compile
from impasto_nodes.media.audio.audio_file import RATE, write

pytestmark = pytest.mark.anyio
TEXT = "Cold brew. Warm light."


async def recording(store: MemoryStore, folder: Path, **facts: Any) -> Audio:
    """Two tones, at 0.5 to 1.5 and at 2.5 to 3 seconds of four."""
    samples = np.zeros((2, 4 * RATE), np.float32)
    wave = 0.3 * np.sin(np.arange(RATE) / 20).astype(np.float32)
    samples[:, RATE // 2 : RATE * 3 // 2] = wave
    samples[:, RATE * 5 // 2 : RATE * 3] = wave[: RATE // 2]
    write(folder / "said.wav", samples)
    kept = await store.put(folder / "said.wav", "audio/wav")
    return Audio(asset_id=kept.asset_id, media_type="audio/wav", **facts)


def times(result: Any) -> list[tuple[float, float]]:
    return [(cue["start"], cue["end"]) for cue in result.outputs["it.cues"]]


@pytest.mark.parametrize("provider", ["auto", "local"])
async def test_each_sentence_is_laid_along_the_sound_that_is_heard(tmp_path: Path, provider: str) -> None:
    store = MemoryStore()
    inputs = {"audio": await recording(store, tmp_path), "text": TEXT}
    result = await run("captions", inputs, store=store, key=None, provider=provider)
    assert times(result) == [(0.5, 1.5), (2.5, 3.0)]
    assert result.outputs["it.text"] == TEXT
    assert result.outputs["it.cues"][0]["text"] == "Cold brew."
    assert result.outputs["it.srt"].startswith("1\n00:00:00,500 --> 00:00:01,500\nCold brew.\n")


async def test_a_recording_that_cannot_be_heard_is_filled_by_its_length() -> None:
    store = MemoryStore()
    kept = await store.put(mp4(), "video/mp4")
    silent = Video(asset_id=kept.asset_id, media_type="video/mp4", seconds=6.0)
    result = await run("captions", {"video": silent, "text": TEXT}, store=store, key=None)
    assert (times(result)[0][0], times(result)[-1][1]) == (0.0, 6.0)
    unstated = Video(asset_id=kept.asset_id, media_type="video/mp4")
    result = await run("captions", {"video": unstated, "text": TEXT}, store=store, key=None)
    assert 0 < times(result)[-1][1] < 6


async def test_audio_comes_before_video(tmp_path: Path) -> None:
    store = MemoryStore()
    kept = await store.put(mp4(), "video/mp4")
    video = Video(asset_id=kept.asset_id, media_type="video/mp4", seconds=60.0)
    inputs = {"audio": await recording(store, tmp_path), "video": video, "text": TEXT}
    assert times(await run("captions", inputs, store=store, key=None)) == [(0.5, 1.5), (2.5, 3.0)]


def test_a_provider_needs_no_model_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(tmp_path))
    sound = Audio(asset_id="a", media_type="audio/wav")

    def missing(provider: str, configured: frozenset[str] | None) -> bool:
        flow = flow_of("captions", {"provider": provider}, {"audio": sound})
        warnings = compile(flow, installed(), configured=configured).warnings
        return any(one.code == "caption_model_missing" for one in warnings)

    assert missing("local", frozenset())
    assert not missing("local", None)
    assert missing("auto", frozenset())
    for provider in ("auto", "elevenlabs"):
        assert not missing(provider, frozenset({"elevenlabs"}))
    with pytest.raises(FlowInvalid) as refused:
        missing("elevenlabs", frozenset())
    assert [problem.code for problem in refused.value.problems] == ["missing_credential"]
