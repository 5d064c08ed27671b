"""A backup holds the whole installation, and is restored into an empty one only."""

import errno
import gzip
import hashlib
import io
import secrets
import shutil
import tarfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection
from tests.server.conftest import PASSWORD
from tests.server.responses import expect
from tests.server.sample_nodes import chain, png
from tests.server.table_writer import TableWriter

from impasto_server.app import create_app
from impasto_server.assets import garbage
from impasto_server.audit.models import AuditRow
from impasto_server.backups import rows, service
from impasto_server.backups.errors import ArchiveInvalid, BackupError, KeysDiffer, NotEmpty
from impasto_server.db.engine import Database
from impasto_server.runs.models import RunRow
from impasto_server.security.crypto import write_secret
from impasto_server.settings import Settings
from impasto_server.storage import deletion_pause
from impasto_server.storage.object_storage import Storage

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("describe_tables_once")]


@pytest.fixture(scope="module")
def s3_server() -> Iterator[str]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """SQLite with files in a folder, or PostgreSQL with files in a bucket."""
    return str(request.param)


@pytest.fixture
def database_url(kind: str, request: pytest.FixtureRequest) -> str:
    return "" if kind == "sqlite" else str(request.getfixturevalue("migrated_postgresql"))


@pytest.fixture
def bucket(s3_server: str) -> Callable[[], str]:
    """Make a bucket and return its URL."""

    def make() -> str:
        name = f"paint-{secrets.token_hex(4)}"
        httpx.put(f"{s3_server}/{name}").raise_for_status()
        return f"s3://{name}/files?endpoint={s3_server}&region=us-east-1&access_key_id=a&secret_access_key=b"

    return make


@pytest.fixture
def extra_settings(kind: str, bucket: Callable[[], str]) -> dict[str, Any]:
    return {} if kind == "sqlite" else {"storage_url": bucket()}


@pytest.fixture
def empty(
    kind: str, settings: Settings, tmp_path: Path, bucket: Callable[[], str], no_database: str
) -> Settings:
    """An empty installation of the same kind, with the keys of the first one."""
    places = {} if kind == "sqlite" else {"database_url": no_database, "storage_url": bucket()}
    return settings.model_copy(
        update={"data_dir": tmp_path / "restored", "secrets_dir": settings.secrets, **places}
    )


@pytest.fixture
def no_database(kind: str, request: pytest.FixtureRequest) -> str:
    return "" if kind == "sqlite" else str(request.getfixturevalue("empty_postgresql"))


@pytest.fixture
async def lived_in(person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any) -> Any:
    """An installation with a user, an agent, a run with an image, an upload, and a row in each table."""
    run = await finished(person, await run_flow(person, (await make_flow(person, chain("paint")))["id"]))
    assert run["status"] == "finished"
    async with app_state.database.engine.connect() as connection:
        tables = await rows.read_tables(connection)
    await TableWriter(app_state.database, tables).write()
    expect(await person.client.post("/assets/", files={"file": ("jug.png", png(1), "image/png")}), 201)
    async with app_state.database.writing() as session:
        await session.execute(update(RunRow).values(lease_owner="a process that died", lease_until=None))
    return app_state


async def content(settings: Settings) -> dict[str, list[bytes]]:
    """Return every row and file of an installation, in a form that can be compared.

    The audit log is left out, and so is the pause of deletions, which outlasts a backup.
    """
    found: dict[str, list[bytes]] = {}
    database, storage = Database(settings.database), Storage.from_settings(settings)
    async with database.engine.connect() as connection:
        for table in await rows.read_tables(connection):
            if table.name != "audit_log":
                found[table.name] = [lines async for lines, _ in rows.dump(connection, table)]
    await database.close()
    async for key, _ in storage.list_objects():
        if key != deletion_pause.KEY:
            found[key] = [await storage.read(key)]
    return found


