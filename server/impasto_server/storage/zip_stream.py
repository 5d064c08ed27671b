"""A zip file that is written in one pass and sent while it is written: it never exists as a whole."""

import time
import zipfile
from collections.abc import AsyncIterator
from datetime import datetime


class ZipStream:
    """Adds files to a zip and yields its bytes. Exhaust each iterator of `add`, then call `finish`."""

    def __init__(self) -> None:
        self._buffer = _WriteBuffer()
        self._archive = zipfile.ZipFile(self._buffer, "w", zipfile.ZIP_STORED)  # type: ignore[call-overload]

    async def add(
        self,
        name: str,
        pieces: AsyncIterator[bytes],
        *,
        compress: bool = False,
        modified: datetime | None = None,
    ) -> AsyncIterator[bytes]:
        """Add a file and yield bytes of the zip. Media are compressed already: leave `compress` out for them.

        An error of `pieces` is raised after the file has been closed with what was written until then.
        """
        info = zipfile.ZipInfo(name, (modified.timetuple() if modified else time.gmtime())[:6])
        info.compress_type = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
        with self._archive.open(info, "w", force_zip64=True) as file:
            async for piece in pieces:
                file.write(piece)
                yield self._buffer.take()
        yield self._buffer.take()

    def finish(self) -> bytes:
        """Return the end of the zip."""
        self._archive.close()
        return self._buffer.take()


async def one_piece(data: bytes) -> AsyncIterator[bytes]:
    """Yield bytes that are in memory."""
    yield data


class _WriteBuffer:
    """A write-only file without seeking, so that the zip is written in one pass."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: writes are not buffered further."""

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
