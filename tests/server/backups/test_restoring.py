"""Which backups are restored, what is refused, and what is recorded of it."""

import base64
import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest
from alembic.script import ScriptDirectory
from pydantic import SecretStr
from sqlalchemy import select

from impasto_server.audit.models import AuditRow
from impasto_server.backups import archive, rows, service
from impasto_server.backups.errors import BackupError, KeysDiffer, NotEmpty
from impasto_server.backups.service import Summary
from impasto_server.db.engine import Database
from impasto_server.db.migrations import runner
from impasto_server.security.crypto import open_keys
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import Storage
from impasto_server.utils import own_version

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("describe_tables_once")]
LARGE = bytes(range(256)) * 1500
AT = "2026-03-01T12:00:00+00:00"


@pytest.fixture
def empty(settings: Settings, tmp_path: Path) -> Settings:
    return settings.model_copy(
        update={"data_dir": tmp_path / "restored", "secrets_dir": tmp_path / "keys", "database_url": ""}
    )


def revisions(settings: Settings) -> list[str]:
    """Return the revisions of the tables, newest first."""
    scripts = ScriptDirectory.from_config(runner.configuration(settings.database))
    return [script.revision for script in scripts.walk_revisions()]


def written(path: Path, settings: Settings, members: dict[str, bytes], **head: Any) -> Path:
    """Write a backup with these members."""
    path.unlink(missing_ok=True)
    usual = {
        "format": archive.FORMAT, "version": "1.2.3", "revision": revisions(settings)[0], "created_at": AT,
        "database": "sqlite", "tables": {"tags": ["id"]}, "with_secrets": False, "key_check": "00",
    }  # fmt: skip
    with archive.writing(path, 1_800_000_000) as writer:
        writer.add_bytes(archive.HEAD, orjson.dumps({**usual, **head}))
        for name, data in members.items():
            writer.add_bytes(name, data)
    return path


async def files_of(settings: Settings) -> dict[str, bytes]:
    storage = Storage.from_settings(settings)
    return {key: await storage.read(key) async for key, _ in storage.list_objects()}


async def test_files_and_keys_are_restored_byte_for_byte(empty: Settings, tmp_path: Path) -> None:
    members = {
        "files/a/one": b"",
        "files/a/two": LARGE,
        "files/three": b"3",
        "secrets/one.key": b"first key",
        "secrets/two.key": b"second",
    }
    newest, before, *_ = revisions(empty)
    path = written(tmp_path / "a.tar", empty, members, with_secrets=True, revision=before)
    made = Summary("1.2.3", before, AT, rows=0, files=3, secrets=2)
    assert service.check(path) == made
    (empty.secrets / ".lock").parent.mkdir(parents=True, exist_ok=True)
    (empty.secrets / ".lock").touch()  # is no key
    assert await service.restore(empty, path, new_keys=False) == made
    assert await files_of(empty) == {"a/one": b"", "a/two": LARGE, "three": b"3"}
    keys = {key.name: (key.read_bytes(), key.stat().st_mode & 0o777) for key in empty.secrets.glob("*.key")}
    assert keys == {"one.key": (b"first key", 0o600), "two.key": (b"second", 0o600)}
    applied = await runner.newest_applied(empty.database)
    assert applied is not None
    assert applied.revision == newest, "the tables are brought up to date"


async def test_backup_with_unknown_members_is_refused_and_leaves_nothing(
    empty: Settings, tmp_path: Path, sqlite_template: Path
) -> None:
    empty.data_dir.mkdir()
    shutil.copy(sqlite_template, empty.data_dir / "impasto.db")
    no_table = "The backup holds a table '{}' that its version does not have."
    no_name = "The backup holds a file with an invalid name: {}."
    for name, sentence in (
        ("others/x", "The backup holds others/x, which this version does not know."),
        ("tables/ghosts/000000.jsonl", no_table.format("ghosts")),  # the head has it, the version has not
        ("tables/users/000000.jsonl", no_table.format("users")),  # the version has it, the head has not
        ("files//etc/x", no_name.format("files//etc/x")),
        ("files/a/../x", no_name.format("files/a/../x")),
    ):
        members = {"files/one": b"1", name: b"{}\n", "secrets/a.key": b"key"}
        path = written(tmp_path / "a.tar", empty, members, tables={"ghosts": ["id"]}, with_secrets=True)
        with pytest.raises(BackupError) as refused:
            await service.restore(empty, path, new_keys=False)
        assert str(refused.value) == sentence
        assert not await files_of(empty)
        assert not list(empty.secrets.glob("*.key"))


