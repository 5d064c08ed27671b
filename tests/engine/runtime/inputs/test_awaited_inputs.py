"""What a step that awaits a lazy input frees for others, and how it ends if it is stopped while it waits."""

import asyncio

import pytest

from impasto import SKIP, Integer, Lazy, Limits, Text, execute, node, start
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


class Running:
    """Nodes that count how many of them run at a time; `slow` runs for some turns of the event loop."""

    def __init__(self):
        self.now, self.peak, self.order = 0, 0, []

        @node(limit="acme")
        async def slow(*, n: int = 0) -> Integer:
            self.begin(f"slow {n}")
            for _ in range(3):
                await asyncio.sleep(0)
            self.now -= 1
            return n

        @node(limit="acme")
        async def ask(number: Lazy[Integer], *, n: int = 0) -> Integer:
            self.begin(f"ask {n}")
            self.now -= 1
            found = await number
            self.now += 1
            for _ in range(3):
                await asyncio.sleep(0)
            self.now -= 1
            return found + n

        self.nodes = [slow, ask]

    def begin(self, name):
        self.order.append(name)
        self.now += 1
        self.peak = max(self.peak, self.now)


def flow(askers=1, others=3):
    nodes = {"s": "slow", **{f"a{n}": ("ask", {"n": n}) for n in range(askers)}}
    nodes |= {f"o{n}": ("slow", {"n": n + 1}) for n in range(others)}
    return nodes, [("s.output", f"a{n}.number") for n in range(askers)]


async def free_slots(limits):
    """How many of three steps run at the same time within the limits."""
    running = Running()
    plan = plan_of(running.nodes, {f"o{n}": ("slow", {"n": n}) for n in range(3)})
    async with asyncio.timeout(20):
        assert (await execute(plan, limits=limits)).status == "finished"
    return running.peak


async def test_two_steps_may_await_the_same_source():
    running = Running()
    result = await execute(plan_of(running.nodes, *flow(askers=2, others=0)))
    assert [result.outputs[name] for name in ("a0.output", "a1.output")] == [0, 1]
    assert sorted(running.order) == ["ask 0", "ask 1", "slow 0"]


async def test_awaited_list_has_no_skipped_items():
    @node
    async def numbers() -> list[Integer]:
        return [1, 2, 3]

    @node
    async def odd(number: Integer) -> Integer:
        return number if number % 2 else SKIP

    @node
    async def total(numbers: Lazy[list[Integer]]) -> Integer:
        return sum(await numbers)

    plan = plan_of(
        [numbers, odd, total],
        {"n": "numbers", "o": "odd", "t": "total"},
        [("n.output", "o.number"), ("o.output", "t.numbers")],
    )
    assert (await execute(plan)).outputs["t.output"] == 4


async def test_step_that_awaits_two_inputs_at_the_same_time_makes_room_for_one():
    running = Running()

    @node
    async def both(one: Lazy[Integer], two: Lazy[Integer]) -> Integer:
        return sum(await asyncio.gather(one, two))

    plan = plan_of(
        [*running.nodes, both],
        {"s": "slow", "t": ("slow", {"n": 2}), "u": ("slow", {"n": 3}), "b": "both"},
        [("s.output", "b.one"), ("t.output", "b.two")],
    )
    async with asyncio.timeout(20):
        result = await execute(plan, max_concurrency=1)
    assert (result.outputs["b.output"], running.peak) == (2, 1)


async def test_thread_that_is_abandoned_while_it_awaits_an_input_makes_room_for_one():
    running = Running()
    started, release, gate = asyncio.Event(), asyncio.Event(), asyncio.Event()

    @node
    async def source() -> Text:
        started.set()
        await release.wait()
        return "s"

    @node
    async def opens() -> Integer:
        await gate.wait()
        return 9

    @node(id="after")
    async def after(number: Integer, *, n: int) -> Integer:
        running.begin(f"after {n}")
        await asyncio.sleep(0)
        running.now -= 1
        return n

    @node
    def wait(text: Lazy[Text]) -> Text:
        return text.wait()

    nodes = {"w": "wait", "x": "source", "g": "opens"} | {f"o{n}": ("after", {"n": n}) for n in range(4)}
    edges = [("x.output", "w.text"), *(("g.output", f"o{n}.number") for n in range(4))]
    plan = plan_of([source, opens, after, wait], nodes, edges)
    async with asyncio.timeout(20), start(plan, max_concurrency=2, grace=0) as run:
        await started.wait()
        run.cancel_steps(["w"])
        finished = 0
        async for event in run.events():
            if event.type == "step.skipped":
                gate.set()
            finished += event.type == "step.finished"
            if finished == 5:
                release.set()
        result = await run.result()
    statuses = {name: step.status for name, step in result.steps.items()}
    assert statuses.pop("w") == "cancelled"
    assert set(statuses.values()) == {"finished"}
    assert running.peak == 1


async def test_step_that_awaits_an_input_counts_as_running_again_afterwards():
    running = Running()
    async with asyncio.timeout(20):
        result = await execute(plan_of(running.nodes, *flow(others=6)), max_concurrency=1)
    assert len(result.outputs) == 8
    assert running.peak <= 2  # a step that goes on does not wait for the one that has begun in its place


@pytest.mark.parametrize("slots", [1, 2])
async def test_slot_is_free_again_after_a_run_with_awaited_inputs(slots):
    limits, running = Limits({"acme": slots}), Running()
    plan = plan_of(running.nodes, *flow(askers=2))
    async with asyncio.timeout(20):
        for _ in range(3):
            assert (await execute(plan, limits=limits)).status == "finished"
    assert await free_slots(limits) == slots


