"""Uploads are authenticated before any byte of the body is read."""

from itertools import product
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select
from tests.server.http.asgi import Exchange, echo

from impasto_server.http.middleware import AuthenticateBeforeBody
from impasto_server.limits.models import SlotRow

pytestmark = pytest.mark.anyio
PATHS = ["/assets/", "/assets/trace", "/users/me/avatar", "/flows/0191/avatar"]


async def send_head(app: FastAPI, path: str, authorization: str | None) -> Exchange:
    """Send the headers of an upload; the server may ask for the body."""
    headers = {"Content-Type": "multipart/form-data; boundary=x", "Content-Length": "100000000"}
    if authorization is not None:
        headers["Authorization"] = authorization
    return await Exchange("POST", f"/api/v1{path}", headers=headers, pieces=[b"--x--"]).run(app)


async def test_upload_without_token_is_refused_unread(app: FastAPI, subtests: pytest.Subtests) -> None:
    wrong = (None, "Bearer made.up.token", "Bearer imp_made-up", "Basic eA==")
    for path, authorization in product(PATHS, wrong):
        with subtests.test(path=path, authorization=authorization):
            refused = await send_head(app, path, authorization)
            assert (refused.status, refused.taken) == (401, 0)
            assert refused.answer_headers["content-type"] == "application/problem+json"
            assert "x-request-id" in refused.answer_headers


async def test_upload_with_read_scope_is_refused_unread(app: FastAPI, person: Any) -> None:
    made = await person.client.post("/api-keys", json={"name": "ci", "scopes": ["read"]})
    refused = await send_head(app, "/assets/", f"Bearer {made.json()['key']}")
    assert (refused.status, refused.taken) == (403, 0)


async def test_upload_with_ended_session_is_refused_unread(app: FastAPI, person: Any) -> None:
    await person.client.post("/identity/sign-out")
    refused = await send_head(app, "/assets/", f"Bearer {person.token}")
    assert (refused.status, refused.taken) == (401, 0)


async def test_upload_holds_its_slot_until_its_answer_ends(app: FastAPI, person: Any, app_state: Any) -> None:
    held: list[int] = []

    async def count() -> None:
        async with app_state.database.reading() as session:
            held.append(int(await session.scalar(select(func.count()).select_from(SlotRow)) or 0))

    async def endpoint(scope: Any, _receive: object, send: Any) -> None:
        await count()
        if scope["path"] == "/api/v1/assets/trace":
            raise LookupError
        await send({"type": "http.response.start", "status": 201, "headers": []})
        await send({"type": "http.response.body", "body": b"a", "more_body": True})
        await count()
        await send({"type": "http.response.body", "body": b"b"})
        await count()

    made, headers = AuthenticateBeforeBody(endpoint), {"Authorization": f"Bearer {person.token}"}
    answered = await Exchange("POST", "/api/v1/assets/", headers=headers).run(made, app=app)
    assert (answered.status, answered.body) == (201, b"ab")
    with pytest.raises(LookupError):
        await Exchange("POST", "/api/v1/assets/trace", headers=headers).run(made, app=app)
    await count()
    assert held == [1, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/api/v1/assets/"), ("POST", "/api/v1/flows/"), ("POST", "/api/v1/assets/a")]
)
async def test_request_that_is_no_upload_is_passed_on(method: str, path: str) -> None:
    assert (await Exchange(method, path).run(AuthenticateBeforeBody(echo))).status == 200
