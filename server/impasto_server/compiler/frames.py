"""Messages between the server and a compiler process: lists of byte strings, each with its length."""

import struct
from collections.abc import Sequence
from typing import BinaryIO

_COUNT = struct.Struct(">I")
_LENGTH = struct.Struct(">Q")


def write_frame(stream: BinaryIO, parts: Sequence[bytes]) -> None:
    """Write one message. Raises OSError if the other side has closed the pipe."""
    stream.write(_COUNT.pack(len(parts)) + b"".join(_LENGTH.pack(len(part)) for part in parts))
    stream.writelines(parts)
    stream.flush()


def read_frame(stream: BinaryIO) -> list[bytes]:
    """Read one message. Raises EOFError if the other side has closed the pipe."""
    (count,) = _COUNT.unpack(_read(stream, _COUNT.size))
    lengths = [_LENGTH.unpack(_read(stream, _LENGTH.size))[0] for _ in range(count)]
    return [_read(stream, length) for length in lengths]


def _read(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
