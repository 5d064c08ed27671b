"""Idempotency-Key: a repeated request gets the first response, and is executed once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from anyio.lowlevel import checkpoint
from fastapi import FastAPI
from sqlalchemy import delete, func, select
from tests.server.resources import task_names
from tests.server.responses import expect, simultaneous_statuses

from impasto_server.http import idempotency
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio


async def post(client: httpx.AsyncClient, key: str, name: str = "Poster") -> httpx.Response:
    return await client.post("/flows/", json={"name": name}, headers={"Idempotency-Key": key})


async def count(client: httpx.AsyncClient) -> int:
    return len((await client.get("/flows/", params={"include_all": True})).json())


async def test_repeated_request_gets_first_response(person: Any) -> None:
    first = await post(person.client, "one")
    second = await post(person.client, "one")
    expect(first, 201)
    expect(second, 201)
    assert first.json() == second.json()
    assert second.headers["idempotency-replayed"] == "true"
    assert second.headers["content-type"] == "application/json"
    assert second.headers["x-request-id"] != first.headers["x-request-id"]
    assert await count(person.client) == 1


async def test_response_is_stored_before_it_is_sent(
    app: FastAPI, person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    complete = idempotency._Entry.complete

    async def complete_slowly(entry: Any, response: bytes | None) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        await complete(entry, response)
        happened.append("stored")

    async def app_seen(scope: Any, receive: Any, send: Any) -> None:
        async def seen(message: Any) -> None:
            if message["type"] == "http.response.start":
                happened.append("sent")
            await send(message)

        await app(scope, receive, seen)

    monkeypatch.setattr(idempotency._Entry, "complete", complete_slowly)
    transport = httpx.ASGITransport(app_seen)  # type: ignore[arg-type]
    async with httpx.AsyncClient(
        transport=transport, base_url="http://testserver/api/v1", headers=person.client.headers
    ) as client:
        await client.post("/flows/", json={"name": "Poster"}, headers={"Idempotency-Key": "one"})
    assert happened == ["stored", "sent"]


async def test_another_key_executes_again(person: Any) -> None:
    first, second = await post(person.client, "one"), await post(person.client, "two")
    assert first.json()["id"] != second.json()["id"]


async def test_key_of_another_request_is_refused(person: Any) -> None:
    await post(person.client, "one")
    answer = await post(person.client, "one", name="Another")
    expect(answer, 422, code="idempotency_key_reused")


async def test_key_is_scoped_to_path(person: Any) -> None:
    headers = {"Idempotency-Key": "one"}
    flow = await person.client.post("/flows/", json={"name": "Poster"}, headers=headers)
    body = {"name": "ci", "scopes": ["run"]}
    key = await person.client.post("/api-keys", json=body, headers=headers)
    expect(flow, 201)
    expect(key, 201)


async def test_failed_request_can_be_repeated_with_its_key(person: Any) -> None:
    expect(await post(person.client, "one", name=""), 422)
    expect(await post(person.client, "one"), 201)


async def test_expired_response_is_replaced(app_state: Any) -> None:
    entry = idempotency._Entry(app_state, "key", "mara")
    now = datetime.now(UTC)
    app_state.clock = lambda: now
    await entry.reserve("request")
    await entry.complete(b'{"status": 201}')
    now += timedelta(hours=24, milliseconds=1)
    assert await entry.reserve("another request") is None
    with pytest.raises(idempotency.RequestInProgress):
        await entry.reserve("another request")


async def test_key_of_a_dead_process_is_free_after_its_lease(
    person: Any, clock: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(*_: Any) -> None:
        """Store nothing, as a process that was killed."""

    with monkeypatch.context() as patch:
        patch.setattr(idempotency._Entry, "complete", die)
        await post(person.client, "one")
    expect(await post(person.client, "one"), 409, code="idempotency_in_progress")
    clock.travel(seconds=settings.lease_seconds + 1)
    expect(await post(person.client, "one"), 201)


async def test_key_of_a_long_request_stays_reserved(app_state: Any, settings: Settings) -> None:
    first, second = (idempotency._Entry(app_state, "key", "mara") for _ in range(2))
    now, lease = datetime.now(UTC), timedelta(seconds=settings.lease_seconds)
    app_state.clock = lambda: now
    assert await first.reserve("request") is None
    for _ in range(3):
        now += lease * 0.6
        assert await first._renew()
    now += lease
    with pytest.raises(idempotency.RequestInProgress):
        await second.reserve("request")
    now += timedelta(milliseconds=1)
    assert await second.reserve("request") is None
    now += timedelta(milliseconds=1)
    assert not await first._renew()
    await first.complete(None)  # does not release what the second has taken over
    with pytest.raises(idempotency.RequestInProgress):
        await first.reserve("request")


async def test_response_is_repeated_for_24_hours(app_state: Any) -> None:
    first, second = (idempotency._Entry(app_state, "key", "mara") for _ in range(2))
    now = datetime.now(UTC)
    app_state.clock = lambda: now
    await first.reserve("request")
    await first.complete(b'{"status": 201}')
    now += timedelta(hours=24)
    async with app_state.database.writing() as session:
        await idempotency.delete_expired(session, now)
    assert await second.reserve("request") == {"status": 201}
    now += timedelta(milliseconds=1)
    async with app_state.database.writing() as session:
        await idempotency.delete_expired(session, now)
        assert await session.scalar(select(func.count()).select_from(idempotency.StoredResponse)) == 0


async def test_key_whose_renewal_was_committed_without_an_answer_is_still_the_requests(
    app_state: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (idempotency._Entry(app_state, "key", "mara") for _ in range(2))
    await first.reserve("request")
    writing = app_state.database.writing

    @asynccontextmanager
    async def writing_without_answer() -> AsyncIterator[Any]:
        async with writing() as session:
            yield session
        raise ConnectionError

    clock.travel(seconds=1)
    with monkeypatch.context() as patch:
        patch.setattr(app_state.database, "writing", writing_without_answer)
        with pytest.raises(ConnectionError):
            await first._renew()
    await first.complete(None)
    assert await second.reserve("request") is None


async def test_response_is_sent_if_the_database_cannot_store_it(
    person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unreachable(*_: Any) -> None:
        raise ConnectionRefusedError(111, "Connect call failed")

    monkeypatch.setattr(idempotency._Entry, "complete", unreachable)
    expect(await post(person.client, "one"), 201)
    expect(await post(person.client, "two", name=""), 422)


async def test_concurrent_requests_execute_once(person: Any) -> None:
    statuses = await simultaneous_statuses(post(person.client, "one") for _ in range(3))
    assert statuses[0] == 201
    assert set(statuses) <= {201, 409}
    assert await count(person.client) == 1


async def test_response_with_cookie_is_not_stored(client: httpx.AsyncClient, person: Any) -> None:
    body = {"username": person.username, "password": "Thick-paint-7"}
    headers = {"Idempotency-Key": "one"}
    first = await client.post("/identity/sign-in", json=body, headers=headers)
    second = await client.post("/identity/sign-in", json=body, headers=headers)
    assert first.json()["session"]["identity_token"] != second.json()["session"]["identity_token"]


async def test_keys_are_scoped_to_user(new_person: Any) -> None:
    mara, noor = await new_person("mara"), await new_person("noor")
    body, headers = {"name": "ci", "scopes": ["run"]}, {"Idempotency-Key": "one"}
    first = await mara.client.post("/api-keys", json=body, headers=headers)
    other = await noor.client.post("/api-keys", json=body, headers=headers)
    expect(first, 201)
    expect(other, 201)
    assert first.json()["key"] != other.json()["key"]


async def test_ended_session_gets_no_stored_response(person: Any) -> None:
    body, headers = {"name": "ci", "scopes": ["run"]}, {"Idempotency-Key": "one"}
    expect(await person.client.post("/api-keys", json=body, headers=headers), 201)
    expect(await person.client.post("/api-keys", json=body, headers=headers), 201)
    await person.client.post("/identity/sign-out")
    again = await person.client.post("/api-keys", json=body, headers=headers)
    expect(again, 401, code="not_authenticated")


async def test_stored_response_is_encrypted(person: Any, settings: Any) -> None:
    headers = {"Idempotency-Key": "one"}
    answer = await person.client.post("/api-keys", json={"name": "ci", "scopes": ["run"]}, headers=headers)
    key = answer.json()["key"].encode()
    files = list(settings.data_dir.glob("impasto.db*"))
    assert files
    assert all(key not in file.read_bytes() for file in files)


@pytest.mark.parametrize("key", ["", "x" * 256])
async def test_malformed_key_is_refused(client: httpx.AsyncClient, key: str) -> None:
    expect(await post(client, key), 400)


async def test_key_of_a_request_is_renewed_after_each_third_of_its_lease_until_it_is_lost(
    app_state: Any,
) -> None:
    entry = idempotency._Entry(app_state, "key", "mara")
    await entry.reserve("request")
    async with entry.renewed():
        for _ in range(3):
            await checkpoint()
        assert len(entry._times) == 1
    app_state.settings = app_state.settings.model_copy(update={"lease_seconds": 0.003})
    entry = idempotency._Entry(app_state, "another key", "mara")
    await entry.reserve("request")
    async with entry.renewed(), asyncio.timeout(20):
        while len(entry._times) < 3:
            await asyncio.sleep(0)
        async with app_state.database.writing() as session:
            await session.execute(delete(idempotency.StoredResponse))
        while "idempotency key" in task_names():
            await asyncio.sleep(0)
