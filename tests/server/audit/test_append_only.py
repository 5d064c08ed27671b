"""The database refuses every change to the audit log, and deletions but those of old entries."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError
from tests.server.conftest import TravellingClock

from impasto_server.audit import service as audit
from impasto_server.audit.models import AuditRow
from impasto_server.container import AppState

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


@pytest.fixture
def app_state(app: FastAPI) -> AppState:
    state: AppState = app.state.app_state
    return state


async def count(app_state: AppState) -> int:
    async with app_state.database.reading() as session:
        return int(await session.scalar(select(func.count()).select_from(AuditRow)) or 0)


async def add(app_state: AppState, *entry_ids: str, days_old: float) -> None:
    at = datetime.now(UTC) - timedelta(days=days_old)
    usual = {"at": at, "action": "sign_in", "outcome": "success", "actor_kind": "system", "details": {}}
    async with app_state.database.writing() as session:
        session.add_all(AuditRow(id=entry_id, **usual) for entry_id in entry_ids)


_INSERT = (
    "INTO audit_log (id, at, action, outcome, actor_kind, details) "
    "VALUES ('e1', '2026-01-01 00:00:00', 'x', 'x', 'x', '{}')"
)


async def test_statement_that_changes_an_entry_is_refused(
    app_state: AppState, subtests: pytest.Subtests
) -> None:
    await add(app_state, "e1", days_old=29)
    before = await count(app_state)
    cases = [
        "UPDATE audit_log SET outcome = 'success'",
        "UPDATE audit_log SET at = '2001-01-01 00:00:00' WHERE id = 'e1'",
        "DELETE FROM audit_log",
        "DELETE FROM audit_log WHERE id = 'e1'",
        f"INSERT {_INSERT} ON CONFLICT (id) DO UPDATE SET outcome = 'failure'",
    ]
    for statement in cases:
        with subtests.test(statement=statement):
            with pytest.raises(DBAPIError, match="audit log"):
                async with app_state.database.writing() as session:
                    await session.execute(text(statement))
            assert await count(app_state) == before


async def test_replacing_or_truncating_is_refused(app_state: AppState) -> None:
    await add(app_state, "e1", days_old=0)
    is_sqlite = app_state.database.engine.dialect.name == "sqlite"
    statements = (
        (f"INSERT OR REPLACE {_INSERT}", f"REPLACE {_INSERT}") if is_sqlite else ("TRUNCATE audit_log",)
    )
    for statement in statements:
        with pytest.raises(DBAPIError, match="append-only"):
            async with app_state.database.writing() as session:
                await session.execute(text(statement))
    async with app_state.database.reading() as session:
        assert (await session.get_one(AuditRow, "e1")).action == "sign_in"


async def test_retention_deletes_only_entries_older_than_the_setting(app_state: AppState) -> None:
    await add(app_state, "kept", days_old=364.99)
    await add(app_state, "new", days_old=0)
    await add(app_state, *(f"old {number}" for number in range(501)), days_old=365.01)
    assert await audit.purge_expired(app_state) == 501
    async with app_state.database.reading() as session:
        ids = set(await session.scalars(select(AuditRow.id)))
    assert {"kept", "new"} <= ids
    assert not [each for each in ids if each.startswith("old")]


async def test_retention_with_a_clock_ahead_keeps_what_the_database_protects(
    app_state: AppState, clock: TravellingClock
) -> None:
    for entry_id, days in (("new", 0), ("at the limit", 30.99), ("old", 31.01)):
        await add(app_state, entry_id, days_old=days)
    clock.travel(days=1000)
    assert await audit.purge_expired(app_state) == 1
