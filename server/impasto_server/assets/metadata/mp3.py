"""Provenance in MP3: a `TXXX` frame of the ID3 tag, which tag editors show as text."""

import struct
from collections.abc import Iterator
from pathlib import Path

from impasto_server.assets.metadata.xmp import MalformedFile

_NAME = b"impasto"
_HEAD = b"\x03" + _NAME + b"\0"  # UTF-8, the description, its end
_HEADER = 10


def write(path: Path, text: str, source_type: str | None = None) -> None:
    """Write the text into the file, replacing an earlier one. Raises `MalformedFile`.

    The tag has no field for `source_type`.
    """
    data = path.read_bytes()
    version, frames, audio_start = _parts(data)
    kept = b"".join(frame for frame in _frames(frames, version) if not _is_ours(frame))
    body = _HEAD + text.encode()
    size = _syncsafe(len(body)) if version == 4 else struct.pack(">I", len(body))
    frames = kept + b"TXXX" + size + b"\0\0" + body
    header = b"ID3" + bytes([version, 0, 0]) + _syncsafe(len(frames))
    path.write_bytes(header + frames + data[audio_start:])


def read(path: Path) -> str | None:
    """Return the text in the file, or None. Raises `MalformedFile`."""
    version, frames, _ = _parts(path.read_bytes())
    for frame in _frames(frames, version):
        if _is_ours(frame):
            return frame[_HEADER + len(_HEAD) :].decode("utf-8", "replace")
    return None


def _parts(data: bytes) -> tuple[int, bytes, int]:
    """Return the tag's version, its frames, and the offset of the audio data."""
    if not data.startswith(b"ID3"):
        return 4, b"", 0
    if len(data) < _HEADER:
        raise MalformedFile
    version, flags = data[3], data[5]
    end = _HEADER + _unsync(data[6:10])
    if version not in (3, 4) or flags or end > len(data):
        raise MalformedFile
    return version, data[_HEADER:end], end


def _frames(frames: bytes, version: int) -> Iterator[bytes]:
    position = 0
    while position + _HEADER <= len(frames) and frames[position] != 0:
        field = frames[position + 4 : position + 8]
        size = _unsync(field) if version == 4 else struct.unpack(">I", field)[0]
        end = position + _HEADER + size
        if end > len(frames):
            raise MalformedFile
        yield frames[position:end]
        position = end


def _is_ours(frame: bytes) -> bool:
    return frame.startswith(b"TXXX") and frame.startswith(_HEAD, _HEADER)


def _syncsafe(number: int) -> bytes:
    if number >= 1 << 28:
        raise MalformedFile
    return bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))


def _unsync(field: bytes) -> int:
    return sum((byte & 0x7F) << shift for byte, shift in zip(field, (21, 14, 7, 0), strict=True))
