"""Speech over a longer time."""

from itertools import pairwise

import numpy as np
import pytest

from impasto_nodes.media.audio.audio_file import RATE
from impasto_nodes.media.audio.bed import soft_bed
from impasto_nodes.media.audio.pacing import paced, speech_parts


def said(*lengths: float, pause: float = 0.5) -> np.ndarray:
    """Sentences as tones, a pause between them."""
    parts = []
    for number, seconds in enumerate(lengths):
        time = np.arange(round(seconds * RATE)) / RATE
        parts += [np.sin(2 * np.pi * (300 + 100 * number) * time) * 0.3, np.zeros(round(pause * RATE))]
    return np.stack([np.concatenate(parts)] * 2).astype(np.float32)


def test_speech_parts_are_what_is_heard() -> None:
    assert speech_parts(said(1.0, 2.0)) == [
        (0.0, pytest.approx(1.0, abs=0.03)),
        (pytest.approx(1.5, abs=0.03), pytest.approx(3.5, abs=0.03)),
    ]
    assert speech_parts(np.zeros((2, RATE), np.float32)) == []


@pytest.mark.parametrize("seconds", [8.0, 15.0, 30.0])
def test_pauses_widen_and_no_sound_is_lost(seconds: float) -> None:
    speech = said(1.0, 2.0, 1.5)
    spread = paced(speech, seconds)
    assert spread.shape[1] == round(seconds * RATE)
    parts = speech_parts(spread)
    assert [end - start for start, end in parts] == pytest.approx([1.0, 2.0, 1.5], abs=0.03)
    assert float((spread**2).sum()) == pytest.approx(float((speech**2).sum()), rel=1e-4)
    gaps = [start - end for (_, end), (start, _) in pairwise(parts)]
    assert max(gaps) - min(gaps) < 0.03
    assert max(gaps) <= 4.1


def test_longer_speech_stays_as_it_is() -> None:
    speech = said(3.0, 3.0)
    assert paced(speech, 4.0) is speech


def test_the_bed_is_quiet_and_begins_and_ends_in_silence() -> None:
    bed = soft_bed(10.0, 5)
    assert bed.shape == (2, 10 * RATE)
    assert 0.02 < np.abs(bed).max() < 0.5
    assert np.abs(bed[:, :50]).max() < 1e-3
    assert np.abs(bed[:, -50:]).max() < 1e-3


def strongest(samples: np.ndarray) -> float:
    """Return the strongest frequency of the first chord, in hertz."""
    first = samples[0, : 4 * RATE]
    return float(np.fft.rfftfreq(len(first), 1 / RATE)[np.abs(np.fft.rfft(first)).argmax()])


@pytest.mark.parametrize(("key", "semitones"), [(2, 2), (5, 5), (12, 0)])
def test_key_moves_the_bed_up_by_semitones_within_an_octave(key: int, semitones: int) -> None:
    ratio = strongest(soft_bed(6.0, key)) / strongest(soft_bed(6.0))
    assert ratio == pytest.approx(2 ** (semitones / 12), rel=0.005)


def test_silence_is_made_longer() -> None:
    spread = paced(np.zeros((2, RATE), np.float32), 12.0)
    assert spread.shape == (2, 12 * RATE)
    assert not spread.any()
