"""The engine's journal in the server's database: a batch of records is one transaction.

That transaction also updates the run's row and its assets, so a list, a page and a stream agree, and a
process that has lost the lease can change none of them.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Protocol, cast

import orjson
import structlog
from sqlalchemy import Table, bindparam, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.errors import LeaseHeld, LeaseLost, RunExists, RunNotFound
from impasto.journal.protocol import Entry, Lease, Record
from impasto_server.assets import service as assets
from impasto_server.assets.references import asset_ids_in
from impasto_server.db import prepared
from impasto_server.db.engine import Database
from impasto_server.impact.recording import record_reads
from impasto_server.outages import is_outage
from impasto_server.runs import journal_repository, repository
from impasto_server.runs.costs import provider_costs, reservations
from impasto_server.runs.events import live
from impasto_server.runs.events.pubsub import PubSub
from impasto_server.runs.journal_row import charged, is_end, row_updates, set_first, set_if_held
from impasto_server.runs.library import listings
from impasto_server.runs.models import RecordRow, RunRow

_RECORD = (RecordRow.kind, RecordRow.name, RecordRow.step, RecordRow.seq, RecordRow.time, RecordRow.body)
# The table's own insert: that of the class takes a statement for each set of columns that are not None.
_INSERT = insert(cast("Table", RecordRow.__table__))
_RUNS = cast("Table", RunRow.__table__)  # an update of the table itself takes half of the class's time
# Built once: building these statements takes longer than their execution.
_FIRST_LEASE = (
    update(_RUNS)
    .where(
        _RUNS.c.id == bindparam("run_id"),
        _RUNS.c.fence == 0,
        or_(
            _RUNS.c.lease_owner.is_(None),
            _RUNS.c.lease_owner == bindparam("owner"),
            _RUNS.c.lease_until.is_(None),
            _RUNS.c.lease_until <= bindparam("now"),
        ),
    )
    .values(lease_owner=bindparam("owner"), lease_until=bindparam("until"), fence=1, held_usd=0)
)
_OUTAGE_SECONDS = 10.0
_FIRST_RETRY_SECONDS = 0.1
log = structlog.get_logger()


class SpendingLimit(Protocol):
    """The spending limit of a run's owner, as the run's journal needs it."""

    async def on_charge(self, session: AsyncSession, run_id: str, usd: Decimal) -> None:
        """Count US dollars that the run has spent on the server's keys, in the caller's transaction."""

    async def on_settled(self, session: AsyncSession, run_id: str, usd: Decimal) -> None:
        """Free US dollars that calls have held; a negative amount holds more."""


class DatabaseJournal:
    """Journals of runs. A launch must have written the run's row before.

    `observe` is called with each batch of records that was written. `is_new`: the caller has leased the run
    in the queue, and it has no journal; then `create` writes nothing, and the first batch begins the journal.
    """

    volatile = False

    def __init__(
        self,
        database: Database,
        pubsub: PubSub,
        clock: Callable[[], datetime],
        spending: SpendingLimit | None = None,
        observe: Callable[[Sequence[Entry]], None] | None = None,
        *,
        is_new: bool = False,
    ) -> None:
        self._database = database
        self._pubsub = pubsub
        self._clock = clock
        self._spending = spending
        self._observe = observe
        self._is_new = is_new
        self._unwritten: tuple[float, Sequence[Entry]] | None = None  # of `create`
        self._next: dict[Lease, int] = {}
        self._ended: set[Lease] = set()

    async def create(self, run_id: str, owner: str, seconds: float, records: Sequence[Entry]) -> Lease:
        """Lease a run and write its first records. Raises `RunExists`, `RunNotFound` or `LeaseHeld`."""
        lease = Lease(run_id, owner, fence=1)
        if self._is_new:
            self._unwritten, self._next[lease] = (seconds, records), 0
            return lease
        async with self._database.writing() as session:
            if not await self._take_first_lease(session, lease, seconds):
                row = await self._row(session, run_id)
                if await journal_repository.has_records(session, run_id):
                    raise RunExists(run_id)
                lease = self._lease(row, owner, seconds)
                await session.flush()
            self._next[lease] = 0
            await self._write(session, lease, records)
        self._next[lease] = len(records)
        self._publish(lease, records)
        return lease

    async def _take_first_lease(self, session: AsyncSession, lease: Lease, seconds: float) -> bool:
        """Lease a run that was never leased before, which has no records. Returns False if it is another."""
        values = {
            "run_id": lease.run_id,
            "owner": lease.owner,
            "now": self._clock(),
            "until": self._until(seconds),
        }
        return await prepared.write(session, _FIRST_LEASE, values) == 1

    async def claim(self, run_id: str, owner: str, seconds: float) -> Lease:
        """Lease a run whose lease is free or expired. Raises `RunNotFound` or `LeaseHeld`."""
        async with self._database.writing() as session:
            row = await self._row(session, run_id)
            position = await journal_repository.next_position(session, run_id)
            if position == 0:
                raise RunNotFound(run_id)
            lease = self._lease(row, owner, seconds)
            # What the former process held without having journalled it would be held to the run's end.
            row.held_usd = reservations.held_by(await reservations.open_calls(session, run_id))
            self._next[lease] = position
            return lease

    async def renew(self, lease: Lease, seconds: float) -> None:
        """Extend the lease to `seconds` from now. Raises `LeaseLost`."""
        if self._unwritten is not None:
            await self.append(lease, ())
            return
        async with self._database.writing() as session:
            await self._update_held(session, lease, {"lease_until": self._until(seconds)})

    async def release(self, lease: Lease) -> None:
        """End the lease. The end of the run has ended it already, in its own transaction."""
        if lease in self._ended:
            return
        fence, self._unwritten = lease.fence if self._unwritten is None else 0, None
        query = update(RunRow).where(
            RunRow.id == lease.run_id, RunRow.fence == fence, RunRow.lease_owner == lease.owner
        )
        async with self._database.writing() as session:
            await session.execute(query.values(lease_until=None, lease_owner=None))

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        """Append records and update the run's row in one transaction. Raises `LeaseLost`.

        A database that cannot be reached is tried again for ten seconds, the time of a restart.
        """
        deadline = time.monotonic() + _OUTAGE_SECONDS
        delay = _FIRST_RETRY_SECONDS
        head = self._unwritten[1] if self._unwritten else ()
        while not await self._try_append(lease, records, deadline, is_retry=delay > _FIRST_RETRY_SECONDS):
            await asyncio.sleep(delay)
            delay = min(1.0, delay * 2)
        if self._observe is not None:
            self._observe(records)
        self._publish(lease, [*head, *records])

    def _publish(self, lease: Lease, records: Sequence[Entry]) -> None:
        message = live.pack(records)
        if message is not None:
            self._pubsub.publish(f"run {lease.run_id}", message)

    async def _try_append(
        self, lease: Lease, records: Sequence[Entry], deadline: float, *, is_retry: bool
    ) -> bool:
        """Append records. Returns False if the database cannot be reached and the deadline is not over."""
        try:
            async with self._database.writing() as session:
                if self._unwritten is None:
                    await self._write(session, lease, records)
                else:
                    await self._write_first(session, lease, *self._unwritten, records, is_retry=is_retry)
        except IntegrityError:
            # The positions are taken: the former attempt was committed, and only its answer was lost.
            if not is_retry:
                raise
        except Exception as error:
            if not is_outage(error) or time.monotonic() >= deadline:
                raise
            log.warning("could not write to the journal; trying again", run=lease.run_id, reason=str(error))
            return False
        self._next[lease] += len(records) + (len(self._unwritten[1]) if self._unwritten else 0)
        self._unwritten = None
        if any(map(is_end, records)):
            self._ended.add(lease)
        return True

    async def read(self, run_id: str) -> Sequence[Entry]:
        """Return all records of a run. Raises `RunNotFound`."""
        query = select(*_RECORD).where(RecordRow.run_id == run_id).order_by(RecordRow.position)
        async with self._database.reading() as session:
            rows = (await session.execute(query)).all()
        if not rows:
            raise RunNotFound(run_id)
        return [Record(*row) for row in rows]

    async def _row(self, session: AsyncSession, run_id: str) -> RunRow:
        row = await repository.find_lease_for_update(session, run_id)
        if row is None:
            raise RunNotFound(run_id)
        return row

    def _lease(self, row: RunRow, owner: str, seconds: float) -> Lease:
        held = row.lease_until is not None and row.lease_until > self._clock()
        if held and row.lease_owner != owner:
            raise LeaseHeld(row.id, str(row.lease_owner))
        row.lease_owner, row.lease_until, row.fence = owner, self._until(seconds), row.fence + 1
        return Lease(row.id, owner, row.fence)

    async def _write_first(
        self,
        session: AsyncSession,
        lease: Lease,
        seconds: float,
        head: Sequence[Entry],
        records: Sequence[Entry],
        *,
        is_retry: bool,
    ) -> None:
        """Begin the journal of a run that this process has leased in the queue, with its first batch."""
        values = {"lease_until": self._until(seconds), **row_updates(records), "fence": lease.fence}
        is_held, launched = await self._update(
            session, lease, set_first(lease.run_id, lease.owner, values), records
        )
        if not is_held:
            already_written = select(_RUNS.c.id).where(
                _RUNS.c.id == lease.run_id,
                _RUNS.c.lease_owner == lease.owner,
                _RUNS.c.fence == lease.fence,
            )
            if not is_retry or await session.scalar(already_written) is None:
                raise LeaseLost(lease.run_id)
            # The former attempt was probably committed: then the positions of the records are taken.
        await self._write_records(session, lease, [*head, *records], launched)

    async def _write(self, session: AsyncSession, lease: Lease, records: Sequence[Entry]) -> None:
        # Without updates the fence is written again: the statement fails if the lease is lost.
        values = row_updates(records) or {"fence": lease.fence}
        launched = await self._update_held(session, lease, values, records)
        await self._write_records(session, lease, records, launched)

    async def _write_records(
        self,
        session: AsyncSession,
        lease: Lease,
        records: Sequence[Entry],
        launched: Sequence[prepared.Row] | None,
    ) -> None:
        """Append records, and write what follows from them elsewhere; `launched` is that of `_update`."""
        await self._insert(session, lease, records)
        held = reservations.change(records)
        if held and self._spending is not None:
            await self._spending.on_settled(session, lease.run_id, -held)
        on_server = charged(records, own_keys=False)
        if on_server and self._spending is not None:
            await self._spending.on_charge(session, lease.run_id, on_server)
        await provider_costs.record(session, lease.run_id, records)
        await record_reads(session, lease.run_id, records)
        for step, asset_ids, cost_each, made_by in _asset_costs(records):
            await assets.record_costs(session, lease.run_id, step, asset_ids, cost_each, made_by)
        if any(map(is_end, records)):
            # The first batch of a short run is its whole journal, which need not be read back.
            finished = _finished_steps(records) if self._next[lease] == 0 else None
            await listings.add_results(session, lease.run_id, finished, launched)

    async def _insert(self, session: AsyncSession, lease: Lease, records: Sequence[Entry]) -> None:
        start = self._next[lease]
        rows = [_values(lease.run_id, start + offset, record) for offset, record in enumerate(records)]
        if rows:
            await prepared.write_later(session, _INSERT, *rows)

    async def _update_held(
        self, session: AsyncSession, lease: Lease, values: dict[str, Any], records: Sequence[Entry] = ()
    ) -> Sequence[prepared.Row] | None:
        is_held, launched = await self._update(
            session, lease, set_if_held(lease.run_id, lease.fence, values), records
        )
        if not is_held:
            raise LeaseLost(lease.run_id)
        return launched

    async def _update(
        self, session: AsyncSession, lease: Lease, query: prepared.Query, records: Sequence[Entry]
    ) -> tuple[bool, Sequence[prepared.Row] | None]:
        """Update the run's row; return whether the lease is held.

        If the records end the run, the rows of `listings.launched` come with it: a call less of SQLite.
        """
        reads = [listings.launched(lease.run_id)] if any(map(is_end, records)) else []
        updated, *launched = await prepared.rows_of(session, query, *reads)
        return bool(updated), launched[0] if launched else None

    def _until(self, seconds: float) -> datetime:
        return self._clock().astimezone(UTC) + timedelta(seconds=seconds)


def _finished_steps(records: Sequence[Entry]) -> dict[str, bytes]:
    """Return the bodies of the last events that say that a step has finished, by step."""
    return {
        record.step: record.body
        for record in records
        if record.kind == "event" and record.name == "step.finished" and record.step is not None
    }


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


def _asset_costs(
    records: Sequence[Entry],
) -> Iterator[tuple[str | None, list[str], Decimal, dict[str, Any] | None]]:
    """Yield each finished step, the ids of the assets in its outputs, their cost each, and its provenance."""
    for record in records:
        is_finished = record.kind == "event" and record.name == "step.finished"
        if not is_finished or b'"asset_id"' not in record.body:
            continue
        data = orjson.loads(record.body)
        asset_ids = asset_ids_in(data.get("outputs"))
        if asset_ids and not data.get("cached"):
            cost_each = Decimal(str(data.get("cost_usd") or 0)) / len(asset_ids)
            yield record.step, asset_ids, cost_each, data.get("made_by")
