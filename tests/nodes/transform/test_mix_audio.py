"""Mix audio: the levels of a voice and its music, and how the music begins and ends."""

import numpy as np
import pytest

from impasto_nodes.media.audio.audio_file import RATE, faded
from impasto_nodes.media.audio.loudness import levelled
from impasto_nodes.transform.mix_audio import mixed


@pytest.mark.parametrize(("seconds", "rise", "fall"), [(2, 0.25, 0.5), (9, 0.4, 2.0)])
def test_music_beside_silence_is_levelled_and_begins_and_leaves_slowly(sine, seconds, rise, fall):
    music, silence = sine(seconds, 200, 0.3), np.zeros((2, seconds * RATE), np.float32)
    expected = faded(levelled(music, -16) * np.float32(10 ** (-6 / 20)), rise, fall)
    assert np.allclose(mixed(silence, music, -6.0, 12.0, 0.0, longer=False), expected, atol=1e-4)


@pytest.mark.parametrize(
    ("lead_in", "longer", "seconds"), [(0.0, False, 1), (1.0, False, 3.5), (1.0, True, 4), (3.0, True, 5.5)]
)
def test_a_mix_lasts_as_long_as_its_voice_or_its_music(sine, lead_in, longer, seconds):
    made = mixed(sine(1.0), sine(4.0, 200), -6.0, 12.0, lead_in, longer=longer)
    assert made.shape == (2, seconds * RATE)
