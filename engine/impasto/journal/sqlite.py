"""A journal in one SQLite file, which several processes may share."""

import sqlite3
import time
import typing as t
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson

from impasto.errors import JournalUnusable, LeaseHeld, LeaseLost, RunExists, RunNotFound
from impasto.journal.protocol import Entry, Lease, Record
from impasto.journal.sqlite_thread import SqliteThread

_TABLES = """
create table if not exists runs (
    id text primary key, owner text, fence integer not null, expires real not null
) without rowid;
create table if not exists batches (
    run_id text not null references runs (id), position integer not null,
    entries blob not null, bodies blob not null, primary key (run_id, position)
);
"""
_INSERT = "insert into batches values (?, ?, ?, ?)"
_APPEND = """
insert into batches select ?, ?, ?, ?
where exists (select 1 from runs where id = ? and fence = ? and owner is not null)
"""
_BUSY_TIMEOUT_SECONDS = 30.0


class SqliteJournal:
    """Keeps logs in a SQLite database, on one connection in a thread of its own. Close it after use.

    Several processes may use the file. A batch of records is one row: the records' fields as JSON, and their
    bodies concatenated. Every method raises JournalUnusable if the file is not a journal, is damaged or
    cannot be opened.
    """

    volatile = False

    def __init__(self, path: str | Path, clock: Callable[[], float] = time.time) -> None:
        self.path = Path(path)
        self._clock = clock
        self._thread = SqliteThread(self._connect)
        # By run: the fencing number that wrote last and the position of the next batch.
        self._next: dict[str, tuple[int, int]] = {}

    async def create(self, run_id: str, owner: str, seconds: float, records: Sequence[Entry]) -> Lease:
        """Begin a run. Raises RunExists."""

        def work(db: sqlite3.Connection) -> None:
            expires = self._clock() + seconds
            inserted = db.execute("insert or ignore into runs values (?, ?, 1, ?)", (run_id, owner, expires))
            if not inserted.rowcount:
                raise RunExists(run_id)
            db.execute(_INSERT, _row(run_id, 0, records))

        await self._thread.write(work)
        self._next[run_id] = (1, 1)
        return Lease(run_id, owner, 1)

    async def claim(self, run_id: str, owner: str, seconds: float) -> Lease:
        """Take over a run. Raises LeaseHeld or RunNotFound."""

        def work(db: sqlite3.Connection) -> int:
            holder, fence, expires = _run(db, run_id)
            if holder not in (None, owner) and expires > self._clock():
                raise LeaseHeld(run_id, str(holder))
            until = self._clock() + seconds
            db.execute(
                "update runs set owner = ?, fence = ?, expires = ? where id = ?",
                (owner, fence + 1, until, run_id),
            )
            return fence + 1

        return Lease(run_id, owner, await self._thread.write(work))

    async def renew(self, lease: Lease, seconds: float) -> None:
        """Extend the lease to `seconds` from now. Raises LeaseLost."""

        def work(db: sqlite3.Connection) -> None:
            _check_lease(db, lease)
            db.execute("update runs set expires = ? where id = ?", (self._clock() + seconds, lease.run_id))

        await self._thread.write(work)

    async def release(self, lease: Lease) -> None:
        """Release the run. Does nothing if the lease is not the newest."""

        def work(db: sqlite3.Connection) -> None:
            query = "update runs set owner = null where id = ? and fence = ?"
            if not db.execute(query, (lease.run_id, lease.fence)).rowcount:
                _run(db, lease.run_id)

        self._next.pop(lease.run_id, None)
        await self._thread.write(work)

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        """Add the records and sync them to the disk. Raises LeaseLost."""

        def work(db: sqlite3.Connection) -> int:
            position = self._next_position(db, lease)
            row = _row(lease.run_id, position, records)
            if not db.execute(_APPEND, (*row, lease.run_id, lease.fence)).rowcount:
                _check_lease(db, lease)
            return position + 1

        self._next[lease.run_id] = (lease.fence, await self._thread.write(work))

    async def read(self, run_id: str) -> Sequence[Entry]:
        """Return the whole log in order. Raises RunNotFound."""

        def work(db: sqlite3.Connection) -> list[Record]:
            _run(db, run_id)
            query = "select entries, bodies from batches where run_id = ? order by position"
            return [record for row in db.execute(query, (run_id,)) for record in _records(*row)]

        return await self._thread.read(work)

    async def close(self) -> None:
        """Finish pending writes, close the connection and end the thread."""
        await self._thread.close()

    def _next_position(self, db: sqlite3.Connection, lease: Lease) -> int:
        """Return the next free position; the database is asked only after another owner may have written."""
        fence, position = self._next.get(lease.run_id, (0, 0))
        if fence == lease.fence:
            return position
        query = "select ifnull(max(position) + 1, 0) from batches where run_id = ?"
        return t.cast("int", db.execute(query, (lease.run_id,)).fetchone()[0])

    def _connect(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_SECONDS, isolation_level=None)
        except (OSError, sqlite3.DatabaseError) as error:
            raise JournalUnusable(self.path, getattr(error, "strerror", None) or str(error)) from error
        try:
            _use_write_ahead_log(db)
            db.execute("pragma synchronous = full")
            db.executescript(_TABLES)
            _upgrade(db)
        except sqlite3.DatabaseError as error:
            db.close()
            raise JournalUnusable(self.path, str(error)) from error
        return db


