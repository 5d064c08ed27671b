"""Which waiting runs start next, by the rows of the queue."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto_server.container import AppState
from impasto_server.runs.backends import fair_queue
from impasto_server.runs.backends.fair_queue import ClaimedRun, Places
from impasto_server.runs.models import Priority, QueueTurnRow, RunRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
WAITING: dict[str, Any] = {"status": "queued"}
LIVE: dict[str, Any] = {"status": "running", "lease_owner": "a process", "lease_until": AT}
BATCH = {"priority": Priority.BATCH}


def at(seconds: float) -> dict[str, Any]:
    return {"created_at": AT + timedelta(seconds=seconds)}


def of(user_id: str) -> dict[str, Any]:
    return {"owner_id": user_id}


@pytest.fixture(autouse=True)
async def others(app_state: AppState, owner: str) -> None:
    """Two users beside Mara; Noor may have three runs under way."""
    async with app_state.database.writing() as session:
        for name, limits in (("ines", {}), ("noor", {"concurrent_runs": 3})):
            session.add(User(id=name, username=name, username_key=name, created_at=AT, limits=limits))


async def order(app_state: AppState, free: int = 20, reserved: int = 0, **about: Any) -> list[str]:
    places = Places(free, reserved, **{"suspects": True, **about})
    async with app_state.database.reading() as session:
        return list(await session.scalars(fair_queue.NEXT_RUNS, places.parameters()))


async def test_of_equal_turns_the_user_who_has_waited_longest_is_first(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(
        r1=WAITING | at(0), r2=WAITING | at(0), r3=WAITING | LIVE, r4=at(0),
        i1=WAITING | of("ines") | at(-9) | {"enqueued_at": AT + timedelta(seconds=10)},
        n1=WAITING | of("noor") | at(1),
    )  # fmt: skip
    assert await order(app_state) == ["n1", "i1", "r1", "r2"], "a run of Mara is under way"
    async with app_state.database.writing() as session:
        session.add(QueueTurnRow(owner_id="noor", served_at=AT + timedelta(seconds=20)))
    assert await order(app_state) == ["i1", "n1", "r1", "r2"]
    async with app_state.database.reading() as session:
        places = [await fair_queue.position(session, each) for each in ("i1", "r2", "r3", "r4", "gone")]
    assert places == [0, 3, None, None, None]
    assert await fair_queue.position_of_launched(app_state.database, "n1") == 1
    assert await fair_queue.position_of_launched(app_state.database, "r3") is None


async def test_launch_overtakes_a_batch_that_waits_at_most_a_minute_longer(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(batch=WAITING | BATCH | at(0), launch=WAITING | of("ines"))
    for seconds, expected in ((59, "launch"), (60, "launch"), (61, "batch")):
        async with app_state.database.writing() as session:
            await session.execute(update(RunRow).where(RunRow.id == "launch").values(at(seconds)))
        assert (await order(app_state))[0] == expected
        assert await order(app_state, free=1) == [expected]


async def test_launch_of_a_user_is_before_the_users_batch(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(r1=WAITING | BATCH, r2=WAITING | BATCH, r3=WAITING | at(900))
    assert await order(app_state) == ["r3", "r1", "r2"]


async def test_one_suspect_starts_at_a_time(app_state: AppState, owner: str, store: Store) -> None:
    crashed = WAITING | {"crashes": 1}
    await store(r1=crashed, r2=crashed, r3=WAITING, i1=crashed | of("ines") | at(-1))
    assert await order(app_state) == ["i1", "r3"]
    assert await order(app_state, suspects=False) == ["r3"]
    async with app_state.database.writing() as session:
        claimed = await fair_queue.claim(session, "me", AT, 30, Places(9, 0, suspects=True))
        row = await session.get_one(RunRow, "i1", populate_existing=True)
        assert (row.lease_owner, row.lease_until) == ("me", AT + timedelta(seconds=30))
    assert sorted(claimed, key=lambda run: run.id) == [ClaimedRun("i1", True), ClaimedRun("r3", False)]
    async with app_state.database.reading() as session:
        served = await session.get_one(QueueTurnRow, "ines")
        assert served.served_at == AT
    await store(n1=WAITING | of("noor"))
    assert await order(app_state) == ["n1", "r1"], "a run that has not crashed is no suspect"


async def test_user_has_as_many_runs_under_way_as_the_limit_allows(
    app_state: AppState, owner: str, store: Store
) -> None:
    waiting = {f"r{number}": WAITING for number in (1, 2, 3)}
    noors = {f"n{number}": WAITING | of("noor") | at(1) for number in (1, 2, 3, 4)}
    await store(**waiting, **noors, live=LIVE)
    assert await order(app_state, runs_per_user=2) == ["n1", "r1", "n2", "n3"]
    assert await order(app_state, runs_per_user=1) == ["n1", "n2", "n3"]
    assert len(await order(app_state)) == 6, "Noor has a limit of her own"


async def test_reserved_places_take_the_first_launch_of_each_user(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(
        r1=WAITING, r2=WAITING, i1=WAITING | BATCH | of("ines"), i2=WAITING | BATCH | of("ines"),
        n1=WAITING | of("noor") | at(1), n2=WAITING | of("noor") | at(1),
    )  # fmt: skip
    assert await order(app_state, free=0, reserved=5) == ["r1", "n1"]
    assert await order(app_state, free=0, reserved=1) == ["r1"]
    assert await order(app_state, free=1, reserved=5) == ["r1", "n1"]
    assert await order(app_state, free=3, reserved=0) == ["r1", "n1", "i1"]
    await store(live=LIVE | of("noor"), batch=LIVE | BATCH)
    assert await order(app_state, free=0, reserved=5) == ["r1"], "Noor has a launch under way, Mara a batch"
