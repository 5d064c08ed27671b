"""Why a server does not start, in a sentence for whoever starts it."""

import socket
import sqlite3
from collections.abc import Iterator

from alembic.util.exc import CommandError
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, IntegrityError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from impasto.errors import DISK_FULL
from impasto_server.runs.pubsub import SignalsSilent
from impasto_server.security.crypto import SecretInvalid
from impasto_server.settings import Settings


class StartupErrorMiddleware:
    """An app whose failure to start is kept as a sentence, where there is one, instead of a traceback."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.reason: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection, or the life of the app."""
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        failures: list[Message] = []

        async def hold_failure(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                failures.append(message)
            else:
                await send(message)

        try:
            await self.app(scope, receive, hold_failure)
        except Exception as error:
            self.reason = explain(error, self.settings)
            for failure in failures:
                await send({**failure, "message": ""} if self.reason else failure)
            raise


def explain(error: BaseException, settings: Settings) -> str | None:
    """Return why the server does not start, or None when the error must speak for itself."""
    for cause in _causes(error):
        reason = _reason(cause, settings)
        if reason:
            return reason
    return None


def _reason(error: BaseException, settings: Settings) -> str | None:
    if isinstance(error, SecretInvalid | SignalsSilent):
        return f"{error}."
    if isinstance(error, CommandError) and "locate revision" in str(error):
        return (
            f"the database at {_database(settings)} was written by a newer Impasto. "
            "Start that one, or give this one another database."
        )
    if _is_of_the_database(error):
        told = str(error.orig if isinstance(error, DatabaseError) else error).strip().splitlines()
        return f"the database at {_database(settings)} cannot be used: {told[0] if told else 'no answer'}."
    if isinstance(error, OSError):
        return _of_the_system(error, settings)
    return None


def _is_of_the_database(error: BaseException) -> bool:
    if isinstance(error, DatabaseError):
        return not isinstance(error, IntegrityError)
    # Drivers' own errors: whoever cannot connect never reaches SQLAlchemy's.
    return isinstance(error, sqlite3.Error) or type(error).__module__.startswith("asyncpg")


def _of_the_system(error: OSError, settings: Settings) -> str | None:
    if error.errno in DISK_FULL:
        return f"there is no room left on the disk of {settings.data_dir.resolve()}."
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}. IMPASTO_DATA_DIR names a folder that can be written."
    if isinstance(error, ConnectionError | TimeoutError | socket.gaierror):
        return f"the database at {_database(settings)} does not answer: {error}."
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _database(settings: Settings) -> str:
    return make_url(settings.database).render_as_string(hide_password=True)