async def test_restored_installation_equals_the_first(
    lived_in: Any, settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    path = tmp_path / "backup.tar.gz"
    made = await service.backup(lived_in, path, with_secrets=False)
    assert path.stat().st_mode & 0o777 == 0o600
    assert made == service.check(path)
    assert await service.restore(empty, path, new_keys=False) == made
    before, after = await content(settings), await content(empty)
    assert b"a process that died" in before["runs"][0]
    before["runs"] = [lines.replace(b'"a process that died"', b"null") for lines in before["runs"]]
    assert after == before
    assert made.files == sum("/" in name for name in after) >= 2
    assert made.rows > 10


async def test_users_of_a_restored_installation_sign_in_and_read_their_files(
    lived_in: Any, person: Any, kind: str, empty: Settings, tmp_path: Path, bucket: Callable[[], str]
) -> None:
    """PostgreSQL and a bucket are restored into SQLite and a folder, and a folder into a bucket."""
    path = tmp_path / "backup.tar"
    await service.backup(lived_in, path, with_secrets=True)
    other = empty.model_copy(
        update={
            "database_url": "",
            "storage_url": bucket() if kind == "sqlite" else "",
            "secrets_dir": tmp_path / "other secrets",
        }
    )
    assert (await service.restore(other, path, new_keys=False)).secrets >= 2
    assets = (await person.client.get("/assets/")).json()
    app = create_app(other, lived_in.catalog)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver/api/v1") as client,
    ):
        body = {"username": "mara", "password": PASSWORD}
        session = expect(await client.post("/identity/sign-in", json=body), 200).json()["session"]
        client.headers["Authorization"] = f"Bearer {session['identity_token']}"
        assert {each["id"] for each in (await client.get("/assets/")).json()} == {
            each["id"] for each in assets
        }
        for asset in assets:
            found = await client.get(f"/assets/{asset['id']}/content")
            assert hashlib.sha256(found.content).hexdigest() == asset["sha256"]


