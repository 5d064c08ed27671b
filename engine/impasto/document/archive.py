"""The zip of an exported agent: its flow document, the files that the document refers to, and a manifest.

A zip may be from anywhere. Its index is bounded before it is parsed, only files that the manifest lists are
read, in pieces, and each must have the size and the SHA-256 that the manifest states.
"""

import stat
import typing as t
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import msgspec

from impasto.errors import ArchiveInvalid
from impasto.serialization import read_json

DOCUMENT, MANIFEST, FOLDER = "flow.json", "manifest.json", "assets/"
KIND, FORMAT = "impasto-agent", 1
MAX_FILES = 500
MAX_ENTRIES = 2000
"""Includes files that an operating system adds to a zip that was packed again."""
MAX_DOCUMENT_BYTES = 4 * 2**20
_MAX_INDEX_BYTES = 2**20
_PIECE_BYTES = 2**20
_DIGEST_LENGTH = 64
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_UNREADABLE = "This zip is damaged, or is no agent that was exported from Impasto."


class ArchivedFile(msgspec.Struct, frozen=True):
    """A file of an exported agent. `path` is its name in the zip, `bytes` its size."""

    path: str
    asset_id: str
    name: str
    media_type: str
    bytes: int
    sha256: str


class MissingPart(msgspec.Struct, frozen=True):
    """A part of an agent that is not in its export. `nodes` are the titles of the nodes that use it."""

    kind: t.Literal["file", "brand", "agent"]
    id: str
    name: str
    nodes: list[str] = msgspec.field(default_factory=list)


class ArchivedBrand(msgspec.Struct, frozen=True):
    """A saved brand of an exported agent. `id` is the reference to it in the document.

    `content` refers to files of the zip by their `asset_id`.
    """

    id: str
    name: str
    content: dict[str, t.Any]


class Manifest(msgspec.Struct, frozen=True):
    """The contents of a zip besides the flow document, and what is missing from it."""

    kind: str
    format: int
    files: list[ArchivedFile]
    missing: list[MissingPart] = msgspec.field(default_factory=list)
    brands: list[ArchivedBrand] = msgspec.field(default_factory=list)


class AgentArchive:
    """An open zip whose index and manifest have been checked. `document_json` has not been, nor parsed."""

    def __init__(self, archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], max_bytes: int) -> None:
        self._archive = archive
        self._members = members
        self.document_json = self._read(DOCUMENT)
        self.manifest = _manifest(self._read(MANIFEST))
        _check_files(self.manifest, members, max_bytes)

    def document(self) -> dict[str, t.Any]:
        """Return the flow document, as it was written. Raises `ArchiveInvalid` if it is no JSON object."""
        return _json_object(self.document_json)

    def extract(self, file: ArchivedFile, target: Path) -> None:
        """Write a file of the manifest to `target`. Raises `ArchiveInvalid` unless it is the exported one."""
        digest, size = sha256(), 0
        member = self._members[file.path]
        with _damage_reported(), self._archive.open(member) as source, target.open("wb") as written:
            while piece := source.read(_PIECE_BYTES):
                size += len(piece)
                if size > file.bytes:
                    break
                digest.update(piece)
                written.write(piece)
        if size != file.bytes or digest.hexdigest() != file.sha256:
            raise ArchiveInvalid(f"{shown(file.path)} in this zip is not the file that was exported.")

    def _read(self, name: str) -> bytes:
        if name not in self._members:
            raise ArchiveInvalid(f"This zip is no exported agent: it has no {name}.")
        with _damage_reported(), self._archive.open(self._members[name]) as file:
            data = bytearray()
            while piece := file.read(_PIECE_BYTES):
                data += piece
                if len(data) > MAX_DOCUMENT_BYTES:
                    limit = f"{MAX_DOCUMENT_BYTES / 2**20:g} MiB"
                    raise ArchiveInvalid(f"{name} in this zip is larger than {limit}.")
        return bytes(data)


def is_archive(path: Path) -> bool:
    """Whether a file begins as a zip does."""
    with path.open("rb") as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


@contextmanager
def open_archive(path: Path, max_bytes: int) -> Iterator[AgentArchive]:
    """Open an exported agent whose files have at most `max_bytes` together.

    Raises `ArchiveInvalid`, or OSError if the file cannot be read.
    """
    with path.open("rb") as file:
        with _damage_reported():
            archive = zipfile.ZipFile(t.cast("t.IO[bytes]", _BoundedReads(file)))
        with archive:
            yield AgentArchive(archive, _members(archive), max_bytes)


