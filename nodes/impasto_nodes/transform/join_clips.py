"""Join clips: one video from several, with cuts or cross-fades."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from impasto import Audio, Context, NodeError, Setting, Video, node

if TYPE_CHECKING:
    from collections.abc import Callable

    from impasto_nodes.media.audio.audio_file import Samples
    from impasto_nodes.media.video.video_reader import Counted

Ratio = Literal["as the first clip", "16:9", "9:16", "1:1", "4:5"]


@node(
    id="join_clips",
    title="Join clips",
    category="transform_assets",
    keywords=("concatenate", "concat", "cut", "edit video", "merge videos", "sequence", "reel", "crossfade"),
)
def join_clips(
    clips: list[Video],
    audio: Audio | None = None,
    *,
    transition: Annotated[
        Literal["cut", "cross-fade"], Setting(title="Transition", widget="segmented", main=True)
    ] = "cross-fade",
    transition_seconds: Annotated[
        float, Setting(title="Length of a cross-fade", ge=0.1, le=3, step=0.1, unit="s")
    ] = 0.5,
    aspect_ratio: Annotated[Ratio, Setting(title="Aspect ratio", widget="select")] = "as the first clip",
    fit: Annotated[
        Literal["fill", "fit"],
        Setting(
            title="Other shapes",
            widget="segmented",
            help="Fill cuts edges off; fit keeps all, on a soft ground.",
        ),
    ] = "fill",
    clip_sound: Annotated[
        Literal["keep", "mute"],
        Setting(
            title="Audio of the clips", widget="segmented", help="Kept under an added audio file, quieter."
        ),
    ] = "keep",
    length: Annotated[
        Literal["as long as the clips", "as long as the sound"],
        Setting(title="Length", widget="select", help="To match the audio, clips are repeated or cut."),
    ] = "as long as the clips",
    context: Context,
) -> Video:
    """Lay clips end to end, in their order, and add audio under them if it is connected.

    As long as the clips: longer audio is faded out. As long as the audio: the clips are repeated.
    """
    if not clips:
        raise NodeError("There is no clip to join.", code="nothing_to_join")
    with ExitStack() as files:
        paths = [files.enter_context(context.sync.open(clip)) for clip in clips]
        track = files.enter_context(context.sync.open(audio)) if audio else None
        cut = Cut(
            size=_size(paths[0], aspect_ratio),
            rate=_rate(paths),
            crossfade_seconds=transition_seconds if transition == "cross-fade" else 0.0,
            fit=fit,
            keep_audio=clip_sound == "keep",
            fits_audio=length == "as long as the sound",
        )
        out = context.temp_dir / "joined.mp4"
        seconds = joined(paths, track, out, cut, context.progress)
    width, height = cut.size
    stored = context.sync.store(
        out, "video/mp4", name="joined.mp4", width=width, height=height, seconds=seconds
    )
    assert isinstance(stored, Video)
    return stored


def _size(first: Path, aspect_ratio: str) -> tuple[int, int]:
    from impasto_nodes.media.video.video_reader import size_of
    from impasto_nodes.media.video.video_writer import even

    width, height = even(size_of(first))
    across, _, down = aspect_ratio.partition(":")
    if not down:
        return width, height
    ratio = int(across) / int(down)
    area = width * height
    return even((round((area * ratio) ** 0.5), round((area / ratio) ** 0.5)))


def _rate(paths: list[Path]) -> float:
    from impasto_nodes.media.probe import probe

    rates = [found.frame_rate for found in map(probe, paths) if found.frame_rate]
    return float(min(60.0, max([*rates, 24.0])))


@dataclass(frozen=True)
class Cut:
    """The settings for joining clips."""

    size: tuple[int, int]
    rate: float
    crossfade_seconds: float
    fit: Literal["fill", "fit"] = "fill"
    keep_audio: bool = True
    fits_audio: bool = False


def joined(
    paths: list[Path], track: Path | None, out: Path, cut: Cut, progress: Callable[..., object]
) -> float:
    """Write the video to `out`; return its length in seconds."""
    from impasto_nodes.media.audio.audio_file import RATE, fitted, load
    from impasto_nodes.media.video import video_reader, video_writer

    wanted = round(cut.crossfade_seconds * cut.rate)
    overlap = min(wanted, video_reader.max_crossfade_frames(cut.size))
    if overlap < wanted:
        progress(0.0, f"At this frame size, a crossfade takes at most {overlap / cut.rate:.1f} seconds.")
    over = load(track) if track else None
    max_frames = None
    if over is not None and cut.fits_audio:
        max_frames = max(1, round(over.shape[1] / RATE * cut.rate))
    lengths = [round((video_reader.duration_of(path) or 1.0) * cut.rate) for path in paths]
    if max_frames:
        paths = _repeated(paths, lengths, max_frames, overlap)
    rows = [video_reader.Counted(video_reader.frames(path, cut.size, cut.rate, cut.fit)) for path in paths]
    expected, count = max(1, max_frames or sum(lengths)), 0
    with video_writer.open_video(out, cut.size, cut.rate, with_audio=True) as writing:
        for frame in islice(video_reader.crossfaded(rows, overlap), max_frames):
            writing.add_frame(frame)
            count += 1
            progress(min(0.95, count / expected))
        seconds = count / cut.rate
        own = _clip_audio(paths, rows, overlap, cut.rate) if cut.keep_audio else None
        writing.add_audio(fitted(_mixed(own, over, seconds), seconds))
    return seconds


def _repeated(paths: list[Path], lengths: list[int], max_frames: int, overlap: int) -> list[Path]:
    """Return the clips repeated until there are enough frames."""
    chosen: list[Path] = []
    total = 0
    while total < max_frames:
        index = len(chosen) % len(paths)
        total += max(1, lengths[index] - overlap)
        chosen.append(paths[index])
    return chosen


def _clip_audio(paths: list[Path], rows: list[Counted], overlap: int, rate: float) -> Samples:
    """The audio of the clips, each as long as its frames, cross-faded where the images are."""
    import numpy as np

    from impasto_nodes.media.audio.audio_file import RATE, faded, fitted

    overlaps = [0, *(min(overlap, row.count, before.count) for before, row in pairwise(rows))]
    starts, at = [], 0.0
    for row, overlap in zip(rows, overlaps, strict=True):
        at -= overlap / rate
        starts.append(at)
        at += row.count / rate
    total = np.zeros((2, round(at * RATE)), np.float32)
    for number, (path, row, start) in enumerate(zip(paths, rows, starts, strict=True)):
        after = overlaps[number + 1] / rate if number + 1 < len(rows) else 0.0
        part = faded(fitted(_audio_of(path), row.count / rate), overlaps[number] / rate, after)
        begin = round(start * RATE)
        total[:, begin : begin + part.shape[1]] += part[:, : total.shape[1] - begin]
    return total


def _audio_of(path: Path) -> Samples:
    import numpy as np

    from impasto_nodes.media.audio.audio_file import load
    from impasto_nodes.media.errors import NoAudioStream

    try:
        return load(path)
    except NoAudioStream:
        return np.zeros((2, 0), np.float32)


def _mixed(own: Samples | None, over: Samples | None, seconds: float) -> Samples:
    import numpy as np

    from impasto_nodes.media.audio.audio_file import RATE, faded, fitted

    if over is None:
        return own if own is not None else np.zeros((2, 0), np.float32)
    if over.shape[1] > seconds * RATE + 1:
        over = faded(fitted(over, seconds), 0.0, min(0.6, seconds / 4))
    over = fitted(over, seconds)
    return over if own is None else np.clip(over + 0.25 * fitted(own, seconds), -1, 1)
