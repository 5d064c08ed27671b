"""The file formats that can be signed, recognized by their first bytes."""

import mmap
from dataclasses import dataclass
from pathlib import Path

from impasto.media_types import iso_media_type

# What the name of a file has after it in that of its sidecar.
SIDECAR_SUFFIX = ".c2pa"
_HEAD_BYTES = 64
_STARTS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"ID3": "audio/mpeg",
    b"fLaC": "audio/flac",
}
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
# Formats in which C2PA has no place for a manifest: it becomes a file beside them.
_SIDECAR = {b"\x1aE\xdf\xa3": "video/webm", b"OggS": "audio/ogg"}
# The label of every C2PA manifest store.
_MARKER = b"c2pa"


@dataclass(frozen=True)
class Format:
    """A format: its media type, and whether its manifest is embedded or a sidecar."""

    media_type: str
    embedded: bool = True


def format_of(path: Path) -> Format | None:
    """Return the format of a file, or None if files of its kind cannot be signed."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    for start, media_type in _STARTS.items():
        if head.startswith(start):
            return Format(media_type)
    for start, media_type in _SIDECAR.items():
        if head.startswith(start):
            return Format(media_type, embedded=False)
    if head[:4] == b"RIFF" and head[8:12] in _RIFF:
        return Format(_RIFF[head[8:12]])
    if found := iso_media_type(head):
        return Format(found)
    if len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0:
        return Format("audio/mpeg")
    return None


def may_have_manifest(path: Path) -> bool:
    """Whether a file can contain a C2PA manifest: cheap, and True for a few files that have none."""
    with path.open("rb") as file:
        if not file.seek(0, 2):
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content.find(_MARKER) >= 0
