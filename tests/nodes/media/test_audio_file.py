"""Any audio in, whatever its file was made like."""

import io
import wave
from fractions import Fraction

import av
import numpy as np
import pytest
from PIL import Image
from tests.fixtures.clips import tone

from impasto_nodes.media.audio import audio_file
from impasto_nodes.media.audio.audio_file import RATE, faded, fitted, frames, load, write
from impasto_nodes.media.errors import DamagedMedia, NoAudioStream, NoVideoStream
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video import video_reader


def video_with_late_audio(path, late, begin=0.0):
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=10)
        video.width, video.height, video.pix_fmt = 32, 32, "yuv420p"
        audio = container.add_stream("aac", rate=RATE, layout="stereo")
        for number in range(20):
            page = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")
            page.pts = number + round(begin * 10)
            container.mux(video.encode(page))
        container.mux(video.encode(None))
        for frame in frames(tone(1)):
            frame.pts += round((begin + late) * RATE)
            container.mux(audio.encode(frame))
        container.mux(audio.encode(None))


@pytest.mark.parametrize(("late", "begin"), [(0.0, 0.0), (0.8, 0.0), (0.5, 3.0)])
def test_audio_that_begins_after_the_video_keeps_its_delay(tmp_path, late, begin):
    video_with_late_audio(tmp_path / "late.mkv", late, begin)
    samples = load(tmp_path / "late.mkv")
    first = int(np.argmax(np.abs(samples[0]) > 0.05)) / RATE
    assert first == pytest.approx(late, abs=0.05)


def test_a_song_with_a_cover_image_is_read_as_audio(tmp_path):
    """The cover is a video stream to the container, and no video."""
    plain, covered = tmp_path / "plain.mp3", tmp_path / "covered.mp3"
    write(plain, tone(0.5))
    jpeg = io.BytesIO()
    Image.new("RGB", (30, 30), "red").save(jpeg, "JPEG")
    image = b"\0image/jpeg\0\x03\0" + jpeg.getvalue()
    frame = b"APIC" + len(image).to_bytes(4, "big") + b"\0\0" + image
    size = bytes((len(frame) >> shift) & 127 for shift in (21, 14, 7, 0))
    covered.write_bytes(b"ID3\x03\0\0" + size + frame + plain.read_bytes())
    found = probe(covered)
    assert (found.media_type, found.has_video) == ("audio/mpeg", False)
    assert load(covered).shape[1] == load(plain).shape[1]
    with pytest.raises(NoVideoStream):
        next(video_reader.frames(covered, (32, 32), 24))


