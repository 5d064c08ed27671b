"""One thread with one SQLite connection, which commits concurrent writes together."""

import asyncio
import sqlite3
import threading
import typing as t
from collections.abc import Callable, Sequence
from itertools import groupby

Work = Callable[[sqlite3.Connection], t.Any]
T = t.TypeVar("T")
_JOIN_SECONDS = 0.2


class SqliteThread:
    """Runs work on a connection of its own, in order. The thread starts with the first work.

    Work may be submitted from several event loops. The thread is a daemon: a process that ends without
    `close` does not wait for it.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._jobs: list[_Job] = []
        self._ready = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing = False

    def write(self, work: Callable[[sqlite3.Connection], T]) -> "asyncio.Future[T]":
        """Run the work in a transaction; the future is done once it is committed or rolled back.

        Writes that wait at the same time share a transaction, since a commit costs more than its content.
        Each still fails alone. A write whose future is cancelled before it begins does not run.
        """
        return self._submit(work, writes=True)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> "asyncio.Future[T]":
        """Run the work outside a transaction."""
        return self._submit(work, writes=False)

    async def close(self) -> None:
        """Finish what was submitted, close the connection and end the thread. New work opens it again."""
        with self._ready:
            thread = self._thread
            if thread is None:
                return
            closed = self._submit(self._disconnect, writes=False, connected=False)
            self._closing = True
        await closed
        thread.join(_JOIN_SECONDS)

    def _submit(self, work: Work, *, writes: bool, connected: bool = True) -> "asyncio.Future[t.Any]":
        job = _Job(work, asyncio.get_running_loop(), writes, connected)
        with self._ready:
            self._jobs.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="impasto-journal", daemon=True)
                self._thread.start()
            else:
                self._ready.notify()
        return job.future

    def _run(self) -> None:
        while jobs := self._take():
            for writes, group in groupby(jobs, lambda job: job.writes):
                batch = list(group)
                if writes:
                    self._commit(batch)
                else:
                    for job in batch:
                        self._run_one(job)
                _deliver(batch)

    def _take(self) -> "list[_Job]":
        """Wait for jobs; an empty list ends the thread."""
        with self._ready:
            while not self._jobs and not self._closing:
                self._ready.wait()
            jobs, self._jobs = self._jobs, []
            if not jobs:
                self._thread, self._closing = None, False
            return jobs

    def _run_one(self, job: "_Job") -> None:
        try:
            job.result = job.work(self._open()) if job.connected else job.work(t.cast("t.Any", None))
        except BaseException as error:  # noqa: BLE001 - raised where the future is awaited
            job.error = error

    def _commit(self, batch: "Sequence[_Job]") -> None:
        try:
            _transact(self._open(), [job for job in batch if not job.future.cancelled()])
        except BaseException as error:  # noqa: BLE001 - raised where the futures are awaited
            for job in batch:
                job.error = job.error or error

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._connect()
        return self._connection

    def _disconnect(self, _: sqlite3.Connection) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class _Job:
    """Work with the future of its result."""

    __slots__ = ("connected", "error", "future", "loop", "result", "work", "writes")

    def __init__(self, work: Work, loop: asyncio.AbstractEventLoop, writes: bool, connected: bool) -> None:
        self.work = work
        self.loop = loop
        self.writes = writes
        self.connected = connected
        self.future: asyncio.Future[t.Any] = loop.create_future()
        self.result: t.Any = None
        self.error: BaseException | None = None

    def run_in_savepoint(self, db: sqlite3.Connection) -> None:
        """Run the work and undo it if it fails; raises only if the whole transaction is gone."""
        db.execute("savepoint job")
        try:
            self.result = self.work(db)
        except BaseException as error:
            if not db.in_transaction:
                raise
            self.error = error
            db.execute("rollback to job")
        db.execute("release job")

    def resolve(self) -> None:
        """Set the future's result or exception."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


def _transact(db: sqlite3.Connection, jobs: Sequence[_Job]) -> None:
    """Run the jobs in one transaction; if one of them fails, run them again with a savepoint for each."""
    try:
        db.execute("begin immediate")
        for job in jobs:
            job.result = job.work(db)
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        if len(jobs) < 2:
            raise
        _transact_separately(db, jobs)


def _transact_separately(db: sqlite3.Connection, jobs: Sequence[_Job]) -> None:
    db.execute("begin immediate")
    try:
        for job in jobs:
            job.run_in_savepoint(db)
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def _deliver(jobs: Sequence[_Job]) -> None:
    """Resolve the futures with one call into each event loop: a call costs more than a future."""
    for loop, group in groupby(jobs, lambda job: job.loop):
        try:
            loop.call_soon_threadsafe(_resolve_all, list(group))
        except RuntimeError:  # the event loop was closed: nothing awaits these futures
            continue


def _resolve_all(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        job.resolve()
