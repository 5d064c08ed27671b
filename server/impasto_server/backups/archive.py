"""The file of a backup: a tar archive that is written and read in one pass, in bounded memory.

The first member, `backup.json`, says what the archive is. The last one, `manifest.jsonl`, lists every other
member with its size and SHA-256, so that an incomplete or changed archive is detected.
"""

import gzip
import hashlib
import io
import os
import tarfile
import tempfile
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import orjson

from impasto_server.backups.errors import ArchiveInvalid, BackupError

FORMAT = 1
HEAD = "backup.json"
_MANIFEST = "manifest.jsonl"
_CHUNK = 256 * 1024
_MAX_IN_MEMORY = 2**20
_DAMAGE = (tarfile.TarError, zlib.error, gzip.BadGzipFile, EOFError)


@dataclass(frozen=True)
class Member:
    """One member of an archive. Its content is read once, from `file`, before the next member."""

    name: str
    size: int
    file: IO[bytes]


class _Digests:
    """The lines of a manifest, on disk if they are many."""

    def __init__(self) -> None:
        self.file = tempfile.SpooledTemporaryFile(max_size=_MAX_IN_MEMORY)  # noqa: SIM115 - closed below

    def add(self, name: str, size: int, sha256: str) -> None:
        self.file.write(orjson.dumps({"name": name, "bytes": size, "sha256": sha256}) + b"\n")

    def close(self) -> None:
        self.file.close()


class _Output(Protocol):
    def write(self, data: bytes, /) -> object: ...


class ArchiveWriter:
    """Adds members to an archive."""

    def __init__(self, file: _Output, digests: _Digests, now: float) -> None:
        self._file = file
        self._digests = digests
        self._now = now

    def add_bytes(self, name: str, data: bytes) -> None:
        """Add a member from memory."""
        self._begin(name, len(data))
        self._file.write(data)
        self._end(name, len(data), hashlib.sha256(data).hexdigest())

    async def add_stream(self, name: str, size: int, pieces: AsyncIterator[bytes]) -> None:
        """Add a member of a known size from a stream. Raises `BackupError` if the size differs."""
        digest, written = hashlib.sha256(), 0
        self._begin(name, size)
        async for piece in pieces:
            self._file.write(piece)
            digest.update(piece)
            written += len(piece)
        if written != size:
            raise BackupError(f"{name} has {written} bytes instead of {size}. Make the backup again.")
        self._end(name, size, digest.hexdigest())

    def finish(self) -> None:
        """Add the manifest and the end of the archive."""
        size = self._digests.file.tell()
        self._digests.file.seek(0)
        self._begin(_MANIFEST, size)
        while piece := self._digests.file.read(_CHUNK):
            self._file.write(piece)
        self._file.write(b"\0" * (-size % tarfile.BLOCKSIZE + 2 * tarfile.BLOCKSIZE))

    # `TarFile` would keep each member in memory, and takes no asynchronous stream.

    def _begin(self, name: str, size: int) -> None:
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = size, 0o600, int(self._now)
        self._file.write(info.tobuf(tarfile.PAX_FORMAT))

    def _end(self, name: str, size: int, sha256: str) -> None:
        self._file.write(b"\0" * (-size % tarfile.BLOCKSIZE))
        self._digests.add(name, size, sha256)


@contextmanager
def writing(path: Path, now: float) -> Iterator[ArchiveWriter]:
    """Yield a new archive, which exists under its name only once it is complete; .gz is compressed.

    Raises `BackupError` if the file exists.
    """
    if path.exists():
        raise BackupError(f"{path} exists already. Choose another name, or move that file away.")
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    except OSError as error:
        raise BackupError(f"{path.parent}: {error.strerror}.") from error
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file, closing(_Digests()) as digests:
            with gzip.open(file, "wb", 6) if path.suffix == ".gz" else nullcontext(file) as output:
                writer = ArchiveWriter(output, digests, now)
                yield writer
                writer.finish()
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(path)
    finally:
        temporary.unlink(missing_ok=True)


class ArchiveReader:
    """The members of an archive, in their order."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.head = self._read_head()

    def members(self) -> Iterator[Member]:
        """Yield each member but the head, then check all against the manifest.

        Raises `ArchiveInvalid`, at the end, if the archive is incomplete or a member was changed.
        """
        try:
            with closing(_Digests()) as digests:
                digests.add(HEAD, len(self._head_bytes), hashlib.sha256(self._head_bytes).hexdigest())
                while (info := self._next()).name != _MANIFEST:
                    content = _DigestingFile(self._open(info))
                    with io.BufferedReader(content, _CHUNK) as file:
                        yield Member(info.name, info.size, file)
                        while file.read(_CHUNK):
                            pass
                    digests.add(info.name, info.size, content.digest.hexdigest())
                self._compare(info, digests)
        except _DAMAGE as error:
            raise ArchiveInvalid("The backup is incomplete or damaged.") from error

    def _next(self) -> tarfile.TarInfo:
        info = self._tar.next()
        if info is None or not info.isreg():
            raise ArchiveInvalid("The backup is incomplete: its manifest is missing.")
        self._tar.members = []  # type: ignore[attr-defined] # the class keeps every member that it has seen
        return info

    def _open(self, info: tarfile.TarInfo) -> IO[bytes]:
        file = self._tar.extractfile(info)
        assert file is not None
        return file

    def _read_head(self) -> dict[str, Any]:
        try:
            info = self._tar.next()
            if info is None or info.name != HEAD or not info.isreg() or info.size > _MAX_IN_MEMORY:
                raise ArchiveInvalid("This file is not a backup of Impasto.")
            self._head_bytes = self._open(info).read()
            head: dict[str, Any] = orjson.loads(self._head_bytes)
        except (*_DAMAGE, ValueError) as error:
            raise ArchiveInvalid("This file is not a backup of Impasto.") from error
        if not isinstance(head, dict):
            raise ArchiveInvalid("This file is not a backup of Impasto.")
        if head.get("format") != FORMAT:
            raise ArchiveInvalid(
                f"The backup has format {head.get('format')}, and this version reads format {FORMAT}."
            )
        return head

    def _compare(self, info: tarfile.TarInfo, digests: _Digests) -> None:
        digests.file.seek(0)
        with self._open(info) as manifest:
            for found, line in zip(digests.file, manifest, strict=False):
                if found != line:
                    name = orjson.loads(found)["name"]
                    raise ArchiveInvalid(f"The backup was changed: {name} differs from its manifest.")
            if digests.file.tell() != info.size:
                raise ArchiveInvalid("The backup was changed: its manifest lists other members.")


class _DigestingFile(io.RawIOBase):
    """A member's content, hashed while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        # The reader of a member calls this: its errors do not pass through `members`.
        try:
            data = self._file.read(len(buffer))
        except _DAMAGE as error:
            raise ArchiveInvalid("The backup is incomplete or damaged.") from error
        self.digest.update(data)
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def reading(path: Path) -> Iterator[ArchiveReader]:
    """Yield the archive in a file. Raises `ArchiveInvalid` if it is none, OSError if it cannot be read."""
    with path.open("rb") as file:
        try:
            tar = tarfile.open(fileobj=file, mode="r|*")  # noqa: SIM115 - closed below
        except _DAMAGE as error:
            raise ArchiveInvalid("This file is not a backup of Impasto.") from error
        with tar:
            yield ArchiveReader(tar)


def to_json(value: Any) -> bytes:
    """Return a value as readable JSON."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"
