"""How a run begins and ends: its first record, its lease, and what later calls change."""

import asyncio
import json
import os
import re
import socket
from concurrent.futures import ProcessPoolExecutor
from typing import Annotated, Any

import pytest
from tests.engine.runtime.run_nodes import NODES
from tests.fork_server import forking_context, will_fork

from impasto import (
    Catalog,
    InputsInvalid,
    LeaseHeld,
    MemoryJournal,
    NodeError,
    RunNotFound,
    Setting,
    Text,
    compile,
    execute,
    node,
    resume,
    start,
)
from impasto.testing import flow_of, plan_of

IMPORTS = will_fork(__name__)
pytestmark = pytest.mark.anyio
EDGES = [("p.output", "w.text"), ("w.output", "s.text")]


async def others():
    """Let everything else that is ready run first."""
    for _ in range(20):
        await asyncio.sleep(0)


class Held:
    """A node `wait` that waits for the test, and calls `on_cancel` when it is cancelled."""

    def __init__(self):
        self.has_started, self.release = asyncio.Event(), asyncio.Event()
        self.on_cancel = lambda: None

        @node
        async def wait(text: Text) -> Text:
            self.has_started.set()
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                self.on_cancel()
                await others()
                raise
            return text

        self.plan = plan_of([*NODES, wait], {"p": "say", "w": "wait", "s": "shout"}, EDGES)


def say_plan():
    return plan_of(NODES, {"p": "say"})


async def test_first_record_has_the_flow_the_inputs_and_the_options():
    journal, plan = MemoryJournal(), say_plan()
    await execute(plan, {"p": "tea"}, journal=journal, run_id="given", seed=3, budget_usd=2, targets=["p"])
    await execute(plan, journal=journal, run_id="plain", allow_unpriced=True)
    heads = [(await journal.read(run_id))[0] for run_id in ("given", "plain")]
    given, plain = (json.loads(head.body) for head in heads)
    assert [(head.kind, head.name, head.step, head.seq) for head in heads] == [("head", "", None, 0)] * 2
    assert given == {
        **json.loads(plan.document),
        "inputs": {"p": "tea"},
        "options": {"targets": ["p"], "fresh": [], "reuse": "changed", "budget_usd": 2.0, "seed": 3},
    }
    assert (plain["inputs"], plain["options"]["allow_unpriced"]) == ({}, True)


async def owner_of_run():
    """Return who owns a run while it lasts, and the number of the lease that follows."""
    journal, held = MemoryJournal(), Held()
    async with start(held.plan, journal=journal, run_id="r") as run:
        assert await run.begin() is run
        await held.has_started.wait()
        with pytest.raises(LeaseHeld) as refused:
            await journal.claim("r", "other", 30)
        held.release.set()
    return refused.value.owner, (await journal.claim("r", "other", 30)).fence


def owner_and_process():
    """Return who owns a run of this process, and the process's number."""
    return asyncio.run(owner_of_run())[0], os.getpid()


async def test_run_has_one_lease_of_its_process_while_it_lasts():
    owner, next_fence = await owner_of_run()
    assert re.fullmatch(rf"{re.escape(socket.gethostname())}:{os.getpid()}:[0-9a-f]{{8}}", owner)
    assert next_fence == 2
    assert await owner_of_run() == (owner, 2)


def test_forked_processes_do_not_own_the_runs_of_each_other():
    owners = set()
    for _ in range(2):
        with ProcessPoolExecutor(1, forking_context(*IMPORTS)) as pool:
            owner, process = pool.submit(owner_and_process).result(timeout=30)
        assert f":{process}:" in owner
        owners.add(owner)
    assert len(owners) == 2


async def test_run_belongs_to_the_owner_that_its_options_name():
    journal, held = MemoryJournal(), Held()
    async with start(held.plan, journal=journal, run_id="r", owner="me") as run:
        await held.has_started.wait()
        with pytest.raises(LeaseHeld, match="'me'"):
            await journal.claim("r", "other", 30)
        held.release.set()
        assert len(run.id) == 1
    assert re.fullmatch("[0-9a-f]{32}", (await execute(say_plan())).run_id)


async def test_run_that_cannot_begin_gives_its_lease_back():
    journal = MemoryJournal()
    await execute(say_plan(), journal=journal, run_id="r")

    def gone():
        raise NodeError("The agent was deleted.")

    with pytest.raises(NodeError, match="deleted"):
        await resume("r", catalog=Catalog(NODES), journal=journal, plan=gone)
    assert (await journal.claim("r", "other", 30)).fence == 3
    with pytest.raises(InputsInvalid):
        await execute(say_plan(), {"gone": 1}, journal=journal, run_id="never")
    assert (await execute(say_plan(), journal=journal, run_id="never")).status == "finished"


async def test_finished_run_is_resumed_without_another_event():
    journal = MemoryJournal()
    before = await execute(say_plan(), journal=journal, run_id="r")
    again = resume("r", catalog=Catalog(NODES), journal=journal)
    result = await again
    assert [event.to_json() for event in result.events] == [event.to_json() for event in before.events]
    assert [record.kind for record in await journal.read("r")] == ["head", *["event"] * len(before.events)]
    assert [event.seq async for event in again.events()] == [event.seq for event in before.events]


async def test_plan_of_a_run_is_known_once_it_begins():
    plan = say_plan()
    run = start(plan, run_id="r")
    with pytest.raises(RuntimeError, match=r"^run 'r' has no plan before it begins$"):
        _ = run.plan
    await run.begin()
    assert run.plan is plan
    await run.result()


