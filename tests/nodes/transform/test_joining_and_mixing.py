"""Clips end to end and voices over music, by their frames and samples."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.fixtures.clips import SIZE, grey_clip, greys_of, tone

from impasto_nodes.media.audio.audio_file import RATE, load, write
from impasto_nodes.media.audio.loudness import levelled, loudness
from impasto_nodes.media.captions.segmentation import Cue
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video import video_reader
from impasto_nodes.transform import join_clips as join_clips_node
from impasto_nodes.transform import mix_audio as mix_audio_node
from impasto_nodes.transform.burn_captions import audio_of, burnt
from impasto_nodes.transform.join_clips import Cut, joined
from impasto_nodes.transform.mix_audio import mixed

pytestmark = pytest.mark.anyio


def strength(samples: np.ndarray, hertz: float, start: float, seconds: float = 0.2) -> float:
    """The amplitude of one tone in a part of the sound."""
    part = samples[0, round(start * RATE) : round((start + seconds) * RATE)]
    wave = np.exp(-2j * np.pi * hertz * np.arange(len(part)) / RATE)
    return float(2 * np.abs((part * wave).mean()))


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A dark clip with a low tone, and a light one with a high tone."""
    folder = tmp_path_factory.mktemp("clips")
    return [
        grey_clip(folder / "1.mp4", [40] * 10, hertz=400),
        grey_clip(folder / "2.mp4", [200] * 10, hertz=1000),
    ]


Together = Callable[..., tuple[float, Path, list[object]]]


@pytest.fixture
def together(clips: list[Path], tmp_path: Path) -> Together:
    """Join the two clips, with a track if there is one, and return length, file and progress."""

    def run(track: np.ndarray | None, **changes: object) -> tuple[float, Path, list[object]]:
        sound = None
        if track is not None:
            sound = tmp_path / "track.wav"
            write(sound, track)
        shown: list[object] = []
        out = tmp_path / "out.mp4"
        cut = Cut(**{"size": SIZE, "rate": 10.0, "crossfade_seconds": 0.0, **changes})  # type: ignore[arg-type]
        seconds = joined(clips, sound, out, cut, lambda *given: shown.append(given))
        return seconds, out, shown

    return run


def test_clips_are_laid_end_to_end_with_their_audio(together: Together) -> None:
    seconds, out, shown = together(None)
    assert seconds == 2.0
    assert greys_of(out) == [40] * 10 + [200] * 10
    sound = load(out)
    assert strength(sound, 400, 0.6) == pytest.approx(0.3, abs=0.03)
    assert strength(sound, 1000, 0.6) < 0.02
    assert strength(sound, 1000, 1.2) == pytest.approx(0.3, abs=0.03)
    assert strength(sound, 400, 1.2) < 0.02
    assert shown == [(min(0.95, number / 20),) for number in range(1, 21)]


def test_audio_is_crossfaded_where_the_frames_are(together: Together) -> None:
    seconds, out, _ = together(None, crossfade_seconds=0.4)
    assert seconds == 1.6
    shown = greys_of(out)
    assert shown[:6] == [40] * 6
    assert shown[10:] == [200] * 6
    assert shown[6:10] == sorted(shown[6:10])
    sound = load(out)
    assert strength(sound, 400, 0.35) == pytest.approx(0.3, abs=0.03)
    assert strength(sound, 400, 0.7) == pytest.approx(0.15, abs=0.04)
    assert strength(sound, 1000, 0.7) == pytest.approx(0.15, abs=0.04)
    assert strength(sound, 1000, 1.05) == pytest.approx(0.3, abs=0.03)
    assert strength(sound, 400, 1.05) < 0.02


def test_clips_without_audio_and_muted_clips_are_silent(tmp_path: Path, together: Together) -> None:
    _, out, _ = together(None, keep_audio=False)
    assert np.abs(load(out)).max() < 0.01
    paths = [grey_clip(tmp_path / "3.mp4", [40] * 5), grey_clip(tmp_path / "4.mp4", [90] * 5, hertz=700)]
    joined(paths, None, out, Cut(SIZE, 10.0, 0.0), lambda *given: None)
    sound = load(out)
    assert strength(sound, 700, 0.1) < 0.02
    assert strength(sound, 700, 0.7) == pytest.approx(0.3, abs=0.03)
    assert audio_of(paths[0]) is None


