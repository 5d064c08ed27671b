"""Transforms that give video and audio."""

import sys
import time
import wave
import weakref

import av
import numpy as np
import pytest
from PIL import Image as Pillow

from impasto import Audio, File, NodeError, Video
from impasto_nodes.media.audio import audio_file
from impasto_nodes.media.audio.bed import soft_bed
from impasto_nodes.media.audio.loudness import loudness, true_peak
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video import video_reader
from impasto_nodes.transform import burn_captions, convert, join_clips, mix_audio, pace_voice, still_to_video

pytestmark = pytest.mark.anyio


def shares_of(path, size=(160, 90), rate=24):
    """The mean colour of every frame."""
    return np.array([frame.reshape(-1, 3).mean(0) for frame in video_reader.frames(path, size, rate)])


def as_file(asset):
    return File(asset_id=asset.asset_id, media_type=asset.media_type)


async def test_clips_are_concatenated(desk):
    inputs = {"clips": [await desk.video(1.0), await desk.video(0.5, color=(20, 40, 200))]}
    done = await desk.run(join_clips, inputs, {"transition": "cut"})
    path = await desk.file(done.output, "mp4")
    found = probe(path)
    assert found.has_video
    assert found.has_audio
    assert found.seconds == pytest.approx(1.5, abs=0.1)
    assert done.output.seconds == pytest.approx(1.5, abs=0.05)
    assert (done.output.width, done.output.height) == (160, 90)


async def test_a_cross_fade_overlaps_and_mixes(desk):
    red = await desk.video(1.0, color=(220, 20, 20), hertz=None)
    blue = await desk.video(1.0, color=(20, 20, 220), hertz=None)
    settings = {"transition": "cross-fade", "transition_seconds": 0.5}
    done = await desk.run(join_clips, {"clips": [red, blue]}, settings)
    assert done.output.seconds == pytest.approx(1.5, abs=0.05)
    assert len(shares_of(await desk.file(done.output, "mp4"))) == 36


async def test_a_video_can_follow_its_audio(desk, sine):
    frames = 3 * 14 + 1  # one more than three of the clips have
    inputs = {"clips": [await desk.video(0.6)], "audio": await desk.audio(sine(frames / 24))}
    done = await desk.run(join_clips, inputs, {"length": "as long as the sound", "transition": "cut"})
    assert done.output.seconds == pytest.approx(frames / 24)
    samples = audio_file.load(await desk.file(done.output, "mp4"))
    assert np.abs(samples[:, audio_file.RATE :]).max() > 0.1


async def test_longer_audio_is_faded_out(desk, sine):
    inputs = {"clips": [await desk.video(1.0, hertz=None)], "audio": await desk.audio(sine(3.0))}
    done = await desk.run(join_clips, inputs, {"transition": "cut"})
    assert done.output.seconds == pytest.approx(1.0, abs=0.05)
    samples = audio_file.load(await desk.file(done.output, "mp4"))
    assert np.abs(samples[:, -1500:]).max() < 0.08


@pytest.mark.parametrize("fit", ["fill", "fit"])
async def test_other_shapes_and_rates_join(desk, fit):
    inputs = {"clips": [await desk.video(0.5), await desk.video(0.5, (90, 160), rate=12, hertz=None)]}
    done = await desk.run(join_clips, inputs, {"fit": fit, "transition": "cut", "aspect_ratio": "1:1"})
    assert done.output.width == done.output.height
    assert done.output.seconds == pytest.approx(1.0, abs=0.1)


async def test_missing_and_broken_clips_are_errors(desk):
    with pytest.raises(NodeError, match="no clip to join"):
        await desk.run(join_clips, {"clips": []})
    good = await desk.video(0.5)
    for data, code in ((b"", "empty_file"), (b"not a video", "not_media")):
        stored = await desk.store.put(data, "video/mp4", None)
        bad = type(good)(asset_id=stored.asset_id, media_type="video/mp4")
        with pytest.raises(NodeError) as caught:
            await desk.run(join_clips, {"clips": [bad]})
        assert caught.value.code == code


