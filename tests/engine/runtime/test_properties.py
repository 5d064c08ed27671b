"""Properties of runs with random graphs, failures, cancellations and crashes."""

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto import SKIP, Catalog, Integer, MemoryCache, MemoryJournal, execute, node, resume, start
from impasto.testing import plan_of

TERMINAL = ("run.finished", "run.failed", "run.cancelled")


# Many examples: each is bounded by `run_bounded`.
pytestmark = pytest.mark.timeout(120)


def run_bounded(work):
    """Run a coroutine in an event loop of its own; fail if it has not ended after 10 s."""
    loop = asyncio.new_event_loop()
    task = loop.create_task(work)
    task.add_done_callback(lambda _: loop.stop())
    timer = loop.call_later(10, loop.stop)
    loop.run_forever()
    assert task.done(), "the run did not end within 10 s"
    timer.cancel()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
    return task.result()


@st.composite
def graphs(draw):
    """Generate each node's sources among the nodes before it, and the nodes that fail."""
    count = draw(st.integers(1, 12))
    sources = [
        draw(st.lists(st.integers(0, index - 1), max_size=3)) if index else [] for index in range(count)
    ]
    failing = draw(st.sets(st.integers(0, count - 1), max_size=2))
    return sources, failing


class World:
    """Counts calls, and the turns of the event loop that each node takes."""

    def __init__(self, failing, naps):
        self.failing = failing
        self.naps = random.Random(naps)
        self.calls = []
        self.finished = []
        self.turns = 0
        self.at = {}

        @node
        async def work(numbers: list[Integer] = [], *, n: int) -> Integer:  # noqa: B006
            self.calls.append(n)
            for _ in range(self.naps.randrange(3)):
                await asyncio.sleep(0)
                self.turn()
            self.turn()
            if n in self.failing:
                raise ValueError(n)
            self.finished.append(n)
            return n + sum(numbers)

        self.catalog = Catalog([work])

    def turn(self):
        self.turns += 1
        for action in self.at.pop(self.turns, ()):
            action()


def plan_for(world, sources):
    nodes = {f"n{index}": ("work", {"n": index}) for index in range(len(sources))}
    edges = [(f"n{a}.output", f"n{b}.numbers") for b, each in enumerate(sources) for a in each]
    return plan_of(list(world.catalog), nodes, edges)


def expected(sources, failing):
    values = []
    for index, each in enumerate(sources):
        broken = index in failing or any(values[source] is None for source in each)
        values.append(None if broken else index + sum(values[source] for source in each))
    return {f"n{index}.output": value for index, value in enumerate(values) if value is not None}


@given(graphs(), st.sets(st.integers(0, 11)))
def test_step_runs_exactly_if_it_has_no_sources_or_an_open_one(graph, closing):
    sources, _ = graph
    called = []

    @node
    async def work(numbers: list[Integer] = [], *, n: int) -> Integer:  # noqa: B006
        called.append(n)
        return SKIP if n in closing else n

    nodes = {f"n{index}": ("work", {"n": index}) for index in range(len(sources))}
    edges = [(f"n{a}.output", f"n{b}.numbers") for b, each in enumerate(sources) for a in dict.fromkeys(each)]
    result = run_bounded(execute(plan_of([work], nodes, edges)))
    runs, opens = [], []
    for index, each in enumerate(sources):
        runs.append(not each or any(opens[source] for source in each))
        opens.append(runs[index] and index not in closing)
    assert result.status == "finished"
    assert sorted(called) == [index for index, one in enumerate(runs) if one]
    assert {f"n{index}.output": index for index, one in enumerate(opens) if one} == dict(result.outputs)


def check_events(events):
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert events[0].type == "run.started"
    assert [event.type for event in events if event.type in TERMINAL] == [events[-1].type]
    for kind in ("step.started", "step.finished", "step.queued"):
        steps = [event.step for event in events if event.type == kind]
        assert len(steps) == len(set(steps))


@given(graphs(), st.integers(0, 99), st.sampled_from([None, 1, 2]))
def test_results_do_not_depend_on_scheduling(graph, naps, max_concurrency):
    sources, failing = graph
    world = World(failing, naps)
    result = run_bounded(execute(plan_for(world, sources), max_concurrency=max_concurrency))
    assert dict(result.outputs) == expected(sources, failing)
    assert result.status == ("failed" if failing else "finished")
    assert sorted(world.calls) == sorted(set(world.calls))
    check_events(result.events)
    statuses = {step.status for step in result.steps.values()}
    assert statuses <= {"finished", "failed", "skipped"}
    assert len(result.steps) == len(sources)


