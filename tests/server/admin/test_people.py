"""Admins search, suspend and restore users."""

import asyncio
from datetime import datetime, timedelta
from typing import Any, get_args

import pytest
from fastapi import FastAPI
from sqlalchemy import delete, update
from tests.server.conftest import PASSWORD, Recorded
from tests.server.responses import expect
from tests.server.runs.sse_client import follow
from tests.server.sample_nodes import arrived, chain

from impasto_server.container import AppState
from impasto_server.identity.models import Password
from impasto_server.limits.schemas import LimitName
from impasto_server.runs.models import RunRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio

SUSPENDED = "Your account is suspended: contact the administrator of this server."


async def suspend(admin: Any, user_id: str, status: int = 200, **body: Any) -> Any:
    response = await admin.client.post(f"/admin/users/{user_id}/suspend", json=body or {"reason": "Spam"})
    return expect(response, status).json()


async def test_search_finds_by_part_of_name_address_and_id(admin: Any, new_person: Any) -> None:
    mara, noor = await new_person("mara"), await new_person("noor")
    for text, expected in (
        ("mar", ["mara"]),
        ("NORTHBOUND", ["noor", "mara", "root"]),
        (await noor.id(), ["noor"]),
        ("%", []),
        ("_", []),
        ("unknown-name", []),
    ):
        found = expect(await admin.client.get("/admin/users", params={"q": text}), 200).json()
        assert [person["username"] for person in found["items"]] == expected
        assert found["total"] == len(expected)
    await suspend(admin, await mara.id())
    for status, expected in (("suspended", ["mara"]), ("admin", ["root"]), ("active", ["noor", "root"])):
        found = (await admin.client.get("/admin/users", params={"status": status})).json()
        assert [person["username"] for person in found["items"]] == expected


@pytest.mark.thorough
async def test_ten_thousand_users_are_paged(app: FastAPI, admin: Any) -> None:
    async with app.state.app_state.database.writing() as session:
        session.add_all(
            User(username=f"u{n}", username_key=f"u{n}", created_at=app.state.app_state.clock(), betas=[])
            for n in range(10_000)
        )
    seen: set[str] = set()
    cursor, pages = None, 0
    while pages < 3 or (pages < 5 and cursor):
        params = {"limit": 100, **({"cursor": cursor} if cursor else {})}
        page = expect(await admin.client.get("/admin/users", params=params), 200).json()
        assert page["total"] == 10_001
        assert not seen & {person["id"] for person in page["items"]}
        seen |= {person["id"] for person in page["items"]}
        cursor, pages = page["next_cursor"], pages + 1
    assert len(seen) == 500


