"""Any audio in, whatever its file was made like."""

import io
import wave
from fractions import Fraction

import av
import numpy as np
import pytest
from PIL import Image

from impasto_nodes.media.audio.audio_file import RATE, frames, load, write
from impasto_nodes.media.errors import NoAudioStream, NoVideoStream
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video import video_reader


def tone(seconds, hertz=440.0):
    wave_ = 0.3 * np.sin(2 * np.pi * hertz * np.arange(round(seconds * RATE)) / RATE)
    return np.stack([wave_, wave_]).astype(np.float32)


def video_with_late_audio(path, late):
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=10)
        video.width, video.height, video.pix_fmt = 32, 32, "yuv420p"
        audio = container.add_stream("aac", rate=RATE, layout="stereo")
        for number in range(20):
            page = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")
            page.pts = number
            container.mux(video.encode(page))
        container.mux(video.encode(None))
        for frame in frames(tone(1)):
            frame.pts += round(late * RATE)
            container.mux(audio.encode(frame))
        container.mux(audio.encode(None))


@pytest.mark.parametrize("late", [0.0, 0.8])
def test_audio_that_begins_after_the_video_keeps_its_delay(tmp_path, late):
    video_with_late_audio(tmp_path / "late.mkv", late)
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
