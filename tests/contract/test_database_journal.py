"""The server's journal passes the contract of journals."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError
from tests.contract.test_journal import *  # noqa: F403

from impasto.errors import LeaseHeld, LeaseLost, RunNotFound
from impasto.journal.protocol import Record
from impasto_server.assets.models import AssetRow
from impasto_server.db.engine import Base, Database
from impasto_server.runs.events.pubsub import LocalPubSub
from impasto_server.runs.journal import DatabaseJournal
from impasto_server.runs.library import listings
from impasto_server.runs.models import ProviderCostRow, RunListingRow, RunRow
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


def _finished(step: str, *asset_ids: str, kind: str = "event", **about: Any) -> Record:
    images = [{"$type": "Image", "asset_id": each} for each in asset_ids]
    return Record(kind, "step.finished", step, body=orjson.dumps({"outputs": {"o": images}, **about}))


async def test_files_that_a_step_stored_share_what_it_cost(journal: DatabaseJournal) -> None:
    async with journal._database.writing() as session:
        for asset_id, step in {"a": "paint", "b": "paint", "c": "free", "d": "memo"}.items():
            session.add(
                AssetRow(
                    id=asset_id, owner_id="u", run_id="r", step=step, kind="image", media_type="image/png",
                    name="a", bytes=1, sha256="0" * 64, object_key="a", source="run", input_asset_ids=[],
                )
            )  # fmt: skip
    lease = await journal.create("r", "one", 30, [Record("head")])
    made_by = {"provider": "sample", "prompt": "A cup"}
    records = [
        _finished("paint", "a", "b", cost_usd=0.5, made_by=made_by),
        _finished("reused", "a", cost_usd=0, cached=True),
        _finished("free", "c", cost_usd=None),
        _finished("check", "a", "c", cost_usd=0.1, made_by={"provider": "sample", "prompt": "Is it good?"}),
        _finished("memo", "d", kind="memo", cost_usd=9),
    ]
    await journal.append(lease, records)
    async with journal._database.reading() as session:
        rows = (await session.scalars(select(AssetRow).order_by(AssetRow.id))).all()
    assert [(row.cost_usd, row.prompt) for row in rows] == [
        (Decimal("0.25"), "A cup"),
        (Decimal("0.25"), "A cup"),
        (Decimal(0), None),
        (None, None),
    ]


async def _lease_in_queue(journal: DatabaseJournal, owner: str) -> None:
    async with journal._database.writing() as session:
        await session.execute(update(RunRow).where(RunRow.id == "r").values(lease_owner=owner))


async def _row(journal: DatabaseJournal) -> RunRow:
    async with journal._database.reading() as session:
        return (await session.scalars(select(RunRow).where(RunRow.id == "r"))).one()


@pytest.fixture
async def of_claimed_run(journal: DatabaseJournal) -> DatabaseJournal:
    """The journal of the run `r`, which the process `one` has taken from the queue."""
    await _lease_in_queue(journal, "one")
    return DatabaseJournal(journal._database, LocalPubSub(), journal._clock, is_new=True)


@pytest.mark.parametrize("batches", [1, 2])
async def test_the_end_of_a_run_completes_its_listing(
    journal: DatabaseJournal,
    of_claimed_run: DatabaseJournal,
    batches: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    finished_steps = listings._finished_steps

    async def reading(session: Any, run_id: str, steps: Any) -> dict[str, bytes]:
        read.append(run_id)
        return await finished_steps(session, run_id, steps)

    monkeypatch.setattr(listings, "_finished_steps", reading)
    planned = [{"node": "n", "port": "output", "type": "Text", "list": False, "title": "N"}]
    async with journal._database.writing() as session:
        await session.execute(update(RunRow).where(RunRow.id == "r").values(planned_results=planned))
        session.add(RunListingRow(run_id="r", owner_id="u"))
    lease = await of_claimed_run.create("r", "one", 30, [Record("head")])
    memo = Record("memo", "step.finished", "n", body=b'{"outputs":{"output":"no event"}}')
    step = Record("event", "step.finished", "n", seq=2, time=2.0, body=b'{"outputs":{"output":"A text"}}')
    end = Record("event", "run.finished", seq=3, time=3.0, body=b"{}")
    if batches == 1:
        await of_claimed_run.append(lease, [_STARTED, step, memo, end])
    else:
        await of_claimed_run.append(lease, [_STARTED, step, memo])
        await of_claimed_run.append(lease, [end])

    async with journal._database.reading() as session:
        listing = (await session.scalars(select(RunListingRow))).one()
    assert (listing.excerpt, listing.in_library) == ("A text", True)
    assert len(read) == batches - 1, "the journal is read back only if the end is not in its first batch"


_STARTED = Record("event", "run.started", seq=1, time=1.0, body=b"{}")


async def test_journal_of_a_claimed_run_begins_with_its_first_batch(
    journal: DatabaseJournal, of_claimed_run: DatabaseJournal
) -> None:
    lease = await of_claimed_run.create("r", "one", 30, [Record("head")])
    with pytest.raises(RunNotFound):
        await journal.read("r")
    await of_claimed_run.append(lease, [_STARTED])
    await of_claimed_run.append(lease, [Record("memo", "m")])
    assert [record.kind for record in await journal.read("r")] == ["head", "event", "memo"]
    row = await _row(journal)
    assert (row.status, row.fence) == ("running", 1)
    with pytest.raises(LeaseHeld):
        await journal.claim("r", "two", 30)
    await of_claimed_run.release(lease)
    assert (await journal.claim("r", "two", 30)).fence == 2


async def test_claimed_run_that_another_process_took_is_not_begun(
    journal: DatabaseJournal, of_claimed_run: DatabaseJournal
) -> None:
    lease = await of_claimed_run.create("r", "one", 30, [Record("head")])
    await _lease_in_queue(journal, "two")
    for write in (of_claimed_run.append(lease, [_STARTED]), of_claimed_run.renew(lease, 30)):
        with pytest.raises(LeaseLost):
            await write
    await journal.create("r", "two", 30, [Record("head")])
    with pytest.raises(LeaseLost):
        await of_claimed_run.append(lease, [_STARTED])
    await of_claimed_run.release(lease)
    assert (await _row(journal)).lease_owner == "two"


async def test_claimed_run_without_a_batch_is_renewed_and_released(
    journal: DatabaseJournal, of_claimed_run: DatabaseJournal
) -> None:
    lease = await of_claimed_run.create("r", "one", 30, [Record("head")])
    await of_claimed_run.release(lease)
    assert (await _row(journal)).lease_owner is None
    await _lease_in_queue(journal, "one")
    lease = await of_claimed_run.create("r", "one", 30, [Record("head")])
    await of_claimed_run.renew(lease, 30)
    assert len(await journal.read("r")) == 1
    await of_claimed_run.append(lease, [_STARTED])
    assert len(await journal.read("r")) == 2


async def test_first_batch_whose_answer_was_lost_is_written_once(
    journal: DatabaseJournal, of_claimed_run: DatabaseJournal
) -> None:
    lease = await of_claimed_run.create("r", "one", 30, [Record("head")])
    engine = journal._database.engine.sync_engine
    failures = [OperationalError("COMMIT", {}, ConnectionResetError("the connection was lost"), None, True)]

    real = engine.dialect.do_commit

    def commit(connection: Any) -> None:
        real(connection)
        if failures:
            raise failures.pop()

    engine.dialect.do_commit = commit
    await of_claimed_run.append(lease, [_STARTED])
    assert not failures
    await of_claimed_run.append(lease, [Record("memo", "m")])
    assert [record.kind for record in await journal.read("r")] == ["head", "event", "memo"]
