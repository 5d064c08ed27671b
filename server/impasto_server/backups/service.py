"""Making a backup of an installation, and restoring one into an empty installation."""

import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import Table, text
from sqlalchemy.ext.asyncio import AsyncConnection

from impasto_server.audit import service as audit
from impasto_server.audit.models import AuditRow
from impasto_server.audit.origin import current_origin
from impasto_server.backups import archive, rows
from impasto_server.backups.archive import ArchiveReader, Member
from impasto_server.backups.errors import ArchiveInvalid, BackupError, KeysDiffer, NotEmpty
from impasto_server.container import AppState
from impasto_server.db.engine import Database
from impasto_server.db.migrations import runner
from impasto_server.security.crypto import SecretInvalid, open_keys, write_secret
from impasto_server.settings import Settings
from impasto_server.storage import deletion_pause
from impasto_server.storage.object_storage import Storage
from impasto_server.utils import own_version, utc_now

_PURPOSE = "backup"
_CHUNK = 256 * 1024


@dataclass(frozen=True)
class Summary:
    """The contents of a backup."""

    version: str
    revision: str
    created_at: str
    rows: int
    files: int
    secrets: int


async def backup(app_state: AppState, path: Path, *, with_secrets: bool) -> Summary:
    """Write a backup of the installation, which may stay in use. Raises `BackupError`.

    The rows are those of one moment, and the files are those that the rows refer to, or more.
    """
    now = app_state.clock()
    with archive.writing(path, now.timestamp()) as writer:
        async with deletion_pause.pause(app_state.storage, app_state.clock):
            async with _snapshot(app_state) as connection:
                tables = await rows.read_tables(connection)
                head = await _describe(app_state, connection, tables, with_secrets=with_secrets)
                writer.add_bytes(archive.HEAD, archive.to_json(head))
                count = await _add_rows(writer, connection, tables)
            # Outside the transaction, which would keep migrations waiting for hours.
            files = await _add_files(writer, app_state.storage)
        secrets = _add_secrets(writer, app_state.settings) if with_secrets else 0
    details = {"rows": count, "files": files, "with_keys": with_secrets}
    await audit.record_now(app_state, "backup.create", details=details)
    return Summary(head["version"], head["revision"], head["created_at"], count, files, secrets)


@asynccontextmanager
async def _snapshot(app_state: AppState) -> AsyncIterator[AsyncConnection]:
    """Yield a connection that sees the database of one moment."""
    async with app_state.database.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


async def _describe(
    app_state: AppState, connection: AsyncConnection, tables: Sequence[Table], *, with_secrets: bool
) -> dict[str, Any]:
    return {
        "format": archive.FORMAT,
        "version": own_version(),
        "revision": await connection.scalar(text("SELECT version_num FROM alembic_version")),
        "created_at": app_state.clock().isoformat(),
        "database": connection.dialect.name,
        "tables": {str(table.name): [str(column.name) for column in table.columns] for table in tables},
        "with_secrets": with_secrets,
        "key_check": app_state.encryptor.encrypt(_PURPOSE.encode(), _PURPOSE).hex(),
    }


async def _add_rows(
    writer: archive.ArchiveWriter, connection: AsyncConnection, tables: Sequence[Table]
) -> int:
    count = 0
    for table in tables:
        number = 0
        async for lines, lines_count in rows.dump(connection, table):
            writer.add_bytes(f"tables/{table.name}/{number:06}.jsonl", lines)
            count += lines_count
            number += 1
    return count


async def _add_files(writer: archive.ArchiveWriter, storage: Storage) -> int:
    files = 0
    async for key, size in storage.list_objects():
        if key != deletion_pause.KEY:
            await writer.add_stream(f"files/{key}", size, storage.stream(key, 0, size))
            files += 1
    return files


def _add_secrets(writer: archive.ArchiveWriter, settings: Settings) -> int:
    found = [path for path in sorted(settings.secrets.iterdir()) if _is_key_file(path)]
    for path in found:
        writer.add_bytes(f"secrets/{path.name}", path.read_bytes())
    return len(found)


def _is_key_file(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".")


def check(path: Path) -> Summary:
    """Read a whole backup and compare it with its manifest; return what it holds. Raises `ArchiveInvalid`."""
    counts = Counter[str]()
    with archive.reading(path) as reader:
        for member in reader.members():
            kind = member.name.partition("/")[0]
            lines = sum(1 for _ in member.file) if kind == "tables" else 1
            counts[kind] += lines
        return _summary(reader, counts)


async def restore(settings: Settings, path: Path, *, new_keys: bool) -> Summary:
    """Restore a backup into an installation without data, and bring its tables up to date.

    Nothing remains of a backup that turns out to be incomplete or changed. Raises `BackupError`. With
    `new_keys`, secrets that the installation's keys cannot decrypt are restored all the same.
    """
    with archive.reading(path) as reader:
        _check_revision(settings, reader)
        database, storage = Database(settings.database), Storage.from_settings(settings)
        try:
            _check_keys(settings, reader, new_keys=new_keys)
            await _check_empty(settings, reader, database, storage)
            await runner.migrate(settings.database, reader.head["revision"])
            counts = await _restore_members(settings, reader, database, storage)
        finally:
            await database.close()
        await runner.migrate(settings.database)
        await _record_restoration(settings, counts)
        return _summary(reader, counts)


