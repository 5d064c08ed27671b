"""XMP in MP4 and related formats: a `uuid` box at the end, so that no media offset changes."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from impasto_server.assets.metadata.xmp import MalformedFile, is_impasto_packet, pack, unpack

_UUID = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
_MAX_PACKET_BYTES = 1_000_000


def write(path: Path, text: str, source_type: str | None = None) -> None:
    """Write the text into the file, replacing an earlier one. Raises `MalformedFile`."""
    packet = pack(text, source_type)
    with path.open("r+b") as file:
        boxes = list(_boxes(file))
        if boxes and _packet(file, *boxes[-1]) is not None:
            file.truncate(boxes[-1][0])
        file.seek(0, 2)
        file.write(struct.pack(">I4s", 24 + len(packet), b"uuid") + _UUID + packet)


def read(path: Path) -> str | None:
    """Return the text in the file, or None. Raises `MalformedFile`."""
    with path.open("rb") as file:
        for start, end, kind in _boxes(file):
            packet = _packet(file, start, end, kind)
            if packet is not None:
                return unpack(packet)
    return None


def _boxes(file: BinaryIO) -> Iterator[tuple[int, int, bytes]]:
    length = file.seek(0, 2)
    position = 0
    while position + 8 <= length:
        file.seek(position)
        size, kind = struct.unpack(">I4s", file.read(8))
        if size == 1:
            size = struct.unpack(">Q", file.read(8).rjust(8, b"\0"))[0]
        end = length if size == 0 else position + size
        if end > length or end < position + 8 or size == 0:
            # A box of size 0 extends to the end of the file, so nothing can be appended.
            raise MalformedFile
        yield position, end, kind
        position = end


def _packet(file: BinaryIO, start: int, end: int, kind: bytes) -> bytes | None:
    if kind != b"uuid" or not 24 < end - start < _MAX_PACKET_BYTES:
        return None
    file.seek(start + 8)
    if file.read(16) != _UUID:
        return None
    packet = file.read(end - start - 24)
    return packet if is_impasto_packet(packet) else None