@pytest.mark.usefixtures("at_noon")
async def test_detail_counts_what_a_user_has(
    admin: Any, person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    await finished(person, await run_flow(person, made["id"]))
    await person.client.post("/api-keys", json={"name": "CI", "scopes": ["read"]})
    user_id = await person.id()
    detail = expect(await admin.client.get(f"/admin/users/{user_id}"), 200).json()
    listed, root = expect(await admin.client.get("/admin/users"), 200).json()["items"]
    times = ("created_at", "confirmed_at", "last_seen_at")
    created, confirmed, last_seen = (datetime.fromisoformat(detail.pop(name)) for name in times)
    assert app_state.clock() - timedelta(hours=1) < created <= confirmed <= last_seen <= app_state.clock()
    resets_at = detail["quota"].pop("resets_at")
    assert resets_at == (await person.client.get("/users/me")).json()["quota"]["resets_at"]
    assert detail == {
        "id": user_id, "username": "mara", "email": "mara@northbound.example", "avatar_url": None,
        "status": "active", "is_admin": False, "suspended_at": None, "suspended_reason": None, "betas": [],
        "quota": {"limit": 50, "used": 1}, "sessions": 1, "api_keys": 1, "agents": 1, "runs": 1,
        "cost_usd": "0.0125", "has_password": True,
    }  # fmt: skip
    listed_times = [datetime.fromisoformat(listed.pop(name)) for name in times[:2]]
    assert listed_times == [created, confirmed]
    assert listed == {name: detail[name] for name in listed}
    assert (root["username"], root["is_admin"]) == ("root", True)
    expect(await admin.client.get("/admin/users/none"), 404)


async def test_suspension_ends_sessions_and_keys_at_once(admin: Any, person: Any) -> None:
    key = (await person.client.post("/api-keys", json={"name": "CI", "scopes": ["run", "read"]})).json()[
        "key"
    ]
    user_id = await person.id()
    shown = await suspend(admin, user_id)
    assert (shown["status"], shown["suspended_reason"]) == ("suspended", "Spam")
    assert (shown["sessions"], shown["api_keys"]) == (0, 0)

    refused = expect(await person.client.get("/users/me"), 403, code="account_suspended")
    assert refused.json()["detail"] == SUSPENDED
    assert "Spam" not in refused.text
    expect(await person.client.post("/identity/refresh"), 401)
    signed_in = await person.client.post("/identity/sign-in", json={"username": "mara", "password": PASSWORD})
    assert expect(signed_in, 403, code="account_suspended").json()["detail"] == SUSPENDED
    wrong = await person.client.post(
        "/identity/sign-in", json={"username": "mara", "password": "Wrong-7-pass"}
    )
    expect(wrong, 401, code="invalid_credentials")
    expect(await person.client.get("/flows/", headers={"Authorization": f"Bearer {key}"}), 401)


async def test_suspension_cancels_runs_and_closes_streams(
    app: FastAPI, admin: Any, person: Any, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, chain("wait"))
    run = await run_flow(person, made["id"])
    queued = [await run_flow(person, made["id"]) for _ in range(9)][-1]
    async with follow(app, person, run["id"]) as live:
        await live.until("run.started")
        await arrived("gate")
        await suspend(admin, await person.id())
        async with asyncio.timeout(10):
            events = await live.rest()
        assert live.ended
    assert [event["type"] for event in events if event["type"].startswith("run.")] == []
    for run_id in (run["id"], queued["id"]):
        assert await status_at_end(app.state.app_state, run_id) == "cancelled"


async def status_at_end(app_state: AppState, run_id: str) -> str:
    async with app_state.pubsub.subscribe(f"run {run_id}") as subscription, asyncio.timeout(30):
        while True:
            async with app_state.database.reading() as session:
                status = (await session.get_one(RunRow, run_id)).status
            if status not in ("queued", "running"):
                return status
            await subscription.wait(30)


async def test_restored_user_signs_in_again_without_old_sessions_and_keys(admin: Any, person: Any) -> None:
    key = (await person.client.post("/api-keys", json={"name": "CI", "scopes": ["read"]})).json()["key"]
    user_id = await person.id()
    await suspend(admin, user_id)
    restored = await admin.client.post(f"/admin/users/{user_id}/restore", json={"reason": "Mistake"})
    assert expect(restored, 200).json()["status"] == "active"
    expect(await person.client.get("/users/me"), 401)
    expect(await person.client.get("/flows/", headers={"Authorization": f"Bearer {key}"}), 401)
    signed_in = await person.client.post("/identity/sign-in", json={"username": "mara", "password": PASSWORD})
    person.use(expect(signed_in, 200).json()["session"])
    expect(await person.client.get("/users/me"), 200)


async def test_suspension_is_refused_twice_and_for_oneself(admin: Any, person: Any) -> None:
    user_id = await person.id()
    again = await admin.client.post(f"/admin/users/{user_id}/restore", json={"reason": "x"})
    expect(again, 409, code="suspension_unchanged")
    await suspend(admin, user_id)
    expect(
        await admin.client.post(f"/admin/users/{user_id}/suspend", json={"reason": "x"}),
        409, code="suspension_unchanged",
    )  # fmt: skip
    own = await admin.client.post(f"/admin/users/{await admin.id()}/suspend", json={"reason": "x"})
    expect(own, 409, code="own_account")
    for body in ({}, {"reason": ""}, {"reason": "   "}, {"reason": "x" * 501}, {"reason": 7}):
        expect(await admin.client.post(f"/admin/users/{user_id}/suspend", json=body), 422)


async def test_reset_code_of_suspended_user_is_invalid_even_once_restored(
    admin: Any, person: Any, mailbox: Any
) -> None:
    await person.client.post("/identity/forgot-password", json={"username": "mara"})
    code, user_id = mailbox.code(), await person.id()
    await suspend(admin, user_id)
    body = {"username": "mara", "confirmation_code": code, "new_password": "Other-paint-8"}
    expect(await person.client.post("/identity/confirm-forgot-password", json=body), 400)
    expect(await admin.client.post(f"/admin/users/{user_id}/restore", json={"reason": "Mistake"}), 200)
    expect(await person.client.post("/identity/confirm-forgot-password", json=body), 400)


async def test_betas_are_replaced_and_open_the_beta(
    admin: Any, person: Any, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, chain("secret"))
    await run_flow(person, made["id"], status=403)
    betas = await admin.client.put(
        f"/admin/users/{await person.id()}/betas", json={"betas": ["secret", "secret"]}
    )
    assert expect(betas, 200).json()["betas"] == ["secret"]
    await run_flow(person, made["id"])


async def test_admin_sends_a_password_reset(
    admin: Any, person: Any, mailbox: Any, recorded: Recorded
) -> None:
    expect(await admin.client.post(f"/admin/users/{await person.id()}/password-reset"), 202)
    message = mailbox.messages()[-1]
    assert "mara@northbound.example" in message["To"]
    assert "resets your Impasto password" in message["Subject"]
    [entry] = await recorded("password.reset_request")
    assert (entry.actor_id, entry.target_id, entry.outcome) == (
        await admin.id(),
        await person.id(),
        "success",
    )


async def test_user_without_password_or_address_gets_no_password_reset(
    admin: Any, new_person: Any, app_state: Any, mailbox: Any
) -> None:
    mara, noor = await new_person("mara"), await new_person("noor")
    async with app_state.database.writing() as session:
        await session.execute(delete(Password).where(Password.user_id == await mara.id()))
        await session.execute(update(User).where(User.id == await noor.id()).values(email=None))
    sent = len(mailbox.messages())
    for user_id in (await mara.id(), await noor.id()):
        expect(await admin.client.post(f"/admin/users/{user_id}/password-reset"), 409, code="no_password")
    expect(await admin.client.post("/admin/users/none/password-reset"), 404)
    assert len(mailbox.messages()) == sent


async def limits_of(admin: Any, user_id: str, status: int = 200, **changes: Any) -> dict[str, Any]:
    path = f"/admin/users/{user_id}/limits"
    response = await (admin.client.patch(path, json=changes) if changes else admin.client.get(path))
    return {item["name"]: item for item in expect(response, status).json().get("items", [])}


async def test_limits_show_use_and_default_and_are_changed_one_by_one(
    admin: Any, person: Any, make_flow: Any
) -> None:
    user_id = await person.id()
    await make_flow(person, chain("paint"))
    before = await limits_of(admin, user_id)
    assert set(before) == set(get_args(LimitName))
    assert before["agents"]["used"] == 1
    assert not any(item["overridden"] for item in before.values())
    assert all(item["limit"] == item["default"] for item in before.values())

    await limits_of(admin, user_id, agents=1, usd_per_day="2.5", runs_per_day=0)
    changed = await limits_of(admin, user_id, assets=7)
    assert {name: item["limit"] for name, item in changed.items() if item["overridden"]} == {
        "agents": 1, "usd_per_day": "2.5", "runs_per_day": 0, "assets": 7,
    }  # fmt: skip
    assert changed["agents"]["default"] == before["agents"]["default"]
    refused = await person.client.post("/flows/", json={"name": "Second", "flow": chain("paint")})
    assert refused.json()["code"] == "agents_limit"

    again = await limits_of(admin, user_id, agents=None, usd_per_day=None, runs_per_day=None, assets=None)
    assert again == before


async def test_invalid_limits_are_refused_and_changes_are_in_the_audit_log(admin: Any, person: Any) -> None:
    user_id = await person.id()
    for changes in ({"assets": -1}, {"concurrent_runs": 0}, {"usd_per_day": "-1"}, {"assets": "many"}):
        await limits_of(admin, user_id, status=422, **changes)
    await limits_of(admin, "none", status=404)
    await limits_of(admin, "none", status=404, assets=1)
    await limits_of(admin, user_id, assets=3, agents=None)
    found = await admin.client.get("/admin/audit", params={"action": "user.set_limits"})
    (entry,) = expect(found, 200).json()["items"]
    assert (entry["actor"]["username"], entry["target_id"]) == ("root", user_id)
    assert entry["details"] == {"assets": "3", "agents": None}


async def test_changes_of_a_user_by_an_admin_are_shown_and_recorded(
    admin: Any, person: Any, recorded: Recorded
) -> None:
    await person.client.post("/api-keys", json={"name": "CI", "scopes": ["read"]})
    user_id, admin_id = await person.id(), await admin.id()
    detail = f"/admin/users/{user_id}"
    betas = {"betas": [" films ", "secret", "films"]}
    assert expect(await admin.client.put(f"{detail}/betas", json=betas), 200).json()["betas"] == [
        "films",
        "secret",
    ]
    await suspend(admin, user_id, reason="Spam")
    shown = (await admin.client.get(detail)).json()
    names = ("status", "suspended_reason", "sessions", "api_keys", "agents", "runs", "cost_usd")
    assert [shown[name] for name in names] == ["suspended", "Spam", 0, 0, 0, 0, "0"]
    expect(await admin.client.post(f"{detail}/restore", json={"reason": "Appeal"}), 200)
    shown = (await admin.client.get(detail)).json()
    assert (shown["status"], shown["suspended_reason"]) == ("active", None)
    assert [
        (entry.action, entry.actor_id, entry.target_kind, entry.target_id, entry.outcome, entry.details)
        for action in ("user.set_betas", "user.suspend", "user.restore")
        for entry in await recorded(action)
    ] == [
        ("user.set_betas", admin_id, "user", user_id, "success", {"betas": "films, secret"}),
        (
            "user.suspend", admin_id, "user", user_id, "success",
            {"reason": "Spam", "revoked_keys": 1, "cancelled_runs": 0},
        ),
        ("user.restore", admin_id, "user", user_id, "success", {"reason": "Appeal"}),
    ]  # fmt: skip


async def test_user_who_does_not_exist_is_not_found(admin: Any) -> None:
    detail, reason = "/admin/users/none", {"reason": "Spam"}
    for response in (
        await admin.client.get(detail),
        await admin.client.post(f"{detail}/suspend", json=reason),
        await admin.client.post(f"{detail}/restore", json=reason),
        await admin.client.put(f"{detail}/betas", json={"betas": []}),
        await admin.client.post(f"{detail}/password-reset"),
    ):
        expect(response, 404)
