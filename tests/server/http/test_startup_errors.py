"""The sentence about an error at startup."""

import errno
import socket
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from alembic.util.exc import CommandError
from obstore.exceptions import GenericError
from sqlalchemy.exc import IntegrityError, OperationalError
from tests.server.http.asgi import Exchange, echo

from impasto_server.http.startup_errors import StartupErrorMiddleware, explain
from impasto_server.runs.events.pubsub import RedisUnreachable
from impasto_server.security.crypto import SecretInvalid
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import BucketMissing

pytestmark = pytest.mark.anyio
SETTINGS = Settings(
    _env_file=None,
    data_dir=Path("/srv/impasto"),
    database_url="postgresql+asyncpg://me:hunter2@db/impasto",
    storage_url="s3://bucket?secret_access_key=hunter2",
)


class OfTheDriver(Exception):
    """An error of the PostgreSQL driver, which is known by its module."""


OfTheDriver.__module__ = "asyncpg.exceptions"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (SecretInvalid("the key is damaged"), "the key is damaged."),
        (RedisUnreachable(), f"{RedisUnreachable()}."),
        (
            BucketMissing("x"),
            "the bucket of s3://bucket does not exist. Create it, or set IMPASTO_STORAGE_URL.",
        ),
        (
            GenericError("x"),
            "the storage at s3://bucket cannot be used. Check IMPASTO_STORAGE_URL and its keys.",
        ),
        (
            CommandError("Can't locate revision identified by '9999'"),
            "the database at {database} was written by a newer version of Impasto. "
            "Start that version, or configure another database with IMPASTO_DATABASE_URL.",
        ),
        (CommandError("something else"), None),
        (
            OperationalError("SELECT 1", {}, sqlite3.OperationalError("\nno such table\nline 2")),
            "the database at {database} cannot be used: no such table.",
        ),
        (
            OperationalError("SELECT 1", {}, Exception("")),
            "the database at {database} cannot be used: no details.",
        ),
        (IntegrityError("INSERT", {}, Exception("x")), None),
        (sqlite3.DatabaseError("damaged"), "the database at {database} cannot be used: damaged."),
        (OfTheDriver("no such role"), "the database at {database} cannot be used: no such role."),
        (OSError(errno.ENOSPC, "full", "/srv/impasto/a"), "the disk of /srv/impasto is full."),
        (
            PermissionError(errno.EACCES, "Permission denied", "/srv/impasto"),
            "/srv/impasto: Permission denied. Set IMPASTO_DATA_DIR to a folder that can be written.",
        ),
        (ConnectionRefusedError("refused"), "the database at {database} does not respond: refused."),
        (TimeoutError("late"), "the database at {database} does not respond: late."),
        (socket.gaierror("unknown"), "the database at {database} does not respond: unknown."),
        (OSError("else"), None),
        (RuntimeError("x"), None),
    ],
)  # fmt: skip
def test_error_that_an_operator_can_mend_is_explained(error: Exception, sentence: str | None) -> None:
    masked = "postgresql+asyncpg://me:***@db/impasto"
    assert explain(error, SETTINGS) == (sentence and sentence.format(database=masked))


def test_error_is_explained_by_its_cause_or_context() -> None:
    causes: list[BaseException] = []
    for is_stated in (True, False):
        try:
            try:
                raise SecretInvalid("the key is damaged")
            except SecretInvalid as error:
                if is_stated:
                    raise RuntimeError from error
                raise RuntimeError  # noqa: B904
        except RuntimeError as error:
            causes.append(error)
    assert [explain(cause, SETTINGS) for cause in causes] == ["the key is damaged."] * 2


@pytest.mark.parametrize(
    ("error", "reason", "message"),
    [(SecretInvalid("damaged"), "damaged.", ""), (RuntimeError("x"), None, "Traceback")],
)
async def test_explained_failure_is_reported_without_its_traceback(
    error: Exception, reason: str | None, message: str
) -> None:
    async def failing(_scope: object, _receive: object, send: Any) -> None:
        await send({"type": "lifespan.other"})
        await send({"type": "lifespan.startup.failed", "message": "Traceback"})
        raise error

    app, exchange = StartupErrorMiddleware(failing, SETTINGS), Exchange()
    with pytest.raises(type(error)):
        await exchange.run(app, type="lifespan")
    assert exchange.sent == [
        {"type": "lifespan.other"},
        {"type": "lifespan.startup.failed", "message": message},
    ]
    assert app.reason == reason
    assert (await Exchange().run(StartupErrorMiddleware(echo, SETTINGS))).status == 200
