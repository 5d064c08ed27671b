"""Frames of videos: their times, how clips are placed and overlap, and how still images move."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from tests.fixtures.clips import grey_clip, greys_of

from impasto_nodes.media.audio.audio_file import RATE
from impasto_nodes.media.errors import DamagedMedia, EmptyFile, ImageTooLarge
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video import video_reader
from impasto_nodes.media.video.motion import MOVES, Mover, chosen, eased
from impasto_nodes.media.video.video_reader import Counted, crossfaded, max_crossfade_frames, placed
from impasto_nodes.media.video.video_writer import even, open_video


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (10, [40, 120, 200]),
        (20, [40, 40, 120, 120, 200, 200]),
        (5, [40, 200]),
        (30, [40] * 3 + [120] * 3 + [200] * 3),
    ],
)
def test_each_frame_stays_until_the_time_of_the_next(
    tmp_path: Path, rate: float, expected: list[int]
) -> None:
    assert greys_of(grey_clip(tmp_path / "a.mp4", [40, 120, 200]), rate) == expected


@pytest.mark.parametrize("rate", [1, 12, 24, 60])
@pytest.mark.parametrize(("number", "own"), [(25, 25), (7, 10), (31, 30), (1, 10)])
def test_a_clip_at_another_rate_is_as_long_as_before(
    tmp_path: Path, number: int, own: float, rate: float
) -> None:
    path = grey_clip(tmp_path / "a.mp4", [100] * number, rate=own)
    frames = len(list(video_reader.frames(path, (32, 16), rate)))
    assert frames >= 1
    assert frames == 1 or frames == pytest.approx(number / own * rate, abs=0.5001)


def shifted(path: Path, seconds: int) -> Path:
    """A video whose first frame has a time of its own."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 32, 16, "yuv420p"
        for number in range(4):
            frame = av.VideoFrame.from_ndarray(
                np.full((16, 32, 3), 40 + 40 * number, np.uint8), format="rgb24"
            )
            frame.pts, frame.time_base = seconds * 10 + number, Fraction(1, 10)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize("ending", ["mkv", "mp4", "ts"])
def test_time_is_counted_from_the_first_frame(tmp_path: Path, ending: str) -> None:
    late = shifted(tmp_path / f"late.{ending}", 3)
    assert greys_of(late, 10) == [40, 80, 120, 160]
    assert probe(late).seconds == pytest.approx(0.4, abs=0.06)
    assert video_reader.duration_of(late) == pytest.approx(0.4, abs=0.06)


def test_a_video_has_as_many_frames_as_were_added_and_its_length(tmp_path: Path) -> None:
    path = grey_clip(tmp_path / "a.mp4", [100] * 7, rate=12.5)
    found = probe(path)
    assert (found.width, found.height, found.frame_rate, found.has_audio) == (32, 16, 12.5, False)
    assert video_reader.duration_of(path) == pytest.approx(7 / 12.5)
    assert len(list(video_reader.frames(path, (32, 16), 12.5))) == 7


@pytest.mark.parametrize(
    ("rate", "used"), [(3, 12), (6, 12), (12, 12), (25, 25), (60, 60), (120, 60), (5, 20)]
)
def test_a_low_frame_rate_is_doubled_until_it_is_smooth(tmp_path: Path, rate: float, used: float) -> None:
    assert video_reader.rate_of(grey_clip(tmp_path / "a.mp4", [90] * 4, rate=rate)) == pytest.approx(used)


def test_a_video_is_read_in_its_own_pixels_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = grey_clip(tmp_path / "a.mp4", [90] * 2)
    monkeypatch.setattr(video_reader, "MAX_PIXELS", 32 * 16)
    assert video_reader.size_of(path) == (32, 16)
    monkeypatch.setattr(video_reader, "MAX_PIXELS", 32 * 16 - 1)
    with pytest.raises(ImageTooLarge):
        video_reader.size_of(path)
    (tmp_path / "empty.mp4").write_bytes(b"")
    with pytest.raises(EmptyFile):
        video_reader.size_of(tmp_path / "empty.mp4")


