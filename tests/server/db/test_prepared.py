"""Statements that are built once, in a session's transaction."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import cast

import pytest
from sqlalchemy import (
    Column,
    Insert,
    MetaData,
    String,
    Table,
    Update,
    bindparam,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from impasto_server.db import prepared
from impasto_server.db.engine import Database
from impasto_server.db.types import UtcDateTime
from impasto_server.runs.models import ProviderCostRow, RunRow, WorkerRow

pytestmark = pytest.mark.anyio
_TIME = datetime(2026, 1, 1, tzinfo=UTC)
_WORKERS = cast("Table", WorkerRow.__table__)
_ADD = insert(_WORKERS)
_ALL = select(_WORKERS.c.name, _WORKERS.c.seen_at).order_by(_WORKERS.c.name)


def _seen() -> Update:
    """Return an update of the workers that were seen before `:since`."""
    before = _WORKERS.c.seen_at < bindparam("since", type_=UtcDateTime())
    return update(_WORKERS).where(before).values(suspect_run_id=bindparam("run", type_=String))


_SEEN = _seen()
_SEEN_NAMES = _seen().returning(_WORKERS.c.name)
_ADD_NAME = insert(_WORKERS).returning(_WORKERS.c.name)


def _worker(name: str, seen_at: datetime = _TIME) -> dict[str, object]:
    return {"name": name, "started_at": _TIME, "seen_at": seen_at}


@pytest.fixture
async def database(no_rows: str) -> AsyncIterator[Database]:
    database = Database(no_rows)
    yield database
    await database.close()


async def _names(database: Database) -> list[str]:
    return [name for name, _ in await database.all(_ALL, {})]


async def test_a_statement_sees_what_was_written_before_it(database: Database) -> None:
    late = _TIME.replace(year=2027)
    async with database.writing() as session:
        await prepared.write_later(session, _ADD, _worker("one"), _worker("two", late))
        await prepared.write_later(session, _ADD, _worker("three"))
        rows = await prepared.rows(session, _ALL, {})
        changed = await prepared.write(session, _SEEN, {"since": late, "run": "run"})

    assert rows == [("one", _TIME), ("three", _TIME), ("two", late)]
    assert changed == 2
    async with database.reading() as session:
        workers = {row.name: row.suspect_run_id for row in await session.scalars(select(WorkerRow))}
    assert workers == {"one": "run", "two": None, "three": "run"}


async def test_statements_together_see_what_those_before_them_wrote(database: Database) -> None:
    async with database.writing() as session:
        await prepared.write_later(session, _ADD, _worker("one"))
        changed, names = await prepared.rows_of(
            session,
            (_SEEN_NAMES, {"since": _TIME.replace(year=2027), "run": "run"}),
            (_ALL, {}),
        )

    assert changed == [("one",)]
    assert names == [("one", _TIME)]
    assert await _names(database) == ["one"]


async def test_a_statement_among_others_that_cannot_be_executed_raises_its_error(database: Database) -> None:
    async with database.writing() as session:
        await prepared.write_later(session, _ADD, _worker("one"))

    with pytest.raises(IntegrityError):
        async with database.writing() as session:
            await prepared.rows_of(
                session, (_ADD_NAME, _worker("two")), (_ADD_NAME, _worker("one")), (_ALL, {})
            )

    assert await _names(database) == ["one"]


async def test_each_transaction_of_a_session_has_its_own_connection(database: Database) -> None:
    async with database.writing() as session:
        await prepared.write_later(session, _ADD, _worker("one"))
        await session.commit()
        await prepared.write_later(session, _ADD, _worker("two"))
        assert await prepared.rows(session, _ALL, {}) == [("one", _TIME), ("two", _TIME)]
        await session.rollback()
        await prepared.write_later(session, _ADD, _worker("three"))

    assert await _names(database) == ["one", "three"]


async def test_a_commit_writes_what_was_put_off(database: Database) -> None:
    async with database.writing() as session:
        await prepared.write_later(session, _ADD, _worker("one"))

    assert await _names(database) == ["one"]


@pytest.mark.parametrize("reads_after", [True, False])
async def test_a_row_that_cannot_be_written_ends_its_transaction(
    database: Database, *, reads_after: bool
) -> None:
    async def write_twice() -> None:
        async with database.writing() as session:
            await prepared.write_later(session, _ADD, _worker("two"))
            await prepared.write_later(session, _ADD, _worker("one"))
            if reads_after:
                await prepared.rows(session, _ALL, {})

    async with database.writing() as session:
        await prepared.write_later(session, _ADD, _worker("one"))
    with pytest.raises(IntegrityError):
        await write_twice()

    assert await _names(database) == ["one"]
    async with database.writing() as session:  # the write lock is free
        await prepared.write_later(session, _ADD, _worker("three"))
    assert await _names(database) == ["one", "three"]


async def test_a_transaction_that_fails_writes_nothing_that_was_put_off(database: Database) -> None:
    async def fail() -> None:
        async with database.writing() as session:
            await prepared.write_later(session, _ADD, _worker("one"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    async with database.writing() as session:
        await prepared.write_later(session, _ADD, _worker("two"))

    assert await _names(database) == ["two"]


async def test_values_are_converted_as_their_columns_say(database: Database) -> None:
    table = cast("Table", ProviderCostRow.__table__)
    values = {"user_id": "u", "day": "2026-01-01", "provider": "p", "usd": Decimal("0.25")}
    statement = prepared.PreparedStatement(insert(table), database.engine.dialect, values)
    with_time = prepared.PreparedStatement(_SEEN, database.engine.dialect, {"since": _TIME, "run": None})

    is_sqlite = database.engine.dialect.name == "sqlite"
    assert statement.arguments(values)[-1] == (0.25 if is_sqlite else Decimal("0.25"))
    stored = with_time.arguments({"since": _TIME, "run": None})[1]
    assert stored == ("2026-01-01 00:00:00.000000" if is_sqlite else _TIME)


async def test_a_query_in_a_transaction_of_its_own_goes_straight_to_the_driver(database: Database) -> None:
    executed: list[object] = []

    @event.listens_for(database.engine.sync_engine, "before_execute")
    def note(_connection: object, statement: object, *_: object) -> None:
        executed.append(statement)

    assert await database.all(_ALL, {}) == []
    assert executed == []


async def test_sums_of_numbers_are_decimals(database: Database) -> None:
    total = select(func.coalesce(func.sum(cast("Table", ProviderCostRow.__table__).c.usd), 0).label("usd"))
    async with database.reading() as session:
        expected = (await session.execute(total)).all()
        assert [await prepared.rows(session, total, {}) for _ in range(2)] == [expected, expected]


async def test_listeners_of_the_engine_see_what_was_put_off(database: Database) -> None:
    statements: list[str] = []
    event.listen(
        database.engine.sync_engine, "before_cursor_execute", lambda *call: statements.append(call[2])
    )
    async with database.writing() as session:
        await prepared.write_later(session, _ADD, _worker("one"))

    assert [each.split()[:3] for each in statements] == [["INSERT", "INTO", "run_workers"]]


async def test_a_statement_without_a_value_for_a_default_is_refused(database: Database) -> None:
    incomplete: Insert = insert(cast("Table", RunRow.__table__))
    touched = Table("touched", MetaData(), Column("name", String), Column("at", String, onupdate="now"))
    async with database.writing() as session:
        for statement, values in ((incomplete, {"id": "run"}), (update(touched), {"name": "x"})):
            with pytest.raises(TypeError, match="a column of this statement has a default and no value: "):
                await prepared.write_later(session, statement, values)
