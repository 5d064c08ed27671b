import asyncio

import pytest
from tests.engine.runtime.run_nodes import calls

from impasto import (
    Catalog,
    Context,
    LeaseHeld,
    LeaseLost,
    MemoryJournal,
    RunExists,
    RunNotFound,
    SqliteJournal,
    Text,
    execute,
    node,
    resume,
    start,
)
from impasto.events import TERMINAL
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio
hold = {"on": True}


@pytest.fixture(autouse=True)
def held():
    hold["on"] = True


@node
async def step(text: Text = "", *, name: str) -> Text:
    calls.append(name)
    return text + name


@node
async def wait(text: Text, *, context: Context) -> Text:
    calls.append("wait")
    prediction = await context.recall("prediction")
    if prediction is None:
        calls.append("paid")
        context.charge(1.5, seconds=3)
        await context.remember("prediction", {"id": 7})
    if hold["on"]:
        calls.append("held")
        await asyncio.Event().wait()
    return text + str((await context.recall("prediction"))["id"])


NODES = [step, wait]
FLOW = {"a": ("step", {"name": "a"}), "w": "wait", "b": ("step", {"name": "b"})}
EDGES = [("a.output", "w.text"), ("w.output", "b.text")]


async def until_paid(run):
    async for event in run.events():
        if event.type == "step.started" and event.step == "w":
            break
    while "held" not in calls:
        await asyncio.sleep(0)


async def test_resume_runs_and_pays_for_no_finished_step_again(journal):
    run = start(plan_of(NODES, FLOW, EDGES), journal=journal, run_id="r")
    await run.begin()
    await until_paid(run)
    await run.abandon()
    assert calls == ["a", "wait", "paid", "held"]
    hold["on"] = False
    result = await resume("r", catalog=Catalog(NODES), journal=journal)
    assert calls == ["a", "wait", "paid", "held", "wait", "b"]
    assert (result.status, result.outputs["b.output"], result.cost_usd) == ("finished", "a7b", 1.5)
    assert [event.seq for event in result.events] == list(range(1, len(result.events) + 1))
    assert sum(event.type in ("run.finished", "run.failed", "run.cancelled") for event in result.events) == 1
    assert [event.data["resumed"] for event in result.events if event.type == "run.started"] == [False, True]


async def test_abandoned_run_has_no_final_event(journal):
    run = start(plan_of(NODES, FLOW, EDGES), journal=journal, run_id="r")
    await run.begin()
    await until_paid(run)
    await run.abandon()
    names = [record.name for record in await journal.read("r") if record.kind == "event"]
    assert not {"run.cancelled", "step.skipped", "run.failed"} & set(names)


async def test_cancelling_the_surrounding_asyncio_task_abandons_the_run(journal):
    run = start(plan_of(NODES, FLOW, EDGES), journal=journal, run_id="r")

    async def serve():
        async with run:
            await until_paid(run)
            await asyncio.Event().wait()

    task = asyncio.create_task(serve())
    while "held" not in calls:
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    hold["on"] = False
    assert (await resume("r", catalog=Catalog(NODES), journal=journal)).status == "finished"


async def test_resume_of_a_failed_run_runs_failed_and_skipped_steps(journal):
    @node
    async def moody(text: Text) -> Text:
        calls.append("moody")
        if hold["on"]:
            raise ValueError
        return text + "!"

    nodes = [*NODES, moody]
    plan = plan_of(
        nodes,
        {
            "a": ("step", {"name": "a"}),
            "m": "moody",
            "b": ("step", {"name": "b"}),
            "c": ("step", {"name": "c"}),
        },
        [("a.output", "m.text"), ("m.output", "b.text"), ("a.output", "c.text")],
    )
    assert (await execute(plan, journal=journal, run_id="r")).status == "failed"
    calls.clear()
    hold["on"] = False
    result = await resume("r", catalog=Catalog(nodes), journal=journal)
    assert (result.status, calls, result.outputs["b.output"]) == ("finished", ["moody", "b"], "a!b")


