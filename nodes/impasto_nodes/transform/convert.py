"""Convert: a file in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from impasto import Context, File, NodeError, Setting, node

if TYPE_CHECKING:
    from impasto_nodes.media.image.image_file import Format

Target = Literal["PNG", "JPEG", "WebP", "AVIF", "GIF", "MP4", "WAV", "M4A", "MP3"]
_MEDIA_TYPES: dict[str, str] = {
    "PNG": "image/png", "JPEG": "image/jpeg", "WebP": "image/webp", "AVIF": "image/avif", "GIF": "image/gif",
    "MP4": "video/mp4", "WAV": "audio/wav", "M4A": "audio/mp4", "MP3": "audio/mpeg",
}  # fmt: skip
_ENDINGS = {"JPEG": "jpg"}
_BITMAPS: dict[str, Format] = {"PNG": "PNG", "JPEG": "JPEG", "WebP": "WEBP", "AVIF": "AVIF"}
_AUDIO = {"WAV", "M4A", "MP3"}


@node(
    id="convert",
    title="Convert",
    category="transform_assets",
    keywords=("format", "export", "mp4", "jpg", "png", "webp", "mp3", "transcode"),
)
def convert(
    file: File,
    *,
    format: Annotated[Target, Setting(title="Format", widget="select", main=True)] = "JPEG",  # noqa: A002
    quality: Annotated[
        int, Setting(title="Quality", widget="slider", ge=1, le=100, help="Of JPEG, WebP and AVIF.")
    ] = 88,
    context: Context,
) -> File:
    """Convert an image, a video or audio to another format.

    A video can also become a GIF, its first image, or its audio. An image or audio cannot become a video
    here: use *Still to video*.
    """
    ending = _ENDINGS.get(format, format.lower())
    out = context.temp_dir / f"converted.{ending}"
    with context.sync.open(file) as path:
        kind = file.media_type.partition("/")[0]
        if kind == "image" and file.media_type != "image/gif" and format not in _BITMAPS:
            raise _impossible("An image", format)
        if kind == "audio" and format not in _AUDIO:
            raise _impossible("An audio file", format)
        _write(path, out, format, kind, quality)
    stem = (file.name or "converted").rsplit(".", 1)[0]
    stored = context.sync.store(out, _MEDIA_TYPES[format], name=f"{stem}.{ending}")
    return File(
        asset_id=stored.asset_id,
        media_type=stored.media_type,
        bytes=stored.bytes,
        sha256=stored.sha256,
        name=stored.name,
    )


def _impossible(what: str, target: str) -> NodeError:
    return NodeError(f"{what} can't become {target}.", code="cannot_convert")


def _write(source: Path, out: Path, target: str, kind: str, quality: int) -> None:
    if target in _BITMAPS:
        _bitmap(source, out, target, kind, quality)
    elif target in _AUDIO:
        _audio(source, out)
    elif target == "GIF":
        _gif(source, out)
    else:
        _video(source, out)


def _bitmap(source: Path, out: Path, target: str, kind: str, quality: int) -> None:
    from PIL import Image

    from impasto_nodes.media.image.image_file import decode, encode
    from impasto_nodes.media.video import video_reader

    if kind == "video":
        first = next(video_reader.frames(source, video_reader.size_of(source), 24))
        out.write_bytes(encode(Image.fromarray(first), _BITMAPS[target], quality=quality))
    else:
        out.write_bytes(encode(decode(source), _BITMAPS[target], quality=quality))


def _audio(source: Path, out: Path) -> None:
    from impasto_nodes.media.audio.audio_file import load, write

    write(out, load(source))


def _gif(source: Path, out: Path) -> None:
    from PIL import Image

    from impasto_nodes.media.video import video_reader

    width, height = video_reader.size_of(source)
    scale = min(1.0, 480 / max(width, height))
    size = (max(2, round(width * scale)), max(2, round(height * scale)))
    # A GIF stores every frame whole: 12.5 per second for twenty seconds at most, to limit its size. It counts
    # time in hundredths of a second, of which a frame takes eight.
    pages = [
        Image.fromarray(frame).quantize(128)
        for _, frame in zip(range(250), video_reader.frames(source, size, 12.5), strict=False)
    ]
    pages[0].save(out, save_all=True, append_images=pages[1:], duration=80, loop=0, optimize=True)


def _video(source: Path, out: Path) -> None:
    from impasto_nodes.media.audio.audio_file import fitted
    from impasto_nodes.media.probe import probe
    from impasto_nodes.media.video import video_reader, video_writer
    from impasto_nodes.transform.burn_captions import audio_of

    size = video_writer.even(video_reader.size_of(source))
    rate = min(60.0, probe(source).frame_rate or 24.0)
    audio = audio_of(source)
    count = 0
    with video_writer.open_video(out, size, rate, with_audio=audio is not None) as writing:
        for frame in video_reader.frames(source, size, rate):
            writing.add_frame(frame)
            count += 1
        if audio is not None:
            writing.add_audio(fitted(audio, count / rate))
