"""Machines whose clocks differ share the time of PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import literal, select
from sqlalchemy.dialects import postgresql
from structlog.testing import LogCapture
from tests.server.log_lines import captured_logger
from tests.server.ports import free_port
from tests.server.resources import task_names

from impasto.errors import LeaseHeld
from impasto.journal.protocol import Record
from impasto_server.app import create_app
from impasto_server.db import clock as clock_module
from impasto_server.db.clock import DatabaseClock, measuring
from impasto_server.db.engine import Database
from impasto_server.runs.events.pubsub import LocalPubSub
from impasto_server.runs.journal import DatabaseJournal
from impasto_server.runs.models import RunRow
from impasto_server.settings import Settings
from impasto_server.users.models import User
from impasto_server.utils import new_id, utc_now

pytestmark = pytest.mark.anyio
_AT = datetime(2026, 1, 31, 9, tzinfo=UTC)
# More than the lease of a run, and than any measurement is off.
_OFF = timedelta(seconds=90)
_LEASE_SECONDS = 60


@pytest.fixture
def database_url(migrated_postgresql: str) -> str:
    return migrated_postgresql


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    found = Database(database_url)
    yield found
    await found.close()


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> LogCapture:
    """The lines that are logged."""
    log, capture = captured_logger()
    monkeypatch.setattr(clock_module, "log", log)
    return capture


def _clock(database: Database, off: timedelta) -> DatabaseClock:
    return DatabaseClock(database, lambda: utc_now() + off)


def _is_right(clock: DatabaseClock) -> bool:
    return abs(clock() - utc_now()) < _OFF / 2


@pytest.mark.parametrize("off", [_OFF, -_OFF], ids=["ahead", "behind"])
async def test_process_whose_clock_is_off_takes_no_live_run(database: Database, off: timedelta) -> None:
    user_id, ids = new_id(), [new_id(), new_id()]
    async with database.writing() as session:
        session.add(User(id=user_id, username="u", username_key="u", created_at=utc_now(), betas=[]))
        await session.flush()
        session.add_all(
            RunRow(id=key, owner_id=user_id, number=number, flow_name="Sample", document={})
            for number, key in enumerate(ids)
        )
    clocks = [_clock(database, timedelta()), _clock(database, off)]
    for clock in clocks:
        await clock.measure()
    right, wrong = (DatabaseJournal(database, LocalPubSub(), clock) for clock in clocks)
    for key, holder, other in ((ids[0], right, wrong), (ids[1], wrong, right)):
        lease = await holder.create(key, "holder", _LEASE_SECONDS, [Record("head")])
        with pytest.raises(LeaseHeld):
            await other.claim(key, "other", _LEASE_SECONDS)
        await holder.release(lease)
        assert (await other.claim(key, "other", _LEASE_SECONDS)).fence == 2


async def test_clock_that_is_set_right_counts_again(database: Database) -> None:
    off = _OFF
    clock = DatabaseClock(database, lambda: utc_now() + off)
    assert not _is_right(clock)
    await clock.measure()
    assert _is_right(clock)
    off = timedelta()
    await clock.measure()
    assert _is_right(clock)


@pytest.mark.parametrize(
    ("before", "after", "correction", "seconds_ahead"),
    [
        (-40, 40, 0, []), (-60, -20, 40, [-40]), (20, 60, -40, [40]),
        (1, 1, 0, []), (-1, -1, 0, []), (1.25, 1.25, -1.25, [1.2]), (-1.25, -1.25, 1.25, [-1.2]),
    ],
)  # fmt: skip
async def test_clock_is_corrected_by_the_middle_of_what_it_may_differ_unless_it_is_up_to_a_second(
    before: float, after: float, correction: float, seconds_ahead: list[float], logged: LogCapture
) -> None:
    """The machine is ahead by `before` seconds when it asks, and by `after` when it has the answer."""

    async def first(*_: object) -> tuple[datetime]:
        return (_AT,)

    database: Any = SimpleNamespace(engine=SimpleNamespace(dialect=postgresql.dialect()), first=first)
    ahead = [before, after, 0]
    clock = DatabaseClock(database, lambda: _AT + timedelta(seconds=ahead.pop(0)))
    await clock.measure()
    assert clock() - _AT == timedelta(seconds=correction)
    assert [line["seconds_ahead"] for line in logged.entries] == seconds_ahead


async def test_time_is_measured_again_soon_if_it_could_not_be(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_module, "_RETRY_SECONDS", 0.01)
    asked = 0

    def local() -> datetime:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise ConnectionError
        return utc_now() + _OFF

    clock = DatabaseClock(database, local)
    async with measuring(clock):
        async with asyncio.timeout(20):
            while asked < 3:
                await asyncio.sleep(0.01)
        for _ in range(9):
            await database.first(select(literal(1)), {})
        assert asked == 3, "the next time is in ten seconds"
    assert "the database's time" not in task_names()
    assert _is_right(clock)


async def test_server_goes_by_the_time_of_its_database(
    database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_module, "_PERIOD_SECONDS", 0.01)
    off = _OFF
    clock = DatabaseClock(database, lambda: utc_now() + off)
    app = create_app(settings, clock=clock)
    async with app.router.lifespan_context(app):
        assert _is_right(app.state.app_state.clock)
        off = timedelta()
        async with asyncio.timeout(20):
            while not _is_right(app.state.app_state.clock):
                await asyncio.sleep(0.01)


async def test_database_that_does_not_answer_leaves_the_time_as_it_was() -> None:
    database = Database(f"postgresql+asyncpg://impasto@127.0.0.1:{free_port()}/none")
    clock = _clock(database, timedelta())
    with pytest.raises(ConnectionError):
        await clock.measure()
    assert _is_right(clock)
    await database.close()
