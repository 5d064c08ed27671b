"""Detecting a file's type and dimensions from its content; its name is only a hint."""

import json
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import puremagic

from impasto.media_types import iso_media_type
from impasto_server.assets.errors import FileInvalid
from impasto_server.assets.media import images
from impasto_server.assets.media.svg import is_svg
from impasto_server.assets.media.truncation import is_truncated
from impasto_server.assets.schemas import AssetKind

_HEAD = 64 * 1024
_TS_PACKET_BYTES, _TS_PACKETS = 188, 3  # each packet of an MPEG transport stream begins with "G"
# The first frame of an MP3 without a tag: MPEG 1, 2 and 2.5, each with and without a checksum.
_MP3_FRAMES = (b"\xff\xfb", b"\xff\xfa", b"\xff\xf3", b"\xff\xf2", b"\xff\xe3", b"\xff\xe2")
_MAX_PARSED_BYTES = 4 * 2**20  # parsing blocks other threads and takes many times the memory
_MEDIA = {"image": "image", "video": "video", "audio": "audio file"}
_TEXT_TYPES = {".csv": "text/csv", ".md": "text/markdown", ".srt": "application/x-subrip", ".vtt": "text/vtt"}
_AV_TYPES = {
    "video/x-m4v": "video/mp4",
    "audio/x-wav": "audio/wav",
    "audio/mp3": "audio/mpeg",
    "audio/wave": "audio/wav",
}


@dataclass(frozen=True)
class Probe:
    """The detected type of a file, its size in pixels and its duration in seconds."""

    media_type: str
    width: int | None = None
    height: int | None = None
    seconds: float | None = None


def kind_of(media_type: str) -> AssetKind:
    """Return the asset kind of a media type."""
    major = media_type.partition("/")[0]
    if media_type in ("application/json", "text/csv"):
        return "data"
    if major == "image":
        return "image"
    if major == "video":
        return "video"
    return "audio" if major == "audio" else "text" if major == "text" else "file"


def probe(path: Path, name: str, megapixels: int, declared: str = "") -> Probe:
    """Detect a file's type and dimensions.

    Raises `FileInvalid` if it is empty, damaged, or not the image, video or audio that it claims to be, and
    `ImageTooLarge`.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise FileInvalid("This file is empty.")
    media_type = _sniff(path, head, name)
    for claim in (declared, mimetypes.guess_type(name)[0] or ""):
        _check_claim(claim, media_type)
    if media_type.startswith("image/") and media_type != "image/svg+xml":
        width, height = images.measure(path, megapixels)
        return Probe(media_type, width, height)
    if media_type.startswith(("video/", "audio/")):
        return _probe_av(path, media_type)
    return Probe(media_type)


def _check_claim(declared: str, detected: str) -> None:
    """Raise `FileInvalid` if a file declared as image, video or audio is none of them."""
    claimed, major = declared.partition("/")[0], detected.partition("/")[0]
    if claimed in _MEDIA and major not in _MEDIA:
        raise FileInvalid(f"This {_MEDIA[claimed]} cannot be read: the file is damaged or has another type.")


def _sniff(path: Path, head: bytes, name: str) -> str:
    media_type = _signature(head)
    if media_type:
        return media_type
    text = _text_type(path, head, name)
    if text:
        return text
    try:
        guesses = puremagic.magic_string(head, name)
    except puremagic.PureError:
        return "application/octet-stream"
    media_type = next((guess.mime_type for guess in guesses if guess.mime_type), "")
    return _AV_TYPES.get(media_type, media_type) or "application/octet-stream"


def _signature(head: bytes) -> str | None:
    starts = {
        b"\x89PNG\r\n\x1a\n": "image/png",
        b"\xff\xd8\xff": "image/jpeg",
        b"GIF8": "image/gif",
        b"ID3": "audio/mpeg",
        **dict.fromkeys(_MP3_FRAMES, "audio/mpeg"),
        b"fLaC": "audio/flac",
        b"OggS": "audio/ogg",
        b"\x1aE\xdf\xa3": "video/webm",
        b"%PDF": "application/pdf",
    }
    for start, media_type in starts.items():
        if head.startswith(start):
            return media_type
    if head[:4] == b"RIFF":
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}.get(head[8:12])
    if head[::_TS_PACKET_BYTES][:_TS_PACKETS] == b"\x47" * _TS_PACKETS:
        return "video/mp2t"
    return iso_media_type(head)


def _text_type(path: Path, head: bytes, name: str) -> str | None:
    if b"\0" in head:
        return None
    try:
        text = head.decode() if len(head) < _HEAD else head[: _HEAD - 4].decode(errors="strict")
    except UnicodeDecodeError:
        return None
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") and _is_json(path, name):
        return "application/json"
    if is_svg(text):
        return "image/svg+xml"
    return _TEXT_TYPES.get(Path(name).suffix.lower(), "text/plain")


def _is_json(path: Path, name: str) -> bool:
    if path.stat().st_size > _MAX_PARSED_BYTES:
        return name.lower().endswith(".json")
    try:
        json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return False
    return True


def _probe_av(path: Path, media_type: str) -> Probe:
    try:
        import av
    except ImportError:
        return Probe(media_type)
    try:
        with av.open(str(path)) as container:
            found = _probe_container(container, media_type)
    except (av.FFmpegError, ValueError, OSError) as error:
        raise FileInvalid("This file cannot be read: the video or audio is damaged.") from error
    if is_truncated(path):
        raise FileInvalid("This file is damaged: its end is missing. Upload it again.")
    return found


def _probe_container(container: Any, media_type: str) -> Probe:
    if not container.streams.video and not container.streams.audio:
        raise FileInvalid("This file has neither a video nor an audio stream.")
    seconds = container.duration / 1_000_000 if container.duration else None
    if not container.streams.video or media_type.startswith("audio/"):
        major = "audio/" + media_type.partition("/")[2]
        return Probe(major, seconds=seconds)
    stream = container.streams.video[0]
    return Probe(media_type, stream.width or None, stream.height or None, seconds)
