"""The local video maker: exact length, both streams, a voice that can be heard, nothing left when stopped."""

import io
from itertools import product

import numpy as np
import pytest
from PIL import Image
from tests.fixtures.tables import diagonals

from impasto import NodeError
from impasto_nodes.media.audio import audio_file
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video import video_reader
from impasto_nodes.providers.local.video_renderer import VideoRequest, frame_size, make_video


def image(color):
    out = io.BytesIO()
    noisy = np.random.default_rng(1).integers(0, 60, (240, 320, 3)) + np.array(color) * 0.7
    Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(out, "PNG")
    return out.getvalue()


def request(tmp_path, **changes):
    standard = {"images": (image((250, 60, 40)),), "duration": 1.0, "height": 180}
    return VideoRequest(tmp_path / "video.mp4", **(standard | changes))


@pytest.mark.parametrize(
    ("duration", "ratio"), diagonals(product([0.5, 1.0, 2.3], ["16:9", "9:16", "1:1", "4:5"]), 3)
)
def test_length_and_shape_are_exact_and_both_streams_there(tmp_path, duration, ratio):
    path = make_video(request(tmp_path, duration=duration, aspect_ratio=ratio))
    found = probe(path)
    assert found.seconds == pytest.approx(duration, abs=0.1)
    assert (found.width, found.height) == frame_size(ratio, 180)
    assert found.has_video
    assert found.has_audio
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_images_follow_each_other_with_a_crossfade(tmp_path):
    several = (image((250, 30, 30)), image((30, 30, 250)))
    path = make_video(request(tmp_path, images=several, duration=3.0))
    means = np.array([frame.reshape(-1, 3).mean(0) for frame in video_reader.frames(path, (160, 90), 24)])
    reddish = means[:, 0] - means[:, 2]
    assert len(means) == 72
    assert reddish[2] > 60
    assert reddish[-3] < -60
    assert np.abs(np.diff(reddish)).max() < 60


def test_one_image_moves(tmp_path):
    path = make_video(request(tmp_path, duration=1.5))
    frames = list(video_reader.frames(path, (160, 90), 24))
    assert np.abs(frames[0].astype(int) - frames[-1].astype(int)).mean() > 2


def test_voice_sounds_for_its_whole_length(tmp_path):
    wave = 0.3 * np.sin(2 * np.pi * 300 * np.arange(round(0.8 * audio_file.RATE)) / audio_file.RATE)
    audio_file.write(tmp_path / "voice.wav", np.stack([wave, wave]).astype(np.float32))
    path = make_video(request(tmp_path, duration=1.6, speech=tmp_path / "voice.wav"))
    samples = audio_file.load(path)
    half = round(0.7 * audio_file.RATE)
    assert np.abs(samples[:, :half]).max() > 0.2
    assert np.abs(samples[:, round(1.0 * audio_file.RATE) :]).max() < 0.02


def test_without_images_it_draws_its_own_with_a_title(tmp_path):
    asked = {"images": (), "prompt": "Cold brew", "palette": ("#de8b3a", "#2b2018"), "duration": 2.0}
    titled, plain = (
        list(video_reader.frames(make_video(request(tmp_path, title=title, **asked)), (320, 180), 24))
        for title in (True, False)
    )
    assert np.abs(titled[24].astype(int)[120:] - plain[24].astype(int)[120:]).max() > 90
    changed = [
        np.abs(one.astype(int)[100:] - other.astype(int)[100:]).mean()
        for one, other in zip(titled, plain, strict=True)
    ]
    # It fades in from 0.2 to 0.8 seconds, and out from 1.25 to 1.75: 24 frames are a second.
    assert max(changed[:5]) < 2 < changed[7]
    assert changed[5:19] == sorted(changed[5:19])
    assert min(changed[20:29]) > 0.97 * max(changed)
    assert changed[32:41] == sorted(changed[32:41], reverse=True)
    assert changed[36] == pytest.approx(max(changed) / 2, rel=0.1)
    assert changed[12] == pytest.approx(max(changed) / 2, rel=0.1)
    assert max(changed[43:]) < 3


def test_the_same_request_makes_the_same_video(tmp_path):
    first = list(video_reader.frames(make_video(request(tmp_path, seed=4)), (320, 180), 24))
    again = list(video_reader.frames(make_video(request(tmp_path, seed=4)), (320, 180), 24))
    other = list(video_reader.frames(make_video(request(tmp_path, seed=5)), (320, 180), 24))
    assert np.abs(np.stack(first).astype(int) - np.stack(again)).mean() < 0.5
    assert np.abs(np.stack(first).astype(int) - np.stack(other)).mean() > 1


def test_progress_is_reported_and_ends_at_one(tmp_path):
    heard = []
    make_video(request(tmp_path), heard.append)
    assert heard == sorted(heard)
    assert heard[0] == 0
    assert heard[-1] == 1


def test_a_video_that_is_stopped_leaves_nothing(tmp_path):
    class Stopped(Exception):
        pass

    def stop(fraction):
        if fraction > 0.4:
            raise Stopped

    with pytest.raises(Stopped):
        make_video(request(tmp_path), stop)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_image_or_voice_is_refused(tmp_path):
    with pytest.raises(NodeError) as caught:
        make_video(request(tmp_path, images=(b"no image",)))
    assert caught.value.code == "not_a_picture"
    (tmp_path / "voice.wav").write_bytes(b"no audio")
    with pytest.raises(NodeError) as caught:
        make_video(request(tmp_path, speech=tmp_path / "voice.wav"))
    assert caught.value.code == "not_media"
    assert not (tmp_path / "video.mp4").exists()


@pytest.mark.parametrize("ratio", ["", "x:y", "0:9", "16"])
def test_invalid_ratio_is_refused(ratio):
    with pytest.raises(ValueError, match="not an aspect ratio"):
        frame_size(ratio, 720)


@pytest.mark.parametrize(
    ("ratio", "short", "size"),
    [
        ("16:9", 720, (1280, 720)),
        ("9:16", 720, (720, 1280)),
        ("1:1", 721, (720, 720)),
        ("4:5", 180, (180, 224)),
        ("5:4", 180, (224, 180)),
        ("21:9", 720, (1680, 720)),
    ],
)
def test_sides_of_a_frame_are_even(ratio, short, size):
    assert frame_size(ratio, short) == size
