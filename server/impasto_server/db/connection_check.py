"""Finds connections of a pool that PostgreSQL has closed, without asking it about each use.

A server that restarts closes its connections, which the driver notices by itself. Only a connection that was
idle for a while is asked whether it lives, because a network can lose it in silence. SQLAlchemy's own check
asks before each use, in a transaction: three round trips, about as much as the statement that follows.
"""

import time
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import InvalidatePoolError

_IDLE_SECONDS = 5.0
_USED_AT = "impasto_used_at"


def install_connection_check(engine: Engine, idle_seconds: float = _IDLE_SECONDS) -> None:
    """Replace connections that are closed when they leave the pool, and with them all older ones.

    One that was in the pool for `idle_seconds` is asked whether it lives.
    """
    dialect = engine.dialect

    def check(connection: Any, record: Any, _fairy: object) -> None:
        if connection.driver_connection.is_closed():
            raise InvalidatePoolError
        used_at = record.info.get(_USED_AT)
        if used_at is None or time.monotonic() - used_at < idle_seconds:
            return
        try:
            dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            if dialect.is_disconnect(error, connection, None):
                raise InvalidatePoolError from error
            raise

    def note_use(_connection: object, record: Any) -> None:
        record.info[_USED_AT] = time.monotonic()

    event.listen(engine, "checkout", check)
    event.listen(engine, "checkin", note_use)
