"""The operator's limits of the steps and the duration of a run."""

import asyncio
from typing import Any

import pytest
from tests.server.sample_nodes import ARRIVALS, arrived, chain, flow, gate

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"max_concurrent_steps": 1}


async def test_run_executes_as_many_steps_at_a_time_as_are_allowed_and_only_for_some_time(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("one", "two")
    waiting = [{"id": name, "type": "wait", "settings": {"name": name}} for name in names]
    document = flow("ask", *waiting, edges=[f"ask.output -> {name}.text" for name in names])
    run = await run_flow(person, (await make_flow(person, document))["id"])
    first, second = await first_of(*names)
    seen = (await person.client.get(f"/runs/{run['id']}")).json()
    assert {step["id"]: step["status"] for step in seen["steps"]}[second] != "running"
    assert not ARRIVALS[second].is_set()
    gate(first).set()
    await arrived(second)
    gate(second).set()
    assert (await finished(person, run))["status"] == "finished"
    # As after a restart with another setting, which the frozen settings do not allow.
    monkeypatch.setitem(app_state.settings.__dict__, "run_timeout", 0.05)
    endless = await finished(person, await run_flow(person, (await make_flow(person, chain("wait")))["id"]))
    assert (endless["status"], endless["error"]["code"]) == ("failed", "timeout")


async def first_of(*names: str) -> tuple[str, ...]:
    """Return the names in the order in which their steps have started, as soon as one has."""
    waiting = [asyncio.create_task(arrived(name), name=name) for name in names]
    done, pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    return tuple(task.get_name() for task in (*done, *pending))