@given(graphs(), st.integers(0, 99), st.integers(1, 20))
def test_cancelled_run_ends_once_and_keeps_finished_steps(graph, naps, when):
    sources, failing = graph
    world = World(failing, naps)

    async def go():
        async with start(plan_for(world, sources)) as run:
            loop = asyncio.get_running_loop()
            world.at[when] = [lambda: loop.call_soon(run._parts.scheduler.cancellation.stop, "cancelled")]
            result = await run.result()
        assert len(asyncio.all_tasks()) == 1
        return result

    result = run_bounded(go())
    check_events(result.events)
    right = expected(sources, failing)
    assert all(right[name] == value for name, value in result.outputs.items())
    assert result.status in ("finished", "failed", "cancelled")
    assert {step.status for step in result.steps.values()} <= {"finished", "failed", "skipped", "cancelled"}


@given(graphs(), st.integers(0, 99), st.lists(st.integers(1, 12), min_size=1, max_size=3))
def test_durably_finished_step_never_runs_again(graph, naps, kills):
    sources, failing = graph
    world = World(failing, naps)
    journal = MemoryJournal()

    async def life(run, kill):
        if kill is not None:
            loop = asyncio.get_running_loop()
            await run.begin()
            world.at = {world.turns + kill: [lambda: loop.call_soon(run._parts.workers.abandon)]}
        result = await run.result()
        world.at = {}
        return result

    async def go():
        plan = plan_for(world, sources)
        result = await life(start(plan, journal=journal, run_id="r"), kills[0])
        for kill in (*kills[1:], None):
            durable = {event.step for event in await journal.read("r") if event.name == "step.finished"}
            world.calls.clear()
            result = await life(resume("r", catalog=world.catalog, journal=journal), kill)
            assert not {f"n{call}" for call in world.calls} & durable
        return result

    result = run_bounded(go())
    assert dict(result.outputs) == expected(sources, failing)
    numbers = [event.seq for event in result.events]
    assert numbers == list(range(1, len(numbers) + 1))
    finished = [event.step for event in result.events if event.type == "step.finished"]
    assert len(finished) == len(set(finished))


@given(graphs())
def test_intermediate_values_are_freed(graph):
    sources, _ = graph
    world = World(set(), 1)

    async def go():
        async with start(plan_for(world, sources)) as run:
            await run.result()
            read = {source for each in sources for source in each}
            return [run._parts.state.outputs[index].values for index in read]

    assert all(values is None for values in run_bounded(go()))


@st.composite
def alike(draw):
    """Generate nodes of which many are equal (few settings, few sources), and one change."""
    count = draw(st.integers(2, 12))
    sources = [
        draw(st.lists(st.integers(0, min(index, 4) - 1), max_size=2)) if index else []
        for index in range(count)
    ]
    settings = draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    return sources, settings, draw(st.integers(0, count - 1))


@given(alike())
def test_result_is_reused_only_where_it_would_be_equal(graph):
    sources, settings, changed = graph
    calls = []

    @node
    async def mix(numbers: list[Integer] = [], *, by: int) -> Integer:  # noqa: B006
        calls.append((by, tuple(numbers)))
        return (7 * by + sum(31 * number + place for place, number in enumerate(numbers))) % 1009

    def right(by):
        values = []
        for index, each in enumerate(sources):
            numbers = [values[source] for source in each]
            mixed = sum(31 * number + place for place, number in enumerate(numbers))
            values.append((7 * by[index] + mixed) % 1009)
        return {f"n{index}.output": value for index, value in enumerate(values)}

    cache = MemoryCache()
    for by in (settings, [*settings[:changed], 2, *settings[changed + 1 :]], settings):
        nodes = {f"n{index}": ("mix", {"by": each}) for index, each in enumerate(by)}
        edges = [(f"n{a}.output", f"n{b}.numbers") for b, each in enumerate(sources) for a in each]
        result = run_bounded(execute(plan_of([mix], nodes, edges), cache=cache, reuse="changed"))
        assert dict(result.outputs) == right(by)
    assert len(calls) == len(set(calls))
