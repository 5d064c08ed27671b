"""The engine's journal in the server's database: a batch of records is one transaction.

The run's row is kept in step with its events in that same transaction, so a list, a page and a stream
never disagree, and whoever lost the lease can change none of them.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.errors import LeaseHeld, LeaseLost, RunExists, RunNotFound
from impasto.journal.protocol import Entry, Lease, Record
from impasto_server.assets import service as assets
from impasto_server.db.engine import Database
from impasto_server.runs import repository
from impasto_server.runs.models import RecordRow, RunRow
from impasto_server.runs.outline import changes_of, made_in
from impasto_server.runs.pubsub import Signals

_RECORD = (RecordRow.kind, RecordRow.name, RecordRow.step, RecordRow.seq, RecordRow.time, RecordRow.body)


class DatabaseJournal:
    """Journals of runs whose rows exist already: a launch writes them."""

    volatile = False

    def __init__(self, database: Database, signals: Signals, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._signals = signals
        self._clock = clock
        self._next: dict[Lease, int] = {}

    async def create(self, run_id: str, owner: str, seconds: float, records: Sequence[Entry]) -> Lease:
        """Begin a run: its lease and first records."""
        async with self._database.writing() as session:
            row = await self._row(session, run_id)
            if await repository.has_records(session, run_id):
                raise RunExists(run_id)
            lease = self._take(row, owner, seconds)
            self._next[lease] = 0
            await session.flush()
            await self._write(session, lease, records)
        self._signals.ring(f"run {run_id}")
        return lease

    async def claim(self, run_id: str, owner: str, seconds: float) -> Lease:
        """Own a run that nobody owns."""
        async with self._database.writing() as session:
            row = await self._row(session, run_id)
            position = await repository.next_position(session, run_id)
            if position == 0:
                raise RunNotFound(run_id)
            lease = self._take(row, owner, seconds)
            self._next[lease] = position
            return lease

    async def renew(self, lease: Lease, seconds: float) -> None:
        """Let the lease last longer."""
        async with self._database.writing() as session:
            await self._hold(session, lease, {"lease_until": self._until(seconds)})

    async def release(self, lease: Lease) -> None:
        """Give the run up."""
        query = update(RunRow).where(RunRow.id == lease.run_id, RunRow.fence == lease.fence)
        async with self._database.writing() as session:
            await session.execute(query.values(lease_until=None, lease_owner=None))
        self._next.pop(lease, None)

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        """Add the records and what they change in the run's row, in one transaction."""
        async with self._database.writing() as session:
            await self._write(session, lease, records)
        self._signals.ring(f"run {lease.run_id}")

    async def read(self, run_id: str) -> Sequence[Entry]:
        """The whole log."""
        query = select(*_RECORD).where(RecordRow.run_id == run_id).order_by(RecordRow.position)
        async with self._database.reading() as session:
            rows = (await session.execute(query)).all()
        if not rows:
            raise RunNotFound(run_id)
        return [Record(*row) for row in rows]

    async def _row(self, session: AsyncSession, run_id: str) -> RunRow:
        row = await repository.find_for_update(session, run_id)
        if row is None:
            raise RunNotFound(run_id)
        return row

    def _take(self, row: RunRow, owner: str, seconds: float) -> Lease:
        held = row.lease_until is not None and row.lease_until > self._clock()
        if held and row.lease_owner != owner:
            raise LeaseHeld(row.id, str(row.lease_owner))
        row.lease_owner, row.lease_until, row.fence = owner, self._until(seconds), row.fence + 1
        return Lease(row.id, owner, row.fence)

    async def _write(self, session: AsyncSession, lease: Lease, records: Sequence[Entry]) -> None:
        changes = changes_of(records)
        await self._hold(session, lease, changes or {"fence": lease.fence})
        start = self._next[lease]
        rows = [_values(lease.run_id, start + offset, record) for offset, record in enumerate(records)]
        if rows:
            await session.execute(insert(RecordRow), rows)
            self._next[lease] = start + len(rows)
        for asset_ids, cost, made_by in made_in(records):
            await assets.settle(session, lease.run_id, asset_ids, cost, made_by)

    async def _hold(self, session: AsyncSession, lease: Lease, values: dict[str, Any]) -> None:
        query = (
            update(RunRow)
            .where(RunRow.id == lease.run_id, RunRow.fence == lease.fence, RunRow.lease_owner.is_not(None))
            .values(**values)
            .execution_options(synchronize_session=False)
        )
        if (await session.execute(query)).rowcount == 0:  # type: ignore[attr-defined]
            raise LeaseLost(lease.run_id)

    def _until(self, seconds: float) -> datetime:
        return self._clock().astimezone(UTC) + timedelta(seconds=seconds)


def _values(run_id: str, position: int, record: Entry) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "position": position,
        "kind": record.kind,
        "name": record.name,
        "step": record.step,
        "seq": record.seq,
        "time": record.time,
        "body": bytes(record.body),
    }
