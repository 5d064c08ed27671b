"""A journal in one SQLite file: several processes may use it, and it survives all of them."""

import asyncio
import sqlite3
import time
import typing as t
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson

from impasto.errors import LeaseHeld, LeaseLost, RunExists, RunNotFound
from impasto.executors.threads import Threads
from impasto.journal import Entry, Lease, Record

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
T = t.TypeVar("T")


class SqliteJournal:
    """Runs in a SQLite database. Close it when done; it keeps one connection, in a thread of its own.

    A batch of records is one row: what they say of themselves as JSON, and their bodies end to end.
    """

    def __init__(self, path: str | Path, clock: Callable[[], float] = time.time) -> None:
        self.path = Path(path)
        self._clock = clock
        self._thread = Threads(1)
        self._connection: sqlite3.Connection | None = None
        self._next: dict[str, tuple[int, int]] = {}
        self._waiting: deque[_Write] = deque()

    async def create(self, run_id: str, owner: str, seconds: float, records: Sequence[Entry]) -> Lease:
        """Begin a run."""

        def work(db: sqlite3.Connection) -> None:
            expires = self._clock() + seconds
            if db.execute("select 1 from runs where id = ?", (run_id,)).fetchone():
                raise RunExists(run_id)
            db.execute("insert into runs values (?, ?, 1, ?)", (run_id, owner, expires))
            db.execute(_INSERT, _row(run_id, 0, records))

        await self._write(work)
        self._next[run_id] = (1, 1)
        return Lease(run_id, owner, 1)

    async def claim(self, run_id: str, owner: str, seconds: float) -> Lease:
        """Own a run that nobody owns."""

        def work(db: sqlite3.Connection) -> int:
            holder, fence, expires = _run(db, run_id)
            if holder not in (None, owner) and expires > self._clock():
                raise LeaseHeld(run_id, holder)
            until = self._clock() + seconds
            db.execute(
                "update runs set owner = ?, fence = ?, expires = ? where id = ?",
                (owner, fence + 1, until, run_id),
            )
            return fence + 1

        return Lease(run_id, owner, await self._write(work))

    async def renew(self, lease: Lease, seconds: float) -> None:
        """Let the lease last longer."""

        def work(db: sqlite3.Connection) -> None:
            _hold(db, lease)
            db.execute("update runs set expires = ? where id = ?", (self._clock() + seconds, lease.run_id))

        await self._write(work)

    async def release(self, lease: Lease) -> None:
        """Give the run up."""

        def work(db: sqlite3.Connection) -> None:
            _run(db, lease.run_id)
            db.execute("update runs set owner = null where id = ? and fence = ?", (lease.run_id, lease.fence))

        self._next.pop(lease.run_id, None)
        await self._write(work)

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        """Add the records: one transaction, synced to the disk."""

        def work(db: sqlite3.Connection) -> int:
            _hold(db, lease)
            position = self._position(db, lease)
            db.execute(_INSERT, _row(lease.run_id, position, records))
            return position + 1

        self._next[lease.run_id] = (lease.fence, await self._write(work))

    async def read(self, run_id: str) -> Sequence[Entry]:
        """The whole log."""

        def work(db: sqlite3.Connection) -> list[Record]:
            _run(db, run_id)
            query = "select entries, bodies from batches where run_id = ? order by position"
            return [record for row in db.execute(query, (run_id,)) for record in _records(*row)]

        return await self._do(work)

    async def close(self) -> None:
        """Close the connection and end the thread."""
        if self._connection is not None:
            await self._do(lambda db: db.close())
            self._connection = None
        self._thread.close()

    def _position(self, db: sqlite3.Connection, lease: Lease) -> int:
        """The next free position: known to whoever holds the lease, else asked for."""
        fence, position = self._next.get(lease.run_id, (0, 0))
        if fence == lease.fence:
            return position
        found = db.execute("select max(position) from batches where run_id = ?", (lease.run_id,)).fetchone()
        return int(found[0] if found[0] is not None else -1) + 1

    def _write(self, work: Callable[[sqlite3.Connection], T]) -> "asyncio.Future[T]":
        write = _Write(work)
        self._waiting.append(write)
        write.future = self._thread.run(lambda: self._answer(write))
        return write.future

    def _answer(self, write: "_Write") -> t.Any:
        if not write.done:
            self._commit()
        if write.error is not None:
            raise write.error
        return write.answer

    def _commit(self) -> None:
        """One transaction for all that waits: a commit costs more than what is in it."""
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        try:
            _transact(self._open(), batch)
        except BaseException as error:  # noqa: BLE001 - each who waits is told
            for write in batch:
                write.error = write.error or error
        finally:
            for write in batch:
                write.done = True

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> "asyncio.Future[T]":
        return self._thread.run(lambda: work(self._open()))

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
            db.execute("pragma journal_mode = wal")
            db.execute("pragma synchronous = full")
            db.executescript(_TABLES)
            self._connection = db
        return self._connection


class _Write:
    """What somebody wants written, and what came of it: it succeeds or fails apart from its neighbours."""

    __slots__ = ("answer", "done", "error", "future", "work")

    def __init__(self, work: Callable[[sqlite3.Connection], t.Any]) -> None:
        self.work = work
        self.future: asyncio.Future[t.Any] | None = None
        self.answer: t.Any = None
        self.error: BaseException | None = None
        self.done = False

    def attempt(self, db: sqlite3.Connection) -> None:
        """Do the work, or leave no trace of it; raises only if the whole transaction is gone."""
        if self.future is not None and self.future.cancelled():
            return
        db.execute("savepoint one")
        try:
            self.answer = self.work(db)
        except BaseException as error:
            if not db.in_transaction:
                raise
            self.error = error
            db.execute("rollback to one")
        db.execute("release one")


def _transact(db: sqlite3.Connection, batch: Sequence[_Write]) -> None:
    db.execute("begin immediate")
    try:
        for write in batch:
            write.attempt(db)
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


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
    found = db.execute("select owner, fence, expires from runs where id = ?", (run_id,)).fetchone()
    if found is None:
        raise RunNotFound(run_id)
    return t.cast("tuple[str | None, int, float]", found)


def _hold(db: sqlite3.Connection, lease: Lease) -> None:
    owner, fence, _ = _run(db, lease.run_id)
    if owner is None or fence != lease.fence:
        raise LeaseLost(lease.run_id)
