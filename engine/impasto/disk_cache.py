"""Results in a folder, within a size: what was not asked for the longest goes first."""

import os
import tempfile
import threading
import typing as t
from collections import OrderedDict
from hashlib import blake2b
from pathlib import Path


class DiskCache:
    """One file a result, its checksum in front: a damaged or half-written file counts as not there."""

    def __init__(self, folder: str | Path, max_bytes: int = 2**30) -> None:
        self.flights: dict[t.Any, t.Any] = {}
        self.folder = Path(folder)
        self.max_bytes = max_bytes
        self.bytes = 0
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
        """Find what earlier processes kept, oldest use first."""
        found = []
        for file in self.folder.iterdir():
            if file.suffix == ".new":
                file.unlink(missing_ok=True)
            elif file.is_file():
                status = file.stat()
                found.append((status.st_mtime, file.name, status.st_size))
        for _, name, size in sorted(found):
            self._sizes[name] = size
            self.bytes += size
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
            file.unlink(missing_ok=True)
            self._forget(key)
            return None
        with self._lock:
            if key not in self._sizes:
                self._sizes[key] = len(data)
                self.bytes += len(data)
            self._sizes.move_to_end(key)
        os.utime(file)
        return outputs

    def _write(self, key: str, outputs: bytes) -> None:
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_sum(outputs) + outputs)
            Path(name).replace(self.folder / key)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        self._forget(key)
        with self._lock:
            self._sizes[key] = len(outputs) + 16
            self.bytes += len(outputs) + 16
        self._evict()

    def _forget(self, key: str) -> None:
        with self._lock:
            self.bytes -= self._sizes.pop(key, 0)

    def _evict(self) -> None:
        while self.bytes > self.max_bytes and self._sizes:
            (self.folder / next(iter(self._sizes))).unlink(missing_ok=True)
            self._forget(next(iter(self._sizes)))

    def __len__(self) -> int:
        return len(self._sizes)


def _sum(outputs: bytes) -> bytes:
    return blake2b(outputs, digest_size=16).digest()
