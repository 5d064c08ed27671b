"""Retention: what housekeeping deletes of runs, and what it keeps."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import func, select
from tests.server.sample_nodes import CALLS, chain

from impasto_server.housekeeping import run_housekeeping
from impasto_server.runs import retention
from impasto_server.runs.models import RecordRow, ReuseRow

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


async def kept(app_state: Any) -> int:
    async with app_state.database.reading() as session:
        return int(await session.scalar(select(func.count()).select_from(ReuseRow)) or 0)


async def written(app_state: Any) -> None:
    """Return when there are reusable results, which are written soon after a run. Raises TimeoutError."""
    async with asyncio.timeout(60):
        while not await kept(app_state):
            await asyncio.sleep(0.01)


async def passing(app_state: Any, run: dict[str, Any]) -> int:
    query = select(func.count()).where(RecordRow.run_id == run["id"], RecordRow.name == "step.partial")
    async with app_state.database.reading() as session:
        return int(await session.scalar(query) or 0)


async def again(person: Any) -> None:
    body = {"username": person.username, "password": "Thick-paint-7"}
    person.use((await person.client.post("/identity/sign-in", json=body)).json()["session"])


async def test_unused_reusable_results_are_deleted(
    person: Any, app_state: Any, clock: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("shout"))
    body = {"reuse": "changed"}
    await finished(person, await run_flow(person, made["id"], **body))
    assert CALLS["shout"] == 1
    await written(app_state)
    for _ in range(3):
        clock.travel(days=20)
        await again(person)
        await finished(person, await run_flow(person, made["id"], **body))
        await run_housekeeping(app_state)
    assert CALLS["shout"] == 1, "used each 20 days, it is kept for longer than 30"
    clock.travel(days=31)
    await run_housekeeping(app_state)
    assert await kept(app_state) == 0


async def test_progress_events_of_old_runs_are_deleted(
    person: Any,
    app_state: Any,
    clock: Any,
    make_flow: Any,
    run_flow: Any,
    finished: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retention, "_RUNS_AT_ONCE", 1)
    made = await make_flow(person, chain("spell"))
    runs = [await finished(person, await run_flow(person, made["id"], reuse="none")) for _ in range(2)]
    failing = await make_flow(person, chain("spell", "stumble"))
    failed = await finished(person, await run_flow(person, failing["id"], reuse="none"))
    assert all([await passing(app_state, run) > 0 for run in (*runs, failed)])
    clock.travel(days=31)
    await run_housekeeping(app_state)
    await again(person)
    assert [await passing(app_state, run) for run in runs] == [0, 0]
    assert await passing(app_state, failed) > 0, "it may be resumed"
    later = (await person.client.get(f"/runs/{runs[0]['id']}")).json()
    assert (later["status"], later["results"]) == ("finished", runs[0]["results"])
    events = await person.client.get(f"/runs/{runs[0]['id']}/events")
    assert "run.finished" in events.text
