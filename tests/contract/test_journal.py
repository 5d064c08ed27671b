"""The contract of journals, tested on each implementation of the engine."""

import asyncio

import pytest

from impasto import Lease, LeaseHeld, LeaseLost, MemoryJournal, Record, RunExists, RunNotFound, SqliteJournal

pytestmark = pytest.mark.anyio


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
async def journal(request, tmp_path, clock):
    if request.param == "memory":
        yield MemoryJournal(clock)
        return
    journal = SqliteJournal(tmp_path / "runs.db", clock)
    yield journal
    await journal.close()


HEAD = Record("head", body=b'{"flow":{}}')


def records(*names):
    return [Record("event", name, "step", index, 2.5, b'{"a":1}') for index, name in enumerate(names, 1)]


async def names(journal, run_id="r"):
    return [record.name for record in await journal.read(run_id) if record.kind == "event"]


async def test_records_are_read_in_order(journal):
    lease = await journal.create("r", "me", 30, [HEAD])
    await journal.append(lease, records("a", "b"))
    await journal.append(lease, [Record("memo", "k", "s#1", 0, 3.5, b"[1]")])
    await journal.append(lease, records("c"))
    found = [(r.kind, r.name, r.step, r.seq, r.time, bytes(r.body)) for r in await journal.read("r")]
    assert found == [
        ("head", "", None, 0, 0.0, b'{"flow":{}}'),
        ("event", "a", "step", 1, 2.5, b'{"a":1}'),
        ("event", "b", "step", 2, 2.5, b'{"a":1}'),
        ("memo", "k", "s#1", 0, 3.5, b"[1]"),
        ("event", "c", "step", 1, 2.5, b'{"a":1}'),
    ]


async def test_run_is_created_once(journal):
    await journal.create("r", "me", 30, [HEAD])
    with pytest.raises(RunExists):
        await journal.create("r", "you", 30, [HEAD])
    assert len(await journal.read("r")) == 1


async def test_unknown_run_is_not_found(journal):
    with pytest.raises(RunNotFound):
        await journal.read("r")
    with pytest.raises(RunNotFound):
        await journal.claim("r", "me", 30)
    unknown = Lease("r", "me", 1)
    with pytest.raises((RunNotFound, LeaseLost)):
        await journal.append(unknown, records("a"))
    with pytest.raises((RunNotFound, LeaseLost)):
        await journal.renew(unknown, 30)


async def test_lease_excludes_others_until_it_expires(journal, clock):
    assert await journal.create("r", "one", 30, [HEAD]) == Lease("r", "one", 1)
    with pytest.raises(LeaseHeld, match="'one'"):
        await journal.claim("r", "two", 30)
    clock.now += 29.5
    with pytest.raises(LeaseHeld):
        await journal.claim("r", "two", 30)
    clock.now += 0.5
    assert await journal.claim("r", "two", 20) == Lease("r", "two", 2)
    clock.now += 19.5
    with pytest.raises(LeaseHeld, match="'two'"):
        await journal.claim("r", "one", 30)
    clock.now += 0.5
    assert await journal.claim("r", "one", 30) == Lease("r", "one", 3)


async def test_renewing_extends_lease(journal, clock):
    lease = await journal.create("r", "one", 30, [HEAD])
    clock.now += 29
    await journal.renew(lease, 30)
    clock.now += 29.5
    with pytest.raises(LeaseHeld):
        await journal.claim("r", "two", 30)
    clock.now += 0.5
    assert (await journal.claim("r", "two", 30)).fence == 2


async def test_lease_with_old_fence_cannot_write(journal, clock):
    old = await journal.create("r", "one", 30, [HEAD])
    clock.now += 31
    new = await journal.claim("r", "two", 30)
    with pytest.raises(LeaseLost):
        await journal.append(old, records("late"))
    with pytest.raises(LeaseLost):
        await journal.renew(old, 30)
    await journal.release(old)
    with pytest.raises(LeaseHeld):
        await journal.claim("r", "three", 30)
    await journal.append(new, records("good"))
    assert await names(journal) == ["good"]


async def test_expired_lease_can_write_until_claimed(journal, clock):
    lease = await journal.create("r", "one", 30, [HEAD])
    clock.now += 100
    await journal.append(lease, records("a"))
    await journal.renew(lease, 30)
    assert await names(journal) == ["a"]