async def test_resumed_run_has_one_final_event_and_gapless_numbers(journal):
    @node
    async def thrice(text: Text) -> Text:
        calls.append("thrice")
        if calls.count("thrice") < 3:
            raise ValueError
        return text

    nodes = [*NODES, thrice]
    plan = plan_of(nodes, {"a": ("step", {"name": "a"}), "t": "thrice"}, [("a.output", "t.text")])
    first = await execute(plan, journal=journal, run_id="r")
    for status in ("failed", "finished"):
        async with resume("r", catalog=Catalog(nodes), journal=journal) as run:
            heard = [event.seq async for event in run.events(after=len(first.events))]
            result = await run.result()
        assert result.status == status
        kinds = [event.type for event in result.events]
        assert [kind for kind in kinds if kind in TERMINAL] == [f"run.{status}"] == kinds[-1:]
        assert [event.seq for event in result.events] == list(range(1, len(kinds) + 1))
        assert heard == list(range(len(first.events) + 1, len(kinds) + 1))
    assert kinds.count("run.started") == 3
    again = await resume("r", catalog=Catalog(nodes), journal=journal)
    assert [event.to_json() for event in again.events] == [event.to_json() for event in result.events]


async def test_resume_of_a_finished_run_returns_its_result(journal):
    plan = plan_of(NODES, {"a": ("step", {"name": "a"})})
    first = await execute(plan, journal=journal, run_id="r")
    calls.clear()
    again = await resume("r", catalog=Catalog(NODES), journal=journal)
    assert (calls, dict(again.outputs), again.status) == ([], dict(first.outputs), "finished")
    assert [event.to_json() for event in again.events] == [event.to_json() for event in first.events]


async def test_resume_uses_the_journalled_inputs_targets_and_budget(journal):
    plan = plan_of(NODES, FLOW, EDGES)
    await execute(plan, journal=journal, run_id="r", targets=["a"])
    result = await resume("r", catalog=Catalog(NODES), journal=journal)
    assert (set(result.steps), result.status) == ({"a"}, "finished")


async def test_duplicate_and_unknown_run_ids_are_refused(journal):
    plan = plan_of(NODES, {"a": ("step", {"name": "a"})})
    await execute(plan, journal=journal, run_id="r")
    with pytest.raises(RunExists, match="'r' already exists"):
        await execute(plan, journal=journal, run_id="r")
    with pytest.raises(RunNotFound):
        await resume("other", catalog=Catalog(NODES), journal=journal)


async def test_second_owner_is_refused_while_the_lease_lasts(journal):
    run = start(plan_of(NODES, FLOW, EDGES), journal=journal, run_id="r", owner="one")
    await run.begin()
    await until_paid(run)
    with pytest.raises(LeaseHeld, match="'one'"):
        await resume("r", catalog=Catalog(NODES), journal=journal, owner="two")
    await run.abandon()


async def test_run_that_another_owner_claimed_raises_lease_lost(journal):
    run = start(plan_of(NODES, FLOW, EDGES), journal=journal, run_id="r", owner="one", lease_seconds=0.01)
    await run.begin()
    run._parts.writer.on_first_flush = lambda: None  # the lease is not renewed
    await until_paid(run)
    hold["on"] = False
    await asyncio.sleep(0.02)
    result = await resume("r", catalog=Catalog(NODES), journal=journal, owner="two")
    assert result.status == "finished"
    run._parts.writer.buffer.emit("step.progress", "w", {"fraction": 1, "message": ""})
    with pytest.raises(LeaseLost):
        await run.result()
    events = [record for record in await journal.read("r") if record.kind == "event"]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_lease_is_renewed_while_the_run_lasts(kind, tmp_path, monkeypatch):
    now, renewed = [1000.0], asyncio.Queue()
    journal = (
        MemoryJournal(lambda: now[0]) if kind == "memory" else SqliteJournal(tmp_path / "j", lambda: now[0])
    )
    renew = journal.renew

    async def renewing(lease, seconds):
        await renew(lease, seconds)
        renewed.put_nowait(now[0])

    monkeypatch.setattr(journal, "renew", renewing)
    run = start(plan_of(NODES, FLOW, EDGES), journal=journal, run_id="r", owner="one", lease_seconds=0.1)
    await run.begin()
    await until_paid(run)
    now[0] = 2000.0  # after the end of the first lease
    async with asyncio.timeout(60):
        for _ in range(2):  # the first may have begun before the clock changed
            while await renewed.get() < 2000:
                pass
        with pytest.raises(LeaseHeld):
            await resume("r", catalog=Catalog(NODES), journal=journal, owner="two")
    await run.abandon()
    if kind == "sqlite":
        await journal.close()


