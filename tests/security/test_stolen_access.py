"""Stolen sessions and API keys: what a thief holds ends when the owner ends it, wherever it is in use."""

from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.security.accounts import NEW, OWNER, STRANGER, forgot, reset
from tests.server.conftest import PASSWORD
from tests.server.responses import expect
from tests.server.runs.sse_client import follow
from tests.server.sample_nodes import chain, gate

from impasto_server.runs.events import stream

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def check_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams check every 50 ms whether what opened them is still valid."""
    monkeypatch.setattr(stream, "CHECK_SECONDS", 0.05)


async def new_key(person: Any) -> dict[str, str]:
    made = await person.client.post("/api-keys", json={"name": "robot", "scopes": ["read"]})
    key: dict[str, str] = expect(made, 201).json()
    return key


async def robot_of(person: Any, client: httpx.AsyncClient) -> httpx.AsyncClient:
    """Let the client use a new API key of the person."""
    client.headers["Authorization"] = f"Bearer {(await new_key(person))['key']}"
    return client


async def test_stream_ends_with_its_session(person: Any, app: FastAPI, make_flow: Any, run_flow: Any) -> None:
    made = await make_flow(person, chain("wait"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await live.until("step.started")
        expect(await person.client.post("/identity/sign-out"), 204)
        await live.rest()
        assert live.ended


async def test_stream_ends_with_its_api_key(person: Any, app: FastAPI, make_flow: Any, run_flow: Any) -> None:
    made = await make_flow(person, chain("wait"))
    run = await run_flow(person, made["id"])
    key = await new_key(person)
    async with follow(app, SimpleNamespace(token=key["key"]), run["id"]) as live:
        await live.until("step.started")
        expect(await person.client.delete(f"/api-keys/{key['id']}"), 204)
        await live.rest()
        assert live.ended
    async with follow(app, person, run["id"]) as live:
        await live.until("step.started")
        gate("gate").set()
        assert (await live.rest())[-1]["type"] == "run.finished"


async def test_api_key_expires_after_90_days_by_default(
    person: Any, client: httpx.AsyncClient, clock: Any
) -> None:
    client = await robot_of(person, client)
    clock.travel(days=89)
    expect(await client.get("/flows/"), 200)
    clock.travel(days=1, seconds=1)
    refused = await client.get("/flows/")
    expect(refused, 401, code="key_expired")
    assert "This API key expired on " in refused.json()["detail"]


async def test_reset_revokes_api_keys(person: Any, client_at: Any, mailbox: Any) -> None:
    robot = await robot_of(person, client_at(STRANGER))
    expect(await robot.get("/flows/"), 200)
    owner = client_at(OWNER)
    await forgot(owner)
    expect(await reset(owner, mailbox.code()), 204)
    expect(await robot.get("/flows/"), 401)


@pytest.mark.parametrize(("is_wanted", "status"), [(True, 401), (False, 200)])
async def test_password_change_revokes_api_keys_if_wanted(
    person: Any, client_at: Any, is_wanted: bool, status: int
) -> None:
    robot = await robot_of(person, client_at(STRANGER))
    body = {"old_password": PASSWORD, "new_password": NEW, "revoke_api_keys": is_wanted}
    expect(await person.client.post("/identity/change-password", json=body), 204)
    expect(await robot.get("/flows/"), status)
