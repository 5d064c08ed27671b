"""Reads the messages of a worker process without waiting for the rest of one."""

import os
import struct
from multiprocessing.connection import Connection

MAX_BYTES = 2**30
_CHUNK = 2**18
_HEADER = struct.Struct("!i")
_LONG_HEADER = struct.Struct("!Q")  # follows a header of -1


class MessageReader:
    """Reads what `Connection.send_bytes` writes at the other end of a pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._received = bytearray()

    def read(self) -> list[bytes]:
        """Read what has arrived, and return the messages that are complete. Blocks if nothing has arrived.

        Raises EOFError if the pipe was closed, OSError if it is broken, and ValueError for a message of more
        than `MAX_BYTES`.
        """
        piece = os.read(self._pipe.fileno(), _CHUNK)
        if not piece:
            raise EOFError
        self._received += piece
        messages = []
        while (message := self._next()) is not None:
            messages.append(message)
        return messages

    def _next(self) -> bytes | None:
        start = _HEADER.size
        if len(self._received) < start:
            return None
        (size,) = _HEADER.unpack_from(self._received)
        if size == -1:
            if len(self._received) < start + _LONG_HEADER.size:
                return None
            (size,) = _LONG_HEADER.unpack_from(self._received, start)
            start += _LONG_HEADER.size
        if not 0 <= size <= MAX_BYTES:
            raise ValueError(f"a message of {size} bytes is too large")
        end = start + size
        if len(self._received) < end:
            return None
        message = bytes(self._received[start:end])
        del self._received[:end]
        return message
