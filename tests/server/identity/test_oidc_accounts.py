"""Accounts that a first sign-in with an OpenID Connect provider creates."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import delete, select
from tests.server.conftest import Recorded
from tests.server.identity.oidc_steps import MARA, SECRET, be, bearer, me, token_for, walk
from tests.server.responses import expect

from impasto_server.admin import people
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings(issuer: str) -> dict[str, Any]:
    return {"oidc_issuer": issuer, "oidc_client_id": "impasto", "oidc_client_secret": SECRET}


EMAIL, LONG_EMAIL = "mara@northbound.example", "a" * 310 + "@x.example"


async def test_new_account_has_the_name_and_address_of_the_provider(
    app: FastAPI, client: httpx.AsyncClient, issuer: str, recorded: Recorded
) -> None:
    cases: list[tuple[dict[str, Any], str, str | None]] = [
        ({}, "mara", EMAIL),
        ({"preferred_username": "x"}, "user-x", EMAIL),
        ({"preferred_username": "xy"}, "xy", EMAIL),
        ({"preferred_username": "ma\u202era"}, "mara", EMAIL),
        ({"preferred_username": "a" * 101}, "a" * 100, EMAIL),
        ({"preferred_username": None}, EMAIL, EMAIL),
        ({"preferred_username": None, "email_verified": False}, "m-9", None),
        ({"preferred_username": "noor@here.example"}, "noor", EMAIL),
        ({"preferred_username": "noor@here.example", "email_verified": False}, "noor", None),
        ({"preferred_username": "ß" * 61}, "ß" * 50, EMAIL),
        ({"email": LONG_EMAIL}, "mara", LONG_EMAIL),
        ({"email": "a" + LONG_EMAIL}, "mara", None),
        ({"email": ""}, "mara", None),
        ({"email": 7}, "mara", None),
        ({"email_verified": "true"}, "mara", None),
    ]
    ids = set()
    for claims, username, email in cases:
        token = token_for(issuer, **{"sub": "m-9", **claims})
        seen = expect(await bearer(client, token), 200).json()
        assert (claims, seen["username"], seen["email"]) == (claims, username, email)
        ids.add(seen["id"])
        async with app.state.app_state.database.writing() as session:
            await session.execute(delete(User))  # so that the name and the address are free again
    created = await recorded("account.create")
    assert len(ids) == len(created) == len(cases)
    assert {(row.actor_id, row.target_id, row.outcome) for row in created} == {
        (user_id, user_id, "success") for user_id in ids
    }


async def test_suspended_user_gets_no_session(
    app: FastAPI, client: httpx.AsyncClient, issuer: str, recorded: Recorded
) -> None:
    be(issuer, MARA)
    await walk(client)
    await people.suspend(app.state.app_state, None, (await me(client))["id"], "Spam")
    refused = await walk(client)
    assert refused.headers["location"] == "/login?failed=suspended"
    assert "impasto_refresh" not in refused.headers["set-cookie"]
    assert [row.outcome for row in await recorded("sign_in")] == ["success", "denied"]


async def test_user_without_a_password_confirms_changes_without_one(
    app: FastAPI, client: httpx.AsyncClient, issuer: str
) -> None:
    be(issuer, MARA)
    await walk(client)
    session = (await client.post("/identity/refresh")).json()["session"]
    client.headers["Authorization"] = f"Bearer {session['identity_token']}"
    assert (await client.get("/identity/second-factors")).json()["has_password"] is False
    started = expect(await client.post("/identity/totp", json={}), 200)
    assert set(started.json()) == {"secret", "uri", "qr_code"}
    change = {"email": "mara@studio.example", "password": "Thick-paint-7"}
    expect(await client.post("/identity/change-email", json=change), 409, code="email_managed")
    passwords = {"old_password": "Thick-paint-7", "new_password": "Thin-glaze-8"}
    refused = await client.post("/identity/change-password", json=passwords)
    expect(refused, 400, code="invalid_credentials")
    expect(await client.request("DELETE", "/users/me", json={}), 204)
    async with app.state.app_state.database.reading() as database_session:
        assert (await database_session.scalars(select(User))).all() == []
