"""A journal in one SQLite file: several processes may use it, and it survives all of them."""

import asyncio
import sqlite3
import threading
import time
import typing as t
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

import orjson

from impasto.errors import JournalUnusable, LeaseHeld, LeaseLost, RunExists, RunNotFound
from impasto.journal.protocol import Entry, Lease, Record
from impasto.runtime.executors.threads import Threads

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
_PATIENCE = 30.0
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
        self._waiting: list[_Write] = []
        self._idle = True
        self._lock = threading.Lock()

    async def create(self, run_id: str, owner: str, seconds: float, records: Sequence[Entry]) -> Lease:
        """Begin a run."""

        def work(db: sqlite3.Connection) -> None:
            expires = self._clock() + seconds
            begun = db.execute("insert or ignore into runs values (?, ?, 1, ?)", (run_id, owner, expires))
            if not begun.rowcount:
                raise RunExists(run_id)
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
            query = "update runs set owner = null where id = ? and fence = ?"
            if not db.execute(query, (lease.run_id, lease.fence)).rowcount:
                _run(db, lease.run_id)

        self._next.pop(lease.run_id, None)
        await self._write(work)

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        """Add the records: one transaction, synced to the disk."""

        def work(db: sqlite3.Connection) -> int:
            position = self._position(db, lease)
            row = _row(lease.run_id, position, records)
            if not db.execute(_APPEND, (*row, lease.run_id, lease.fence)).rowcount:
                _hold(db, lease)
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
            await self._write(lambda db: None)
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
        write = _Write(work, asyncio.get_running_loop())
        with self._lock:
            self._waiting.append(write)
            idle, self._idle = self._idle, False
        if idle:
            self._thread.post(self._commit)
        return write.future

    def _commit(self) -> None:
        """One transaction for all that waits: a commit costs more than what is in it."""
        with self._lock:
            batch, self._waiting = self._waiting, []
        try:
            _transact(self._open(), batch)
        except BaseException as error:  # noqa: BLE001 - each who waits is told
            for write in batch:
                write.error = write.error or error
        with self._lock:
            self._idle = not self._waiting
        if not self._idle:
            self._thread.post(self._commit)
        _tell(batch)

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> "asyncio.Future[T]":
        return self._thread.run(lambda: work(self._open()))

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                _log_ahead(db)
                db.execute("pragma synchronous = full")
                db.executescript(_TABLES)
                _upgrade(db)
            except sqlite3.DatabaseError as error:
                db.close()
                raise JournalUnusable(self.path, str(error)) from error
            self._connection = db
        return self._connection


class _Write:
    """What somebody wants written, and what came of it: it succeeds or fails apart from its neighbours."""

    __slots__ = ("answer", "error", "future", "loop", "work")

    def __init__(self, work: Callable[[sqlite3.Connection], t.Any], loop: asyncio.AbstractEventLoop) -> None:
        self.work = work
        self.loop = loop
        self.future: asyncio.Future[t.Any] = loop.create_future()
        self.answer: t.Any = None
        self.error: BaseException | None = None

    def attempt(self, db: sqlite3.Connection) -> None:
        """Do the work, or leave no trace of it; raises only if the whole transaction is gone."""
        db.execute("savepoint one")
        try:
            self.answer = self.work(db)
        except BaseException as error:
            if not db.in_transaction:
                raise
            self.error = error
            db.execute("rollback to one")
        db.execute("release one")

    def tell(self) -> None:
        """Let who waits for it go on."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.answer)


def _transact(db: sqlite3.Connection, batch: Sequence[_Write]) -> None:
    """Write what is still wanted: all at once, or, if one of them fails, each by itself."""
    wanted = [write for write in batch if not write.future.cancelled()]
    try:
        db.execute("begin immediate")
        for write in wanted:
            write.answer = write.work(db)
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        if len(wanted) < 2:
            raise
        _transact_apart(db, wanted)


def _transact_apart(db: sqlite3.Connection, batch: Sequence[_Write]) -> None:
    db.execute("begin immediate")
    try:
        for write in batch:
            write.attempt(db)
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def _tell(batch: Sequence[_Write]) -> None:
    """One call into the loop for a whole batch: each costs more than what it tells."""
    for loop, writes in groupby(batch, lambda write: write.loop):
        try:
            loop.call_soon_threadsafe(_told, list(writes))
        except RuntimeError:  # the loop was closed: nobody waits there any more
            continue


def _told(writes: Sequence[_Write]) -> None:
    for write in writes:
        write.tell()


def _log_ahead(db: sqlite3.Connection) -> None:
    """Write ahead from now on. While another process says the same, SQLite refuses at once: ask again."""
    patience = time.monotonic() + _PATIENCE
    while True:
        try:
            db.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise
        time.sleep(0.01)


def _upgrade(db: sqlite3.Connection) -> None:
    """Before batches were rows, each record was one: a run's records of then become its first batch."""
    known = [name for (name,) in db.execute("select name from pragma_table_info('runs')")]
    if known != ["id", "owner", "fence", "expires"]:
        raise sqlite3.DatabaseError("it has a table of another kind called 'runs'")
    if not _is_of_then(db):
        return
    db.execute("begin immediate")
    if _is_of_then(db):  # no other process was faster
        _gather_records(db)
    db.execute("commit")


def _is_of_then(db: sqlite3.Connection) -> bool:
    query = "select 1 from sqlite_master where type = 'table' and name = 'records'"
    return db.execute(query).fetchone() is not None


def _gather_records(db: sqlite3.Connection) -> None:
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
    found = db.execute("select owner, fence, expires from runs where id = ?", (run_id,)).fetchone()
    if found is None:
        raise RunNotFound(run_id)
    return t.cast("tuple[str | None, int, float]", found)


def _hold(db: sqlite3.Connection, lease: Lease) -> None:
    owner, fence, _ = _run(db, lease.run_id)
    if owner is None or fence != lease.fence:
        raise LeaseLost(lease.run_id)