def test_a_clip_may_last_as_long_as_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = grey_clip(tmp_path / "a.mp4", [90] * 10)
    monkeypatch.setattr(video_reader, "MAX_SECONDS", 1.0)
    assert len(list(video_reader.frames(path, (32, 16), 10))) == 10
    for limit, frames in ((0.99, 9), (0.5, 5), (0.49, 4)):
        monkeypatch.setattr(video_reader, "MAX_SECONDS", limit)
        read = video_reader.frames(path, (32, 16), 10)
        assert len([next(read) for _ in range(frames)]) == frames
        with pytest.raises(DamagedMedia):
            next(read)


def test_the_audio_of_a_video_lasts_to_its_end(tmp_path: Path) -> None:
    samples = np.random.default_rng(2).normal(0, 0.2, (2, RATE)).astype(np.float32)
    with open_video(tmp_path / "a.mp4", (32, 16), 10, with_audio=True) as writing:
        for _ in range(10):
            writing.add_frame(np.zeros((16, 32, 3), np.uint8))
        writing.add_audio(samples)
    with av.open(str(tmp_path / "a.mp4")) as container:
        sound = container.streams.audio[0]
        assert (sound.rate, sound.layout.name, sound.codec_context.name) == (RATE, "stereo", "aac")
        assert sound.bit_rate == pytest.approx(160_000, rel=0.03)
        assert sum(frame.samples for frame in container.decode(audio=0)) >= RATE


def test_a_video_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="shape"):
        with_depth(tmp_path / "a.mp4")
    assert list(tmp_path.iterdir()) == []


def with_depth(path: Path) -> None:
    """Write pixels of four bands, which a video does not have."""
    with open_video(path, (32, 16), 10, with_audio=False) as writing:
        writing.add_frame(np.zeros((16, 32, 3), np.uint8))
        writing.add_frame(np.zeros((16, 32, 4), np.uint8))


