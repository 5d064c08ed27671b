"""`Idempotency-Key` of launches, also when a crash has lost the stored response."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_fixtures import crash

from impasto_server.runs import repository
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


async def launch(person: Any, flow: dict[str, Any], words: str = "x", key: str = "one") -> Any:
    body = {"inputs": {"ask": words}, "version": "draft"}
    return await person.client.post(f"/flows/{flow['id']}/runs", json=body, headers={"Idempotency-Key": key})


async def renew(person: Any) -> None:
    session = await person.client.post(
        "/identity/sign-in", json={"username": person.username, "password": "Thick-paint-7"}
    )
    person.use(session.json()["session"])


async def test_repeat_after_crash_returns_first_run(person: Any, make_flow: Any, app_state: Any) -> None:
    made = await make_flow(person)
    first = (await launch(person, made)).json()
    await crash(app_state)
    again = await launch(person, made)
    expect(again, 202)
    assert again.json()["id"] == first["id"]
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1


async def test_launch_whose_key_is_taken_in_the_meantime_returns_the_other_run(
    person: Any, make_flow: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await make_flow(person)
    first = (await launch(person, made)).json()
    await crash(app_state)
    find, looks = repository.by_launch_key, []

    async def find_after_commit(*given: Any) -> Any:
        looks.append(given)
        return None if len(looks) == 1 else await find(*given)

    monkeypatch.setattr(repository, "by_launch_key", find_after_commit)
    again = await launch(person, made)
    expect(again, 202)
    assert again.json()["id"] == first["id"]
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1


@pytest.mark.parametrize("crashed", [False, True])
async def test_different_body_under_same_key_is_rejected(
    person: Any, make_flow: Any, app_state: Any, crashed: bool
) -> None:
    made = await make_flow(person)
    await launch(person, made)
    if crashed:
        await crash(app_state)
    other = await launch(person, made, "something else")
    expect(other, 422, code="idempotency_key_reused")


async def test_launch_without_a_key_keeps_nothing_of_its_request(
    person: Any, make_flow: Any, run_flow: Any, app_state: Any
) -> None:
    made = await make_flow(person)
    run = await run_flow(person, made["id"])
    path = f"/flows/{made['id']}/batch?version=draft"
    batch = expect(await person.client.post(path, json=[{"ask": "x"}]), 202).json()
    async with app_state.database.reading() as session:
        for run_id in (run["id"], batch["runs"][0]["id"]):
            row = await session.get(RunRow, run_id)
            assert (row.launch_key, row.launch_digest) == (None, None)


async def test_key_is_scoped_to_agent(person: Any, make_flow: Any) -> None:
    first = (await launch(person, await make_flow(person))).json()
    second = await launch(person, await make_flow(person))
    expect(second, 202)
    assert second.json()["id"] != first["id"]


async def test_key_starts_another_run_after_24_hours(person: Any, make_flow: Any, clock: Any) -> None:
    made = await make_flow(person)
    first = (await launch(person, made)).json()
    clock.travel(hours=23)
    await renew(person)
    assert (await launch(person, made)).json()["id"] == first["id"]
    clock.travel(hours=2)
    await renew(person)
    later = await launch(person, made, "tomorrow")
    expect(later, 202)
    assert later.json()["id"] != first["id"]
