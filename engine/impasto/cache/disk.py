"""Results in a folder, within a size: what was not asked for the longest goes first."""

import os
import tempfile
import threading
import time
import typing as t
from collections import OrderedDict
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

ABANDONED = 3600.0
AGAIN = 8


class DiskCache:
    """One file a result, its checksum in front: a damaged or half-written file counts as not there.

    Several processes may share the folder. Each looks again at what the others put there once it has written
    an eighth of the size itself: together they may pass it by as much each, and for no longer.
    """

    def __init__(self, folder: str | Path, max_bytes: int = 2**30) -> None:
        self.flights: dict[t.Any, t.Any] = {}
        self.folder = Path(folder)
        self.max_bytes = max_bytes
        self.bytes = 0
        self._written = 0
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._look()

    async def get(self, key: str) -> bytes | None:
        """The outputs kept under the key, or None."""
        return self._read(key)

    async def put(self, key: str, outputs: bytes) -> None:
        """Keep the outputs, and let go of the oldest ones."""
        self._write(key, outputs)

    def _look(self) -> None:
        """Find what other processes kept, oldest use first."""
        found, long_ago = [], time.time() - ABANDONED
        for file in self.folder.iterdir():
            with suppress(FileNotFoundError):
                status = file.stat()
                if file.suffix != ".new" and file.is_file():
                    found.append((status.st_mtime, file.name, status.st_size))
                elif status.st_mtime < long_ago and file.is_file():
                    file.unlink()
        with self._lock:
            self._sizes = OrderedDict((name, size) for _, name, size in sorted(found))
            self.bytes = sum(self._sizes.values())
            self._written = 0
        self._evict()

    def _read(self, key: str) -> bytes | None:
        file = self.folder / key
        try:
            data = file.read_bytes()
        except OSError:
            self._forget(key)
            return None
        outputs = data[16:]
        if data[:16] != _sum(outputs):
            with suppress(OSError):
                file.unlink()
            self._forget(key)
            return None
        with self._lock:
            if key not in self._sizes:
                self._sizes[key] = len(data)
                self.bytes += len(data)
            self._sizes.move_to_end(key)
        with suppress(OSError):  # another process may have let go of it, or be its owner
            _touch(file)
        return outputs

    def _write(self, key: str, outputs: bytes) -> None:
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_sum(outputs) + outputs)
            _touch(name)
            Path(name).replace(self.folder / key)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        self._forget(key)
        with self._lock:
            self._sizes[key] = len(outputs) + 16
            self.bytes += len(outputs) + 16
            self._written += len(outputs) + 16
        if self._written * AGAIN > self.max_bytes:
            self._look()
        else:
            self._evict()

    def _forget(self, key: str) -> None:
        with self._lock:
            self.bytes -= self._sizes.pop(key, 0)

    def _evict(self) -> None:
        while self.bytes > self.max_bytes and self._sizes:
            oldest = next(iter(self._sizes))
            with suppress(OSError):
                (self.folder / oldest).unlink()
            self._forget(oldest)

    def __len__(self) -> int:
        return len(self._sizes)


def _touch(file: str | Path) -> None:
    """Say that it was used now: more exactly than the file system's own clock."""
    now = time.time_ns()
    os.utime(file, ns=(now, now))


def _sum(outputs: bytes) -> bytes:
    return blake2b(outputs, digest_size=16).digest()
