"""File modes: what the server writes is readable by its own user only (files 0600, folders 0700)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from impasto_server.settings import Settings

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
log = structlog.get_logger()


@contextmanager
def private_umask() -> Iterator[None]:
    """Create files with 0600 and folders with 0700 within the block, in this process and its children."""
    previous = os.umask(_OTHERS)
    try:
        yield
    finally:
        os.umask(previous)


def make_private_folder(folder: Path) -> None:
    """Create a folder with 0700, and its parents, unless it exists."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def make_private_file(path: Path) -> None:
    """Create an empty file with 0600 unless it exists. SQLite gives its -wal and -shm files the same mode."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def restrict_existing(settings: Settings) -> None:
    """Take the rights of other users from the data folder, the secrets, the database and the file storage.

    A folder that may be shared is left as it is: one with the sticky bit, such as /tmp, and one that contains
    the working directory. Files deeper in the storage are protected by its folder.
    """
    for path in _owned_paths(settings):
        try:
            mode = path.stat().st_mode
            if mode & _OTHERS and not (mode & stat.S_ISVTX or Path.cwd().is_relative_to(path.resolve())):
                path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning("other users of this machine may read a file of the server", path=path, reason=error)


def sqlite_file(database_url: str) -> Path | None:
    """Return the file of an SQLite database, or None."""
    from sqlalchemy.engine import make_url

    url = make_url(database_url)
    if (
        not url.drivername.startswith("sqlite")
        or not url.database
        or url.database.startswith((":memory:", "file:"))
    ):
        return None
    return Path(url.database)


def _owned_paths(settings: Settings) -> Iterable[Path]:
    yield settings.data_dir
    yield from (settings.data_dir / name for name in ("assets", "outbox", "instance"))
    yield from (settings.outbox.glob("*.eml") if settings.outbox.is_dir() else ())
    yield settings.secrets
    yield from (settings.secrets.iterdir() if settings.secrets.is_dir() else ())
    if settings.storage_url and not settings.storage_url.startswith("s3://"):
        yield Path(settings.storage_url.removeprefix("file://"))
    database = sqlite_file(settings.database)
    if database is not None:
        yield from (Path(f"{database}{suffix}") for suffix in ("", "-wal", "-shm", "-journal"))
