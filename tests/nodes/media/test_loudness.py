"""Loudness and peaks as the Recommendation measures them, and what levels and limits them."""

from contextlib import suppress

import av
import numpy as np
import pytest
from tests.fixtures import clips

from impasto_nodes.media.audio.audio_file import RATE, faded, fitted, load, write
from impasto_nodes.media.audio.ducking import ducked, looped
from impasto_nodes.media.audio.loudness import SILENCE, levelled, limited, loudness, true_peak, weighted


def tone(seconds, level=1.0, hertz=997.0):
    """The tone by which the Recommendation calibrates a meter."""
    return clips.tone(seconds, hertz, level)


def test_the_reference_tone_reads_what_the_recommendation_says():
    one_side = tone(5)
    one_side[1] = 0
    assert loudness(one_side) == pytest.approx(-3.01, abs=0.02)
    assert loudness(tone(5, 0.1)) == pytest.approx(-20.0, abs=0.05)


def test_low_frequencies_count_less_and_silence_does_not_count():
    assert loudness(tone(4, 0.5, 40)) < loudness(tone(4, 0.5, 2000)) - 3
    with_pause = np.concatenate([tone(3, 0.2), np.zeros((2, RATE * 6), np.float32)], axis=1)
    assert loudness(with_pause) == pytest.approx(loudness(tone(3, 0.2)), abs=0.4)


@pytest.mark.parametrize("target", [-14.0, -18.0, -23.0])
def test_audio_is_brought_to_its_loudness_and_peaks_are_held(target):
    rng = np.random.default_rng(3)
    rough = (rng.standard_normal((2, RATE * 5)) * 0.02).astype(np.float32)
    rough[:, RATE : RATE + 2400] *= 30
    done = levelled(rough, target)
    assert loudness(done) == pytest.approx(target, abs=0.5)
    assert 20 * np.log10(true_peak(done)) <= -0.99


def test_silence_and_quiet_peaks_are_left_alone():
    silence = np.zeros((2, RATE), np.float32)
    assert loudness(silence) == SILENCE
    assert (levelled(silence) == 0).all()
    quiet = tone(1, 0.1)
    assert limited(quiet) is quiet
    assert true_peak(np.zeros((2, 0), np.float32)) == 0


def test_peaks_between_samples_are_seen():
    between = np.stack([np.sin(np.pi / 4 + np.arange(RATE) * np.pi / 2)] * 2).astype(np.float32)
    assert np.abs(between).max() == pytest.approx(0.707, abs=0.01)
    assert true_peak(between) == pytest.approx(1.0, abs=0.03)


def test_music_is_ducked_under_a_voice():
    music, voice = tone(6, 0.5, 300), np.zeros((2, RATE * 6), np.float32)
    voice[:, RATE * 2 : RATE * 3] = tone(1, 0.5)
    low = ducked(music, voice, 12)

    def level(start):
        return float(np.abs(low[:, round(start * RATE) : round((start + 0.4) * RATE)]).max())

    assert level(0.5) == pytest.approx(0.5, abs=0.02)
    assert level(2.4) == pytest.approx(0.5 * 10 ** (-12 / 20), abs=0.03)
    assert level(5.4) == pytest.approx(0.5, abs=0.05)


