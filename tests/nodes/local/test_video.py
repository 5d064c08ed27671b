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
from impasto_nodes.providers.local.image_renderer import render, size_of
from impasto_nodes.providers.local.video_renderer import VideoRequest, frame_size, make_video


@pytest.fixture
def small_images(monkeypatch):
    """The images that a video draws itself have a quarter of the width and height."""
    monkeypatch.setattr(render, "size_of", lambda ratio: tuple(length // 4 for length in size_of(ratio)))


def flat(color):
    out = io.BytesIO()
    Image.new("RGB", (64, 36), color).save(out, "PNG")
    return out.getvalue()


def shown(path, fps):
    """The mean color of each frame."""
    return np.array([frame.reshape(-1, 3).mean(0) for frame in video_reader.frames(path, (64, 36), fps)])


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


SHOTS = {
    (3.0, 10): "999999999987421000000000000000",
    (1.3, 10): "9999851000000",
    (1.1, 10): "99999999999",
    (0.3, 10): "999",
    (0.01, 10): "9",
    (12.0, 2): "999970000499992000089999",
    (30.0, 1): "999990000099999000009999900000",
}
"""The share of the first of two images in each frame, in ninths, by the length and the frame rate."""


@pytest.mark.parametrize(("duration", "fps"), SHOTS)
def test_two_images_take_turns_in_at_most_six_shots_that_fade_into_each_other(tmp_path, duration, fps):
    """A shot has about 2.4 seconds; in a short video it has 0.8 seconds at least."""
    images = (flat((200, 0, 0)), flat((0, 0, 200)))
    path = make_video(request(tmp_path, images=images, duration=duration, fps=fps, height=36))
    ninths = shown(path, fps)[:, 0] / 200 * 9
    expected = [int(digit) for digit in SHOTS[duration, fps]]
    assert ninths.tolist() == pytest.approx(expected, abs=0.75)


def test_each_of_three_images_is_shown_once_in_a_short_video(tmp_path):
    images = (flat((200, 0, 0)), flat((0, 200, 0)), flat((0, 0, 200)))
    path = make_video(request(tmp_path, images=images, duration=3.0, fps=10, height=36))
    assert shown(path, 10).argmax(1).tolist() == [0] * 8 + [1] * 10 + [2] * 12


@pytest.mark.usefixtures("small_images")
@pytest.mark.parametrize(("duration", "images"), [(3.5, [0]), (3.7, [0, 1]), (10.0, [0, 1, 2, 0])])
def test_a_video_draws_at_most_three_images_of_its_own(tmp_path, duration, images):
    about = {"images": (), "prompt": "A garden, no text", "seed": 12, "fps": 2, "height": 36}
    colors = shown(make_video(request(tmp_path, duration=duration, **about)), 2)
    middles = [colors[int((shot + 0.5) * len(colors) / len(images))] for shot in range(len(images))]
    for one, other in product(range(len(images)), repeat=2):
        is_same = images[one] == images[other]
        assert bool(np.abs(middles[one] - middles[other]).max() < 30) is is_same
    assert bool(np.abs(colors[0] - colors[-1]).max() < 30) is (images[-1] == 0)


@pytest.mark.usefixtures("small_images")
def test_title_is_in_the_first_font_of_the_brand(tmp_path):
    about = {"images": (), "prompt": "Cold brew", "duration": 1.4, "fps": 5, "height": 90}
    plain, own = (
        list(video_reader.frames(make_video(request(tmp_path, fonts=fonts, **about)), (160, 90), 5))[
            4
        ].astype(int)
        for fonts in ((), ("Fredoka One", "Manrope"))
    )
    assert np.abs(plain - own)[60:].max() > 60
    assert np.abs(plain - own)[:20].mean() < 3


@pytest.mark.parametrize("about", [{"prompt": "Cold brew"}, {"prompt": "Cold brew", "title": False}])
def test_a_given_image_is_not_covered_by_a_title(tmp_path, about):
    images = (flat((40, 90, 160)),)
    path = make_video(request(tmp_path, images=images, fps=4, height=36, **about))
    frames = np.stack(list(video_reader.frames(path, (64, 36), 4))).astype(int)
    assert np.abs(frames - (40, 90, 160)).max() < 5


@pytest.mark.usefixtures("small_images")
def test_a_video_without_words_has_no_title(tmp_path):
    about = {"images": (), "prompt": "A garden, no text", "fps": 4, "height": 36}
    titled, plain = (shown(make_video(request(tmp_path, title=title, **about)), 4) for title in (True, False))
    assert np.abs(titled - plain).max() < 2, "the codec may differ by a little"


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


@pytest.mark.usefixtures("small_images")
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
    first, again, other = (
        np.stack(
            list(
                video_reader.frames(make_video(request(tmp_path, seed=seed, fps=6, height=90)), (160, 90), 6)
            )
        ).astype(int)
        for seed in (4, 4, 5)
    )
    assert np.abs(first - again).mean() < 0.5
    assert np.abs(first - other).mean() > 1


def test_progress_is_reported_and_ends_at_one(tmp_path):
    heard = []
    path = make_video(request(tmp_path, fps=4), heard.append)
    assert path == tmp_path / "video.mp4"
    assert heard == [0.0, *(pytest.approx(share) for share in (0.2375, 0.475, 0.7125, 0.95)), 1.0]


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
