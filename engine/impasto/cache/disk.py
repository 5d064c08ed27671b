"""A cache in a folder."""

import os
import threading
import time
import typing as t
from collections import OrderedDict
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

_STALE_SECONDS = 3600.0  # a temporary file of this age belongs to a process that died while it wrote
_RESCANS_PER_SIZE = 8
_CHECKSUM_BYTES = 16


class DiskCache:
    """Keeps results as files in `folder`, up to `max_bytes`; the least recently used are evicted first.

    Each file begins with a checksum: a damaged or half-written file counts as missing. Several processes may
    share the folder. Each rescans it after writing an eighth of `max_bytes` itself, so together they may
    exceed `max_bytes` by that much each until the next scan.
    """

    can_peek = False  # reading a file may wait for the disk

    def __init__(self, folder: str | Path, max_bytes: int = 2**30) -> None:
        self.inflight: dict[t.Any, t.Any] = {}
        self.folder = Path(folder)
        self.max_bytes = max_bytes
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._scan()

    async def get(self, key: str) -> bytes | None:
        """Return the outputs kept under the key, or None."""
        return self._read(key)

    def peek(self, key: str) -> None:
        """Return None: see `can_peek`."""

    async def put(self, key: str, outputs: bytes) -> None:
        """Keep the outputs and evict the least recently used results beyond `max_bytes`.

        Raises OSError if the file cannot be written.
        """
        self._write(key, outputs)

    def _scan(self) -> None:
        """Take in the files that other processes wrote, least recently used first."""
        found, stale = [], time.time() - _STALE_SECONDS
        for file in self.folder.iterdir():
            with suppress(FileNotFoundError):
                status = file.stat()
                if file.suffix != ".new" and file.is_file():
                    found.append((status.st_mtime, file.name, status.st_size))
                elif status.st_mtime < stale and file.is_file():
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
            self._drop(key)
            return None
        outputs = data[_CHECKSUM_BYTES:]
        if data[:_CHECKSUM_BYTES] != _checksum(outputs):
            with suppress(OSError):
                file.unlink()
            self._drop(key)
            return None
        with self._lock:
            if key not in self._sizes:
                self._sizes[key] = len(data)
                self.bytes += len(data)
            self._sizes.move_to_end(key)
        with suppress(OSError):  # another process may have evicted it, or own it
            _mark_used(file)
        return outputs

    def _write(self, key: str, outputs: bytes) -> None:
        import tempfile

        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_checksum(outputs) + outputs)
            _mark_used(name)
            Path(name).replace(self.folder / key)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        self._drop(key)
        size = len(outputs) + _CHECKSUM_BYTES
        with self._lock:
            self._sizes[key] = size
            self.bytes += size
            self._written += size
        if self._written * _RESCANS_PER_SIZE > self.max_bytes:
            self._scan()
        else:
            self._evict()

    def _drop(self, key: str) -> None:
        with self._lock:
            self.bytes -= self._sizes.pop(key, 0)

    def _evict(self) -> None:
        while self.bytes > self.max_bytes and self._sizes:
            oldest = next(iter(self._sizes))
            with suppress(OSError):
                (self.folder / oldest).unlink()
            self._drop(oldest)

    def __len__(self) -> int:
        return len(self._sizes)


def _mark_used(file: str | Path) -> None:
    """Set the file's times to now, with the clock's resolution rather than the file system's."""
    now = time.time_ns()
    os.utime(file, ns=(now, now))


def _checksum(outputs: bytes) -> bytes:
    return blake2b(outputs, digest_size=_CHECKSUM_BYTES).digest()
