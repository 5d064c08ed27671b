"""Still to video: an image that moves, slowly."""

from __future__ import annotations

from typing import Annotated, Literal

from impasto import Audio, Context, Image, Setting, Video, node
from impasto_nodes.transform.files import read_image

Movement = Literal["push in", "pull out", "pan right", "pan left", "rise", "drift", "still"]
Ratio = Literal["as the picture", "16:9", "9:16", "1:1", "4:5"]


@node(
    id="still_to_video",
    title="Still to video",
    category="transform_assets",
    keywords=("ken burns", "animate", "pan", "zoom", "slideshow", "motion"),
)
def still_to_video(
    image: Image,
    audio: Audio | None = None,
    *,
    duration: Annotated[
        float,
        Setting(
            title="Duration",
            ge=0.5,
            le=120,
            step=0.5,
            unit="s",
            help="With audio: at least as long as it.",
            main=True,
        ),
    ] = 5.0,
    move: Annotated[Movement, Setting(title="Movement", widget="select")] = "push in",
    aspect_ratio: Annotated[Ratio, Setting(title="Aspect ratio", widget="select")] = "as the picture",
    height: Annotated[
        int, Setting(title="Short side", choices=[360, 480, 720, 1080], unit="px", advanced=True)
    ] = 720,
    context: Context,
) -> Video:
    """Pan or zoom over an image; connected audio plays under it."""
    from impasto_nodes.media.audio.audio_file import RATE, fitted, load
    from impasto_nodes.media.image.image_file import flattened
    from impasto_nodes.media.video import video_writer
    from impasto_nodes.media.video.motion import MOVES, Mover

    rate = 24
    bitmap = flattened(read_image(image, context))
    samples = None
    if audio is not None:
        with context.sync.open(audio) as path:
            samples = load(path)
        duration = max(duration, samples.shape[1] / RATE)
    size = _size(bitmap.size, aspect_ratio, height)
    mover = Mover(bitmap, size, MOVES[move])
    count = max(1, round(duration * rate))
    out = context.temp_dir / "still.mp4"
    with video_writer.open_video(out, size, rate, with_audio=samples is not None) as writing:
        for number in range(count):
            writing.add_frame(mover.frame(number / max(1, count - 1)))
            context.progress(0.95 * (number + 1) / count)
        if samples is not None:
            writing.add_audio(fitted(samples, count / rate))
    stored = context.sync.store(
        out, "video/mp4", name="still.mp4", width=size[0], height=size[1], seconds=count / rate
    )
    assert isinstance(stored, Video)
    return stored


def _size(bitmap: tuple[int, int], aspect_ratio: str, short: int) -> tuple[int, int]:
    """The frame: the short side as asked, the long one at most 2.5 times that."""
    across, _, down = aspect_ratio.partition(":")
    ratio = int(across) / int(down) if down else bitmap[0] / bitmap[1]
    ratio = min(2.5, max(0.4, ratio))
    return 2 * round(short * max(1, ratio) / 2), 2 * round(short * max(1, 1 / ratio) / 2)