def test_added_audio_lies_over_that_of_the_clips(together: Together) -> None:
    _, out, _ = together(tone(1.0, 2000))
    sound = load(out)
    assert strength(sound, 2000, 0.5) == pytest.approx(0.3, abs=0.03)
    assert strength(sound, 400, 0.5) == pytest.approx(0.075, abs=0.02)
    assert strength(sound, 2000, 1.4) < 0.02
    _, out, _ = together(tone(1.0, 2000), keep_audio=False)
    assert strength(load(out), 400, 0.5) < 0.01


def test_longer_audio_fades_out_in_the_last_part(together: Together) -> None:
    seconds, out, _ = together(tone(3.0, 2000))
    assert seconds == 2.0
    sound = load(out)
    assert strength(sound, 2000, 0.1) == pytest.approx(0.3, abs=0.03)
    assert strength(sound, 2000, 1.2) == pytest.approx(0.3, abs=0.03)
    assert strength(sound, 2000, 1.65) == pytest.approx(0.15, abs=0.04)
    assert strength(sound, 2000, 1.93, 0.05) < 0.02


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(1.5, [40] * 10 + [200] * 5), (3.2, ([40] * 10 + [200] * 10) * 2), (0.4, [40] * 4)],
)
def test_clips_are_cut_or_repeated_to_the_length_of_the_audio(
    together: Together, seconds: float, expected: list[int]
) -> None:
    lasts, out, shown = together(tone(seconds, 2000), fits_audio=True)
    assert lasts == seconds
    assert greys_of(out) == expected[: round(seconds * 10)]
    assert shown[0] == (pytest.approx(1 / round(seconds * 10)),)


def test_audio_shorter_than_a_frame_has_one(together: Together) -> None:
    seconds, out, _ = together(tone(0.01, 2000), fits_audio=True)
    assert (seconds, greys_of(out)) == (0.1, [40])


def test_repeated_clips_overlap_by_their_crossfade(together: Together) -> None:
    lasts, out, _ = together(tone(3.0, 2000), fits_audio=True, crossfade_seconds=0.2)
    assert lasts == 3.0
    shown = greys_of(out)
    assert (shown[4], shown[12], shown[20], shown[28]) == (40, 200, 40, 200)


