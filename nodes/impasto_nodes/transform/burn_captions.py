"""Burn captions: timed words in the image itself, for feeds that play without audio."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from impasto import Brand, Context, Json, NodeError, Setting, Text, Video, node
from impasto_nodes.transform.files import brand_fonts, refuse_lost_letters, report_missing_font

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image as Bitmap

    from impasto_nodes.media.captions.segmentation import Cue

Place = Literal["bottom", "centre", "top"]
Look = Literal["panel", "shadow"]


@node(
    id="burn_captions",
    title="Burn captions",
    category="transform_assets",
    keywords=("subtitle", "subtitles", "hardcode", "srt", "text on video"),
)
def burn_captions(
    video: Video,
    cues: Json | None = None,
    srt: Text | None = None,
    brand: Brand | None = None,
    *,
    place: Annotated[Place, Setting(title="Place", widget="segmented", main=True)] = "bottom",
    look: Annotated[Look, Setting(title="Look", widget="segmented")] = "panel",
    size: Annotated[
        float,
        Setting(title="Size", widget="slider", ge=0.02, le=0.12, step=0.005, help="Share of the short side."),
    ] = 0.05,
    upper_case: Annotated[bool, Setting(title="Capitals", advanced=True)] = False,
    context: Context,
) -> Video:
    """Write captions into a video, clear of the edges that apps cover with their buttons.

    Cues come as data (start, end, text, as *Captions* gives them) or as SRT or WebVTT text.
    """
    from impasto_nodes.media.captions import render as timed
    from impasto_nodes.media.video.video_reader import rate_of, size_of
    from impasto_nodes.media.video.video_writer import even

    if cues is None and srt is None:
        raise NodeError("Connect captions: cues, or SRT text.", code="no_captions")
    found = timed.read(cues if cues is not None else srt)
    family = (brand and brand.main_font) or "Hanken Grotesk"
    out = context.temp_dir / "captioned.mp4"
    with brand_fonts(brand, family, context), context.sync.open(video) as path:
        refuse_lost_letters(" ".join(cue.text for cue in found), family, "bold")
        report_missing_font(family, context)
        frame = even(size_of(path))

        @lru_cache(maxsize=1)  # an image of the frame's size: hundreds of them would fill the memory
        def drawn(cue: Cue) -> Bitmap:
            said = cue.text.upper() if upper_case else cue.text
            return layer(said, frame, family, place, look, size)

        rate = rate_of(path)
        seconds = burnt(path, out, frame, rate, found, drawn, context.progress)
    stored = context.sync.store(
        out, "video/mp4", name="captioned.mp4", width=frame[0], height=frame[1], seconds=seconds
    )
    assert isinstance(stored, Video)
    return stored


def layer(text: str, size: tuple[int, int], family: str, place: Place, look: Look, share: float) -> Bitmap:
    """One caption as a see-through image of the frame's size."""
    from PIL import Image, ImageDraw, ImageFilter

    from impasto_nodes.media.text import typeset
    from impasto_nodes.media.text.typeset import Face

    unit = min(size)
    bitmap = Image.new("RGBA", size)
    room = (round(size[0] * 0.8), round(size[1] * 0.3))
    block = typeset.fit(
        text, Face(family, "bold", -0.01, 1.22), room, largest=max(8, round(unit * share)), smallest=8
    )
    if not block.width:
        return bitmap  # only emoji that no font draws, or signs without width
    # Apps cover the lowest sixth of an upright video with their own text.
    edge = round(size[1] * (0.17 if size[1] > size[0] else 0.08))
    top = {"top": edge, "centre": (size[1] - block.height) // 2, "bottom": size[1] - edge - block.height}[
        place
    ]
    pad = round(block.size * 0.45)
    box = (
        (size[0] - block.width) // 2 - pad,
        top - pad,
        (size[0] + block.width) // 2 + pad,
        top + block.height + pad,
    )
    shade = ImageDraw.Draw(bitmap)
    if look == "panel":
        shade.rounded_rectangle(box, pad, fill=(16, 14, 12, 205))
    else:
        shade.rounded_rectangle(box, pad * 2, fill=(16, 14, 12, 170))
        bitmap = bitmap.filter(ImageFilter.GaussianBlur(pad))
    typeset.draw(bitmap, block, (size[0] // 2, top), (255, 253, 249), "center")
    return bitmap


def burnt(
    source: Path,
    out: Path,
    size: tuple[int, int],
    rate: float,
    cues: list[Cue],
    drawn: Callable[[Cue], Bitmap],
    progress: Callable[[float], object],
) -> float:
    """Write the captioned video to `out`, its audio unchanged; return its length in seconds."""
    from impasto_nodes.media.audio.audio_file import fitted
    from impasto_nodes.media.video import video_reader, video_writer

    audio = audio_of(source)
    expected = max(1.0, (video_reader.duration_of(source) or 1.0) * rate)
    count = 0
    with video_writer.open_video(out, size, rate, with_audio=audio is not None) as writing:
        for frame in video_reader.frames(source, size, rate):
            cue = next((cue for cue in cues if cue.start <= count / rate < cue.end), None)
            writing.add_frame(_over(frame, drawn(cue)) if cue else frame)
            count += 1
            progress(min(0.95, count / expected))
        if audio is not None:
            writing.add_audio(fitted(audio, count / rate))
    return count / rate


def _over(frame: NDArray[np.uint8], drawn: Bitmap) -> NDArray[np.uint8]:
    import numpy as np
    from PIL import Image

    bitmap = Image.fromarray(frame)
    bitmap.paste(drawn, (0, 0), drawn)
    return np.asarray(bitmap)


def audio_of(path: Path) -> NDArray[np.floating[Any]] | None:
    """Return the audio of a video; None if it is silent."""
    from impasto_nodes.media.audio.audio_file import load
    from impasto_nodes.media.errors import NoAudioStream

    try:
        return load(path)
    except NoAudioStream:
        return None
