"""The operator's limits of what a run does: its steps, its duration, and the hosts that it reaches."""

import asyncio
from typing import Any

import pytest
from tests.server.sample_nodes import ARRIVALS, arrived, chain, flow, gate, sample_catalog

from impasto import Catalog, Context, Text, node

pytestmark = pytest.mark.anyio


@node(id="fetch")
async def fetch(text: Text, *, context: Context) -> Text:
    """Return what an address answers."""
    return (await context.http.get(text)).text


@pytest.fixture
def catalog() -> Catalog:
    return Catalog([*(found.function for found in sample_catalog()), fetch])


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


async def test_steps_reach_private_hosts_only_if_the_operator_allows_it(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nHi")
        writer.close()

    made = await make_flow(person, chain("fetch"))
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        for allowed, status, value in ((True, "finished", "Hi"), (False, "failed", None)):
            monkeypatch.setitem(app_state.settings.__dict__, "allow_private_hosts", allowed)
            run = await finished(
                person, await run_flow(person, made["id"], inputs={"ask": url}, reuse="none")
            )
            assert (run["status"], run["results"][0]["value"]) == (status, value)
