"""The SQLite journal: upgrades of older files, and files that are not journals."""

import asyncio
import contextlib
import sqlite3
import subprocess
import sys

import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import (
    Catalog,
    ImpastoError,
    Lease,
    MemoryJournal,
    Record,
    RunNotFound,
    SqliteJournal,
    execute,
    resume,
)
from impasto.errors import JournalUnusable
from impasto.journal import sqlite as module
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


class Clock:
    """Stands still until it is set, in place of the module `time`."""

    def __init__(self):
        self.now = 1000.0

    def time(self):
        return self.now

    monotonic = time


OLD = """
create table runs (
    id text primary key, owner text, fence integer not null, expires real not null
) without rowid;
create table records (
    run_id text not null references runs (id), position integer not null, kind text not null,
    name text not null, step text, seq integer not null, time real not null, body blob not null,
    primary key (run_id, position)
) without rowid;
"""


async def a_journal_of_then(path, run_id):
    """The file that the first version would have left behind: the same records, one a row."""
    journal = SqliteJournal(path.with_suffix(".new"))
    plan = plan_of(NODES, {"p": "say", "s": "shout"}, [("p.output", "s.text")])
    await execute(plan, {"p": "tea"}, journal=journal, run_id=run_id)
    records = [entry for entry in await journal.read(run_id) if entry.name != "run.finished"]
    await journal.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(OLD)
        db.execute("insert into runs values (?, null, 3, 0)", (run_id,))
        rows = [
            (run_id, index, r.kind, r.name, r.step, r.seq, r.time, bytes(r.body))
            for index, r in enumerate(records)
        ]
        db.executemany("insert into records values (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        db.commit()
    return records


async def test_file_of_the_first_version_is_upgraded_and_its_runs_resume(tmp_path):
    path = tmp_path / "runs.db"
    records = await a_journal_of_then(path, "r")
    for _ in range(2):
        journal = SqliteJournal(path)
        assert list(await journal.read("r"))[: len(records)] == records
        await journal.close()
    journal = SqliteJournal(path)
    result = await resume("r", catalog=Catalog(NODES), journal=journal)
    await journal.close()
    assert (result.status, result.outputs["s.output"]) == ("finished", "TEA")
    assert [event.seq for event in result.events] == list(range(1, len(result.events) + 1))
    assert [event.type for event in result.events].count("step.started") == 2


async def test_concurrent_opens_upgrade_a_file_once(tmp_path):
    for turn in range(10):
        path = tmp_path / f"{turn}.db"
        records = await a_journal_of_then(path, "r")
        journals = [SqliteJournal(path) for _ in range(4)]
        found = await asyncio.gather(*(journal.read("r") for journal in journals))
        assert [list(each) for each in found] == [records] * 4
        await asyncio.gather(*(journal.close() for journal in journals))


@pytest.mark.parametrize("what", ["text", "another program's", "damaged"])
async def test_file_that_is_not_a_journal_is_refused_and_unchanged(tmp_path, what):
    path = tmp_path / "runs.db"
    if what == "text":
        path.write_text("Dear diary, " * 100)
    elif what == "damaged":
        path.write_bytes(b"SQLite format 3\0" + b"\x07" * 5000)
    else:
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("create table runs (name text)")
    journal = SqliteJournal(path)
    with pytest.raises(ImpastoError, match=r"runs\.db' cannot be used as a journal") as raised:
        await execute(plan_of(NODES, {"p": "say"}), journal=journal)
    await journal.close()
    assert type(raised.value).__name__ == "JournalUnusable"


@pytest.mark.parametrize("place", ["", "file/runs.db"], ids=["a folder", "below a file"])
async def test_path_that_no_file_can_have_is_refused(tmp_path, place):
    (tmp_path / "file").touch()
    journal = SqliteJournal(tmp_path / place)
    for _ in range(2):
        with pytest.raises(JournalUnusable, match=r"cannot be used as a journal: .+"):
            await journal.read("r")
    await journal.close()


@pytest.mark.parametrize("is_released", [True, False])
async def test_file_that_another_process_locks_is_opened_once_it_is_free(tmp_path, monkeypatch, is_released):
    path = tmp_path / "runs.db"
    waited = []
    with contextlib.closing(sqlite3.connect(path, check_same_thread=False, isolation_level=None)) as other:
        other.execute("create table notes (text)")
        other.execute("begin immediate")

        def wait(seconds):
            waited.append(seconds)
            if is_released:
                other.execute("commit")
            else:
                clock.now += 31.0

        clock = Clock()
        monkeypatch.setattr(module, "time", clock)
        clock.sleep = wait
        journal = SqliteJournal(path)
        if is_released:
            await journal.create("r", "me", 30, [Record("head")])
            assert other.execute("select id from runs").fetchall() == [("r",)]
        else:
            with pytest.raises(JournalUnusable, match="database is locked"):
                await journal.create("r", "me", 30, [Record("head")])
        await journal.close()
    assert waited == [0.01]


async def test_batches_of_a_run_have_positions_without_gaps(tmp_path):
    path = tmp_path / "runs.db"
    await a_journal_of_then(path, "old")
    journal = SqliteJournal(path)
    lease = await journal.create("new", "me", 30, [Record("head")])
    for _ in range(2):
        await journal.append(lease, [Record("event", "a"), Record("event", "b")])
    await journal.release(lease)
    for run_id in ("new", "old", "old"):
        lease = await journal.claim(run_id, "other", 30)
        for _ in range(2):
            await journal.append(lease, [Record("event", "c")])
    await journal.close()
    query = "select run_id, position from batches order by run_id, position"
    with contextlib.closing(sqlite3.connect(path)) as db:
        found = db.execute(query).fetchall()
    assert found == [("new", number) for number in range(5)] + [("old", number) for number in range(5)]


async def test_lease_of_an_unknown_run_is_not_released(tmp_path):
    """The server's journal has no say in it: its runs exist before they are leased."""
    file = SqliteJournal(tmp_path / "runs.db")
    for journal in (file, MemoryJournal()):
        with pytest.raises(RunNotFound):
            await journal.release(Lease("r", "me", 1))
    await file.close()


async def test_closed_journal_is_one_file_in_a_folder_that_is_made(tmp_path):
    path = tmp_path / "deep" / "folder" / "runs.db"
    for number in range(2):
        journal = SqliteJournal(path)
        await journal.create(f"run {number}", "me", 30, [Record("head")])
        assert {file.name for file in path.parent.iterdir()} == {"runs.db", "runs.db-shm", "runs.db-wal"}
        await journal.close()
        assert list(path.parent.iterdir()) == [path]


def test_process_ends_without_closing_its_journal(tmp_path):
    program = (
        "import asyncio, sys, impasto\n"
        "journal = impasto.SqliteJournal(sys.argv[1])\n"
        "asyncio.run(journal.create('r', 'me', 30, [impasto.Record('head')]))\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "runs.db")], check=True, timeout=20)
