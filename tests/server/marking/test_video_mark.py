"""The visible mark in videos: where it is, and what stays as it was."""

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image
from tests.server.content_credentials.samples import sample

from impasto_server.marking import video_mark
from impasto_server.marking.video_mark import VideoNotMarked, burn_in
from impasto_server.marking.visible_mark import mark_for

RATE = 10
FRAMES = 12
COLORS = {"color_range": 1, "colorspace": 1, "color_primaries": 1, "color_trc": 13}


def _video(path: Path, width: int, height: int) -> Path:
    """Write a gray video with a tone to a path."""
    with av.open(str(path), "w", format="mp4") as container:
        video: Any = container.add_stream("libx264", rate=RATE)
        video.width, video.height, video.pix_fmt = width, height, "yuv444p"
        for name, value in COLORS.items():
            setattr(video.codec_context, name, value)
        audio: Any = container.add_stream("aac", rate=48000, layout="mono")
        for index in range(FRAMES):
            gray = np.full((height, width, 3), 120 + index, np.uint8)
            container.mux(video.encode(av.VideoFrame.from_ndarray(gray)))
        container.mux(video.encode(None))
        tone = np.sin(np.arange(48000) / 20).astype(np.float32)[None]
        samples = av.AudioFrame.from_ndarray(tone, "fltp", "mono")
        samples.sample_rate = 48000
        container.mux([*audio.encode(samples), *audio.encode(None)])
    return path


def _frames(path: Path) -> list[tuple[float, Any]]:
    with av.open(str(path)) as container:
        return [
            (frame.time, frame.to_ndarray(format="gray").astype(int)) for frame in container.decode(video=0)
        ]


def _sound(path: Path) -> bytes:
    with av.open(str(path)) as container:
        return b"".join(bytes(packet) for packet in container.demux(audio=0))


@pytest.mark.parametrize("size", [(640, 480), (321, 241)])
def test_mark_is_in_the_corner_of_every_frame_and_nothing_else_changes(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    source, target = _video(tmp_path / "source", *size), tmp_path / "target"
    burn_in(source, target)
    before, after = _frames(source), _frames(target)
    assert [time for time, _ in before] == [time for time, _ in after]
    for (_, old), (_, new) in zip(before, after, strict=True):
        changed = np.argwhere(np.abs(old - new) > 20)
        assert len(changed) > 100
        assert changed.max(axis=0).tolist() < [60, 80]
    assert _sound(target) == _sound(source)
    with av.open(str(target)) as container:
        video = container.streams.video[0]
        assert {name: getattr(video.codec_context, name) for name in COLORS} == COLORS
        assert (video.width, video.height, video.average_rate) == (*size, RATE)
    assert target.read_bytes().index(b"moov") < target.read_bytes().index(b"mdat")  # plays while it loads


@pytest.mark.parametrize(
    ("size", "pixels"), [((640, 482), "yuv420p"), ((641, 480), "yuv444p"), ((640, 481), "yuv444p")]
)
def test_mark_has_its_colors_in_a_video_with_even_and_with_odd_sides(
    tmp_path: Path, size: tuple[int, int], pixels: str
) -> None:
    burn_in(_video(tmp_path / "source", *size), tmp_path / "target")
    with av.open(str(tmp_path / "target")) as container:
        frames: list[Any] = list(container.decode(video=0))
    mark = mark_for(size)
    corner = (0, 0, *mark.size)
    for index in (0, FRAMES - 1):
        expected = Image.new("RGB", size, (120 + index,) * 3)
        expected.paste(mark, (0, 0), mark)
        found = frames[index].to_image().crop(corner)
        assert np.abs(np.asarray(expected.crop(corner), int) - np.asarray(found, int)).mean() < 4
    assert {frame.format.name for frame in frames} == {pixels}
    assert [frame.key_frame for frame in frames] == [True, *[False] * (FRAMES - 1)]


def test_video_smaller_than_the_mark_is_covered_by_it(tmp_path: Path) -> None:
    burn_in(_video(tmp_path / "source", 16, 16), tmp_path / "target")
    assert len(_frames(tmp_path / "target")) == FRAMES


@pytest.mark.parametrize("kind", ["webm", "damaged", "sound", "long", "slow"])
def test_video_that_cannot_be_marked_within_the_limits_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = _video(tmp_path / "source", 64, 48)
    if kind == "webm":
        path.write_bytes(sample("video/webm"))
    elif kind == "damaged":
        path.write_bytes(path.read_bytes()[:900])
    elif kind == "sound":
        path.write_bytes(sample("audio/mp4"))
    elif kind == "long":
        monkeypatch.setattr(video_mark, "MAX_PIXELS", 64 * 48 * (FRAMES - 1))
    reasons = {
        **dict.fromkeys(("webm", "sound"), "it is no MP4 or MOV"),
        "long": "it is too long or too large",
        "slow": "it takes too long",
    }
    with pytest.raises(VideoNotMarked, match=reasons.get(kind)):
        burn_in(path, tmp_path / "target", max_seconds=0 if kind == "slow" else 60)


def test_video_at_the_limit_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video_mark, "MAX_PIXELS", 64 * 48 * FRAMES)
    burn_in(_video(tmp_path / "source", 64, 48), tmp_path / "target")
    assert len(_frames(tmp_path / "target")) == FRAMES