def _check_revision(settings: Settings, reader: ArchiveReader) -> None:
    scripts = ScriptDirectory.from_config(runner.configuration(settings.database))
    revision = str(reader.head["revision"])
    if revision not in {script.revision for script in scripts.walk_revisions()}:
        raise BackupError(
            f"The backup was made by Impasto {reader.head['version']}, whose tables this version "
            f"({own_version()}) does not know. Restore it with that version or a newer one."
        )


def _check_keys(settings: Settings, reader: ArchiveReader, *, new_keys: bool) -> None:
    """Raise `KeysDiffer` unless the installation can decrypt what the backup holds, or gets its keys."""
    key_files = settings.secrets.is_dir() and any(map(_is_key_file, settings.secrets.iterdir()))
    if reader.head["with_secrets"]:
        if key_files:
            raise NotEmpty(
                f"The backup holds key files, and {settings.secrets} has some already. Move those away first."
            )
        return
    if new_keys:
        return
    try:
        if not key_files and not settings.encryption_key:
            raise SecretInvalid("there are no key files")
        _, encryptor = open_keys(settings)
        encryptor.decrypt(bytes.fromhex(reader.head["key_check"]), _PURPOSE)
    except (SecretInvalid, ValueError) as error:
        raise KeysDiffer(
            f"The keys in {settings.secrets} are not those of the backup, so saved provider keys and second "
            "factors could not be decrypted. Copy the former key files there; or add --new-keys, and users "
            "enter their provider keys and set up their second factors again."
        ) from error


async def _check_empty(
    settings: Settings, reader: ArchiveReader, database: Database, storage: Storage
) -> None:
    await storage.check_bucket()
    async for key, _ in storage.list_objects():
        raise NotEmpty(f"The storage of files has files already, such as {key}. Restore into an empty one.")
    applied = await runner.newest_applied(settings.database)
    if applied is None:
        return
    async with database.engine.connect() as connection:
        counts = await rows.count_rows(connection, await rows.read_tables(connection))
    if counts:
        found = ", ".join(f"{name}: {count}" for name, count in sorted(counts.items())[:5])
        raise NotEmpty(f"The database has rows already ({found}). Restore into an empty database.")
    if applied.revision != reader.head["revision"]:
        raise NotEmpty("The database has the tables of another version. Restore into a database without any.")


async def _restore_members(
    settings: Settings, reader: ArchiveReader, database: Database, storage: Storage
) -> Mapping[str, int]:
    counts = Counter[str]()
    secrets: dict[str, bytes] = {}
    engine = database.engine.execution_options(writes=True)
    try:
        async with engine.begin() as connection:
            tables = {table.name: table for table in await rows.read_tables(connection)}
            for member in reader.members():
                kind, _, rest = member.name.partition("/")
                if kind == "tables":
                    table = rest.partition("/")[0]
                    counts[kind] += await _load(connection, reader, tables, table, member)
                elif kind == "files":
                    await _store(storage, rest, member)
                elif kind == "secrets":
                    secrets[_plain_name(rest)] = member.file.read()
                else:
                    raise ArchiveInvalid(f"The backup holds {member.name}, which this version does not know.")
                counts[kind] += kind != "tables"
            # The processes that executed these runs are not here: others take them up at once.
            await connection.execute(text("UPDATE runs SET lease_owner = NULL, lease_until = NULL"))
            for name, content in secrets.items():
                write_secret(settings.secrets / name, content)
    except BaseException:
        # There were no key files before, or the backup has none.
        for name in secrets:
            (settings.secrets / name).unlink(missing_ok=True)
        await _delete_all(storage)
        raise
    return counts


async def _load(
    connection: AsyncConnection, reader: ArchiveReader, tables: dict[str, Table], name: str, member: Member
) -> int:
    columns = reader.head["tables"].get(name)
    if columns is None or name not in tables:
        raise ArchiveInvalid(f"The backup holds a table '{name}' that its version does not have.")
    return await rows.load(connection, tables[name], columns, member.file)


async def _store(storage: Storage, key: str, member: Member) -> None:
    if PurePosixPath(key).is_absolute() or ".." in PurePosixPath(key).parts or not key:
        raise ArchiveInvalid(f"The backup holds a file with an invalid name: {member.name}.")
    with tempfile.NamedTemporaryFile(prefix="impasto-restore-") as copy:
        while piece := member.file.read(_CHUNK):
            copy.write(piece)
        copy.flush()
        await storage.put_copy(Path(copy.name), key)


async def _record_restoration(settings: Settings, counts: Mapping[str, int]) -> None:
    origin, database = current_origin(), Database(settings.database)
    details = {"rows": counts["tables"], "files": counts["files"]}
    try:
        async with database.writing() as session:
            session.add(
                AuditRow(
                    at=utc_now(),
                    action="backup.restore",
                    outcome="success",
                    actor_kind=origin.kind,
                    user_agent=origin.user_agent,
                    details=details,
                )
            )
    finally:
        await database.close()


def _plain_name(name: str) -> str:
    if not name or Path(name).name != name or name.startswith(".") or "\0" in name:
        raise ArchiveInvalid(f"The backup holds a key file with an invalid name: {name!r}.")
    return name


async def _delete_all(storage: Storage) -> None:
    """Delete every object: the storage was empty before."""
    async for key, _ in storage.list_objects():
        await storage.delete(key)


def _summary(reader: ArchiveReader, counts: Mapping[str, int]) -> Summary:
    head = reader.head
    return Summary(
        head["version"],
        head["revision"],
        head["created_at"],
        counts["tables"],
        counts["files"],
        counts["secrets"],
    )
