"""A user who fills the server: parallel requests never take more than the limits allow, on both databases."""

import asyncio
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select
from tests.server.responses import expect
from tests.server.sample_nodes import chain, gate, png

from impasto_server.app import create_app
from impasto_server.limits.errors import LimitReached
from impasto_server.limits.models import SlotRow
from impasto_server.limits.schemas import LimitOverrides
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio

AT_ONCE = 8
LIMIT = 3
IMAGES = [png(10 + number) for number in range(AT_ONCE)]


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {
        "limit_assets": LIMIT,
        "limit_agents": LIMIT,
        "limit_brands": LIMIT,
        "limit_queued_runs": LIMIT,
        "limit_uploads": AT_ONCE,
        "limit_exports": LIMIT,
        "limit_streams": LIMIT,
        "limit_usd_per_day": "0.035",  # three runs of an agent that is expected to cost $0.01
        "max_concurrent_runs": 1,
        "database_pool": 5,
    }


def statuses(answers: list[httpx.Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


async def set_limits(app_state: Any, person: Any, limits: LimitOverrides) -> None:
    user_id = await person.id()
    async with app_state.database.writing() as session:
        await app_state.limits.set(session, user_id, limits)


async def launches(person: Any, flow_id: str) -> list[httpx.Response]:
    body = {"inputs": {"ask": "x"}, "version": "draft"}
    return await asyncio.gather(
        *(person.client.post(f"/flows/{flow_id}/runs", json=body) for _ in range(AT_ONCE))
    )


async def test_parallel_uploads_never_exceed_the_number_of_assets(person: Any) -> None:
    answers = await asyncio.gather(
        *(person.client.post("/assets/", files={"file": ("a.png", data, "image/png")}) for data in IMAGES)
    )
    assert statuses(answers) == [201] * LIMIT + [413] * (AT_ONCE - LIMIT)
    assert len((await person.client.get("/assets/library")).json()["items"]) == LIMIT


async def test_parallel_uploads_never_exceed_the_stored_bytes(person: Any, app_state: Any) -> None:
    room = sum(sorted(len(data) for data in IMAGES)[-LIMIT:])
    await set_limits(app_state, person, LimitOverrides(assets=100, stored_bytes=room))
    answers = await asyncio.gather(
        *(person.client.post("/assets/", files={"file": ("a.png", data, "image/png")}) for data in IMAGES)
    )
    stored = [answer.json()["bytes"] for answer in answers if answer.status_code == 201]
    assert {answer.status_code for answer in answers} == {201, 413}
    assert sum(stored) <= room
    items = (await person.client.get("/users/me/usage")).json()["items"]
    assert next(item["used"] for item in items if item["name"] == "stored_bytes") == sum(stored)


async def test_parallel_requests_never_exceed_the_number_of_agents(person: Any) -> None:
    answers = await asyncio.gather(
        *(person.client.post("/flows/", json={"name": f"Agent {n}"}) for n in range(AT_ONCE))
    )
    assert statuses(answers) == [201] * LIMIT + [429] * (AT_ONCE - LIMIT)


async def test_parallel_launches_never_exceed_the_waiting_runs(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, chain("wait"))
    answers = await launches(person, made["id"])
    # One of them may have left the queue: it is running.
    assert statuses(answers).count(202) in (LIMIT, LIMIT + 1)
    codes = {answer.json()["code"] for answer in answers if answer.status_code == 429}
    assert codes == {"queued_runs_limit"}
    gate("gate").set()


async def test_parallel_launches_never_reserve_more_than_the_dollars_of_the_day(
    person: Any, make_flow: Any, app_state: Any
) -> None:
    await set_limits(app_state, person, LimitOverrides(queued_runs=100))
    made = await make_flow(person, chain("wait", "paint"))
    answers = await launches(person, made["id"])
    assert statuses(answers) == [202] * LIMIT + [402] * (AT_ONCE - LIMIT)
    codes = {answer.json()["code"] for answer in answers if answer.status_code == 402}
    assert codes == {"spending_limit"}
    gate("gate").set()


async def test_parallel_exports_never_exceed_their_limit_across_servers(
    person: Any, app_state: Any, settings: Any, catalog: Any, clock: Any
) -> None:
    async with app_state.database.reading() as session:
        user = await session.get(User, await person.id())
    other = create_app(settings, catalog, clock=clock).state.app_state
    try:
        taken = await asyncio.gather(
            *(each.slots.take(user, "exports") for each in (app_state, other) * 4), return_exceptions=True
        )
        slots = [slot for slot in taken if isinstance(slot, str)]
        refused = [error for error in taken if isinstance(error, LimitReached)]
        assert (len(slots), len(refused)) == (LIMIT, AT_ONCE - LIMIT)
        for slot in slots:
            await app_state.slots.release(slot)
        async with app_state.database.reading() as session:
            assert await session.scalar(select(func.count()).select_from(SlotRow)) == 0
    finally:
        await other.slots.close()
        await other.database.close()


async def test_refused_upload_gives_its_slot_back(person: Any, app_state: Any) -> None:
    await set_limits(app_state, person, LimitOverrides(uploads=1))
    for _ in range(3):
        refused = await person.client.post("/assets/", files={"file": ("a.png", b"no image", "image/png")})
        expect(refused, 422)
    expect(await person.client.post("/assets/", content=b"x"), 422)
    async with app_state.database.reading() as session:
        assert await session.scalar(select(func.count()).select_from(SlotRow)) == 0


async def test_limits_of_one_user_do_not_stop_another(person: Any, new_person: Any) -> None:
    for number in range(LIMIT):
        expect(await person.client.post("/flows/", json={"name": f"Agent {number}"}), 201)
    expect(await person.client.post("/flows/", json={"name": "One more"}), 429)
    other = await new_person("ines")
    expect(await other.client.post("/flows/", json={"name": "First"}), 201)
