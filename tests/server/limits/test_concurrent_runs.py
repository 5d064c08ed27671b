"""The limit of concurrent runs per user: further ones wait, and other users' runs do not."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import update
from tests.server.responses import expect
from tests.server.sample_nodes import arrived, gate, waiting

from impasto_server.admin import people
from impasto_server.limits.schemas import LimitOverrides
from impasto_server.runs.backends import fair_queue
from impasto_server.runs.backends.fair_queue import Places
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"limit_concurrent_runs": 1, "max_concurrent_runs": 4, "reserved_runs": 0, "lease_seconds": 3600}


async def use_of(person: Any, name: str) -> int:
    items = expect(await person.client.get("/users/me/usage"), 200).json()["items"]
    return int(next(item["used"] for item in items if item["name"] == name))


async def test_next_run_waits_until_one_has_ended(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    first = await run_flow(person, (await make_flow(person, waiting("one")))["id"])
    await arrived("one")
    second = await run_flow(person, (await make_flow(person, waiting("two")))["id"])
    other = await new_person("ines")
    await run_flow(other, (await make_flow(other, waiting("three")))["id"])
    await arrived("three")  # the dispatcher has passed over the second run
    state = (await person.client.get(f"/runs/{second['id']}")).json()
    assert (state["status"], state["started_at"]) == ("queued", None)
    assert (await use_of(person, "concurrent_runs"), await use_of(person, "queued_runs")) == (1, 1)
    gate("one").set()
    assert (await finished(person, first))["status"] == "finished"
    await arrived("two")
    for name in ("two", "three"):
        gate(name).set()
    assert (await finished(person, second))["status"] == "finished"


async def test_processes_together_never_claim_more_than_the_limit(
    person: Any, make_flow: Any, run_flow: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stay_in_queue(run_id: str) -> None:
        """The test claims the runs itself."""

    await app_state.runs.stop()
    monkeypatch.setattr(app_state.runs, "submit", stay_in_queue)
    made = await make_flow(person, waiting("one"))
    runs = [(await run_flow(person, made["id"]))["id"] for _ in range(5)]

    async def claim(process: str, runs_per_user: int | None) -> list[str]:
        places = Places(20, 0, suspects=True, runs_per_user=runs_per_user)
        async with app_state.database.writing() as session:
            claimed = await fair_queue.claim(session, process, datetime.now(UTC), 3600, places)
        return sorted(run.id for run in claimed)

    assert await claim("a", 2) == runs[:2]
    assert await claim("b", 2) == []
    async with app_state.database.writing() as session:
        await session.execute(update(RunRow).where(RunRow.id == runs[0]).values(status="finished"))
    assert await claim("b", 2) == [runs[2]]
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(concurrent_runs=3))
    assert await claim("b", 2) == [runs[3]]
    assert await claim("b", None) == []