async def test_files_are_copied_without_a_transaction(
    lived_in: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A migration waits for a transaction that has read the tables, and copying files may take hours."""
    open_snapshots: list[AsyncConnection] = []
    seen: list[int] = []
    levels: list[str] = []
    snapshot, list_objects = service._snapshot, lived_in.storage.list_objects

    @asynccontextmanager
    async def counted(app_state: Any) -> AsyncIterator[AsyncConnection]:
        async with snapshot(app_state) as connection:
            open_snapshots.append(connection)
            if connection.dialect.name == "postgresql":
                levels.append(str(await connection.scalar(text("SHOW transaction_isolation"))))
            yield connection
        open_snapshots.remove(connection)

    def note_snapshots() -> Any:
        seen.append(len(open_snapshots))
        return list_objects()

    monkeypatch.setattr(service, "_snapshot", counted)
    monkeypatch.setattr(lived_in.storage, "list_objects", note_snapshots)
    assert (await service.backup(lived_in, tmp_path / "backup.tar", with_secrets=False)).files >= 2
    assert seen == [0]
    is_postgresql = lived_in.database.engine.dialect.name == "postgresql"
    assert levels == ["repeatable read"] * is_postgresql, "the rows are those of one moment"


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
class TestRefusals:
    """Refusals, which do not depend on the kind of database and storage."""

    @pytest.fixture
    def empty(self, empty: Settings, sqlite_template: Path) -> Settings:
        """An empty installation that has tables: creating them takes a second."""
        empty.data_dir.mkdir()
        shutil.copy(sqlite_template, empty.data_dir / "impasto.db")
        return empty

    @pytest.fixture
    async def archive(self, lived_in: Any, tmp_path: Path) -> Path:
        path = tmp_path / "backup.tar"
        await service.backup(lived_in, path, with_secrets=False)
        return path

    async def test_existing_file_is_not_overwritten(self, lived_in: Any, archive: Path) -> None:
        before = archive.read_bytes()
        with pytest.raises(BackupError, match="exists already"):
            await service.backup(lived_in, archive, with_secrets=False)
        assert archive.read_bytes() == before

    async def test_installation_with_rows_or_files_is_refused(
        self, archive: Path, settings: Settings, empty: Settings
    ) -> None:
        kept = r"files already, such as \w[\w/.-]+\. Restore into an empty one\.$"
        with pytest.raises(NotEmpty, match=f"^The storage of files has {kept}"):
            await service.restore(settings, archive, new_keys=False)
        found = r"\(api_keys: 1, (\w+: \d+, ){3}\w+: \d+\)"
        with pytest.raises(
            NotEmpty, match=f"^The database has rows already {found}\\. Restore into an empty"
        ):
            await service.restore(
                settings.model_copy(update={"storage_url": str(empty.data_dir / "files")}),
                archive,
                new_keys=False,
            )

    async def test_other_keys_are_refused(self, archive: Path, empty: Settings, tmp_path: Path) -> None:
        other = empty.model_copy(update={"secrets_dir": tmp_path / "none"})
        with pytest.raises(KeysDiffer, match="--new-keys"):
            await service.restore(other, archive, new_keys=False)
        assert (await service.restore(other, archive, new_keys=True)).rows > 10

    async def test_damaged_backup_is_refused_and_leaves_nothing(
        self, archive: Path, empty: Settings, tmp_path: Path
    ) -> None:
        for damage in ("cut", "changed", "dropped", "not gzip", "newer"):
            bad = tmp_path / damage
            bad.write_bytes(damaged(archive, damage))
            with pytest.raises(BackupError):
                await service.restore(empty, bad, new_keys=False)
            if damage != "newer":
                with pytest.raises(ArchiveInvalid):
                    service.check(bad)
            assert not [key async for key, _ in Storage.from_settings(empty).list_objects()]
        assert (await service.restore(empty, archive, new_keys=False)).rows > 10

    async def test_key_files_are_refused_with_a_path_and_leave_nothing(
        self, lived_in: Any, empty: Settings, tmp_path: Path
    ) -> None:
        path, other = tmp_path / "with keys.tar", empty.model_copy(update={"secrets_dir": tmp_path / "other"})
        await service.backup(lived_in, path, with_secrets=True)
        for name in ("", "../key", "/key", ".key"):
            bad = tmp_path / "bad.tar"
            bad.write_bytes(with_another(path, f"secrets/{name}"))
            with pytest.raises(ArchiveInvalid, match="invalid name"):
                await service.restore(other, bad, new_keys=False)
        bad.write_bytes(with_another(path, "secrets/" + "x" * 300))
        with pytest.raises(ArchiveInvalid, match="other members"):
            await service.restore(other, bad, new_keys=False)
        assert not list(tmp_path.glob("**/*key"))
        assert not list(other.secrets.glob("*"))

    async def test_key_files_that_cannot_be_written_leave_nothing(
        self, lived_in: Any, empty: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path, other = tmp_path / "with keys.tar", empty.model_copy(update={"secrets_dir": tmp_path / "other"})
        await service.backup(lived_in, path, with_secrets=True)
        written: list[Path] = []

        def write_one(file: Path, content: bytes) -> None:
            if written:
                raise OSError(errno.ENOSPC, "No space left on device")
            written.append(file)
            write_secret(file, content)

        with monkeypatch.context() as patched:
            patched.setattr(service, "write_secret", write_one)
            with pytest.raises(OSError, match="No space left"):
                await service.restore(other, path, new_keys=False)
        assert not list(other.secrets.glob("*"))
        assert (await service.restore(other, path, new_keys=False)).secrets >= 2

    async def test_objects_are_not_deleted_during_a_backup(self, lived_in: Any, tmp_path: Path) -> None:
        key = await lived_in.storage.put_bytes(b"unreferenced")
        async with lived_in.database.writing() as session:
            await garbage.mark_for_deletion(session, [key])
        async with deletion_pause.pause(lived_in.storage, lived_in.clock):
            async with deletion_pause.pause(lived_in.storage, lived_in.clock):
                pass
            # The other backup, which began later, has ended: this one still copies.
            await garbage.sweep(lived_in)
            assert await lived_in.storage.exists(key)
        async with deletion_pause.pause(lived_in.storage, lambda: lived_in.clock() - timedelta(minutes=11)):
            await garbage.sweep(lived_in)  # the pause of a backup that was killed 11 minutes ago
            assert not await lived_in.storage.exists(key)

    async def test_backup_and_restoration_are_recorded(
        self, archive: Path, lived_in: Any, empty: Settings
    ) -> None:
        await service.restore(empty, archive, new_keys=False)
        restored = Database(empty.database)
        for database, action in ((lived_in.database, "backup.create"), (restored, "backup.restore")):
            async with database.reading() as session:
                query = select(func.count()).select_from(AuditRow).where(AuditRow.action == action)
                assert await session.scalar(query) == 1
        await restored.close()


def damaged(archive: Path, damage: str) -> bytes:
    whole = archive.read_bytes()
    if damage == "cut":
        return whole[: len(whole) * 2 // 3]
    if damage == "not gzip":
        return gzip.compress(whole)[:-40]
    output = io.BytesIO()
    with tarfile.open(archive) as old, tarfile.open(fileobj=output, mode="w") as new:
        for member in old.getmembers():
            data = old.extractfile(member).read()  # type: ignore[union-attr]
            if damage == "changed" and member.name.startswith("files/"):
                data = data[:-1] + bytes([data[-1] ^ 1])
            if damage == "dropped" and member.name.startswith("tables/users/"):
                continue
            if damage == "newer" and member.name == "backup.json":
                data = orjson.dumps({**orjson.loads(data), "revision": "9999"})
                member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return output.getvalue()


def with_another(archive: Path, name: str) -> bytes:
    """Return the archive with another member before its manifest."""
    output = io.BytesIO()
    with tarfile.open(archive) as old, tarfile.open(fileobj=output, mode="w") as new:
        *members, manifest = old.getmembers()
        for member in members:
            new.addfile(member, old.extractfile(member))
        new.addfile(tarfile.TarInfo(name), io.BytesIO())
        new.addfile(manifest, old.extractfile(manifest))
    return output.getvalue()