def test_audio_without_length_is_refused(tmp_path):
    with wave.open(str(tmp_path / "none.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
    with pytest.raises(NoAudioStream):
        load(tmp_path / "none.wav")


def test_audio_may_last_as_long_as_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(audio_file, "MAX_SECONDS", 1.0)
    write(tmp_path / "longest.wav", tone(1))
    assert load(tmp_path / "longest.wav").shape == (2, RATE)
    write(tmp_path / "longer.wav", tone(1 + 1 / RATE))
    with pytest.raises(DamagedMedia) as refused:
        load(tmp_path / "longer.wav")
    assert refused.value.detail == "more than 1 seconds of audio"


@pytest.mark.parametrize("layout", ["mono", "5.1", "7.1"])
def test_mono_and_surround_are_heard_from_both_sides(tmp_path, layout):
    path = tmp_path / "some.wav"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=22_050, layout=layout)
        channels = stream.layout.nb_channels
        said = (8_000 * np.sin(np.arange(22_050) / 8)).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(np.repeat(said, channels)[None], format="s16", layout=layout)
        frame.sample_rate, frame.time_base = 22_050, Fraction(1, 22_050)
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    samples = load(path)
    assert samples.shape[1] == pytest.approx(RATE, abs=RATE // 50)
    assert np.abs(samples).mean(1).min() > 0.02


def test_nan_samples_are_silence(tmp_path):
    path = tmp_path / "float.wav"
    said = tone(0.5)
    said[:, 1000:2000] = np.nan
    said[:, 3000] = np.inf
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_f32le", rate=RATE, layout="stereo")
        frame = av.AudioFrame.from_ndarray(said.T.reshape(1, -1).copy(), format="flt", layout="stereo")
        frame.sample_rate = RATE
        container.mux(stream.encode(frame))
    samples = load(path)
    assert np.isfinite(samples).all()
    assert np.abs(samples).max() <= 1.0


@pytest.mark.parametrize("ending", [".wav", ".m4a", ".mp3"])
def test_the_end_of_audio_is_kept_when_it_is_written(tmp_path, ending):
    path = tmp_path / f"sound{ending}"
    write(path, tone(1.01))
    heard = load(path)
    assert heard.shape[1] >= round(1.01 * RATE)
    last = heard[:, round(0.99 * RATE) : round(1.005 * RATE)]
    assert np.abs(last).max() == pytest.approx(0.3, abs=0.04)


@pytest.mark.parametrize("ending", [".m4a", ".mp3"])
def test_audio_is_kept_at_192_kilobits_a_second(tmp_path, ending):
    path = tmp_path / f"sound{ending}"
    write(path, np.random.default_rng(1).normal(0, 0.2, (2, RATE)).astype(np.float32))
    with av.open(str(path)) as container:
        assert container.streams.audio[0].bit_rate == pytest.approx(192_000, rel=0.02)


def test_the_index_of_audio_is_first_so_that_it_plays_while_it_loads(tmp_path):
    write(tmp_path / "sound.m4a", tone(0.2))
    data = (tmp_path / "sound.m4a").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_audio_that_cannot_be_written_leaves_no_file(tmp_path):
    with pytest.raises(ValueError, match="shape"):
        write(tmp_path / "sound.wav", np.zeros((3, 2000), np.float32))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "folder.wav").mkdir()
    with pytest.raises(OSError, match="directory"):
        write(tmp_path / "folder.wav", tone(0.1))
    assert [left.name for left in tmp_path.iterdir()] == ["folder.wav"]


def test_audio_is_written_at_full_scale_at_most(tmp_path):
    write(tmp_path / "loud.wav", np.array([[2.0, -2.0, 0.5] * 100] * 2, np.float32))
    assert load(tmp_path / "loud.wav")[0, :3].tolist() == pytest.approx([1, -1, 0.5], abs=1e-4)


def test_fades_rise_and_fall_smoothly_over_their_seconds():
    ones = np.ones((2, RATE), np.float32)
    soft = faded(ones, 0.5, 0.25)
    assert soft[1, [0, RATE // 8, RATE // 4, RATE // 2]].tolist() == pytest.approx(
        [0, np.sin(np.pi / 8) ** 2, 0.5, 1], abs=1e-3
    )
    assert soft[0, [RATE * 3 // 4, RATE * 13 // 16, RATE * 7 // 8, RATE - 1]].tolist() == pytest.approx(
        [1, np.cos(np.pi / 8) ** 2, 0.5, 0], abs=1e-3
    )
    assert (soft[:, RATE // 2 : RATE * 3 // 4] == 1).all()
    assert (faded(ones) == 1).all()
    assert faded(ones, 9, 9).shape == ones.shape
    assert ones.min() == 1, "the samples that were given stay as they are"


def test_audio_is_cut_or_padded_with_silence_at_its_end():
    samples = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert fitted(samples, 2 / RATE).tolist() == [[0, 1], [3, 4]]
    assert fitted(samples, 3 / RATE).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert fitted(samples, 5 / RATE).tolist() == [[0, 1, 2, 0, 0], [3, 4, 5, 0, 0]]


def test_frames_of_audio_have_1024_samples_each_and_follow_each_other():
    made = list(frames(np.zeros((2, 2500), np.float32)))
    assert [(frame.pts, frame.samples, frame.sample_rate) for frame in made] == [
        (0, 1024, RATE),
        (1024, 1024, RATE),
        (2048, 452, RATE),
    ]
    assert made[1].time == pytest.approx(1024 / RATE)


def test_frames_of_audio_are_clipped_to_full_scale():
    (loud,) = frames(np.array([[2.0, -2.0, 0.5], [-1.5, 1.5, -0.5]]).astype(np.float32))
    assert loud.to_ndarray().tolist() == [[1, -1, 0.5], [-1, 1, -0.5]]