async def test_tables_of_another_version_are_refused(empty: Settings, tmp_path: Path) -> None:
    await runner.migrate(empty.database)
    newest, *_, first = revisions(empty)
    path = written(tmp_path / "a.tar", empty, {}, revision=first)
    with pytest.raises(NotEmpty) as refused:
        await service.restore(empty, path, new_keys=True)
    assert str(refused.value) == (
        "The database has the tables of another version. Restore into a database without any."
    )
    with pytest.raises(
        BackupError, match=r"The backup was made by Impasto 1\.2\.3, whose tables this version"
    ):
        await service.restore(empty, written(path, empty, {}, revision=f"{newest}0"), new_keys=True)


async def test_keys_of_the_backup_do_not_replace_others(empty: Settings, tmp_path: Path) -> None:
    empty.secrets.mkdir(parents=True)
    (empty.secrets / "one.key").write_bytes(b"the first")
    path = written(tmp_path / "a.tar", empty, {"secrets/one.key": b"another"}, with_secrets=True)
    for new_keys in (False, True):
        with pytest.raises(NotEmpty) as refused:
            await service.restore(empty, path, new_keys=new_keys)
        assert str(refused.value) == (
            f"The backup holds key files, and {empty.secrets} has some already. Move those away first."
        )
    assert (empty.secrets / "one.key").read_bytes() == b"the first"


async def test_backup_is_refused_without_its_keys(
    app_state: Any, settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    check = app_state.encryptor.encrypt(b"backup", "backup").hex()
    path = written(tmp_path / "a.tar", empty, {}, key_check=check)
    with pytest.raises(KeysDiffer, match=r"keys and set up their second factors again\.$"):
        await service.restore(empty, path, new_keys=False)
    assert not empty.secrets.exists() or not list(empty.secrets.iterdir()), "no keys are made"
    same = empty.model_copy(update={"secrets_dir": settings.secrets})
    for wrong in (app_state.encryptor.encrypt(b"backup", "another purpose").hex(), "no hexadecimal"):
        with pytest.raises(KeysDiffer):
            await service.restore(
                same, written(tmp_path / "b.tar", empty, {}, key_check=wrong), new_keys=False
            )
    assert (await service.restore(same, path, new_keys=False)).rows == 0


async def test_key_of_the_environment_is_that_of_the_backup_without_any_key_file(
    empty: Settings, tmp_path: Path, sqlite_template: Path
) -> None:
    empty.data_dir.mkdir()
    shutil.copy(sqlite_template, empty.data_dir / "impasto.db")
    keyed = empty.model_copy(update={"encryption_key": SecretStr(base64.b64encode(bytes(32)).decode())})
    _, encryptor = open_keys(keyed.model_copy(update={"secrets_dir": tmp_path / "of the backup"}))
    check = encryptor.encrypt(b"backup", "backup").hex()
    path = written(tmp_path / "a.tar", empty, {}, key_check=check)
    with pytest.raises(KeysDiffer):
        await service.restore(empty, path, new_keys=False)
    assert (await service.restore(keyed, path, new_keys=False)).rows == 0


async def test_records_say_how_much_was_copied(app_state: Any, empty: Settings, tmp_path: Path) -> None:
    await app_state.storage.put_bytes(b"a file")
    async with app_state.database.engine.connect() as connection:
        there = sum((await rows.count_rows(connection, await rows.read_tables(connection))).values())
    made = await service.backup(app_state, tmp_path / "a.tar", with_secrets=True)
    keys = [path for path in app_state.settings.secrets.iterdir() if not path.name.startswith(".")]
    assert (made.rows, made.files, made.secrets) == (there, 1, len(keys))
    with archive.reading(tmp_path / "a.tar") as reader:
        head = reader.head
    assert {name: value for name, value in head.items() if name not in ("tables", "key_check")} == {
        "format": 1, "version": own_version(), "revision": revisions(empty)[0], "created_at": made.created_at,
        "database": "sqlite", "with_secrets": True,
    }  # fmt: skip
    assert (made.version, made.revision) == (head["version"], head["revision"])
    assert head["tables"]["quota_days"] == ["user_id", "day", "used", "spent_usd"]
    assert app_state.encryptor.decrypt(bytes.fromhex(head["key_check"]), "backup") == b"backup"
    await service.restore(empty, tmp_path / "a.tar", new_keys=False)
    restored = Database(empty.database)
    records = []
    for database, action in ((app_state.database, "backup.create"), (restored, "backup.restore")):
        async with database.reading() as session:
            columns = (AuditRow.details, AuditRow.outcome, AuditRow.actor_kind)
            query = select(*columns).where(AuditRow.action == action)
            records += [tuple(row) for row in await session.execute(query)]
    await restored.close()
    assert records == [
        ({"rows": there, "files": 1, "with_keys": True}, "success", "system"),
        ({"rows": there, "files": 1}, "success", "system"),
    ]