async def test_failed_renewal_is_retried_while_the_lease_lasts():
    class Stumbling(MemoryJournal):
        failures = 1
        renewed = asyncio.Event()

        async def renew(self, lease, seconds):
            if self.failures:
                self.failures -= 1
                raise OSError("the database is restarting")
            await super().renew(lease, seconds)
            self.renewed.set()

    journal = Stumbling()
    run = start(plan_of(NODES, FLOW, EDGES), journal=journal, run_id="r", owner="one", lease_seconds=1.5)
    await run.begin()
    await until_paid(run)
    async with asyncio.timeout(10):
        await journal.renewed.wait()
    assert run._lost is None
    await run.abandon()


async def test_run_ends_when_no_renewal_succeeds():
    class Gone(MemoryJournal):
        async def renew(self, lease, seconds):
            raise OSError("the database is gone")

    run = start(plan_of(NODES, FLOW, EDGES), journal=Gone(), run_id="r", owner="one", lease_seconds=0.1)
    await run.begin()
    with pytest.raises(OSError, match="gone"):
        async with asyncio.timeout(10):
            await run.result()


async def test_journal_error_is_raised_to_the_caller():
    class Broken(MemoryJournal):
        async def append(self, lease, records):
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await execute(plan_of(NODES, {"a": ("step", {"name": "a"})}), journal=Broken())


async def test_events_are_delivered_only_when_durable():
    written, heard = [], []

    class Slow(MemoryJournal):
        async def append(self, lease, records):
            await asyncio.sleep(0.001)
            await super().append(lease, records)
            written.extend(record.seq for record in records if record.kind == "event")

    def listen(event):
        heard.append(event.seq)
        assert event.seq in written

    result = await execute(plan_of(NODES, {"a": ("step", {"name": "a"})}), journal=Slow(), listener=listen)
    assert heard == written == [event.seq for event in result.events]


async def test_step_with_effects_starts_only_when_its_inputs_are_durable():
    written: list[str] = []

    class Slow(SqliteJournal):
        async def append(self, lease, records):
            await asyncio.sleep(0.01)
            await super().append(lease, records)
            written.extend(record.step for record in records if record.name == "step.finished")

    @node
    async def effect(text: Text, *, context: Context) -> Text:
        assert "a" in written
        return text

    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        journal = Slow(f"{folder}/runs.db")
        plan = plan_of(
            [step, effect], {"a": ("step", {"name": "a"}), "e": "effect"}, [("a.output", "e.text")]
        )
        result = await execute(plan, journal=journal)
        await journal.close()
    assert result.status == "finished", result.error.detail


class SlowToWrite(SqliteJournal):
    """A slow journal that notes which steps it holds as finished."""

    def __init__(self, path):
        super().__init__(path)
        self.written: set[str] = set()
        self.appends = 0

    async def append(self, lease, records):
        await asyncio.sleep(0.01)
        await super().append(lease, records)
        self.appends += 1
        self.written |= {record.step for record in records if record.name == "step.finished"}


@pytest.mark.parametrize("kind", ["generative", "context", "thread"])
async def test_no_function_gets_a_value_that_a_crash_could_change(kind, tmp_path):
    @node(generative=True)
    async def generative() -> Text:
        return "made"

    @node
    async def context(*, context: Context) -> Text:
        return "made"

    @node
    def thread() -> Text:
        return "made"

    journal = SlowToWrite(tmp_path / "runs.db")
    seen = []

    @node
    async def plain(text: Text) -> Text:
        seen.append("m" in journal.written)
        return text

    plan = plan_of([generative, context, thread, plain], {"m": kind, "p": "plain"}, [("m.output", "p.text")])
    result = await execute(plan, journal=journal)
    await journal.close()
    assert (result.status, seen) == ("finished", [True])


async def test_reproducible_steps_are_journalled_in_one_batch(tmp_path):
    @node
    async def plain(text: Text = "") -> Text:
        return text + "."

    journal = SlowToWrite(tmp_path / "runs.db")
    nodes = {f"n{i}": "plain" for i in range(50)}
    plan = plan_of([plain], nodes, [(f"n{i}.output", f"n{i + 1}.text") for i in range(49)])
    result = await execute(plan, journal=journal)
    await journal.close()
    assert (result.outputs["n49.output"], len(journal.written)) == ("." * 50, 50)
    assert journal.appends < 5