def dump_manifest(
    files: t.Iterable[ArchivedFile],
    missing: t.Iterable[MissingPart],
    brands: t.Iterable[ArchivedBrand] = (),
) -> bytes:
    """Return the manifest of a zip as JSON."""
    manifest = Manifest(
        kind=KIND, format=FORMAT, files=list(files), missing=list(missing), brands=list(brands)
    )
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2)


def shown(name: str) -> str:
    """Return a name of a stranger as it may be shown in a sentence."""
    return "".join(letter if letter.isprintable() else "?" for letter in name[:100])


class _BoundedReads:
    """A file of which no more than a piece is read at once: `ZipFile` reads an index into memory whole."""

    def __init__(self, file: t.BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes."""
        if size > max(_MAX_INDEX_BYTES, _PIECE_BYTES):
            raise ArchiveInvalid("This zip lists too many files.")
        return self._file.read(_MAX_INDEX_BYTES if size < 0 else size)


@contextmanager
def _damage_reported() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ArchiveInvalid(_UNREADABLE) from error


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Return the files of a zip by name. Raises `ArchiveInvalid` if one is not safe to read."""
    members: dict[str, zipfile.ZipInfo] = {}
    seen: set[str] = set()
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise ArchiveInvalid(f"This zip has {len(entries):,} files; the limit is {MAX_ENTRIES:,}.")
    for info in entries:
        name = info.filename
        if info.flag_bits & _ENCRYPTED:
            raise ArchiveInvalid(f"{shown(name)} in this zip is encrypted. Export the agent again.")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise ArchiveInvalid(f"{shown(name)} in this zip is a link, not a file.")
        parts = info.orig_filename.replace("\\", "/").split("/")
        if parts[0] == "" or ".." in parts or ":" in parts[0] or "\0" in info.orig_filename:
            raise ArchiveInvalid(f"{shown(name)} in this zip has a path outside of it.")
        if info.compress_type not in _METHODS:
            raise ArchiveInvalid(f"{shown(name)} in this zip is compressed in a way that is not supported.")
        if name.casefold() in seen:
            raise ArchiveInvalid(f"This zip has two files with the name {shown(name)}.")
        seen.add(name.casefold())
        members[name] = info
    return members


def _manifest(data: bytes) -> Manifest:
    document = _json_object(data)
    if document.get("kind") != KIND:
        raise ArchiveInvalid("This zip is no agent that was exported from Impasto.")
    if document.get("format") != FORMAT:
        raise ArchiveInvalid("This agent was exported by a newer Impasto. Update this one first.")
    try:
        return msgspec.convert(document, Manifest)
    except msgspec.ValidationError as error:
        raise ArchiveInvalid(f"The manifest of this zip is not valid: {error}.") from error


def _check_files(manifest: Manifest, members: dict[str, zipfile.ZipInfo], max_bytes: int) -> None:
    files = manifest.files
    if len(files) > MAX_FILES:
        raise ArchiveInvalid(f"This agent has {len(files):,} files; the limit is {MAX_FILES:,}.")
    if any(file.bytes < 0 for file in files) or sum(file.bytes for file in files) > max_bytes:
        raise ArchiveInvalid(
            f"The files of this agent are larger than {max_bytes / 2**20:,.0f} MiB together."
        )
    if len({file.asset_id for file in files}) < len(files) or len({file.path for file in files}) < len(files):
        raise ArchiveInvalid("The manifest of this zip lists a file twice.")
    for file in files:
        if not file.path.startswith(FOLDER) or len(file.sha256) != _DIGEST_LENGTH:
            raise ArchiveInvalid(f"The manifest of this zip is not valid: {shown(file.path)}.")
        if file.path not in members:
            raise ArchiveInvalid(f"{shown(file.path)} is not in this zip, although its manifest lists it.")
        if members[file.path].file_size != file.bytes:
            raise ArchiveInvalid(f"{shown(file.path)} in this zip is not the file that was exported.")


def _json_object(data: bytes) -> dict[str, t.Any]:
    try:
        found = read_json(data)
    except ValueError as error:
        raise ArchiveInvalid(_UNREADABLE) from error
    if not isinstance(found, dict):
        raise ArchiveInvalid(_UNREADABLE)
    return found
