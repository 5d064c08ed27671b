"""A PostgreSQL that keeps its connections open but does not answer."""

import asyncio
import errno
import signal
import socket
import tempfile
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import asyncpg
import pytest
from sqlalchemy import literal, select, text
from structlog.testing import LogCapture
from tests.chaos.services import Service, postgresql_service
from tests.server.log_lines import captured_logger

from impasto.errors import ServiceUnavailable
from impasto_server.db import watchdog
from impasto_server.db.engine import Database
from impasto_server.db.watchdog import Watchdog
from impasto_server.outages import is_outage

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]
_NUMBER = text("SELECT 1")


@pytest.fixture
async def server() -> AsyncIterator[Service]:
    with tempfile.TemporaryDirectory(prefix="impasto-postgresql-") as folder:
        Path(folder).chmod(0o755)
        service = await postgresql_service(Path(folder) / "server")
        await service.start()
        yield service
        service.resume()
        await service.end(signal.SIGQUIT)


@pytest.fixture
async def interrupted(server: Service) -> AsyncIterator[Database]:
    """A database of the server that tests interrupt."""
    opened = Database(f"postgresql+asyncpg://impasto@127.0.0.1:{server.port}/postgres", pool_size=2)
    await _wait_for_answer(opened)  # it accepts connections before it answers
    yield opened
    await opened.close()


@pytest.fixture
async def database(postgresql_server: str) -> AsyncIterator[Database]:
    opened = Database(postgresql_server, pool_size=2)
    yield opened
    await opened.close()


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> LogCapture:
    """The lines that are logged."""
    log, capture = captured_logger()
    monkeypatch.setattr(watchdog, "log", log)
    return capture


async def _ask(database: Database) -> None:
    async with database.reading() as session:
        await session.execute(_NUMBER)


async def _wait_for_answer(database: Database) -> None:
    async with asyncio.timeout(100):
        while True:
            try:
                await _ask(database)
            except Exception as error:
                if not is_outage(error):
                    raise
                await asyncio.sleep(0.1)
            else:
                return


async def test_use_of_a_silent_server_fails_until_it_answers(server: Service, interrupted: Database) -> None:
    database = interrupted
    await server.interrupt(signal.SIGSTOP)
    async with asyncio.timeout(100):
        with pytest.raises(Exception) as first:  # noqa: PT011 - the driver's
            await _ask(database)
        # Later ones are refused at once, however many connections they would need.
        with pytest.raises(ServiceUnavailable):
            async with database.writing() as session:
                await session.execute(_NUMBER)
        with pytest.raises(ServiceUnavailable):
            await database.execute(_NUMBER, [{}])
    assert is_outage(first.value)
    server.resume()
    await _wait_for_answer(database)


async def test_transaction_that_waits_for_a_lock_is_not_ended(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "_IN_USE_SECONDS", 0.05)
    lock = text("SELECT pg_advisory_xact_lock(1)")
    async with database.writing() as first:
        await first.execute(lock)

        async def wait() -> None:
            async with database.writing() as second:
                await second.execute(lock)

        waiting = asyncio.create_task(wait())
        done, _ = await asyncio.wait([waiting], timeout=0.5)
        assert not done
    async with asyncio.timeout(60):
        await waiting


async def test_another_connection_is_opened_while_one_is_in_use_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watchdog, "_IN_USE_SECONDS", 0.0)
    opened: asyncio.Queue[None] = asyncio.Queue()

    async def connect() -> None:
        opened.put_nowait(None)

    watched = Watchdog(connect)
    watched.on_used("place", SimpleNamespace())
    async with asyncio.timeout(20):
        for _ in range(2):
            await opened.get()
    await watched.close()


