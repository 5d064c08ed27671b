"""The daily quota counts each launch once."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow, gate

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("at_noon")]


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"daily_quota": 3, "book_a_call_url": "https://calls.example/book"}


async def used(person: Any) -> int:
    return int((await person.client.get("/users/me")).json()["quota"]["used"])


async def test_exceeded_quota_offers_a_call(person: Any, make_flow: Any, run_flow: Any) -> None:
    made = await make_flow(person)
    for _ in range(3):
        await run_flow(person, made["id"])
    refused = await run_flow(person, made["id"], status=429)
    assert refused["code"] == "quota_exceeded"
    assert refused["detail"] == "You exceeded your daily quota. Book a call with us to unlock more."
    assert refused["book_a_call_url"] == "https://calls.example/book"
    assert await used(person) == 3
    assert len((await person.client.get("/runs/")).json()["items"]) == 3


async def test_concurrent_launches_never_exceed_quota(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    body = {"inputs": {"ask": "x"}, "version": "draft"}
    answers = await asyncio.gather(
        *(person.client.post(f"/flows/{made['id']}/runs", json=body) for _ in range(10))
    )
    assert sorted(answer.status_code for answer in answers) == [202] * 3 + [429] * 7, [
        answer.text for answer in answers
    ]
    assert await used(person) == 3


async def test_users_have_separate_quotas(person: Any, new_person: Any, publish: Any, run_flow: Any) -> None:
    made = await publish(person, visibility="public")
    for _ in range(3):
        await run_flow(person, made["id"])
    other = await new_person("ines")
    await run_flow(other, made["id"], version=1)
    assert await used(other) == 1


async def test_quota_resets_at_midnight_utc(person: Any, make_flow: Any, run_flow: Any, clock: Any) -> None:
    made = await make_flow(person)
    now = clock()
    midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
    clock.travel(seconds=(midnight - now).total_seconds() - 600)
    await _sign_in_again(person)
    for _ in range(3):
        await run_flow(person, made["id"])
    state = (await person.client.get("/users/me")).json()["quota"]
    assert state == {"limit": 3, "used": 3, "resets_at": midnight.isoformat().replace("+00:00", "Z")}
    clock.travel(seconds=1200)
    await _sign_in_again(person)
    assert await used(person) == 0
    await run_flow(person, made["id"])


async def test_refused_launch_is_not_counted(person: Any, make_flow: Any, subtests: pytest.Subtests) -> None:
    made = await make_flow(person)
    cases: list[Any] = [{"inputs": {}}, {"inputs": {"ask": 5}}, {"version": 9}, {"targets": ["x"]}]
    for body in cases:
        with subtests.test(body=body):
            body = {"inputs": {"ask": "x"}, "version": "draft", **body}
            answer = await person.client.post(f"/flows/{made['id']}/runs", json=body)
            expect(answer, 404, 422)
            assert await used(person) == 0


async def test_launch_of_invalid_flow_is_not_counted(person: Any, make_flow: Any, run_flow: Any) -> None:
    made = await make_flow(person, flow("shout"))
    await run_flow(person, made["id"], status=422)
    assert await used(person) == 0


async def test_repeated_launch_counts_once(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    body = {"inputs": {"ask": "x"}, "version": "draft"}
    headers = {"Idempotency-Key": "launch-1"}
    ids = set()
    for _ in range(3):
        answer = await person.client.post(f"/flows/{made['id']}/runs", json=body, headers=headers)
        expect(answer, 202)
        ids.add(answer.json()["id"])
    assert len(ids) == 1
    assert await used(person) == 1


async def test_failed_run_is_counted(person: Any, make_flow: Any, run_flow: Any, finished: Any) -> None:
    made = await make_flow(person, chain("stumble"))
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["status"] == "failed"
    assert await used(person) == 1
    await person.client.post(f"/runs/{run['id']}/resume")
    assert await used(person) == 1


async def test_run_cancelled_while_running_is_counted(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("wait"))
    run = await run_flow(person, made["id"])
    async with asyncio.timeout(60):
        while not (await person.client.get(f"/runs/{run['id']}")).json()["started_at"]:
            await asyncio.sleep(0)
    await person.client.post(f"/runs/{run['id']}/cancel")
    assert (await finished(person, run))["status"] == "cancelled"
    assert await used(person) == 1
    gate("gate").set()


async def test_batch_counts_all_rows_or_none(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    path = f"/flows/{made['id']}/batch?version=draft"
    too_many = await person.client.post(path, json=[{"ask": str(row)} for row in range(4)])
    expect(too_many, 429, code="quota_exceeded")
    assert await used(person) == 0
    expect(await person.client.post(path, json=[{"ask": str(row)} for row in range(3)]), 202)
    assert await used(person) == 3


async def test_user_can_have_own_quota(person: Any, make_flow: Any, run_flow: Any, app_state: Any) -> None:
    from impasto_server.users.models import User

    async with app_state.database.writing() as session:
        (await session.get(User, await person.id())).daily_quota = 1
    made = await make_flow(person)
    await run_flow(person, made["id"])
    await run_flow(person, made["id"], status=429)
    assert (await person.client.get("/users/me")).json()["quota"]["limit"] == 1


async def _sign_in_again(person: Any) -> None:
    body = {"username": person.username, "password": "Thick-paint-7"}
    person.use((await person.client.post("/identity/sign-in", json=body)).json()["session"])
