"""Drafts, saves and versions of agents and brands count as stored bytes."""

from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import func, select
from tests.server.responses import expect
from tests.server.sample_nodes import chain

from impasto_server.admin import people
from impasto_server.db.types import json_bytes
from impasto_server.http import idempotency
from impasto_server.http.idempotency import StoredResponse
from impasto_server.limits.errors import LimitReached
from impasto_server.limits.schemas import LimitOverrides

pytestmark = pytest.mark.anyio


async def stored_bytes(person: Any) -> int:
    items = (await person.client.get("/users/me/usage")).json()["items"]
    return int(next(item["used"] for item in items if item["name"] == "stored_bytes"))


async def save(person: Any, made: dict[str, Any], document: dict[str, Any], *, keep: bool = True) -> Any:
    revision = (await person.client.get(f"/flows/{made['id']}")).json()["revision"]
    path = f"/flows/{made['id']}/draft?keep={str(keep).lower()}"
    return await person.client.put(path, json=document, headers={"If-Match": f'"{revision}"'})


def document(length: int) -> dict[str, Any]:
    """A document that takes a little more than `length` bytes."""
    return {**chain("shout"), "name": "é" * (length // 2)}


async def test_drafts_saves_and_versions_count_until_the_agent_is_deleted(
    person: Any, make_flow: Any
) -> None:
    first, second = document(3000), document(5000)
    made = await make_flow(person, first)
    assert await stored_bytes(person) == json_bytes(first)
    expect(await save(person, made, second), 200)
    assert await stored_bytes(person) == 2 * json_bytes(second)  # the draft and the kept save
    expect(await person.client.post(f"/flows/{made['id']}/publish"), 200)
    published = 3 * json_bytes(second)
    assert published <= await stored_bytes(person) <= published + 10  # with its empty set of subflows
    expect(await person.client.delete(f"/flows/{made['id']}"), 204)
    assert await stored_bytes(person) == 0


async def test_thinned_saves_no_longer_count(person: Any, make_flow: Any, app_state: Any) -> None:
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(versions=2))
    made = await make_flow(person)
    for length in (1000, 2000, 3000, 4000):
        expect(await save(person, made, document(length)), 200)
    kept = [document(4000), document(4000), document(3000)]  # the draft and the two newest saves
    assert await stored_bytes(person) == sum(map(json_bytes, kept))


async def test_full_storage_refuses_saves_copies_and_versions(
    person: Any, make_flow: Any, app_state: Any
) -> None:
    made = await make_flow(person, document(1000))
    used = await stored_bytes(person)
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(stored_bytes=used + 10))
    refusals = [
        await save(person, made, document(3000)),
        await person.client.post(f"/flows/{made['id']}/publish"),
        await person.client.post(f"/flows/{made['id']}/duplicate"),
        await person.client.post("/flows/import", json=document(1000)),
        await person.client.post("/brands/", json={"name": "Fjell"}),
    ]
    for answer in refusals:
        refused = expect(answer, 413, code="stored_bytes_limit").json()
        assert refused["used"] == used
        assert ", and this save adds " in refused["detail"]
        assert "Delete assets or agents that you no longer need" in refused["detail"]
    assert await stored_bytes(person) == used
    unchanged = (await person.client.get(f"/flows/{made['id']}")).json()
    assert (unchanged["revision"], unchanged["flow"]["name"]) == (1, document(1000)["name"])


async def test_document_may_grow_to_the_limit_and_always_become_smaller(person: Any, app_state: Any) -> None:
    user_id, row = await person.id(), SimpleNamespace(owner_id=None, stored_bytes=40)
    await people.set_limits(app_state, None, user_id, LimitOverrides(stored_bytes=100))
    async with app_state.database.writing() as session:
        for owner_id, size in ((user_id, 140), (None, 10_000), (user_id, 9_999)):
            row.owner_id = owner_id
            await app_state.limits.count_documents(session, row, size)
            assert row.stored_bytes == size
        row.stored_bytes = 40
        with pytest.raises(LimitReached) as refused:
            await app_state.limits.count_documents(session, row, 141)
    assert row.stored_bytes == 40
    assert refused.value.detail.startswith("You store 0 bytes of 100 bytes, and this save adds 101 bytes.")


async def test_drafts_and_versions_of_brands_count(person: Any) -> None:
    before = expect(await person.client.post("/brands/", json={"name": "Fjell"}), 201).json()
    draft = await stored_bytes(person)
    assert draft > 0
    expect(await person.client.post(f"/brands/{before['id']}/publish"), 200)
    assert await stored_bytes(person) == 2 * draft
    expect(await person.client.delete(f"/brands/{before['id']}"), 204)
    assert await stored_bytes(person) == 0


async def test_kept_responses_of_a_user_take_bounded_space(
    person: Any, new_person: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    noor = await new_person("noor")
    expect(await check(noor, "noor"), 200)
    first = expect(await check(person, "0"), 200)
    async with app_state.database.reading() as session:
        mine = StoredResponse.owner_id == await person.id()
        size = await session.scalar(select(StoredResponse.bytes).where(mine))
    monkeypatch.setattr(idempotency, "MAX_BYTES", 3 * size)
    for number in range(1, 6):
        expect(await check(person, str(number)), 200)
    async with app_state.database.reading() as session:
        taken = await session.scalar(select(func.sum(StoredResponse.bytes)).where(mine))
    assert 0 < taken <= 3 * size
    newest = await check(person, "5")
    assert newest.headers.get("idempotency-replayed") == "true"
    assert newest.json() == first.json()
    assert "idempotency-replayed" not in (await check(person, "0")).headers  # the oldest was deleted
    assert (await check(noor, "noor")).headers.get("idempotency-replayed") == "true"


async def check(person: Any, key: str) -> Any:
    headers = {"Idempotency-Key": f"check number {key}"}
    return await person.client.post("/flows/check", json=document(2000), headers=headers)