async def test_released_run_can_be_claimed_and_old_lease_is_lost(journal):
    lease = await journal.create("r", "one", 30, [HEAD])
    await journal.release(lease)
    with pytest.raises(LeaseLost):
        await journal.append(lease, records("late"))
    with pytest.raises(LeaseLost):
        await journal.renew(lease, 30)
    assert await names(journal) == []
    assert (await journal.claim("r", "two", 30)).fence == 2


async def test_owner_can_claim_again(journal):
    first = await journal.create("r", "one", 30, [HEAD])
    second = await journal.claim("r", "one", 30)
    with pytest.raises(LeaseLost):
        await journal.append(first, records("late"))
    await journal.append(second, records("good"))
    assert await names(journal) == ["good"]


async def test_one_of_concurrent_claims_succeeds(journal, clock):
    await journal.create("r", "one", 30, [HEAD])
    clock.now += 31
    responses = await asyncio.gather(
        *(journal.claim("r", f"owner {n}", 30) for n in range(8)), return_exceptions=True
    )
    assert sorted(type(response).__name__ for response in responses) == ["Lease"] + ["LeaseHeld"] * 7


async def test_runs_are_separate(journal):
    one = await journal.create("one", "me", 30, [HEAD])
    two = await journal.create("two", "me", 30, [HEAD])
    await asyncio.gather(journal.append(one, records("a")), journal.append(two, records("b")))
    assert (await names(journal, "one"), await names(journal, "two")) == (["a"], ["b"])


async def test_empty_batch_appends_nothing(journal):
    lease = await journal.create("r", "me", 30, [HEAD])
    await journal.append(lease, [])
    await journal.append(lease, records("a"))
    assert await names(journal) == ["a"]


async def test_sqlite_journal_is_read_by_next_process(tmp_path):
    first = SqliteJournal(tmp_path / "runs.db")
    lease = await first.create("r", "one", 0.0, [HEAD])
    await first.append(lease, records("a"))
    await first.close()
    second = SqliteJournal(tmp_path / "runs.db")
    lease = await second.claim("r", "two", 30)
    await second.append(lease, records("b"))
    assert await names(second) == ["a", "b"]
    await second.close()


async def test_close_waits_for_pending_writes(tmp_path):
    journal = SqliteJournal(tmp_path / "runs.db")
    leases = [await journal.create(f"run {number}", "one", 0.0, [HEAD]) for number in range(3)]
    writes = [asyncio.ensure_future(journal.append(lease, records("a"))) for lease in leases]
    writes[0].add_done_callback(lambda _: writes.append(asyncio.ensure_future(journal.release(leases[1]))))
    await writes[0]
    await journal.close()
    await asyncio.gather(*writes)
    again = SqliteJournal(tmp_path / "runs.db")
    assert [record.name for record in await again.read("run 2")][-1:] == ["a"]
    await again.close()


async def test_concurrent_writes_fail_independently(journal):
    held = await journal.create("a", "first", 30, [Record("head")])
    made = await asyncio.gather(
        *(journal.create(f"run {number}", "first", 30, [Record("head")]) for number in range(5)),
        journal.create("a", "second", 30, [Record("head")]),
        journal.append(held, [Record("memo", "kept")]),
        journal.claim("unknown", "second", 30),
        return_exceptions=True,
    )
    assert [lease.run_id for lease in made[:5]] == [f"run {number}" for number in range(5)]
    assert isinstance(made[5], RunExists)
    assert made[6] is None
    assert isinstance(made[7], RunNotFound)
    assert [record.name for record in await journal.read("a")] == ["", "kept"]
    assert all([len(await journal.read(lease.run_id)) == 1 for lease in made[:5]])


async def test_writes_beside_a_failed_one_are_committed(tmp_path):
    journal, other = SqliteJournal(tmp_path / "runs.db"), SqliteJournal(tmp_path / "runs.db")
    await journal.create("a", "first", 30, [HEAD])
    await asyncio.gather(
        journal.create("b", "first", 30, [HEAD]),
        journal.create("a", "second", 30, [HEAD]),
        return_exceptions=True,
    )
    assert [record.kind for record in await other.read("b")] == ["head"]
    await journal.close()
    await other.close()
