from contextlib import suppress

import av
import numpy as np
import pytest

from impasto_nodes.media.audio.audio_file import RATE, faded, fitted, load, write
from impasto_nodes.media.audio.ducking import ducked, looped
from impasto_nodes.media.audio.loudness import SILENCE, levelled, limited, loudness, true_peak


def tone(seconds, level=1.0, hertz=997.0):
    wave = level * np.sin(2 * np.pi * hertz * np.arange(round(seconds * RATE)) / RATE)
    return np.stack([wave, wave]).astype(np.float32)


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