async def test_connections_are_watched_while_they_are_in_use(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = database._watchdog
    assert watched is not None
    async with database.reading() as session:
        await session.execute(_NUMBER)
        assert len(watched._in_use) == 1
    assert watched._in_use == {}
    closed: list[object] = []
    close = database.engine.dialect.do_terminate

    def note(connection: Any) -> None:
        closed.append(connection)
        close(connection)

    monkeypatch.setattr(database.engine.dialect, "do_terminate", note)
    await watched._connect()
    assert len(closed) == 1, "a connection that only asks is closed again"
    watched.give_up()
    for opened in (database.reading, database.writing):
        with pytest.raises(ServiceUnavailable):
            async with opened():
                pass
    with pytest.raises(ServiceUnavailable):
        await database.first(select(literal(1)), {})
    await database.close()
    assert watched._timer is None


@pytest.mark.parametrize("error", [ConnectionRefusedError(), ValueError("no such role"), None])
async def test_server_that_refuses_connections_has_answered(error: Exception | None) -> None:
    await _ask_once(error)


@pytest.mark.parametrize("error", [TimeoutError(), OSError(errno.EHOSTUNREACH, "no route")])
async def test_server_that_cannot_be_reached_has_not_answered(error: Exception) -> None:
    with pytest.raises(ServiceUnavailable):
        await _ask_once(error)


async def test_one_failed_attempt_is_no_silence(logged: LogCapture) -> None:
    failures: list[Exception] = [TimeoutError()]

    async def connect() -> None:
        if failures:
            raise failures.pop()

    watched, ended = Watchdog(connect), asyncio.Event()
    watched.on_used("place", SimpleNamespace(terminate=ended.set))
    await watched._ask()
    assert (failures, ended.is_set(), watched.is_silent, logged.entries) == ([], False, False, [])
    await watched.close()


async def test_silence_ends_the_connections_in_use_until_the_next_answer(
    monkeypatch: pytest.MonkeyPatch, logged: LogCapture
) -> None:
    monkeypatch.setattr(watchdog, "_PAUSE_SECONDS", 0)
    failures, ended = 3, list[str]()

    async def connect() -> None:
        nonlocal failures
        failures -= 1
        if failures >= 0:
            raise TimeoutError

    watched = Watchdog(connect)
    for place in ("a", "b"):
        watched.on_used(place, SimpleNamespace(terminate=partial(ended.append, place)))
    watched.on_unused("a")
    await watched._ask()
    assert (failures, ended, watched.is_silent) == (-1, ["b", "b"], False)
    assert [line["event"] for line in logged.entries] == [
        "the database does not answer; its connections are closed",
        "the database answers again",
    ]
    watched.check()
    watched.give_up()
    with pytest.raises(ServiceUnavailable, match=r"^The database does not answer\.$"):
        watched.check()
    await watched.close()


async def test_attempt_without_an_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "_ATTEMPT_TICKS", 2)
    monkeypatch.setattr(watchdog, "_TICK_SECONDS", 0.01)
    monkeypatch.setattr(watchdog, "_IN_USE_SECONDS", 0.0)
    asked, given_up, silent = 0, 0, asyncio.Event()

    async def connect() -> None:
        nonlocal asked, given_up
        asked += 1
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            given_up += 1
            raise

    watched = Watchdog(connect)
    watched.on_used("place", SimpleNamespace(terminate=silent.set))
    async with asyncio.timeout(20):
        await silent.wait()
        assert (asked, given_up) == (2, 2)
        await watched.close()
    assert watched.is_silent
    assert asked == given_up


async def _ask_once(error: Exception | None) -> None:
    """Raise `ServiceUnavailable` if the server counts as silent, whose connections fail with an error."""

    async def connect() -> None:
        if error is not None:
            raise error

    watched = Watchdog(connect)
    ended = asyncio.Event()
    watched.on_used("place", SimpleNamespace(terminate=ended.set))
    asking = asyncio.create_task(watched._ask())
    ending = asyncio.create_task(ended.wait())
    try:
        await asyncio.wait([asking, ending], return_when=asyncio.FIRST_COMPLETED, timeout=60)
        watched.check()
    finally:
        for task in (asking, ending):
            task.cancel()
        await watched.close()


@pytest.mark.thorough
async def test_database_closes_while_its_server_is_silent(server: Service, interrupted: Database) -> None:
    await server.interrupt(signal.SIGSTOP)
    async with asyncio.timeout(60):
        await interrupted.close()


async def test_system_ends_a_connection_whose_other_side_has_vanished(database: Database) -> None:
    async with database.engine.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, asyncpg.Connection)
        opened = driver._transport.get_extra_info("socket")
        assert opened.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
        assert [opened.getsockopt(socket.IPPROTO_TCP, each) for each in options] == [4, 2, 3, 10_000]
