"""Work on one SQLite connection: writes that wait share a transaction, and each fails alone."""

import asyncio
import sqlite3
import threading
from contextlib import suppress

import pytest

from impasto.journal.sqlite_thread import SqliteThread

pytestmark = pytest.mark.anyio


class File:
    """A database file whose statements are noted, and whose thread can be held up."""

    def __init__(self, path):
        self.path = path
        self.statements = []
        self.connections = []
        self.thread = SqliteThread(self.connect)
        self._gate = threading.Event()

    def connect(self):
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        db.execute("create table if not exists notes (text)")
        db.set_trace_callback(self.statements.append)
        self.connections.append(db)
        return db

    def hold(self):
        """Hold the thread up until `release`, so that what is submitted next waits together."""
        self._gate.clear()
        is_held = threading.Event()

        def wait(_):
            is_held.set()
            self._gate.wait(20)

        held = self.thread.read(wait)
        assert is_held.wait(20)  # else the thread might take the first of what is submitted next
        return held

    def release(self):
        self._gate.set()

    def insert(self, text, error=None):
        def work(db):
            db.execute(f"insert into notes values ('{text}')")
            if error is not None:
                raise error
            return text

        return self.thread.write(work)

    async def notes(self):
        found = await self.thread.read(lambda db: db.execute("select text from notes").fetchall())
        self.statements.pop()
        return [text for (text,) in found]


@pytest.fixture
async def file(tmp_path):
    made = File(tmp_path / "notes.db")
    yield made
    made.release()
    await made.thread.close()


def names(text="impasto-journal"):
    return [thread for thread in threading.enumerate() if thread.name == text]


async def test_writes_that_wait_share_a_transaction(file):
    file.hold()
    writes = [file.insert(text) for text in "ab"]
    file.release()
    assert await asyncio.gather(*writes) == ["a", "b"]
    assert file.statements == [
        "begin immediate",
        "insert into notes values ('a')",
        "insert into notes values ('b')",
        "commit",
    ]
    assert await file.notes() == ["a", "b"]


async def test_write_that_fails_is_undone_alone(file):
    file.hold()
    writes = [file.insert("a"), file.insert("b", KeyError("b")), file.insert("c")]
    file.release()
    found = await asyncio.gather(*writes, return_exceptions=True)
    assert (found[0], repr(found[1]), found[2]) == ("a", "KeyError('b')", "c")
    assert file.statements == [
        "begin immediate",
        "insert into notes values ('a')",
        "insert into notes values ('b')",
        "rollback",
        "begin immediate",
        "savepoint job",
        "insert into notes values ('a')",
        "release job",
        "savepoint job",
        "insert into notes values ('b')",
        "rollback to job",
        "release job",
        "savepoint job",
        "insert into notes values ('c')",
        "release job",
        "commit",
    ]
    assert await file.notes() == ["a", "c"]


async def test_only_write_that_fails_is_undone_and_not_repeated(file):
    with pytest.raises(KeyError):
        await file.insert("a", KeyError("a"))
    assert file.statements == ["begin immediate", "insert into notes values ('a')", "rollback"]
    assert await file.notes() == []


async def test_write_that_ends_the_transaction_fails_all_that_share_it(file):
    def end(db):
        db.execute("rollback")
        raise KeyError("gone")

    file.hold()
    writes = [file.insert("a"), file.thread.write(end), file.insert("b")]
    file.release()
    found = await asyncio.gather(*writes, return_exceptions=True)
    assert [repr(each) for each in found] == ["KeyError('gone')"] * 3
    assert await file.notes() == []
    assert await file.insert("c") == "c"
    assert await file.notes() == ["c"]


async def test_write_that_cannot_be_undone_alone_undoes_all_that_share_its_transaction(file):
    def odd(db):
        with suppress(sqlite3.OperationalError):
            db.execute("release job")
        raise KeyError("odd")

    file.hold()
    writes = [file.insert("a"), file.thread.write(odd), file.insert("b")]
    file.release()
    found = await asyncio.gather(*writes, return_exceptions=True)
    assert all("no such savepoint" in str(each) or isinstance(each, KeyError) for each in found)
    assert await file.insert("c") == "c"
    assert await file.notes() == ["c"]


async def test_reads_and_writes_are_done_in_order_and_reads_are_in_no_transaction(file):
    def is_in_transaction(db):
        return db.in_transaction

    file.hold()
    work = [
        file.thread.read(is_in_transaction),
        file.insert("a"),
        file.thread.read(lambda db: db.execute("select count(*) from notes").fetchone()[0]),
        file.thread.write(is_in_transaction),
    ]
    file.release()
    assert await asyncio.gather(*work) == [False, "a", 1, True]


async def test_write_that_is_cancelled_before_it_begins_does_not_run(file):
    file.hold()
    first, second = file.insert("a"), file.insert("b")
    first.cancel()
    file.release()
    assert await second == "b"
    assert await file.notes() == ["b"]


async def test_every_call_fails_if_there_is_no_connection():
    def refuse():
        raise OSError("no such folder")

    thread = SqliteThread(refuse)
    work = [thread.read(lambda _: 1), thread.write(lambda _: 2), thread.write(lambda _: 3)]
    found = await asyncio.gather(*work, return_exceptions=True)
    assert [str(each) for each in found] == ["no such folder"] * 3
    await thread.close()


async def test_closing_finishes_what_was_submitted_and_ends_the_thread(tmp_path):
    before = names()
    file = File(tmp_path / "notes.db")
    await file.thread.close()
    assert (file.connections, names()) == ([], before)
    for text in "ab":
        file.hold()
        write = file.insert(text)
        (thread,) = [each for each in names() if each not in before]
        assert thread.daemon
        closing = asyncio.create_task(file.thread.close())
        await asyncio.sleep(0)
        assert not closing.done()
        file.release()
        await closing
        assert await write == text
        thread.join(20)
        assert not thread.is_alive()
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            file.connections[-1].execute("select 1")
    assert len(file.connections) == 2
    with sqlite3.connect(file.path) as db:
        assert db.execute("select text from notes").fetchall() == [("a",), ("b",)]
    db.close()


async def test_work_of_an_event_loop_that_was_closed_does_not_hold_up_others(file):
    async def submit():
        file.insert("a")

    file.hold()
    await asyncio.to_thread(lambda: asyncio.run(submit()))
    write = file.insert("b")
    file.release()
    assert await write == "b"
    assert await file.notes() == ["a", "b"]


async def test_cancelled_call_takes_no_result_and_the_thread_goes_on(file):
    held = file.hold()
    held.cancel()
    file.release()
    with suppress(asyncio.CancelledError):
        await held
    assert await file.insert("a") == "a"
