"""Every admin endpoint is closed to everyone but signed-in admins, whatever the method and the id."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.responses import expect

from impasto_server.admin import endpoints, people

pytestmark = pytest.mark.anyio


def routes() -> Iterator[tuple[str, str]]:
    for route in endpoints.router.routes:
        for method in sorted(getattr(route, "methods", ())):
            yield method, getattr(route, "path", "").replace("{", "").replace("}", "")


ROUTES = list(routes())
BODY = {"reason": "x", "email": "a@northbound.example", "betas": []}


async def answers(client: httpx.AsyncClient, status: int, code: str | None = None, **more: Any) -> None:
    for method, path in ROUTES:
        expect(await client.request(method, path, json=BODY, **more), status, code=code)


async def test_anonymous_client_is_refused(client: httpx.AsyncClient) -> None:
    assert len(ROUTES) > 15
    await answers(client, 401)


async def test_endpoints_do_not_exist_for_users(person: Any) -> None:
    await answers(person.client, 404, "not_found")


async def test_keys_of_admins_are_refused(admin: Any, client: httpx.AsyncClient) -> None:
    body = {"name": "CI", "scopes": ["run", "read"]}
    key = expect(await admin.client.post("/api-keys", json=body), 201).json()["key"]
    await answers(client, 403, headers={"Authorization": f"Bearer {key}"})


async def test_revoked_role_counts_from_the_next_request_on(app: FastAPI, admin: Any) -> None:
    expect(await admin.client.get("/admin/users"), 200)
    await people.set_role(app.state.app_state, await admin.id(), is_admin=False)
    await answers(admin.client, 404)


async def test_suspended_admin_is_refused(app: FastAPI, admin: Any) -> None:
    await people.suspend(app.state.app_state, None, await admin.id(), "Left the company")
    await answers(admin.client, 403, "account_suspended")
