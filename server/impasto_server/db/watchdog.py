"""Notices a PostgreSQL server that keeps its connections open but does not answer.

The driver waits for such a server without end. A limit for each statement would also end those that are slow
or wait for a lock. So while a connection has been in use for a while, another one is opened. If the server
does not answer it, the connections in use are closed, and later uses are refused until it answers again.
"""

import asyncio
import errno
import socket
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import structlog
from sqlalchemy import event
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import greenlet_spawn

from impasto.errors import ServiceUnavailable

log = structlog.get_logger()
_IN_USE_SECONDS = 2.0
# Four seconds, or more if this process is so busy that its own loop is late.
_ATTEMPT_TICKS = 40
_TICK_SECONDS = 0.1
_PAUSE_SECONDS = 1.0
_ATTEMPTS = 2  # one fails if this process was suspended in the middle of it
# The system ends a connection whose other side has vanished, after about ten seconds.
_SOCKET_OPTIONS = {
    "SO_KEEPALIVE": (socket.SOL_SOCKET, 1),
    "TCP_KEEPIDLE": (socket.IPPROTO_TCP, 4),
    "TCP_KEEPINTVL": (socket.IPPROTO_TCP, 2),
    "TCP_KEEPCNT": (socket.IPPROTO_TCP, 3),
    "TCP_USER_TIMEOUT": (socket.IPPROTO_TCP, 10_000),
}
_UNREACHABLE = (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN)


class Watchdog:
    """Watches the connections of one server that are in use. `connect` opens another one and closes it."""

    def __init__(self, connect: Callable[[], Awaitable[None]]) -> None:
        self._connect = connect
        self._in_use: dict[object, tuple[Any, float]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._asking: asyncio.Task[None] | None = None
        self._is_silent = False

    def check(self) -> None:
        """Raise `ServiceUnavailable` while the server does not answer."""
        if self._is_silent:
            raise ServiceUnavailable("The database does not answer.")

    @property
    def is_silent(self) -> bool:
        """Whether the server does not answer."""
        return self._is_silent

    def give_up(self) -> None:
        """Expect no more answers."""
        self._is_silent = True

    def on_used(self, owner: object, connection: Any) -> None:
        """Note that a connection is used from now on. `owner` is its place in the pool."""
        self._in_use[owner] = connection, time.monotonic()
        self._watch()

    def on_unused(self, owner: object) -> None:
        """Note that the connection of `owner` is not used any more."""
        self._in_use.pop(owner, None)

    async def close(self) -> None:
        """Watch no more."""
        self._in_use.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
            self._asking = None

    def _watch(self) -> None:
        if self._timer is None and self._asking is None and self._in_use:
            self._timer = asyncio.get_running_loop().call_later(_IN_USE_SECONDS, self._look)

    def _look(self) -> None:
        self._timer = None
        until = time.monotonic() - _IN_USE_SECONDS
        if any(since <= until for _, since in self._in_use.values()):
            self._asking = asyncio.create_task(self._ask(), name="watchdog of the database")
            self._asking.add_done_callback(self._on_asked)
        else:
            self._watch()

    def _on_asked(self, _: object) -> None:
        self._asking = None
        self._watch()

    async def _ask(self) -> None:
        """Return once the server answers."""
        failures = 0
        while not await self._is_answering():
            failures += 1
            if failures < _ATTEMPTS:
                continue
            if not self._is_silent:
                log.warning("the database does not answer; its connections are closed")
            self._is_silent = True
            for connection, _ in tuple(self._in_use.values()):
                connection.terminate()
            await asyncio.sleep(_PAUSE_SECONDS)
        if self._is_silent:
            log.warning("the database answers again")
        self._is_silent = False

    async def _is_answering(self) -> bool:
        attempt = asyncio.ensure_future(self._connect())
        try:
            for _ in range(_ATTEMPT_TICKS):
                await asyncio.wait([attempt], timeout=_TICK_SECONDS)
                if attempt.done():
                    break
            else:
                return False
        finally:
            attempt.cancel()
        error = attempt.exception()
        # A refusal is an answer, and a server that refuses connections has closed the others.
        return not isinstance(error, OSError) or not (
            isinstance(error, TimeoutError) or error.errno in _UNREACHABLE
        )


def install_watchdog(engine: AsyncEngine) -> Watchdog:
    """Watch the connections that are in use of an engine's pool.

    Install it before other listeners that use a connection which leaves the pool.
    """
    arguments, options = engine.dialect.create_connect_args(engine.url)
    connect = partial(_connect_once, engine.dialect, tuple(arguments), dict(options))
    watchdog = Watchdog(connect)

    def before_close(connection: Any, _record: object) -> None:
        if watchdog.is_silent:
            connection.driver_connection.terminate()  # an orderly end needs an answer

    pool_of = engine.sync_engine
    event.listen(pool_of, "do_connect", lambda *_: watchdog.check())
    event.listen(pool_of, "connect", _configure_socket)
    event.listen(pool_of, "checkout", lambda used, place, _: watchdog.on_used(place, used.driver_connection))
    event.listen(pool_of, "checkin", lambda _, place: watchdog.on_unused(place))
    event.listen(pool_of, "close", before_close)
    return watchdog


async def _connect_once(dialect: Dialect, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    connection = await greenlet_spawn(partial(dialect.connect, *arguments, **options))
    dialect.do_terminate(connection)


def _configure_socket(connection: Any, _record: object) -> None:
    opened = connection.driver_connection._transport.get_extra_info("socket")
    if opened is None or opened.family not in (socket.AF_INET, socket.AF_INET6):
        return
    for name, (level, value) in _SOCKET_OPTIONS.items():
        number = getattr(socket, name, None)
        if number is not None:  # else the system does not have it
            opened.setsockopt(level, number, value)
