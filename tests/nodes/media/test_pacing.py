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
    assert paced(speech, 7.0) is speech, "as long"


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


@pytest.mark.parametrize(
    ("seconds", "parts"),
    [
        (5.0, [(0.25, 1.25), (2.25, 4.25)]),
        (8.0, [(0.8, 1.8), (4.5, 6.5)]),
        (30.0, [(0.8, 1.8), (5.8, 7.8)]),
    ],
)
def test_spare_time_is_shared_by_lead_pauses_and_end(
    seconds: float, parts: list[tuple[float, float]]
) -> None:
    found = speech_parts(paced(said(1.0, 2.0), seconds))
    assert np.array(found) == pytest.approx(np.array(parts), abs=0.011)


def gapped(*gaps: float) -> np.ndarray:
    """Half a second of sound between silences of these lengths, beginning with a sound."""
    sound = np.full((2, RATE // 2), 0.5, np.float32)
    parts = [sound]
    for gap in gaps:
        parts += [np.zeros((2, round(gap * RATE)), np.float32), sound]
    return np.concatenate(parts, axis=1)


@pytest.mark.parametrize(("short", "widened"), [(0.35, True), (0.25, False)])
def test_only_pauses_near_the_longest_are_widened(short: float, widened: bool) -> None:
    parts = speech_parts(paced(gapped(0.5, short), 6.0))
    first, second = (start - end for (_, end), (start, _) in pairwise(parts))
    assert first > 1
    assert (second > short + 0.1) is widened


def test_a_pause_of_a_sixth_of_a_second_separates_sounds() -> None:
    assert speech_parts(gapped(0.15)) == [(0.0, 1.15)]
    assert speech_parts(gapped(0.17)) == [(0.0, 0.5), (0.67, 1.17)]
    assert speech_parts(gapped(0.17), pause=0.2) == [(0.0, 1.17)]
    assert speech_parts(gapped(0.3, 0.1), pause=0.05) == [(0.0, 0.5), (0.8, 1.3), (1.4, 1.9)]


def test_what_is_forty_decibels_below_the_loudest_is_not_heard() -> None:
    samples = np.zeros((2, 2 * RATE), np.float32)
    samples[:, : RATE // 2] = 0.5
    samples[:, RATE : RATE + RATE // 2] = 0.0055
    assert speech_parts(samples) == [(0.0, 0.5), (1.0, 1.5)]
    samples[:, RATE : RATE + RATE // 2] = 0.0045
    assert speech_parts(samples) == [(0.0, 0.5)]
    assert speech_parts(np.full((2, RATE), 3e-4, np.float32)) == []
    assert speech_parts(np.full((2, RATE), 3.3e-4, np.float32)) == [(0.0, 1.0)]
    assert speech_parts(np.ones((2, 479), np.float32)) == []
    assert speech_parts(np.ones((1, 480), np.float32)) == [(0.0, 0.01)]


def test_speech_without_a_pause_begins_after_the_lead() -> None:
    spread = paced(gapped(), 8.5)
    assert spread.shape == (2, round(8.5 * RATE))
    assert speech_parts(spread) == [(0.8, 1.3)]
    assert np.count_nonzero(spread) == 2 * RATE // 2, "every sample at both sides"


CADENCE = ((0, 7, 12, 16), (-3, 4, 9, 12), (-7, 0, 5, 9), (-5, 2, 7, 11))


@pytest.mark.parametrize("side", [0, 1])
def test_the_bed_plays_a_cadence_of_four_chords_of_four_seconds(side: int) -> None:
    bed = soft_bed(24.0)
    for number in range(5):
        middle = bed[side, round((number * 4 + 2.5) * RATE) : round((number * 4 + 3.5) * RATE)]
        spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
        notes = [130.81 * 2 ** (step / 12) for step in CADENCE[number % 4]]
        heard = [float(spectrum[round(note) - 1 : round(note) + 2].max()) for note in notes]
        silent = float(spectrum[round(notes[0] * 1.06 + 1) : round(notes[0] * 1.09)].max())
        assert min(heard) > 10 * silent
        overtone = float(spectrum[round(notes[3] * 3) - 2 : round(notes[3] * 3) + 3].max())
        assert overtone > 3 * silent


def test_the_bed_differs_at_both_sides_and_swells_with_each_chord() -> None:
    bed = soft_bed(10.0)
    assert float(np.corrcoef(bed[0, RATE : 8 * RATE], bed[1, RATE : 8 * RATE])[0, 1]) < 0.7
    level = [float(np.sqrt((bed[0, second * RATE : (second + 1) * RATE] ** 2).mean())) for second in range(4)]
    assert level == pytest.approx([0.0082, 0.0388, 0.0661, 0.0654], abs=0.002)


@pytest.mark.parametrize(("seconds", "rise", "fall"), [(2.0, 0.25, 0.5), (10.0, 0.6, 1.5)])
def test_the_bed_fades_in_and_out(seconds: float, rise: float, fall: float) -> None:
    bed = soft_bed(seconds)
    assert bed.shape == (2, round(seconds * RATE))
    last = np.abs(bed[:, -round(fall * RATE / 10) :]).max()
    assert last < 0.03 * np.abs(bed[:, : -round(fall * RATE)]).max()
    assert soft_bed(0.0).shape == (2, 0)


@pytest.mark.parametrize(
    ("seconds", "key", "times", "left", "right"),
    [
        (
            2.0,
            0,
            (0.1, 0.2, 1.0, 1.7, 1.9),
            [0.00003, 0.00111, -0.02706, 0.02274, 0.00891],
            [-0.00005, -0.00057, 0.02382, -0.01593, -0.00324],
        ),
        (
            9.0,
            3,
            (0.5, 3.0, 5.0, 7.0, 8.4),
            [-0.00369, -0.0243, -0.00345, 0.02224, -0.00725],
            [-0.00469, 0.11612, 0.00955, -0.12494, 0.02992],
        ),
    ],
)
def test_the_bed_of_a_length_and_a_key_is_always_the_same(
    seconds: float, key: int, times: tuple[float, ...], left: list[float], right: list[float]
) -> None:
    bed = soft_bed(seconds, key)[:, [round(time * RATE) for time in times]]
    assert bed.tolist() == [pytest.approx(left, abs=1e-5), pytest.approx(right, abs=1e-5)]


def test_overtones_of_the_bed_fall_off_with_the_square_of_their_number() -> None:
    middle = soft_bed(8.0)[0, RATE : 3 * RATE]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    highest = 2 * 130.81 * 2 ** (16 / 12)
    first, second, third = (
        float(spectrum[round(highest * n) - 3 : round(highest * n) + 4].max()) for n in (1, 2, 3)
    )
    assert (second / first, third / first) == (
        pytest.approx(1 / 4, rel=0.06),
        pytest.approx(1 / 9, rel=0.15),
    )
