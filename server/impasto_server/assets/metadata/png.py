"""XMP in PNG: an `iTXt` chunk right after the header."""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from impasto_server.assets.metadata.xmp import MalformedFile, is_impasto_packet, pack, unpack

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = b"XML:com.adobe.xmp\0\0\0\0\0"


def write(path: Path, text: str, source_type: str | None = None) -> None:
    """Write the text into the file, replacing an earlier one. Raises `MalformedFile`."""
    data = path.read_bytes()
    kept = [data[start:end] for start, end, kind in _chunks(data) if not _is_ours(data, start, end, kind)]
    if not kept or data[12:16] != b"IHDR":
        raise MalformedFile
    path.write_bytes(
        SIGNATURE + kept[0] + _chunk(b"iTXt", _HEAD + pack(text, source_type)) + b"".join(kept[1:])
    )


def read(path: Path) -> str | None:
    """Return the text in the file, or None. Raises `MalformedFile`."""
    data = path.read_bytes()
    for start, end, kind in _chunks(data):
        if _is_ours(data, start, end, kind):
            return unpack(data[start:end])
    return None


def _chunks(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    position = len(SIGNATURE)
    while position + 12 <= len(data):
        size = struct.unpack_from(">I", data, position)[0]
        end = position + 12 + size
        if end > len(data):
            raise MalformedFile
        yield position, end, data[position + 4 : position + 8]
        position = end


def _is_ours(data: bytes, start: int, end: int, kind: bytes) -> bool:
    return kind == b"iTXt" and data.startswith(_HEAD, start + 8) and is_impasto_packet(data[start:end])


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