def test_short_music_comes_round_again_without_a_gap():
    noise = np.random.default_rng(1).standard_normal((2, RATE * 2)).astype(np.float32) * 0.2
    long = looped(noise, 7)
    assert long.shape == (2, RATE * 7)
    blocks = np.sqrt((long[0] ** 2).reshape(-1, RATE // 10).mean(1))
    assert blocks.min() > 0.15
    assert looped(np.zeros((2, 0), np.float32), 1).shape == (2, RATE)


def test_fades_and_lengths_are_exact():
    assert fitted(tone(1), 2.5).shape == (2, RATE * 5 // 2)
    assert fitted(tone(3), 0.5).shape == (2, RATE // 2)
    soft = faded(tone(1), 0.2, 0.2)
    assert abs(soft[0, 0]) < 1e-6
    assert abs(soft[0, -1]) < 1e-3


@pytest.mark.parametrize("ending", [".wav", ".m4a", ".mp3"])
def test_every_format_is_written_and_read(tmp_path, ending):
    path = tmp_path / f"sound{ending}"
    write(path, tone(2, 0.3))
    back = load(path)
    assert back.shape[1] / RATE == pytest.approx(2, abs=0.12)
    assert loudness(back) == pytest.approx(loudness(tone(2, 0.3)), abs=0.7)
    assert [left.name for left in tmp_path.iterdir()] == [path.name]


def heard_by_ffmpeg(path):
    """Integrated loudness and true peak by another hand: ffmpeg's own meter."""
    graph = av.filter.Graph()
    measured = {}
    with av.open(str(path)) as container:
        source = graph.add_abuffer(template=container.streams.audio[0])
        meter, sink = graph.add("ebur128", "metadata=1"), graph.add("abuffersink")
        source.link_to(meter)
        meter.link_to(sink)
        graph.configure()
        for frame in [*container.decode(audio=0), None]:
            source.push(frame)
            with suppress(BlockingIOError, EOFError):
                while True:
                    measured = dict(sink.pull().metadata) or measured
    return float(measured["lavfi.r128.I"])


@pytest.mark.parametrize("start", [-6.0, -20.0, -35.0])
def test_another_meter_agrees(tmp_path, start):
    rng = np.random.default_rng(7)
    speech = np.repeat(rng.uniform(0.2, 1, 40), RATE // 8)[None, :] * tone(5, 10 ** (start / 20), 310)
    path = tmp_path / "levelled.wav"
    write(path, levelled(speech.astype(np.float32), -14.0))
    assert heard_by_ffmpeg(path) == pytest.approx(-14.0, abs=0.3)
    assert heard_by_ffmpeg(path) == pytest.approx(loudness(load(path)), abs=0.1)


SHELF = ((1.53512485958697, -2.69169619938640, 1.19839281085285), (-1.69065929318241, 0.73248077421585))
HIGH_PASS = ((1.0, -2.0, 1.0), (-1.99004745483398, 0.99007225036621))


def filtered(samples):
    """K-weighting as the Recommendation writes it: two filters, sample by sample."""
    for (b0, b1, b2), (a1, a2) in (SHELF, HIGH_PASS):
        out = [0.0, 0.0]
        padded = [0.0, 0.0, *samples]
        for at in range(2, len(padded)):
            out.append(
                b0 * padded[at] + b1 * padded[at - 1] + b2 * padded[at - 2] - a1 * out[-1] - a2 * out[-2]
            )
        samples = out[2:]
    return samples


BLOCK = (1 << 17) - RATE // 2
"""The filters are computed in pieces of this length."""


@pytest.mark.parametrize("at", [0, 5, BLOCK - 10, BLOCK, BLOCK + 3, 2 * BLOCK - 1])
def test_weighting_matches_the_recommendation_at_every_position(at):
    click = np.random.default_rng(at).normal(0, 1, 50)
    samples = np.zeros((2, 2 * BLOCK + 1500), np.float32)
    samples[1, at : at + 50] = click
    heard = weighted(samples)
    expected = filtered([*samples[1, at : at + 50], *[0.0] * 1000])
    assert np.allclose(heard[1, at : at + 1050], expected, atol=5e-4)
    assert np.abs(heard[1, :at]).max(initial=0) < 1e-4
    assert np.abs(heard[0]).max() < 1e-4


def test_loudness_is_gated_relative_to_the_mean_of_what_is_heard():
    loud, quiet = tone(4, 0.5), tone(4, 0.5 * 10 ** (-9 / 20))
    both = np.concatenate([loud, quiet], axis=1)
    mean = 10 * np.log10((1 + 10 ** (-9 / 10)) / 2)
    assert loudness(both) == pytest.approx(loudness(loud) + mean, abs=0.05)
    for level, change in ((-12.5, -2.77), (-13.3, -0.16), (-16, -0.16)):
        with_quiet = np.concatenate([loud, tone(4, 0.5 * 10 ** (level / 20))], axis=1)
        assert loudness(with_quiet) == pytest.approx(loudness(loud) + change, abs=0.05)


def test_what_is_below_the_absolute_gate_is_silence():
    assert loudness(tone(2, 10 ** (-70.3 / 20))) == SILENCE
    assert loudness(tone(2, 10 ** (-69.7 / 20))) == pytest.approx(-69.7, abs=0.05)


def test_sound_shorter_than_a_block_is_measured_with_the_silence_after_it():
    assert loudness(tone(0.2, 0.5)) == pytest.approx(loudness(tone(0.4, 0.5)) - 3.01, abs=0.1)
    assert loudness(np.zeros((2, 0), np.float32)) == SILENCE


PIECE = ((1 << 15) - 2 * (RATE // 1000)) // (RATE // 1000) * (RATE // 1000)


@pytest.mark.parametrize("at", [0, 100, PIECE - 1, PIECE, PIECE + 47, 2 * PIECE + 10])
def test_one_peak_is_limited_and_the_level_around_it_stays(at):
    samples = np.full((2, 2 * PIECE + 40_000), 0.1, np.float32)
    samples[0, at] = 1.5
    assert true_peak(samples) == pytest.approx(1.5, rel=0.03)
    held = limited(samples, -6.0)
    ceiling = 10 ** (-6 / 20)
    assert held[0, at] == pytest.approx(ceiling, rel=0.04)
    assert true_peak(held) <= ceiling * 1.001
    millisecond = RATE // 1000
    before, after = max(0, at - 9 * millisecond), at + 800 * millisecond
    level = np.float32(0.1) * held[0, at] / ceiling
    assert np.allclose(held[1, :before], held[1, before], rtol=1e-3)
    if at > 9 * millisecond:
        assert held[1, before] == pytest.approx(level, rel=0.05)
        assert held[1, at - 3 * millisecond] == pytest.approx(0.1 * ceiling / 1.5, rel=0.06)
    assert held[1, min(after, samples.shape[1] - 1)] == pytest.approx(level, rel=0.08)


def test_a_limiter_releases_within_some_hundred_milliseconds():
    samples = np.full((2, RATE), 0.1, np.float32)
    samples[:, 4800] = 1.0
    gain = limited(samples, -6.0)[0] / 0.1
    lowest = 10 ** (-6 / 20)
    top = float(gain[:4000].max())

    def expected(milliseconds):
        return top * (1 - (1 - lowest) * (1 - 1 / 80) ** milliseconds)

    for milliseconds in (10, 80, 240):
        assert gain[4848 + 48 * milliseconds] == pytest.approx(expected(milliseconds - 2), abs=0.012)


@pytest.mark.parametrize("at", [4800, 2 * PIECE + 4800])
def test_a_limiter_is_down_five_milliseconds_before_a_peak(at: int) -> None:
    samples = np.full((2, at + 9600), 0.1, np.float32)
    samples[:, at] = 1.0
    gain = limited(samples, -6.0)[0] / 0.1
    before = [float(gain[at + 48 * milliseconds]) for milliseconds in range(-8, 0)]
    after = [float(gain[at + 48 * milliseconds]) for milliseconds in range(1, 6)]
    assert before == pytest.approx([1, 1, 0.775, 0.526, *[0.501] * 4], abs=0.003)
    assert after == pytest.approx([0.501, 0.501, 0.504, 0.510, 0.517], abs=0.002)


def test_a_sound_of_even_level_is_brought_to_its_loudness_exactly():
    for target in (-14.0, -23.0):
        assert loudness(levelled(tone(3, 0.05), target)) == pytest.approx(target, abs=0.02)
    near = tone(3, 10 ** (-14.05 / 20))
    assert levelled(near, -14.0) is near
