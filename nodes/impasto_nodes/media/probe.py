"""Read the facts of a video or audio file from its container."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from impasto import Audio, Video
from impasto.media_types import iso_media_type
from impasto_nodes.media.errors import DamagedMedia, EmptyFile, NotMedia

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream


_HEAD_BYTES = 256


@dataclass(frozen=True)
class Probe:
    """The facts of a media file. Unknown ones are None."""

    media_type: str
    width: int | None
    height: int | None
    seconds: float | None
    frame_rate: float | None
    has_video: bool
    has_audio: bool


def probe(path: Path) -> Probe:
    """Return a file's facts. Raises EmptyFile, NotMedia or DamagedMedia."""
    import av

    if not path.stat().st_size:
        raise EmptyFile
    refuse_image(path)
    try:
        with av.open(str(path)) as container:
            return _facts(container)
    except av.error.InvalidDataError as error:
        raise NotMedia(str(error)) from error
    except (av.error.FFmpegError, OSError) as error:
        raise DamagedMedia(str(error)) from error


async def seconds_of(recording: Audio | Video, path: Path) -> float:
    """Return the length of a recording, from its file if its reference does not state it; 0 if unknown."""
    return recording.seconds or (await asyncio.to_thread(probe, path)).seconds or 0.0


def refuse_image(path: Path) -> None:
    """Raise NotMedia for an image whose container is that of videos (HEIC, AVIF): FFmpeg would play it."""
    with path.open("rb") as file:
        media_type = iso_media_type(file.read(_HEAD_BYTES)) or ""
    if media_type.startswith("image/"):
        raise NotMedia(f"the file is an image, {media_type}")


def moving(container: InputContainer) -> list[VideoStream]:
    """Return the video streams, without cover art."""
    from av.stream import Disposition

    return [stream for stream in container.streams.video if not stream.disposition & Disposition.attached_pic]


def length_of(container: InputContainer) -> float | None:
    """Return the seconds from the first to the last moment of a recording, if the file states them."""
    import av

    if not container.duration:
        return None
    # Matroska counts from zero also where the recording begins later.
    before = container.start_time or 0 if "matroska" in container.format.name else 0
    return float((container.duration - max(0, before)) / av.time_base)


def _facts(container: InputContainer) -> Probe:
    images = [stream for stream in moving(container) if stream.codec_context.width]
    audios = container.streams.audio
    if not images and not audios:
        raise NotMedia("no video or audio stream")
    video = images[0] if images else None
    width, height = _shown_size(container, video) if video else (None, None)
    return Probe(
        media_type=_media_type(container.format.name, bool(video)),
        width=width,
        height=height,
        seconds=length_of(container),
        frame_rate=float(video.average_rate) if video and video.average_rate else None,
        has_video=video is not None,
        has_audio=bool(audios),
    )


def _shown_size(container: InputContainer, video: VideoStream) -> tuple[int, int]:
    """Return width and height as shown: phones record sideways, and only the first frame has the rotation."""
    import av

    width, height = video.codec_context.width, video.codec_context.height
    try:
        first = next(container.decode(video), None)
    except av.error.FFmpegError:
        return width, height
    return (height, width) if first is not None and first.rotation % 180 else (width, height)


_CONTAINERS = {
    "mp4": ("video/mp4", "audio/mp4"),
    "webm": ("video/webm", "audio/webm"),
    "matroska": ("video/x-matroska", "audio/x-matroska"),
    "wav": ("video/x-msvideo", "audio/wav"),
    "mp3": ("video/mp4", "audio/mpeg"),
    "ogg": ("video/ogg", "audio/ogg"),
    "flac": ("video/mp4", "audio/flac"),
    "aac": ("video/mp4", "audio/aac"),
    "avi": ("video/x-msvideo", "audio/x-msvideo"),
    "aiff": ("video/mp4", "audio/aiff"),
    "gif": ("image/gif", "image/gif"),
}


def _media_type(formats: str, moving: bool) -> str:
    for name in formats.split(","):
        if name in _CONTAINERS:
            return _CONTAINERS[name][0 if moving else 1]
    return "video/mp4" if moving else "application/octet-stream"