def _use_write_ahead_log(db: sqlite3.Connection) -> None:
    """Switch to write-ahead logging. SQLite ignores its busy timeout for this statement: retry by hand."""
    deadline = time.monotonic() + _BUSY_TIMEOUT_SECONDS
    while True:
        try:
            db.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def _upgrade(db: sqlite3.Connection) -> None:
    """Convert a file of the first version, which had a row for each record, to batches."""
    columns = [name for (name,) in db.execute("select name from pragma_table_info('runs')")]
    if columns != ["id", "owner", "fence", "expires"]:
        raise sqlite3.DatabaseError("it has another table called 'runs'")
    if not _has_records_table(db):
        return
    db.execute("begin immediate")
    if _has_records_table(db):  # another process may have converted it first
        _convert_records(db)
    db.execute("commit")


def _has_records_table(db: sqlite3.Connection) -> bool:
    query = "select 1 from sqlite_master where type = 'table' and name = 'records'"
    return db.execute(query).fetchone() is not None


def _convert_records(db: sqlite3.Connection) -> None:
    """Make each run's records its first batch."""
    runs = [run_id for (run_id,) in db.execute("select distinct run_id from records")]
    columns = "select kind, name, step, seq, time, body from records where run_id = ? order by position"
    for run_id in runs:
        db.execute(_INSERT, _row(run_id, 0, [Record(*row) for row in db.execute(columns, (run_id,))]))
    db.execute("drop table records")


def _row(run_id: str, position: int, records: Sequence[Entry]) -> tuple[str, int, bytes, bytes]:
    bodies = [entry.body for entry in records]
    entries = [
        (entry.kind, entry.name, entry.step, entry.seq, entry.time, len(body))
        for entry, body in zip(records, bodies, strict=True)
    ]
    return run_id, position, orjson.dumps(entries), b"".join(bodies)


def _records(entries: bytes, bodies: bytes) -> t.Iterator[Record]:
    end = 0
    for kind, name, step, seq, moment, length in orjson.loads(entries):
        begin, end = end, end + length
        yield Record(kind, name, step, seq, moment, bodies[begin:end])


def _run(db: sqlite3.Connection, run_id: str) -> tuple[str | None, int, float]:
    """Return the run's owner, fencing number and the lease's end."""
    found = db.execute("select owner, fence, expires from runs where id = ?", (run_id,)).fetchone()
    if found is None:
        raise RunNotFound(run_id)
    return t.cast("tuple[str | None, int, float]", found)


def _check_lease(db: sqlite3.Connection, lease: Lease) -> None:
    owner, fence, _ = _run(db, lease.run_id)
    if owner is None or fence != lease.fence:
        raise LeaseLost(lease.run_id)
