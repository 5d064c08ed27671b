"""Machines whose clocks differ share the time of PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest
import structlog
from sqlalchemy import literal, select
from structlog.testing import LogCapture
from tests.server.ports import free_port

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
    """The lines that are logged, whatever level another test has configured."""
    capture, every_level = LogCapture(), structlog.make_filtering_bound_logger(0)
    log = structlog.wrap_logger(None, processors=[capture], wrapper_class=every_level)
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


async def test_clock_is_corrected_by_the_middle_of_what_it_may_differ(
    database: Database, logged: LogCapture, subtests: pytest.Subtests
) -> None:
    """A difference of up to a second is left as it is."""
    # Seconds by which the machine is ahead when it asks and when it has the answer, and the correction.
    cases = [(-40, 40, 0), (-60, -20, 40), (20, 60, -40), (0.5, 0.5, 0), (-0.5, -0.5, 0), (2, 2, -2)]
    for before, after, expected in cases:
        with subtests.test(before=before, after=after):
            ahead = [before, after, 0]
            clock = DatabaseClock(database, lambda ahead=ahead: utc_now() + timedelta(seconds=ahead.pop(0)))
            logged.entries.clear()
            await clock.measure()
            assert abs((clock() - utc_now()).total_seconds() - expected) < (1.5 if expected else 0.4)
            ahead_by = [line["seconds_ahead"] for line in logged.entries]
            assert ahead_by == ([pytest.approx(-expected, abs=1.5)] if expected else [])


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
    assert "the database's time" not in {task.get_name() for task in asyncio.all_tasks()}
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
