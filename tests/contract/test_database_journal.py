"""The server's journal passes the contract of journals."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.contract.test_journal import *  # noqa: F403

from impasto.journal.protocol import Record
from impasto_server.db.engine import Base, Database
from impasto_server.runs.events.pubsub import LocalPubSub
from impasto_server.runs.journal import DatabaseJournal
from impasto_server.runs.models import ProviderCostRow, RunRow
from impasto_server.users.models import User


@pytest.fixture
async def journal(tmp_path: Path, clock: Any) -> AsyncIterator[DatabaseJournal]:
    """A journal on a database that has the rows of the launched runs."""
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'runs.db'}")
    async with database.engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    now = datetime.now(UTC)
    async with database.writing() as session:
        session.add(User(id="u", username="u", username_key="u", created_at=now, betas=[]))
        await session.flush()
        for run_id in ("r", "one", "two", "a", *(f"run {number}" for number in range(5))):
            session.add(RunRow(id=run_id, owner_id="u", number=1, flow_name="Sample", document={}))
    yield DatabaseJournal(database, LocalPubSub(), lambda: datetime.fromtimestamp(clock(), UTC))
    await database.close()


@pytest.mark.parametrize("name", ["run.finished", "step.finished"])
async def test_memo_with_the_name_of_an_event_is_no_event(journal: DatabaseJournal, name: str) -> None:
    lease = await journal.create("r", "one", 30, [Record("head")])
    body = (
        b'{"made_by":{"provider":"sample"},"cost_usd":5,"outputs":{"o":{"asset_id":"a"}},"reads":{"b":["x"]}}'
    )
    await journal.append(lease, [Record("memo", name, "paint", time=1.0, body=body)])
    await journal.release(lease)
    assert (await journal.claim("r", "two", 30)).fence == 2
    async with journal._database.reading() as session:
        assert (await session.scalars(select(ProviderCostRow))).all() == []
