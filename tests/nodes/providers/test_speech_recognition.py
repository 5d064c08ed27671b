"""The local voice is understandable: a transcriber that does not know the text recognizes its words."""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.fakes.running import run

from impasto import MemoryStore
from impasto_nodes.media.audio import audio_file

pytestmark = [pytest.mark.anyio, pytest.mark.local, pytest.mark.slow]
SENTENCES = (
    "The morning train leaves the station at seven.",
    "A cold glass of water stands on the wooden table.",
    "We open our new house to visitors on Saturday.",
)


def heard(data: bytes, folder: Path) -> list[str]:
    from pocketsphinx import Decoder

    path = folder / "said.wav"
    path.write_bytes(data)
    mono = audio_file.load(path).mean(0)
    slow = mono[: len(mono) // 3 * 3].reshape(-1, 3).mean(1)  # 48 kHz to the 16 kHz that it listens at
    decoder = Decoder(samprate=16_000, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw((np.clip(slow, -1, 1) * 32_000).astype("<i2").tobytes(), full_utt=True)
    decoder.end_utt()
    return re.findall("[a-z]+", decoder.hyp().hypstr.lower() if decoder.hyp() else "")


async def test_spoken_words_are_recognized(tmp_path: Path) -> None:
    store = MemoryStore()
    understood = said = 0
    for sentence in SENTENCES:
        result = await run("text_to_speech", {"text": sentence}, key=None, store=store, provider="local")
        words = re.findall("[a-z]+", sentence.lower())
        found = heard(store.assets[result.outputs["it.output"].asset_id], tmp_path)
        understood += len(set(words) & set(found))
        said += len(set(words))
    assert understood / said > 0.8
