"""The order in which waiting runs start: users take turns, and launches overtake batches."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import update
from tests.server.responses import expect
from tests.server.sample_nodes import arrived, chain, gate

from impasto_server.runs.backends import fair_queue
from impasto_server.runs.backends.fair_queue import Places
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio
Order = Callable[..., Awaitable[list[str]]]


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"max_concurrent_runs": 1, "reserved_runs": 0, "lease_seconds": 3600}


@pytest.fixture
async def busy(new_person: Any, make_flow: Any, run_flow: Any) -> None:
    """The only place is taken, by a user who has nothing else in the queue."""
    zoe = await new_person("zoe")
    made = await make_flow(zoe, chain("wait"))
    await run_flow(zoe, made["id"])
    await arrived("gate")


@pytest.fixture
def order(app_state: Any) -> Order:
    """Return a function that says in which order runs would start, without starting them."""

    async def read(free: int = 20, reserved: int = 0) -> list[str]:
        places = Places(free, reserved, suspects=True)
        async with app_state.database.reading() as session:
            return list(await session.scalars(fair_queue.NEXT_RUNS, places.parameters()))

    return read


async def batch(person: Any, flow_id: str, rows: int) -> list[str]:
    table = "\n".join(["ask", *(f"row {index}" for index in range(rows))])
    headers = {"content-type": "text/csv"}
    path = f"/flows/{flow_id}/batch?version=draft"
    response = await person.client.post(path, content=table, headers=headers)
    expect(response, 202)
    return [run["id"] for run in response.json()["runs"]]


async def test_users_take_turns(
    busy: None, person: Any, new_person: Any, make_flow: Any, run_flow: Any, order: Order
) -> None:
    flow = (await make_flow(person))["id"]
    first = [(await run_flow(person, flow))["id"] for _ in range(3)]
    noor = await new_person("noor")
    flow = (await make_flow(noor))["id"]
    second = [(await run_flow(noor, flow))["id"] for _ in range(2)]
    assert await order() == [first[0], second[0], first[1], second[1], first[2]]


async def test_launch_overtakes_batches_of_the_same_user_and_of_others(
    busy: None, person: Any, new_person: Any, make_flow: Any, run_flow: Any, order: Order
) -> None:
    flow = (await make_flow(person))["id"]
    own_batch = await batch(person, flow, 3)
    own_launch = (await run_flow(person, flow))["id"]
    noor = await new_person("noor")
    other_launch = (await run_flow(noor, (await make_flow(noor))["id"]))["id"]
    expected = [own_launch, other_launch, *own_batch]
    assert await order() == expected


async def test_runs_under_way_count_as_turns(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, order: Order
) -> None:
    flow = (await make_flow(person, chain("wait")))["id"]
    await run_flow(person, flow)
    await arrived("gate")
    waiting = (await run_flow(person, flow))["id"]
    noor = await new_person("noor")
    later = (await run_flow(noor, (await make_flow(noor))["id"]))["id"]
    assert await order() == [later, waiting]


async def test_batch_that_waits_long_is_not_overtaken_by_new_users(
    busy: None, person: Any, new_person: Any, make_flow: Any, run_flow: Any, order: Order, app_state: Any
) -> None:
    flow = (await make_flow(person))["id"]
    waiting = await batch(person, flow, 1)
    async with app_state.database.writing() as session:
        long_ago = datetime(2020, 1, 1, tzinfo=UTC)
        await session.execute(update(RunRow).where(RunRow.id == waiting[0]).values(created_at=long_ago))
    noor = await new_person("noor")
    later = (await run_flow(noor, (await make_flow(noor))["id"]))["id"]
    assert await order() == [*waiting, later]


async def test_reserved_place_takes_only_the_first_launch_of_a_user(
    busy: None, person: Any, new_person: Any, make_flow: Any, run_flow: Any, order: Order
) -> None:
    flow = (await make_flow(person))["id"]
    await batch(person, flow, 2)
    launches = [(await run_flow(person, flow))["id"] for _ in range(2)]
    noor = await new_person("noor")
    other = (await run_flow(noor, (await make_flow(noor))["id"]))["id"]
    assert await order(free=0, reserved=10) == [launches[0], other]


async def test_two_processes_never_claim_the_same_run(
    busy: None, person: Any, make_flow: Any, run_flow: Any, app_state: Any
) -> None:
    flow = (await make_flow(person))["id"]
    runs = [(await run_flow(person, flow))["id"] for _ in range(3)]
    claimed = []
    for owner in ("first", "second"):
        async with app_state.database.writing() as session:
            places = Places(2, 0, suspects=True)
            claimed += await fair_queue.claim(session, owner, datetime.now(UTC), 30, places)
    assert sorted(run.id for run in claimed) == runs


async def test_waiting_run_shows_its_position(
    busy: None, person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    flow = (await make_flow(person))["id"]
    runs = [await run_flow(person, flow) for _ in range(3)]
    assert [run["queue_position"] for run in runs] == [0, 1, 2]
    gate("gate").set()
    assert [(await finished(person, run))["queue_position"] for run in runs] == [None, None, None]


class TestReservedPlaces:
    """A process whose places are all taken by a batch."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"max_concurrent_runs": 2, "reserved_runs": 1, "lease_seconds": 3600}

    async def test_launch_starts_while_a_batch_holds_every_place(
        self, person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
    ) -> None:
        await batch(person, (await make_flow(person, chain("wait")))["id"], 20)
        await arrived("gate")
        noor = await new_person("noor")
        launched = await run_flow(noor, (await make_flow(noor))["id"])
        assert (await finished(noor, launched))["status"] == "finished"

    async def test_launch_starts_while_the_own_batch_holds_every_place(
        self, person: Any, make_flow: Any, run_flow: Any, finished: Any
    ) -> None:
        await batch(person, (await make_flow(person, chain("wait")))["id"], 20)
        await arrived("gate")
        launched = await run_flow(person, (await make_flow(person))["id"])
        assert (await finished(person, launched))["status"] == "finished"
