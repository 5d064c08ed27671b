"""API keys: returned once, stored as a hash, limited by scopes."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from tests.server.conftest import Recorded
from tests.server.responses import expect, simultaneous_statuses
from tests.server.sample_nodes import chain

from impasto_server.api_keys import repository, service

pytestmark = pytest.mark.anyio


@pytest.fixture
def new_key(person: Any, new_client: Any) -> Any:
    """Create an API key of Mara's and a client that uses it."""

    async def make(*scopes: str, **body: Any) -> tuple[dict[str, Any], Any]:
        made = await person.client.post("/api-keys", json={"name": "robot", "scopes": list(scopes), **body})
        expect(made, 201)
        client = new_client()
        client.headers["Authorization"] = f"Bearer {made.json()['key']}"
        return dict(made.json()), client

    return make


async def test_key_is_returned_once(
    person: Any, new_key: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    monkeypatch.setattr(app_state, "clock", lambda: now)
    made, _ = await new_key("run", "read", name="  The robot ", expires_in_days=None)
    assert re.fullmatch("imp_[A-Za-z0-9_-]{43}", made["key"])
    stored = {
        "id": made["id"],
        "name": "The robot",
        "scopes": ["read", "run"],
        "last_four": made["key"][-4:],
        "created_at": "2026-03-01T12:00:00Z",
        "last_used_at": None,
        "expires_at": None,
    }
    assert made == {**stored, "key": made["key"]}
    listed = await person.client.get("/api-keys")
    assert listed.json() == {"items": [stored], "next_cursor": None}
    async with app_state.database.reading() as session:
        row = (await session.execute(text("select * from api_keys"))).one()
    assert made["key"] not in str(row)
    usual, _ = await new_key("run", "run")
    assert (usual["scopes"], usual["expires_at"]) == (["run"], "2026-05-30T12:00:00Z")


async def test_number_of_keys_is_limited(person: Any, new_key: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_KEYS", 2)
    made, _ = await new_key("run")
    await new_key("read")
    wanted = {"name": "robot", "scopes": ["run"]}
    refused = expect(await person.client.post("/api-keys", json=wanted), 409, code="too_many_keys")
    assert refused.json()["detail"] == "You have 2 API keys. Revoke one that you no longer need."
    expect(await person.client.delete(f"/api-keys/{made['id']}"), 204)
    await new_key("run")


async def test_keys_cannot_fill_the_audit_log(
    person: Any, new_key: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_MAX_CREATED", "2/hour")
    for _ in range(2):
        made, _ = await new_key("run")
        expect(await person.client.delete(f"/api-keys/{made['id']}"), 204)
    wanted = {"name": "robot", "scopes": ["run"]}
    refused = await person.client.post("/api-keys", json=wanted)
    expect(refused, 429, code="rate_limited")


async def test_run_scope_launches_and_reads(person: Any, new_key: Any, publish: Any) -> None:
    made = await publish(person, chain("paint"))
    _, robot = await new_key("run")
    run = await robot.post(f"/flows/{made['id']}/runs", json={"inputs": {"ask": "jug"}})
    expect(run, 202)
    await robot.get(f"/runs/{run.json()['id']}/events")
    done = (await robot.get(f"/runs/{run.json()['id']}")).json()
    assert done["status"] == "finished"
    expect(await robot.get(f"/assets/{done['results'][0]['value']['asset_id']}/content"), 200)
    expect(await robot.get("/nodes/"), 200)
    assert (await person.client.get("/api-keys")).json()["items"][0]["last_used_at"] is not None


async def test_read_scope_cannot_launch(person: Any, new_key: Any, publish: Any) -> None:
    made = await publish(person)
    _, robot = await new_key("read")
    expect(await robot.get("/flows/"), 200)
    refused = await robot.post(f"/flows/{made['id']}/runs", json={"inputs": {"ask": "jug"}})
    expect(refused, 403, code="scope_missing")
    assert refused.json()["detail"] == "The scopes of this API key do not allow this request."


async def test_api_key_cannot_manage_account_or_agents(new_key: Any, subtests: pytest.Subtests) -> None:
    _, robot = await new_key("run", "read")
    cases = [
        ("POST", "/flows/"),
        ("PATCH", "/flows/x"),
        ("DELETE", "/flows/x"),
        ("PUT", "/flows/x/draft"),
        ("POST", "/flows/x/publish"),
        ("DELETE", "/assets/x"),
        ("GET", "/api-keys"),
        ("POST", "/api-keys"),
        ("GET", "/credentials/"),
        ("PUT", "/credentials/openai"),
        ("GET", "/users/me"),
        ("DELETE", "/users/me"),
        ("GET", "/users/me/export"),
        ("POST", "/identity/change-password"),
    ]
    for method, path in cases:
        with subtests.test(method=method, path=path):
            answer = await robot.request(method, path, json={})
            expect(answer, 401, 403)


async def test_revoked_key_is_refused_at_once(person: Any, new_person: Any, new_key: Any) -> None:
    made, robot = await new_key("read")
    other = await new_person("ines")
    refused = expect(await other.client.delete(f"/api-keys/{made['id']}"), 404)
    assert refused.json()["detail"] == f"There is no API key {made['id']}."
    expect(await robot.get("/flows/"), 200)
    expect(await person.client.delete(f"/api-keys/{made['id']}"), 204)
    answer = await robot.get("/flows/")
    expect(answer, 401, code="not_authenticated")


async def test_key_expires(new_key: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    monkeypatch.setattr(app_state, "clock", lambda: now)
    made, robot = await new_key("read", expires_in_days=1)
    endless, _ = await new_key("read", expires_in_days=None)

    async def is_active(key: dict[str, Any]) -> bool:
        async with app_state.database.reading() as session:
            return await service.is_active(app_state, session, key["id"])

    now += timedelta(days=1, microseconds=-1)
    expect(await robot.get("/flows/"), 200)
    assert (await is_active(made), await is_active(endless), await is_active({"id": "none"})) == (
        True, True, False,
    )  # fmt: skip
    now += timedelta(microseconds=1)
    refused = expect(await robot.get("/flows/"), 401, code="key_expired")
    assert refused.json()["detail"] == (
        "This API key expired on 02 March 2026. Create a new one under Account."
    )
    assert (await is_active(made), await is_active(endless)) == (False, True)


async def test_last_use_is_stored_when_a_minute_has_passed_or_another_day_begins(
    new_key: Any, app_state: Any, recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    monkeypatch.setattr(app_state, "clock", lambda: now)
    made, robot = await new_key("read")
    used = []
    for after in (
        timedelta(),
        timedelta(minutes=1),
        timedelta(minutes=1, microseconds=1),
        timedelta(hours=12, seconds=-1),
        timedelta(hours=12),
        timedelta(hours=12, minutes=1, microseconds=1),
    ):
        now = noon + after
        expect(await robot.get("/flows/"), 200)
        async with app_state.database.reading() as session:
            used.append((await repository.find(session, made["id"])).last_used_at - noon)
    assert used == [
        timedelta(),
        timedelta(),
        timedelta(minutes=1, microseconds=1),
        timedelta(hours=12, seconds=-1),
        timedelta(hours=12),
        timedelta(hours=12, minutes=1, microseconds=1),
    ]
    first_of_each_day = [entry.at - noon for entry in await recorded("api_key.use")]
    assert first_of_each_day == [timedelta(), timedelta(hours=12)]


async def test_scopes_allow_calls_by_method_and_path(new_key: Any, app_state: Any) -> None:
    keys = {scope: (await new_key(scope))[0] for scope in ("read", "run")} | {"": (await new_key("read"))[0]}
    async with app_state.database.writing() as session:
        (await repository.find(session, keys[""]["id"])).scopes = []

    async def is_allowed(scope: str, method: str, path: str) -> bool:
        try:
            row = await service.authenticate(app_state, keys[scope]["key"], method, f"/api/v1{path}")
        except service.ScopeMissing:
            return False
        assert row is not None
        assert row.id == keys[scope]["id"]
        return True

    expected = {
        ("read", "GET", "/flows/"): True,
        ("read", "HEAD", "/assets/x/content"): True,
        ("run", "GET", "/batches/x"): True,
        ("read", "GET", "/users/me"): False,
        ("read", "POST", "/flows/x/runs"): False,
        ("run", "POST", "/flows/x/runs"): True,
        ("run", "POST", "/flows/x/batch"): True,
        ("run", "POST", "/runs/x/cancel"): True,
        ("run", "POST", "/assets/"): True,
        ("run", "POST", "/assets/trace"): False,
        ("run", "DELETE", "/assets/"): False,
        ("run", "PUT", "/flows/x/runs"): False,
        ("run", "GET", "/flows"): True,
        ("run", "GET", "/flowsx"): False,
        ("run", "POST", "/runs/x/resume"): True,
        ("run", "POST", "/flows/x/y/runs"): False,
        ("", "GET", "/flows/"): False,
    }
    assert {call: await is_allowed(*call) for call in expected} == expected


async def test_unknown_keys_are_refused(client: Any, subtests: pytest.Subtests) -> None:
    cases = ["imp_", "imp_nonsense", "imp_" + "x" * 5000]
    for token in cases:
        with subtests.test(token=token):
            answer = await client.get("/flows/", headers={"Authorization": f"Bearer {token}"})
            expect(answer, 401)


async def test_invalid_key_requests_are_refused(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[Any] = [
        {},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["all"]},
        {"name": " ", "scopes": ["run"]},
        {"name": "x" * 81, "scopes": ["run"]},
        {"name": "x", "scopes": ["run", "read", "run"]},
        {"name": "x", "scopes": ["run"], "expires_in_days": 0},
        {"name": "x", "scopes": ["run"], "expires_in_days": 3651},
    ]
    for body in cases:
        with subtests.test(body=body):
            expect(await person.client.post("/api-keys", json=body), 422)
    for days in (1, 3650):
        body = {"name": "x" * 80, "scopes": ["run"], "expires_in_days": days}
        expect(await person.client.post("/api-keys", json=body), 201)


class TestPostgresql:
    """PostgreSQL executes the transactions of several requests at a time."""

    @pytest.fixture
    def database_url(self, migrated_postgresql: str) -> str:
        return migrated_postgresql

    async def test_limit_of_keys_holds_for_simultaneous_requests(
        self, person: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(service, "MAX_KEYS", 1)
        bodies = ({"name": f"{number}", "scopes": ["run"]} for number in range(4))
        requests = (person.client.post("/api-keys", json=body) for body in bodies)
        assert await simultaneous_statuses(requests) == [201, 409, 409, 409]
