"""Convert: what of a video is kept in another format."""

import numpy as np
import pytest
from PIL import ImageSequence

from impasto import File, Video
from impasto_nodes.media.audio import audio_file
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video import video_writer
from impasto_nodes.transform import convert

pytestmark = pytest.mark.anyio


async def converted(desk, clip, target):
    file = File(asset_id=clip.asset_id, media_type="video/mp4")
    return (await desk.run(convert, {"file": file}, {"format": target})).output


async def test_a_video_keeps_its_frame_rate_and_its_audio(desk):
    made = await converted(desk, await desk.video(0.5, rate=12), "MP4")
    path = await desk.file(made, "mp4")
    found = probe(path)
    assert (found.frame_rate, found.seconds) == (12, pytest.approx(0.5, abs=0.05))
    samples = audio_file.load(path)
    assert samples.shape[1] == pytest.approx(0.5 * audio_file.RATE, abs=2_000)
    assert np.abs(samples[:, : audio_file.RATE // 4]).max() > 0.1


@pytest.mark.parametrize(("seconds", "shown"), [(2, 2_000), (21, 20_000)])
async def test_a_gif_lasts_as_long_as_the_video_and_ends_after_twenty_seconds(desk, seconds, shown):
    clip = await desk.video(seconds, (16, 16), hertz=None, rate=1)
    made = await desk.open(await converted(desk, clip, "GIF"))
    assert sum(frame.info["duration"] for frame in ImageSequence.Iterator(made)) == shown


async def test_a_gif_has_128_colors(desk, tmp_path):
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)
    with video_writer.open_video(tmp_path / "noise.mp4", (64, 64), 12, with_audio=False) as writing:
        for _ in range(2):
            writing.add_frame(noise)
    stored = await desk.store.put(tmp_path / "noise.mp4", "video/mp4", None)
    made = await desk.open(await converted(desk, Video(asset_id=stored.asset_id), "GIF"))
    assert len(made.convert("RGB").getcolors(4096)) == 128


@pytest.mark.parametrize(("size", "shown"), [((1920, 4), (480, 2)), ((4, 1920), (2, 480))])
async def test_a_gif_is_two_pixels_wide_and_high_at_least(desk, size, shown):
    clip = await desk.video(0.2, size, hertz=None, rate=12)
    assert (await desk.open(await converted(desk, clip, "GIF"))).size == shown


@pytest.mark.parametrize(("rate", "kept"), [(60, 60), (90, 60)])
async def test_a_silent_video_stays_silent_and_has_at_most_60_frames_a_second(desk, rate, kept):
    made = await converted(desk, await desk.video(0.2, (32, 32), hertz=None, rate=rate), "MP4")
    found = probe(await desk.file(made, "mp4"))
    assert (found.frame_rate, found.has_audio) == (kept, False)
