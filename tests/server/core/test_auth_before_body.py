"""Uploads are authenticated before any byte of the body is read."""

from typing import Any

import pytest
from fastapi import FastAPI

pytestmark = pytest.mark.anyio
PATHS = ["/assets/", "/assets/trace", "/users/me/avatar", "/flows/0191/avatar"]


async def send_head(app: FastAPI, path: str, authorization: str | None) -> tuple[list[dict[str, Any]], int]:
    """Send the headers of an upload; return the response and how often the server asked for the body."""
    headers = [(b"content-type", b"multipart/form-data; boundary=x"), (b"content-length", b"100000000")]
    if authorization is not None:
        headers.append((b"authorization", authorization.encode()))
    sent: list[dict[str, Any]] = []
    asked = 0

    async def receive() -> dict[str, Any]:
        nonlocal asked
        asked += 1
        return {"type": "http.request", "body": b"--x--", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    full = f"/api/v1{path}"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": full,
        "raw_path": full.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 1),
    }
    await app(scope, receive, send)  # type: ignore[arg-type]
    return sent, asked


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("authorization", [None, "Bearer made.up.token", "Bearer imp_made-up", "Basic eA=="])
async def test_upload_without_token_is_refused_unread(
    app: FastAPI, path: str, authorization: str | None
) -> None:
    sent, asked = await send_head(app, path, authorization)
    assert (sent[0]["status"], asked) == (401, 0)
    headers = dict(sent[0]["headers"])
    assert headers[b"content-type"] == b"application/problem+json"
    assert b"x-request-id" in headers


async def test_upload_with_read_scope_is_refused_unread(app: FastAPI, person: Any) -> None:
    made = await person.client.post("/api-keys", json={"name": "ci", "scopes": ["read"]})
    sent, asked = await send_head(app, "/assets/", f"Bearer {made.json()['key']}")
    assert (sent[0]["status"], asked) == (403, 0)


async def test_upload_with_ended_session_is_refused_unread(app: FastAPI, person: Any) -> None:
    await person.client.post("/identity/sign-out")
    sent, asked = await send_head(app, "/assets/", f"Bearer {person.token}")
    assert (sent[0]["status"], asked) == (401, 0)
