"""Accounts that a first sign-in with an OpenID Connect provider creates."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import Recorded
from tests.server.identity.oidc_steps import MARA, SECRET, be, bearer, me, token_for, walk
from tests.server.responses import expect

from impasto_server.admin import people

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings(issuer: str) -> dict[str, Any]:
    return {"oidc_issuer": issuer, "oidc_client_id": "impasto", "oidc_client_secret": SECRET}


LONG_EMAIL = "a" * 310 + "@x.example"


@pytest.mark.parametrize(
    ("claims", "username", "email"),
    [
        ({}, "mara", MARA["email"]),
        ({"preferred_username": "x"}, "user-x", MARA["email"]),
        ({"preferred_username": "xy"}, "xy", MARA["email"]),
        ({"preferred_username": "ma\u202era"}, "mara", MARA["email"]),
        ({"preferred_username": "a" * 101}, "a" * 100, MARA["email"]),
        ({"preferred_username": None}, MARA["email"], MARA["email"]),
        ({"preferred_username": None, "email_verified": False}, "m-9", None),
        ({"preferred_username": "noor@here.example"}, "noor", MARA["email"]),
        ({"email": LONG_EMAIL}, "mara", LONG_EMAIL),
        ({"email": "a" + LONG_EMAIL}, "mara", None),
        ({"email": ""}, "mara", None),
        ({"email": 7}, "mara", None),
        ({"email_verified": "true"}, "mara", None),
    ],
)
async def test_new_account_has_the_name_and_address_of_the_provider(
    client: httpx.AsyncClient, issuer: str, recorded: Recorded, claims: dict[str, Any], username: str,
    email: str | None,
) -> None:  # fmt: skip
    token = token_for(issuer, **{"sub": "m-9", **claims})
    seen = expect(await bearer(client, token), 200).json()
    assert (seen["username"], seen["email"]) == (username, email)
    (created,) = await recorded("account.create")
    assert (created.actor_id, created.target_id, created.outcome) == (seen["id"], seen["id"], "success")


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