async def test_events_and_cancel_begin_a_run_that_has_not_begun():
    run = start(say_plan())
    types = [event.type async for event in run.events()]
    assert (types[0], types[-1]) == ("run.started", "run.finished")
    await run.result()
    assert (await start(say_plan()).cancel()).status == "cancelled"


async def test_calls_before_the_beginning_and_after_the_end_change_nothing():
    run = start(say_plan())
    run.stop_spending(NodeError("too early"))
    await run.abandon()
    result = await run
    run.stop_spending(NodeError("too late"))
    run.cancel_steps(["gone"])
    await run.abandon()
    again = await run.result()
    assert (result.status, again.status, again.error) == ("finished", "finished", None)
    assert again.events == result.events


async def test_run_that_is_being_cancelled_takes_no_other_end():
    held = Held()

    def on_cancel():
        run.cancel_steps(["gone"])
        run.stop_spending(NodeError("too late"))

    held.on_cancel = on_cancel
    async with start(held.plan) as run:
        await held.has_started.wait()
        result = await run.cancel()
    assert (result.status, result.error) == ("cancelled", None)
    assert {name: step.status for name, step in result.steps.items()} == {
        "p": "finished",
        "w": "cancelled",
        "s": "skipped",
    }


async def test_run_that_timed_out_stays_so_when_it_is_cancelled_too():
    held, asked = Held(), []
    held.on_cancel = lambda: asked.append(asyncio.ensure_future(run.cancel()))
    async with start(held.plan, timeout=0.01) as run:
        result = await run.result()
    assert (await asked[0]).status == result.status == "failed"
    assert (result.error.code, result.error.retryable) == ("timeout", True)
    assert result.error.message == "The run took longer than its limit of 0.01 seconds."


async def test_run_whose_asyncio_tasks_are_cancelled_from_outside_ends_as_cancelled():
    held, others_tasks = Held(), asyncio.all_tasks()
    async with asyncio.timeout(20), start(held.plan) as run:
        await held.has_started.wait()
        await others()
        for task in asyncio.all_tasks() - others_tasks:
            task.cancel()
        result = await run.result()
    assert (result.status, result.error) == ("cancelled", None)
    statuses = {name: step.status for name, step in result.steps.items()}
    assert statuses == {"p": "finished", "w": "cancelled", "s": "skipped"}
    ended = [event.type for event in result.events if event.type in ("step.skipped", "step.failed")]
    assert ended == ["step.skipped"] * 2


async def test_block_that_is_left_by_an_error_cancels_the_run_and_one_that_ends_waits_for_it():
    held, heard = Held(), []

    async def leave():
        async with start(held.plan, listener=lambda event: heard.append(event.type)):
            await held.has_started.wait()
            raise KeyError

    with pytest.raises(KeyError):
        await leave()
    assert heard[-1] == "run.cancelled"
    heard.clear()
    async with start(say_plan(), listener=lambda event: heard.append(event.type)):
        pass
    assert heard[-1] == "run.finished"


async def test_step_that_waits_for_a_slot_ends_at_once_when_it_is_cancelled():
    has_started, release = asyncio.Event(), asyncio.Event()

    @node(limit="acme")
    async def ask(text: Text, *, n: int) -> Text:
        has_started.set()
        await release.wait()
        return text

    plan = plan_of(
        [*NODES, ask],
        {"p": "say", "a": ("ask", {"n": 1}), "b": ("ask", {"n": 2})},
        [("p.output", "a.text"), ("p.output", "b.text")],
    )
    async with asyncio.timeout(20), start(plan, limits={"acme": 1}) as run:
        await has_started.wait()
        await others()
        run.cancel_steps(["b"])
        async for event in run.events():
            if event.step == "b" and event.type != "step.queued":
                break
        release.set()
        result = await run.result()
    assert event.type == "step.skipped"
    assert {name: step.status for name, step in result.steps.items()} == {
        "p": "finished",
        "a": "finished",
        "b": "skipped",
    }


async def test_journal_without_a_first_record_is_not_claimed():
    journal = MemoryJournal()
    await journal.release(await journal.create("r", "me", 30, []))
    with pytest.raises(RunNotFound):
        await resume("r", catalog=Catalog(NODES), journal=journal)
    assert (await journal.claim("r", "other", 30)).fence == 2


async def test_agents_of_a_run_are_those_of_its_first_record():
    attempts = []

    @node
    async def once(text: Text) -> Text:
        attempts.append(text)
        if len(attempts) == 1:
            raise NodeError("No.")
        return text + "!"

    @node(subflow="flow")
    async def inner(*, flow: Annotated[dict[str, Any] | str, Setting()] = "") -> None:
        raise AssertionError("an agent is laid flat: its node never runs")

    catalog = Catalog([*NODES, once, inner])
    agent = flow_of({"p": "say", "o": "once"}, [("p.output", "o.text")]).to_dict()
    plan = compile(flow_of({"i": ("inner", {"flow": "agent"})}, []), catalog, flows={"agent": agent}.get)
    journal = MemoryJournal()
    assert (await execute(plan, journal=journal, run_id="r")).status == "failed"
    again = await resume("r", catalog=catalog, journal=journal)
    assert (again.status, again.outputs["i/o.output"], attempts) == ("finished", "hi!", ["hi", "hi"])
