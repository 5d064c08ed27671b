"""Sessions that read, and those that write."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select

from impasto_server.db.engine import Database
from impasto_server.db.migrations.runner import migrate
from impasto_server.runs.models import WorkerRow

pytestmark = pytest.mark.anyio
_TIME = datetime(2026, 1, 1, tzinfo=UTC)


async def test_a_row_that_a_reading_session_has_changed_is_not_written(no_tables: str) -> None:
    await migrate(no_tables)
    database = Database(no_tables)
    try:
        async with database.writing() as session:
            session.add(WorkerRow(name="worker", started_at=_TIME, seen_at=_TIME))
        async with database.reading() as session:
            row = (await session.scalars(select(WorkerRow))).one()
            row.suspect_run_id = "run"
            session.add(WorkerRow(name="other", started_at=_TIME, seen_at=_TIME))
            await session.scalar(select(func.count()).select_from(WorkerRow))

        async with database.reading() as session:
            rows = (await session.scalars(select(WorkerRow))).all()
    finally:
        await database.close()

    assert [(row.name, row.suspect_run_id) for row in rows] == [("worker", None)]