def test_a_written_video_is_tagged_for_every_player(tmp_path: Path) -> None:
    with av.open(str(grey_clip(tmp_path / "a.mp4", [90] * 3))) as container:
        video = container.streams.video[0].codec_context
        assert (video.name, video.pix_fmt, video.profile) == ("h264", "yuv420p", "High")
        assert (video.colorspace, video.color_primaries, video.color_trc, video.color_range) == (1, 1, 1, 1)
        assert [frame.time for frame in container.decode(video=0)] == pytest.approx([0, 0.1, 0.2])
    data = (tmp_path / "a.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


@pytest.mark.parametrize(
    ("size", "rounded"),
    [((640, 480), (640, 480)), ((641, 481), (640, 480)), ((1, 1), (2, 2)), ((3, 2), (2, 2))],
)
def test_sizes_of_videos_are_even(size: tuple[int, int], rounded: tuple[int, int]) -> None:
    assert even(size) == rounded


def clip(*values: int) -> Counted:
    def pages() -> Iterator[np.ndarray]:
        for value in values:
            yield np.full((2, 2, 3), value, np.uint8)

    return Counted(pages())


def joined(rows: list[Counted], overlap: int) -> list[int]:
    return [int(frame[0, 0, 0]) for frame in crossfaded(rows, overlap)]


def test_clips_follow_each_other_or_overlap_in_a_soft_crossfade() -> None:
    assert joined([clip(10, 20, 30), clip(200, 210)], 0) == [10, 20, 30, 200, 210]
    assert joined([clip(0, 0, 0, 0), clip(200, 200, 200, 200)], 1) == [0, 0, 0, 100, 200, 200, 200]
    assert joined([clip(0, 0, 0, 0), clip(200, 200, 200, 200)], 3) == [0, 31, 100, 168, 200]
    rows = [clip(0, 0, 0), clip(100, 100, 100), clip(200, 200, 200)]
    assert joined(rows, 1) == [0, 0, 50, 100, 150, 200, 200]
    assert [row.count for row in rows] == [3, 3, 3]


def test_a_clip_shorter_than_the_crossfade_is_mixed_as_far_as_it_goes() -> None:
    assert joined([clip(0, 0, 0), clip(200)], 2) == [0, 51, 0]
    assert joined([clip(0), clip(200, 200)], 3) == [100, 200]
    assert joined([clip(), clip(7)], 2) == [7]


@pytest.mark.parametrize(
    ("size", "most"), [((1920, 1080), 96), ((100, 100), 20_000), ((20_000, 5_000), 2), ((10_000, 6_666), 3)]
)
def test_a_crossfade_has_as_many_frames_as_fit_into_600_megabytes(size: tuple[int, int], most: int) -> None:
    assert max_crossfade_frames(size) == most


def test_an_image_in_a_frame_fills_it_or_stands_whole_in_its_middle() -> None:
    image = Image.new("RGB", (40, 20), (250, 0, 0))
    image.paste((0, 0, 250), (20, 0, 40, 20))
    assert placed(image, (40, 20), "fit") is image
    filled = placed(image, (20, 20), "fill")
    assert (filled.getpixel((2, 2)), filled.getpixel((17, 17))) == ((250, 0, 0), (0, 0, 250))
    whole = placed(image, (40, 60), "fit")
    rows = np.asarray(whole)[:, 2, 0]
    assert np.flatnonzero(rows == 250).tolist() == list(range(20, 40))
    assert 60 < rows[0] < 190, "the ground is a blurred, darker copy"
    beside = np.asarray(placed(image, (60, 20), "fit"))[2, :, 0]
    assert np.flatnonzero(beside == 250).tolist() == list(range(10, 30))


def test_moves_begin_and_end_at_their_windows() -> None:
    ramp = np.linspace(0, 250, 200)
    image = Image.fromarray(
        np.dstack([np.tile(ramp, (100, 1)), np.tile(ramp[::2, None], (1, 200)), np.zeros((100, 200))]).astype(
            np.uint8
        )
    )

    def seen(move: str, part: float) -> tuple[float, float, float]:
        """The middle of what is seen, across and down, and how much of the width, as shares."""
        frame = np.asarray(Mover(image, (80, 40), MOVES[move]).frame(part), float)
        across, down = frame[..., 0].mean() / 250, frame[..., 1].mean() / 250
        wide = (frame[:, -1, 0].mean() - frame[:, 0, 0].mean()) / 250
        assert (frame[-1, :, 1].mean() - frame[0, :, 1].mean()) / 250 == pytest.approx(wide, abs=0.03)
        return across, down, wide

    half = 0.5 / 1.14
    expected = {
        ("push in", 0): (0.5, 0.5, 1),
        ("push in", 1): (0.5, 0.5 - 0.05 * (1 - 1 / 1.16), 1 / 1.16),
        ("pull out", 0): (0.5, 0.5 - 0.05 * (1 - 1 / 1.18), 1 / 1.18),
        ("pull out", 1): (0.5, 0.5, 1),
        ("pan right", 0): (half, 0.5, 1 / 1.14),
        ("pan right", 1): (1 - half, 0.5, 1 / 1.14),
        ("pan right", 2): (1 - half, 0.5, 1 / 1.14),
        ("pan left", -1): (1 - half, 0.5, 1 / 1.14),
        ("rise", 0): (0.5, 1 - half, 1 / 1.14),
        ("rise", 1): (0.5, half, 1 / 1.14),
        ("drift", 0.5): (0.5, 0.5, 1 / 1.12),
        ("still", 0.7): (0.5, 0.5, 1),
    }
    for (move, part), window in expected.items():
        assert seen(move, part) == pytest.approx(window, abs=0.02), (move, part)


def test_a_move_is_eased_at_both_ends() -> None:
    assert [eased(part) for part in (0, 0.25, 0.5, 0.75, 1)] == pytest.approx(
        [0, 0.2078125, 0.5, 0.7921875, 1]
    )


def test_images_that_follow_each_other_move_differently_and_never_stand_still() -> None:
    names = {move: name for name, move in MOVES.items()}
    made = [names[chosen(2, index)] for index in range(7)]
    assert made == ["pan right", "pull out", "push in", "drift", "rise", "pan left", "pan right"]
    assert chosen(3, 0) == MOVES["pan left"]
