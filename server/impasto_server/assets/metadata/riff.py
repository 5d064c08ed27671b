"""XMP in the RIFF family: chunk `XMP ` in WebP, chunk `_PMX` in WAV."""

import struct
from collections.abc import Iterator
from pathlib import Path

from impasto_server.assets.metadata.xmp import MalformedFile, is_impasto_packet, pack, unpack

_NAMES = {b"WEBP": b"XMP ", b"WAVE": b"_PMX"}
_HAS_XMP = 0x04
_HAS_ALPHA = 0x10
Chunk = tuple[bytes, bytes]


def write(path: Path, text: str, source_type: str | None = None) -> None:
    """Write the text into the file, replacing an earlier one. Raises `MalformedFile`."""
    data = path.read_bytes()
    form = data[8:12]
    chunks = [(name, body) for name, body in _chunks(data) if not _is_ours(form, name, body)]
    if form == b"WEBP":
        chunks = _extended(chunks)
    chunks.append((_NAMES[form], pack(text, source_type)))
    body = form + b"".join(_encode(name, content) for name, content in chunks)
    if len(body) > 0xFFFFFFFF:
        raise MalformedFile
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


def read(path: Path) -> str | None:
    """Return the text in the file, or None. Raises `MalformedFile`."""
    data = path.read_bytes()
    for name, body in _chunks(data):
        if _is_ours(data[8:12], name, body):
            return unpack(body)
    return None


def _chunks(data: bytes) -> Iterator[Chunk]:
    position = 12
    while position + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, position)
        # Streamed WAV files have the maximum as size: the chunk extends to the end of the file.
        end = min(position + 8 + size, len(data))
        yield name, data[position + 8 : end]
        position = end + (end - position) % 2


def _is_ours(form: bytes, name: bytes, body: bytes) -> bool:
    return name == _NAMES[form] and is_impasto_packet(body)


def _encode(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def _extended(chunks: list[Chunk]) -> list[Chunk]:
    """Return the chunks of a WebP with a VP8X header that announces XMP."""
    if not chunks:
        raise MalformedFile
    name, body = chunks[0]
    if name == b"VP8X" and len(body) >= 10:
        return [(name, bytes([body[0] | _HAS_XMP]) + body[1:]), *chunks[1:]]
    width, height, alpha = _size(name, body)
    flags = _HAS_XMP | (_HAS_ALPHA if alpha else 0)
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return [(b"VP8X", bytes([flags, 0, 0, 0]) + size), *chunks]


def _size(name: bytes, body: bytes) -> tuple[int, int, bool]:
    if name == b"VP8 " and len(body) >= 10 and body[3:6] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", body, 6)
        return width & 0x3FFF, height & 0x3FFF, False
    if name == b"VP8L" and len(body) >= 5 and body[0] == 0x2F:
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, bool(bits >> 28 & 1)
    raise MalformedFile
