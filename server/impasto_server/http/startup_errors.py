"""Explains to the operator, in a sentence, why the server cannot start."""

import socket
import sqlite3
from collections.abc import Iterator

from alembic.util.exc import CommandError
from obstore.exceptions import BaseError as StorageError
from sqlalchemy.exc import DatabaseError, IntegrityError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from impasto.errors import DISK_FULL
from impasto_server.runs.events.pubsub import RedisUnreachable
from impasto_server.security.crypto import SecretInvalid
from impasto_server.security.masking import mask_url
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import BucketMissing


class StartupErrorMiddleware:
    """Keeps the explanation of a failed startup in `reason`, in place of a traceback."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.reason: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection, or the lifespan of the app."""
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        failures: list[Message] = []

        async def hold_back_failure(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                failures.append(message)
            else:
                await send(message)

        try:
            await self.app(scope, receive, hold_back_failure)
        except Exception as error:
            self.reason = explain(error, self.settings)
            for failure in failures:
                await send({**failure, "message": ""} if self.reason else failure)
            raise


def explain(error: BaseException, settings: Settings) -> str | None:
    """Return a sentence about an error at startup, or None if there is none for it."""
    for cause in _causes(error):
        reason = _explain(cause, settings)
        if reason:
            return reason
    return None


def _explain(error: BaseException, settings: Settings) -> str | None:
    if isinstance(error, SecretInvalid | RedisUnreachable):
        return f"{error}."
    if isinstance(error, BucketMissing):
        return f"the bucket of {_storage(settings)} does not exist. Create it, or set IMPASTO_STORAGE_URL."
    if isinstance(error, StorageError):
        return f"the storage at {_storage(settings)} cannot be used. Check IMPASTO_STORAGE_URL and its keys."
    if isinstance(error, CommandError) and "locate revision" in str(error):
        return (
            f"the database at {_database(settings)} was written by a newer version of Impasto. "
            "Start that version, or configure another database with IMPASTO_DATABASE_URL."
        )
    if _is_database_error(error):
        lines = str(error.orig if isinstance(error, DatabaseError) else error).strip().splitlines()
        return f"the database at {_database(settings)} cannot be used: {lines[0] if lines else 'no details'}."
    if isinstance(error, OSError):
        return _explain_os_error(error, settings)
    return None


def _is_database_error(error: BaseException) -> bool:
    if isinstance(error, DatabaseError):
        return not isinstance(error, IntegrityError)
    # A failed connection raises the driver's own error, which SQLAlchemy does not wrap.
    return isinstance(error, sqlite3.Error) or type(error).__module__.startswith("asyncpg")


def _explain_os_error(error: OSError, settings: Settings) -> str | None:
    if error.errno in DISK_FULL:
        return f"the disk of {settings.data_dir.resolve()} is full."
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}. Set IMPASTO_DATA_DIR to a folder that can be written."
    if isinstance(error, ConnectionError | TimeoutError | socket.gaierror):
        return f"the database at {_database(settings)} does not respond: {error}."
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _storage(settings: Settings) -> str:
    """Return the URL of the storage without its options, which contain keys."""
    return mask_url(settings.storage_url.partition("?")[0])


def _database(settings: Settings) -> str:
    return mask_url(settings.database)
