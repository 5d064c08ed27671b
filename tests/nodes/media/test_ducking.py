"""Music under a voice: how far, how early and how long it is lowered, and how it is repeated."""

import numpy as np
import pytest

from impasto_nodes.media.audio.audio_file import RATE
from impasto_nodes.media.audio.ducking import ducked, looped


def voice(*spoken: tuple[float, float], seconds: float = 6.0) -> np.ndarray:
    samples = np.zeros((2, round(seconds * RATE)), np.float32)
    for start, end in spoken:
        samples[:, round(start * RATE) : round(end * RATE)] = 0.5
    return samples


def gain(said: np.ndarray, depth: float = 12, **times: float) -> np.ndarray:
    """The gain of the music, for every 10 ms of six seconds."""
    return ducked(np.ones((2, 6 * RATE), np.float32), said, depth, **times)[0, :: RATE // 100]


LOW = 10 ** (-12 / 20)


def test_music_is_lowered_before_a_word_and_raised_after_the_gap_between_words() -> None:
    level = gain(voice((2.0, 3.0)))
    assert (level[:188] == 1).all()
    assert level[188] == pytest.approx(1 + (LOW - 1) * 0.01 / 0.12 * 2.2, abs=1e-4)
    assert level[200] == pytest.approx(LOW, abs=0.07)
    assert level[230:329] == pytest.approx(LOW, abs=1e-3)
    assert level[329] == pytest.approx(LOW, abs=1e-3)
    assert level[330] > LOW + 0.02
    assert level[390] == pytest.approx(1 - (1 - LOW) * (1 - 0.01 / 0.6 * 2.2) ** 61, abs=0.01)


def test_music_stays_low_between_words_that_are_less_than_a_third_of_a_second_apart() -> None:
    near, far = gain(voice((1, 2), (2.4, 3))), gain(voice((1, 2), (2.8, 3)))
    assert near[150:325].max() < LOW + 0.01
    assert far[265] > LOW + 0.2


@pytest.mark.parametrize("depth", [6, -6, 20])
def test_music_is_lowered_by_the_depth(depth: float) -> None:
    assert gain(voice((1, 4)), depth)[300] == pytest.approx(10 ** (-abs(depth) / 20), abs=1e-4)


def test_attack_and_release_set_how_fast_it_moves() -> None:
    quick = gain(voice((2, 3)), attack=0.05, release=0.1)
    assert (quick[:195] == 1).all()
    assert quick[200] == pytest.approx(LOW, abs=0.05)
    assert quick[360] == pytest.approx(1, abs=0.01)
    assert gain(voice((2, 3)), attack=0.02)[198] == pytest.approx(LOW, abs=1e-6)


def test_a_voice_that_is_shorter_or_longer_than_the_music_is_followed() -> None:
    level = gain(voice((0.5, 1), seconds=1.0))
    assert (level[60] < 0.4, level[-1]) == (True, pytest.approx(1, abs=0.01))
    assert gain(voice((6.5, 8), seconds=9.0)) == pytest.approx(1)
    assert len(ducked(np.ones((2, 1001), np.float32), voice((0, 6)), 6)[0]) == 1001


def test_a_whisper_beside_speech_counts_as_a_pause() -> None:
    said = voice((1, 1.5))
    said[:, 3 * RATE : 4 * RATE] = 0.5 * 0.03
    assert gain(said)[350] == pytest.approx(1, abs=0.03)
    said[:, 3 * RATE : 4 * RATE] = 0.5 * 0.035
    assert gain(said)[350] == pytest.approx(LOW, abs=0.03)
    assert gain(np.full((2, 6 * RATE), 9e-4, np.float32)).min() == 1
    assert gain(np.full((2, 6 * RATE), 1.1e-3, np.float32))[300] == pytest.approx(LOW, abs=1e-3)


def test_music_is_repeated_with_a_crossfade_of_a_second() -> None:
    music = np.tile(np.linspace(0, 1, 5 * RATE, dtype=np.float32), (2, 1))
    long = looped(music, 12)[0]
    assert long.shape == (12 * RATE,)
    assert (long[: 4 * RATE] == music[0, : 4 * RATE]).all()
    middle = np.sqrt(0.5)
    assert long[round(4.5 * RATE)] == pytest.approx(0.9 * middle + 0.1 * middle, abs=1e-3)
    assert (long[5 * RATE : 8 * RATE] == music[0, RATE : 4 * RATE]).all()
    assert (long[9 * RATE : 12 * RATE] == music[0, RATE : 4 * RATE]).all()


def test_short_music_overlaps_by_a_quarter_and_long_music_is_cut() -> None:
    music = np.ones((2, 8), np.float32)
    assert looped(music, 8 / RATE).tolist() == music.tolist()
    assert looped(music, 5 / RATE).tolist() == [[1] * 5] * 2
    assert looped(music, 14 / RATE)[0].tolist() == [1] * 14
    rising = np.tile(np.arange(8, dtype=np.float32), (2, 1))
    expected = [0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7]
    assert looped(rising, 14 / RATE)[1].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("length", [0, 3])
def test_music_too_short_to_be_repeated_is_silence(length: int) -> None:
    assert looped(np.ones((2, length), np.float32), 2 / RATE).tolist() == [[0, 0]] * 2
