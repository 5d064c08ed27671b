"""The file of a database, and files and folders that are private from the start."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from impasto_server.db.engine import create_sqlite_file
from impasto_server.file_modes import (
    make_private_file,
    make_private_folder,
    private_umask,
    restrict_existing,
    sqlite_file,
)
from impasto_server.settings import Settings


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("sqlite+aiosqlite:///data/impasto.db", Path("data/impasto.db")),
        ("sqlite+aiosqlite:////srv/impasto.db", Path("/srv/impasto.db")),
        ("sqlite+aiosqlite://", None),
        ("sqlite+aiosqlite:///:memory:", None),
        ("sqlite+aiosqlite:///file:impasto.db?uri=true", None),
        ("postgresql+asyncpg://db/impasto", None),
    ],
)
def test_database_may_be_a_file(url: str, file: Path | None) -> None:
    assert sqlite_file(url) == file


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def usual_umask() -> Iterator[None]:
    previous = os.umask(0o022)
    yield
    os.umask(previous)


@pytest.mark.usefixtures("usual_umask")
def test_new_files_and_folders_are_private(tmp_path: Path) -> None:
    make_private_folder(tmp_path / "a" / "b")
    make_private_file(tmp_path / "a" / "b" / "file")
    (tmp_path / "a" / "b" / "file").write_text("kept")
    make_private_file(tmp_path / "a" / "b" / "file")
    make_private_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "file").read_text() == "kept"
    assert (mode(tmp_path / "a" / "b"), mode(tmp_path / "a" / "b" / "file")) == (0o700, 0o600)
    with private_umask():
        (tmp_path / "inside").touch(0o666)
    (tmp_path / "outside").touch(0o666)
    assert (mode(tmp_path / "inside"), mode(tmp_path / "outside")) == (0o600, 0o644)


@pytest.mark.usefixtures("usual_umask")
def test_file_of_a_database_is_private_before_it_is_opened(tmp_path: Path) -> None:
    create_sqlite_file(f"sqlite+aiosqlite:///{tmp_path}/data/impasto.db")
    assert (mode(tmp_path / "data"), mode(tmp_path / "data" / "impasto.db")) == (0o700, 0o600)
    create_sqlite_file("postgresql+asyncpg://db/impasto")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_files_elsewhere_that_the_settings_name_are_restricted(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("data", "files", "keys")}
    for folder in folders.values():
        folder.mkdir()
        folder.chmod(0o755)
    database, other = tmp_path / "elsewhere.db", tmp_path / "other"
    files = [database, tmp_path / "elsewhere.db-journal", folders["keys"] / "key"]
    for path in (*files, other):
        path.touch()
        path.chmod(0o644)
    restrict_existing(
        Settings(
            _env_file=None,
            data_dir=folders["data"],
            storage_url=f"file://{folders['files']}",
            secrets_dir=folders["keys"],
            database_url=f"sqlite+aiosqlite:///{database}",
        )
    )
    assert {name: mode(folder) for name, folder in folders.items()} == dict.fromkeys(folders, 0o700)
    assert [mode(each) for each in files] == [0o600] * 3
    assert mode(other) == 0o644