async def test_a_truncated_video_is_refused(desk):
    whole = await desk.bytes(await desk.video(2.0, (320, 180)))
    stored = await desk.store.put(whole[: len(whole) // 3], "video/mp4", None)
    clip = await desk.video(0.2)
    with pytest.raises(NodeError) as caught:
        await desk.run(join_clips, {"clips": [type(clip)(asset_id=stored.asset_id, media_type="video/mp4")]})
    assert caught.value.code in {"damaged_media", "not_media"}


async def test_a_voice_comes_out_at_its_loudness(desk, sine):
    done = await desk.run(mix_audio, {"voice": await desk.audio(sine(2, 300, 0.05))})
    samples = audio_file.load(await desk.file(done.output, "m4a"))
    assert loudness(samples) == pytest.approx(-14, abs=0.7)
    assert 20 * np.log10(true_peak(samples)) < -0.4
    assert done.output.media_type == "audio/mp4"
    assert done.output.seconds == pytest.approx(2, abs=0.1)


async def test_music_is_mixed_under_a_voice(desk, sine):
    voice = np.concatenate([sine(1, 900), np.zeros((2, audio_file.RATE), np.float32)], axis=1)
    inputs = {"voice": await desk.audio(voice), "music": await desk.audio(sine(1, 200))}
    done = await desk.run(mix_audio, inputs, {"lead_in": 1.0, "ducking": 18})
    samples = audio_file.load(await desk.file(done.output, "m4a"))
    assert done.output.seconds == pytest.approx(4.5, abs=0.1)

    def low(start):
        part = samples[0, round(start * audio_file.RATE) : round((start + 0.5) * audio_file.RATE)]
        spectrum = np.abs(np.fft.rfft(part))
        return spectrum[np.abs(np.fft.rfftfreq(len(part), 1 / audio_file.RATE) - 200) < 12].max()

    assert low(1.4) < low(0.45) * 0.5
    assert low(2.9) > low(1.4) * 1.5


async def test_chords_under_a_voice_are_quieter_than_connected_music_is(desk, sine):
    voice = await desk.audio(
        np.concatenate([sine(2, 900), np.zeros((2, 4 * audio_file.RATE), np.float32)], 1)
    )
    music = await desk.audio(soft_bed(6.0))
    settings = {"ducking": 0, "loudness": -14}

    async def below_the_voice(inputs, more):
        done = await desk.run(mix_audio, inputs, settings | more)
        samples = audio_file.load(await desk.file(done.output, "m4a"))
        spoken, alone = samples[:, : audio_file.RATE], samples[:, 3 * audio_file.RATE : 4 * audio_file.RATE]
        return loudness(spoken) - loudness(alone)

    by_chords = await below_the_voice({"voice": voice}, {"bed": True})
    by_music = await below_the_voice({"voice": voice, "music": music}, {})
    assert by_chords > by_music + 3


@pytest.mark.parametrize(
    ("brief", "seconds", "lasts"),
    [("A 5-second teaser", 0, 5), ("A teaser", 3, 3), ("A 5-second teaser", 3, 5), ("A teaser", 0, 2)],
)
async def test_a_voice_lasts_as_long_as_the_brief_or_the_setting_asks(desk, sine, brief, seconds, lasts):
    inputs = {"voice": await desk.audio(sine(2.0)), "brief": brief}
    paced = (await desk.run(pace_voice, inputs, {"seconds": seconds})).output
    assert paced.seconds == pytest.approx(lasts, abs=0.05)
    mixed = (await desk.run(mix_audio, {"voice": paced}, {"bed": True})).output
    samples = audio_file.load(await desk.file(mixed, "m4a"))
    assert samples.shape[1] / audio_file.RATE == pytest.approx(lasts, abs=0.1)
    assert loudness(samples) == pytest.approx(-14, abs=0.6)
    assert true_peak(samples) < 1


async def test_a_voice_longer_than_asked_is_not_cut(desk, sine):
    voice = await desk.audio(sine(9.0))
    done = await desk.run(pace_voice, {"voice": voice, "brief": "A 5-second teaser"})
    assert done.output == voice


@pytest.mark.parametrize("silent", [True, False])
async def test_silence_and_mono_are_mixed(desk, sine, silent):
    samples = np.zeros((2, audio_file.RATE), np.float32) if silent else sine(1)
    done = await desk.run(mix_audio, {"voice": await desk.audio(samples)})
    back = audio_file.load(await desk.file(done.output, "m4a"))
    assert bool(np.abs(back).max() < 1e-3) is silent


async def test_a_video_without_audio_has_none_to_mix(desk):
    clip = await desk.video(0.5, hertz=None)
    with pytest.raises(NodeError, match="no audio"):
        await desk.run(mix_audio, {"voice": Audio(asset_id=clip.asset_id, media_type="video/mp4")})


@pytest.mark.parametrize("move", ["push in", "pull out", "pan right", "pan left", "rise", "drift", "still"])
async def test_still_image_is_animated(desk, move):
    noise = Pillow.effect_noise((400, 300), 100).convert("RGB")
    settings = {"duration": 0.5, "move": move, "height": 360}
    done = await desk.run(still_to_video, {"image": await desk.image(noise)}, settings)
    frames = list(video_reader.frames(await desk.file(done.output, "mp4"), (480, 360), 24))
    assert len(frames) == 12
    assert (done.output.width, done.output.height) == (480, 360)
    moved = np.abs(frames[0].astype(int) - frames[-1].astype(int)).mean()
    assert bool(moved < 4) is (move == "still")


async def test_a_still_lasts_as_long_as_its_audio(desk, sine):
    inputs = {
        "image": await desk.image(Pillow.new("RGB", (90, 160), "teal")),
        "audio": await desk.audio(sine(1.5)),
    }
    done = await desk.run(still_to_video, inputs, {"duration": 0.5, "height": 360})
    found = probe(await desk.file(done.output, "mp4"))
    assert found.seconds == pytest.approx(1.5, abs=0.1)
    assert found.has_audio
    assert (found.width, found.height) == (360, 640)


@pytest.mark.parametrize("look", ["panel", "shadow"])
async def test_captions_are_seen_only_in_their_time(desk, look):
    clip = await desk.video(1.5, (320, 180), (120, 120, 120))
    cues = [{"start": 0.5, "end": 1.0, "text": "Out now"}]
    done = await desk.run(burn_captions, {"video": clip, "cues": {"cues": cues}}, {"look": look, "size": 0.1})
    path = await desk.file(done.output, "mp4")
    plain = list(video_reader.frames(await desk.file(clip, "mp4"), (320, 180), 24))
    burnt = list(video_reader.frames(path, (320, 180), 24))
    assert len(burnt) == len(plain) == 36
    changed = [
        np.abs(one[130:].astype(int) - other[130:].astype(int)).max()
        for one, other in zip(plain, burnt, strict=True)
    ]
    assert max(changed[:11]) < 60 < min(changed[13:23])
    assert max(changed[25:]) < 60
    assert probe(path).has_audio


async def test_captions_may_come_as_srt_and_must_come(desk):
    clip = await desk.video(0.5)
    srt = "1\n00:00:00,000 --> 00:00:00,400\nHello\n"
    assert (await desk.run(burn_captions, {"video": clip, "srt": srt})).output.seconds == pytest.approx(
        0.5, abs=0.05
    )
    with pytest.raises(NodeError, match="Connect captions"):
        await desk.run(burn_captions, {"video": clip})


@pytest.mark.parametrize("target", ["PNG", "JPEG", "WebP", "AVIF", "GIF", "MP4", "WAV", "M4A", "MP3"])
async def test_a_video_becomes_any_format(desk, target):
    clip = await desk.video(0.6)
    done = await desk.run(convert, {"file": as_file(clip)}, {"format": target})
    data = await desk.bytes(done.output)
    marks = {"PNG": b"\x89PNG", "JPEG": b"\xff\xd8", "GIF": b"GIF8", "WAV": b"RIFF", "WebP": b"RIFF"}
    assert data.startswith(marks.get(target, b""))
    if target in {"MP4", "WAV", "M4A", "MP3"}:
        assert probe(await desk.file(done.output, target.lower())).seconds == pytest.approx(0.6, abs=0.15)


async def test_impossible_conversion_is_an_error(desk, sine):
    image = await desk.image(Pillow.new("RGB", (8, 8)))
    with pytest.raises(NodeError, match="An image can't become MP3"):
        await desk.run(convert, {"file": as_file(image)}, {"format": "MP3"})
    with pytest.raises(NodeError, match="An audio file can't become PNG"):
        await desk.run(convert, {"file": as_file(await desk.audio(sine(0.3)))}, {"format": "PNG"})


async def test_the_index_is_first_so_that_videos_play_while_they_load(desk):
    done = await desk.run(join_clips, {"clips": [await desk.video(0.5)]})
    data = await desk.bytes(done.output)
    assert data.index(b"moov") < data.index(b"mdat")


@pytest.mark.parametrize("pixel_format", ["yuv420p10le", "yuv444p", "yuvj420p"])
async def test_ten_bits_and_other_pixel_formats_are_read(desk, tmp_path, pixel_format):
    path = tmp_path / "deep.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=24)
        stream.width, stream.height, stream.pix_fmt = 96, 64, pixel_format
        for number in range(12):
            frame = av.VideoFrame.from_ndarray(np.full((64, 96, 3), (200, 60, 30), np.uint8), format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    stored = await desk.store.put(path, "video/x-matroska", None)
    done = await desk.run(
        join_clips, {"clips": [Video(asset_id=stored.asset_id, media_type="video/x-matroska")]}
    )
    red, green, blue = shares_of(await desk.file(done.output, "mp4"), (96, 64))[6]
    assert red > 150 > green
    assert blue < 80


async def test_mono_audio_is_heard_from_both_sides(desk, tmp_path):
    path = tmp_path / "mono.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 22_050, 0, "NONE", ""))
        file.writeframes((8_000 * np.sin(np.arange(22_050) / 10)).astype(np.int16).tobytes())
    stored = await desk.store.put(path, "audio/wav", None)
    done = await desk.run(mix_audio, {"voice": Audio(asset_id=stored.asset_id, media_type="audio/wav")})
    left, right = audio_file.load(await desk.file(done.output, "m4a"))
    assert np.abs(left).max() > 0.1
    assert np.abs(left - right).max() < 0.05


async def test_an_animated_image_becomes_a_still_one(desk):
    pages = [Pillow.new("RGB", (64, 64), color) for color in ("red", "blue")]
    image = await desk.image(pages[0], "GIF", save_all=True, append_images=pages[1:], duration=80)
    done = await desk.run(still_to_video, {"image": image}, {"duration": 0.5, "height": 360, "move": "still"})
    red, _, blue = shares_of(await desk.file(done.output, "mp4"), (64, 64))[3]
    assert red > 150 > blue


async def test_a_video_with_too_many_pixels_is_refused(desk, monkeypatch):
    clip = await desk.video(0.3)
    monkeypatch.setattr(video_reader, "MAX_PIXELS", 10_000)
    with pytest.raises(NodeError, match="160 by 90 pixels") as caught:
        await desk.run(join_clips, {"clips": [clip]})
    assert caught.value.code == "picture_too_large"


@pytest.mark.usefixtures("system_fonts")
async def test_captions_that_no_font_draws_are_refused_before_the_work(desk):
    clip = await desk.video(0.5)
    cues = {"cues": [{"start": 0, "end": 0.4, "text": "𓀀𓁐𓂀"}]}
    with pytest.raises(NodeError, match="No font here can draw '𓀀𓁐𓂀'"):
        await desk.run(burn_captions, {"video": clip, "cues": cues})


async def test_noise_is_as_loud_when_it_is_kept(desk):
    """Coding takes the highest tones away, and white noise is made of them."""
    noise = (np.random.default_rng(5).standard_normal((2, audio_file.RATE * 4)) * 0.1).astype(np.float32)
    done = await desk.run(mix_audio, {"voice": await desk.audio(noise)})
    kept = audio_file.load(await desk.file(done.output, "m4a"))
    assert loudness(kept) == pytest.approx(-14, abs=0.3)
    assert 20 * np.log10(true_peak(kept)) < -0.5


@pytest.mark.parametrize("silent", ["voice", "music", "both"])
async def test_silence_is_mixed_like_any_other_audio(desk, sine, silent):
    quiet = np.zeros((2, audio_file.RATE), np.float32)
    inputs = {
        "voice": await desk.audio(quiet if silent != "music" else sine(1.0)),
        "music": await desk.audio(quiet if silent != "voice" else sine(1.0)),
    }
    done = await desk.run(mix_audio, inputs)
    assert done.output.seconds == pytest.approx(1.0, abs=0.05)


async def test_captions_appear_on_time_in_a_clip_of_few_frames(desk):
    """At one frame a second a caption of half a second would never be seen."""
    inputs = {
        "video": await desk.video(3.0, (320, 180), (30, 30, 30), hertz=None, rate=1),
        "cues": {"cues": [{"start": 0.2, "end": 0.8, "text": "WWWWWWWW"}]},
    }
    done = await desk.run(burn_captions, inputs, {"size": 0.12})
    path = await desk.file(done.output, "mp4")
    light = [
        float(frame[:, :, 1].max()) > 230 and float((frame[140:175] > 230).mean()) > 0.01
        for frame in video_reader.frames(path, (320, 180), 12)
    ]
    assert any(light[3:9])
    assert probe(path).seconds == pytest.approx(3.0, abs=0.1)


async def test_a_clip_that_lies_about_its_length_is_not_drawn_for_hours(tmp_path):
    path = tmp_path / "long.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mjpeg", rate=1)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuvj420p"
        audio = container.add_stream("pcm_s16le", rate=8000, layout="mono")
        page = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")
        container.mux(stream.encode(page))
        container.mux(stream.encode(None))
        late = av.AudioFrame.from_ndarray(np.zeros((1, 80), np.int16), format="s16", layout="mono")
        late.sample_rate, late.pts = 8000, 8000 * 36_000
        container.mux(audio.encode(late))
        container.mux(audio.encode(None))
    with pytest.raises(NodeError) as caught:
        sum(1 for _ in video_reader.frames(path, (32, 32), 24))
    assert caught.value.code == "damaged_media"


async def test_captions_are_drawn_one_at_a_time(desk, monkeypatch):
    """Each is an image of the frame's size: a video's hundreds would fill the memory."""
    module, made, peak = sys.modules["impasto_nodes.transform.burn_captions"], [], 0
    real = module.layer

    def layer(*given):
        nonlocal peak
        made.append(weakref.ref(drawn := real(*given)))
        peak = max(peak, sum(one() is not None for one in made))
        return drawn

    monkeypatch.setattr(module, "layer", layer)
    cues = [{"start": n / 10, "end": n / 10 + 0.1, "text": f"word {n}"} for n in range(20)]
    inputs = {"video": await desk.video(2.0, hertz=None), "cues": {"cues": cues}}
    await desk.run(burn_captions, inputs)
    assert len(made) == 20
    assert peak <= 2


def test_crossfade_of_large_frames_is_limited_by_memory():
    assert video_reader.max_crossfade_frames((1920, 1080)) >= 90
    assert video_reader.max_crossfade_frames((3840, 2160)) * 3840 * 2160 * 3 < 700_000_000
    assert video_reader.max_crossfade_frames((30_000, 30_000)) == 2


@pytest.mark.thorough
async def test_mixing_takes_less_than_a_tenth_of_the_playing_time(desk, sine):
    seconds = 30
    noise = np.random.default_rng(3).normal(0, 0.1, (2, seconds * audio_file.RATE)).astype(np.float32)
    inputs = {"voice": await desk.audio(sine(seconds, 300, 0.3)), "music": await desk.audio(noise)}
    started = time.process_time()  # of all threads: an idle machine is not needed
    done = await desk.run(mix_audio, inputs)
    assert time.process_time() - started < 0.1 * seconds
    assert done.output.seconds == pytest.approx(seconds, abs=0.1)
