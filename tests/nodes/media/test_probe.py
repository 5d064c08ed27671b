"""What a file is and how long, wide and high it is, whatever its name says."""

import io
from fractions import Fraction

import av
import numpy as np
import pytest
from PIL import Image
from tests.fakes.heif import heic
from tests.fakes.media import mp4

from impasto import Audio
from impasto_nodes.media.audio import audio_file
from impasto_nodes.media.errors import EmptyFile, NotMedia
from impasto_nodes.media.probe import probe, seconds_of
from impasto_nodes.media.video.video_reader import size_of


def avif():
    out = io.BytesIO()
    Image.new("RGB", (64, 64), "red").save(out, "AVIF")
    return out.getvalue()


@pytest.mark.parametrize("data", [heic(), heic(brands=b"mif1heicmif1"), avif()], ids=["heic", "heif", "avif"])
@pytest.mark.parametrize("read", [probe, size_of])
def test_image_in_a_video_container_is_not_taken_for_video(tmp_path, data, read):
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(NotMedia, match="not a video"):
        read(path)


def test_video_is_probed(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(mp4())
    assert probe(path).media_type == "video/mp4"


def recorded(path, container_format, codec, *, video=None):
    """Half a second of silence, with or without a video beside it."""
    with av.open(str(path), "w", format=container_format) as container:
        seen = container.add_stream(video, rate=Fraction(25, 2)) if video else None
        sound = container.add_stream(codec, rate=48_000, layout="stereo") if codec else None
        if seen is not None:
            seen.width, seen.height, seen.pix_fmt = 48, 32, "yuv420p"
            for number in range(6):
                frame = av.VideoFrame.from_ndarray(np.zeros((32, 48, 3), np.uint8), format="rgb24")
                frame.pts = number
                container.mux(seen.encode(frame))
            container.mux(seen.encode(None))
        if sound is not None:
            for frame in audio_file.frames(np.zeros((2, 24_000), np.float32)):
                container.mux(sound.encode(frame))
            container.mux(sound.encode(None))
    return path


@pytest.mark.parametrize(
    ("container", "codec", "video", "media_type"),
    [
        ("mp4", "aac", None, "audio/mp4"),
        ("mp4", "aac", "libx264", "video/mp4"),
        ("matroska", "aac", None, "audio/x-matroska"),
        ("matroska", None, "libx264", "video/x-matroska"),
        ("wav", "pcm_s16le", None, "audio/wav"),
        ("mp3", "libmp3lame", None, "audio/mpeg"),
        ("flac", "flac", None, "audio/flac"),
        ("adts", "aac", None, "audio/aac"),
        ("avi", "pcm_s16le", "libx264", "video/x-msvideo"),
        ("aiff", "pcm_s16be", None, "audio/aiff"),
        ("mpegts", "aac", "libx264", "video/mp4"),
        ("mpegts", "aac", None, "application/octet-stream"),
    ],
)
def test_facts_of_a_recording_are_those_of_its_container(tmp_path, container, codec, video, media_type):
    found = probe(recorded(tmp_path / "file", container, codec, video=video))
    assert found.media_type == media_type
    assert (found.has_video, found.has_audio) == (video is not None, codec is not None)
    size = (48, 32, 12.5) if video else (None, None, None)
    assert (found.width, found.height, found.frame_rate) == size
    assert found.seconds == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("container", ["wav", "matroska"])
def test_length_of_a_recording_is_exact(tmp_path, container):
    assert probe(recorded(tmp_path / "file", container, "pcm_s16le")).seconds == 0.5


def test_an_empty_file_and_a_text_are_no_recordings(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"")
    with pytest.raises(EmptyFile):
        probe(path)
    path.write_bytes(b"hello " * 100)
    with pytest.raises(NotMedia):
        probe(path)


@pytest.mark.anyio
async def test_the_length_of_a_recording_is_stated_or_read_from_its_file(tmp_path):
    path = recorded(tmp_path / "file", "wav", "pcm_s16le")
    assert await seconds_of(Audio(asset_id="a", seconds=7.0), path) == 7.0
    assert await seconds_of(Audio(asset_id="a"), path) == pytest.approx(0.5)