def test_a_crossfade_that_does_not_fit_into_memory_is_shortened_and_reported(
    together: Together, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(video_reader, "max_crossfade_frames", lambda size: 3)
    seconds, _, shown = together(None, crossfade_seconds=0.5)
    assert seconds == 1.7
    assert shown[0] == (0.0, "At this frame size, a crossfade takes at most 0.3 seconds.")
    seconds, _, shown = together(None, crossfade_seconds=0.3)
    assert (seconds, shown[0]) == (1.7, (0.05,))


@pytest.mark.parametrize(
    ("ratio", "size"),
    [
        ("as the first clip", (160, 90)),
        ("16:9", (160, 90)),
        ("9:16", (90, 160)),
        ("1:1", (120, 120)),
        ("4:5", (106, 134)),
    ],
)
async def test_a_ratio_keeps_the_area_of_the_first_clip(desk, ratio: str, size: tuple[int, int]) -> None:
    clips = [await desk.video(0.2, hertz=None), await desk.video(0.2, (64, 64), hertz=None)]
    done = await desk.run(join_clips_node, {"clips": clips}, {"aspect_ratio": ratio, "transition": "cut"})
    assert (done.output.width, done.output.height) == size


@pytest.mark.parametrize(("rates", "used"), [((12, 10), 24), ((30, 24), 30), ((24, 60), 60), ((24, 90), 60)])
async def test_the_highest_rate_of_the_clips_is_used(desk, rates: tuple[float, float], used: float) -> None:
    clips = [await desk.video(0.2, (32, 32), hertz=None, rate=rate) for rate in rates]
    done = await desk.run(join_clips_node, {"clips": clips}, {"transition": "cut"})
    path = await desk.file(done.output, "mp4")
    assert probe(path).frame_rate == used


async def test_the_audio_of_clips_is_kept_unless_it_is_muted(desk) -> None:
    clip = await desk.video(0.2, (32, 32), hertz=440)

    async def heard(**settings: str) -> bool:
        done = await desk.run(join_clips_node, {"clips": [clip]}, {"transition": "cut", **settings})
        return bool(np.abs(load(await desk.file(done.output, "mp4"))).max() > 0.1)

    assert await heard()
    assert not await heard(clip_sound="mute")


async def test_a_mix_may_be_as_long_as_the_longer_one(desk) -> None:
    inputs = {"voice": await desk.audio(tone(0.5, 900)), "music": await desk.audio(tone(1.0, 300))}
    assert (await desk.run(mix_audio_node, inputs)).output.seconds == pytest.approx(0.5)
    done = await desk.run(mix_audio_node, inputs, {"length": "as long as the longer one"})
    assert done.output.seconds == pytest.approx(1.0)


def test_captions_are_burnt_into_the_frames_of_their_time(tmp_path: Path) -> None:
    source, out = grey_clip(tmp_path / "1.mp4", [40] * 10, hertz=400), tmp_path / "out.mp4"
    cues = [Cue(0.2, 0.5, "a"), Cue(0.7, 0.8, "b")]
    shown: list[float] = []

    def drawn(cue: Cue) -> Image.Image:
        return Image.new("RGBA", SIZE, (200, 200, 200, 255 if cue.text == "a" else 128))

    seconds = burnt(source, out, SIZE, 10, cues, drawn, shown.append)
    assert seconds == 1.0
    assert greys_of(out) == [40, 40, 200, 200, 200, 40, 40, 120, 40, 40]
    assert shown == [min(0.95, number / 10) for number in range(1, 11)]
    assert strength(load(out), 400, 0.5) == pytest.approx(0.3, abs=0.03)


def levels(out: np.ndarray, hertz: float, times: tuple[float, ...]) -> list[float]:
    return [strength(out, hertz, time, 0.1) for time in times]


def test_music_is_lowered_under_a_voice() -> None:
    voice = np.concatenate([tone(2, 900), np.zeros((2, 2 * RATE), np.float32)], axis=1)
    out = mixed(voice, tone(10, 300), -6.0, 12.0, 0.0, longer=False)
    assert out.shape == (2, 4 * RATE)
    under, after = levels(out, 300, (1.4, 2.9))
    assert 20 * np.log10(after / under) == pytest.approx(11.4, abs=0.5)
    alone = levelled(voice, -16)
    assert levels(out, 900, (1.0,)) == pytest.approx(levels(alone, 900, (1.0,)), rel=0.03)
    assert strength(out, 300, 0.0, 0.05) < 0.1 * after
    assert strength(out, 300, 3.95, 0.05) < 0.05 * after


def test_music_plays_before_and_after_a_voice_with_a_lead_in() -> None:
    out = mixed(tone(1, 900), tone(2, 300), 0.0, 20.0, 1.0, longer=False)
    assert out.shape == (2, round(3.5 * RATE))
    before, during, after = levels(out, 900, (0.6, 1.5, 2.4))
    assert during > 0.1
    assert max(before, after) < 0.02
    assert levels(out, 300, (0.6,))[0] > 5 * levels(out, 300, (1.7,))[0]


def test_a_mix_may_last_as_long_as_longer_music() -> None:
    long, short = tone(4, 300), tone(1, 300)
    voice = tone(2, 900)
    assert mixed(voice, long, 0.0, 0.0, 0.0, longer=True).shape == (2, 4 * RATE)
    assert mixed(voice, long, 0.0, 0.0, 0.0, longer=False).shape == (2, 2 * RATE)
    repeated = mixed(voice, short, 0.0, 0.0, 0.0, longer=True)
    assert repeated.shape == (2, 2 * RATE)
    assert levels(repeated, 300, (1.2,))[0] > 0.1


def test_voice_and_music_start_from_the_same_loudness() -> None:
    even = mixed(tone(3, 900), tone(3, 900, 0.01), 0.0, 0.0, 0.0, longer=False)
    alone = levelled(tone(3, 900), -16)
    ratio = levels(even, 900, (0.9,))[0] / levels(alone, 900, (0.9,))[0]
    assert ratio == pytest.approx(2, abs=0.1)
    lower = mixed(tone(3, 900), tone(3, 900, 0.01), -6.02, 0.0, 0.0, longer=False)
    assert levels(lower, 900, (0.9,))[0] / levels(alone, 900, (0.9,))[0] == pytest.approx(1.5, abs=0.05)
    assert loudness(alone) == pytest.approx(-16, abs=0.1)