@pytest.mark.parametrize("end", ["cancel", "step", "abandon"])
async def test_step_that_is_stopped_while_it_awaits_an_input_frees_its_slot(end):
    limits, started, ended = Limits({"acme": 1}), asyncio.Event(), []

    @node
    async def never() -> Text:
        started.set()
        await asyncio.Event().wait()
        return ""

    @node(limit="acme")
    async def ask(text: Lazy[Text]) -> Text:
        try:
            return await text
        finally:
            ended.append("asked")

    plan = plan_of([never, ask], {"n": "never", "a": "ask"}, [("n.output", "a.text")])
    async with asyncio.timeout(20):
        run = await start(plan, limits=limits).begin()
        await started.wait()
        if end == "abandon":
            await run.abandon()
        else:
            if end == "step":
                run.cancel_steps(["a", "n"])
            result = await (run.cancel() if end == "cancel" else run.result())
            assert [step.status for step in result.steps.values()] == ["cancelled", "cancelled"]
    assert ended == ["asked"]
    assert await free_slots(limits) == 1


async def test_step_that_returns_before_an_input_that_it_awaits_keeps_no_place_and_no_slot():
    limits, may_end, left_behind, order = Limits({"acme": 1}), asyncio.Event(), [], []

    @node
    async def quick() -> Integer:
        return 1

    @node
    async def slow() -> Integer:
        await may_end.wait()
        return 2

    async def value_of(number):
        return await number

    @node(limit="acme")
    async def first(one: Lazy[Integer], two: Lazy[Integer]) -> Integer:
        both = [asyncio.ensure_future(value_of(number)) for number in (one, two)]
        left_behind.append(both[1])
        done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        return sum(task.result() for task in done)

    @node
    async def release(number: Integer) -> Integer:
        may_end.set()
        await left_behind[0]
        return number

    @node
    async def after(number: Integer, *, name: str) -> Text:
        order.append("begin")
        await asyncio.sleep(0)
        order.append("end")
        return name

    plan = plan_of(
        [quick, slow, first, release, after],
        {"q": "quick", "s": "slow", "f": "first", "r": "release"}
        | {name: ("after", {"name": name}) for name in "xy"},
        [
            ("q.output", "f.one"),
            ("s.output", "f.two"),
            ("f.output", "r.number"),
            ("r.output", "x.number"),
            ("r.output", "y.number"),
        ],
    )
    async with asyncio.timeout(20), start(plan, max_concurrency=2, limits=limits) as run:
        events = [event.type async for event in run.events()]
    assert events.count("step.finished") == 6
    assert order == ["begin", "begin", "end", "end"]
    assert await free_slots(limits) == 1


async def test_source_of_a_lazy_input_does_not_start_once_the_run_is_stopping():
    started, go_on, calls = asyncio.Event(), asyncio.Event(), []

    @node
    async def source() -> Text:
        calls.append("source")
        return "s"

    @node
    async def ask(text: Lazy[Text]) -> Text:
        started.set()
        await go_on.wait()
        return await text

    plan = plan_of([source, ask], {"s": "source", "a": "ask"}, [("s.output", "a.text")])
    async with asyncio.timeout(20), start(plan) as run:
        await started.wait()
        ending = asyncio.create_task(run.cancel())
        go_on.set()
        result = await ending
    assert (calls, result.status) == ([], "cancelled")
    assert {name: (step.status, step.reason) for name, step in result.steps.items()} == {
        "a": ("cancelled", "cancelled"),
        "s": ("skipped", "closed"),
    }
    assert [event.step for event in result.events if event.type == "step.queued"] == ["a"]


@pytest.mark.parametrize(
    ("options", "most"), [({"max_concurrency": 2}, 1), ({"limits": {"acme": 1}}, 0)], ids=["place", "slot"]
)
async def test_step_that_goes_on_takes_its_place_and_its_slot_back(options, most):
    goes_on, release, calls = asyncio.Event(), asyncio.Event(), []
    now, peak = [], [0]

    @node
    async def source() -> Text:
        return "s"

    @node(limit="acme")
    async def ask(text: Lazy[Text]) -> Text:
        found = await text
        goes_on.set()
        await release.wait()
        return found

    @node
    async def opens() -> Text:
        await goes_on.wait()
        return "open"

    @node(limit="acme")
    async def after(text: Text, *, n: int) -> Text:
        calls.append(n)
        now.append(n)
        peak[0] = max(peak[0], len(now))
        await asyncio.sleep(0)
        now.remove(n)
        return text

    nodes = {"a": "ask", "s": "source", "g": "opens", **{f"o{n}": ("after", {"n": n}) for n in range(4)}}
    edges = [("s.output", "a.text"), *(("g.output", f"o{n}.text") for n in range(4))]
    async with (
        asyncio.timeout(20),
        start(plan_of([source, ask, opens, after], nodes, edges), **options) as run,
    ):
        await goes_on.wait()
        for _ in range(40):
            await asyncio.sleep(0)
        assert (len(calls), peak[0]) == (4 * most, most)
        release.set()
        result = await run.result()
    assert (len(calls), result.status) == (4, "finished")


async def test_source_of_a_source_does_not_run_unless_it_is_awaited():
    calls = []

    @node
    async def source() -> Text:
        calls.append("source")
        return "s"

    @node
    async def ignore(text: Lazy[Text]) -> Text:
        return "ignored"

    @node
    async def ask(text: Lazy[Text]) -> Text:
        return await text

    plan = plan_of(
        [source, ignore, ask],
        {"s": "source", "i": "ignore", "a": "ask"},
        [("s.output", "i.text"), ("i.output", "a.text")],
    )
    result = await execute(plan)
    assert (calls, result.outputs["a.output"], result.steps["s"].status) == ([], "ignored", "skipped")
