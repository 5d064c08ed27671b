"""XMP in JPEG: an APP1 segment after the APP0 segments."""

import struct
from collections.abc import Iterator
from pathlib import Path

from impasto_server.assets.metadata.xmp import MalformedFile, is_impasto_packet, pack, unpack

_HEAD = b"http://ns.adobe.com/xap/1.0/\0"
_APP0, _APP1, _SCAN = 0xE0, 0xE1, 0xDA


def write(path: Path, text: str, source_type: str | None = None) -> None:
    """Write the text into the file, replacing an earlier one. Raises `MalformedFile`."""
    data = path.read_bytes()
    body = _HEAD + pack(text, source_type)
    if len(body) + 2 > 0xFFFF:
        raise MalformedFile
    segment = b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
    pieces, rest = [data[:2]], 2
    placed = False
    for start, end, marker in _segments(data):
        if not placed and marker != _APP0:
            pieces.append(segment)
            placed = True
        if not _is_ours(data, start, end, marker):
            pieces.append(data[start:end])
        rest = end
    path.write_bytes(b"".join([*pieces, b"" if placed else segment, data[rest:]]))


def read(path: Path) -> str | None:
    """Return the text in the file, or None. Raises `MalformedFile`."""
    data = path.read_bytes()
    for start, end, marker in _segments(data):
        if _is_ours(data, start, end, marker):
            return unpack(data[start:end])
    return None


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and marker of each segment before the image data."""
    position = 2
    while position + 4 <= len(data):
        if data[position] != 0xFF:
            raise MalformedFile
        marker = data[position + 1]
        if marker == _SCAN:
            return
        end = position + 2 + struct.unpack_from(">H", data, position + 2)[0]
        if end > len(data):
            raise MalformedFile
        yield position, end, marker
        position = end


def _is_ours(data: bytes, start: int, end: int, marker: int) -> bool:
    return marker == _APP1 and data.startswith(_HEAD, start + 4) and is_impasto_packet(data[start:end])
