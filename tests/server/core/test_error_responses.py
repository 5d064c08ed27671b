"""Malformed requests: the error says what to send instead."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.responses import expect

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "editor").mkdir()
    (tmp_path / "editor" / "index.html").write_text("<!doctype html><title>Impasto</title>")
    return {"editor_dir": tmp_path / "editor"}


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/identity/sign-in", "POST"),
        ("/users/me/info", "PUT"),
        ("/flows/some/publish", "POST"),
        ("/identity/refresh/", "POST"),
    ],
)
async def test_wrong_method_is_405_with_allow(client: httpx.AsyncClient, path: str, allowed: str) -> None:
    for answer in (await client.get(path), await client.head(path)):
        expect(answer, 405)
        assert answer.headers["allow"] == allowed
    assert answer.headers["content-type"] == "application/problem+json"


async def test_unknown_path_is_404(client: httpx.AsyncClient) -> None:
    expect(await client.get("/identity/nowhere"), 404)


async def test_compressed_body_is_refused(client: httpx.AsyncClient) -> None:
    bomb = gzip.compress(b"0" * 10_000_000)
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    refused = await client.post("/identity/sign-in", content=bomb, headers=headers)
    expect(refused, 415, code="unsupported_media_type")
    assert "Content-Encoding" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded", "username=mara&password=Thick-paint-7"),
        ("text/plain", '{"username": "mara", "password": "Thick-paint-7"}'),
        ("application/json", '["mara"]'),
    ],
)
async def test_body_that_is_not_a_json_object_is_explained(
    client: httpx.AsyncClient, kind: str, body: str
) -> None:
    refused = await client.post("/identity/sign-in", content=body, headers={"Content-Type": kind})
    expect(refused, 422)
    assert refused.json()["detail"] == "Send a JSON object, with Content-Type: application/json."


class TestBodyDeadline:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"body_seconds": 0.02}

    async def test_stalled_body_times_out(self, app: FastAPI) -> None:
        sent: list[dict[str, Any]] = []
        pieces: list[dict[str, Any]] = [{"type": "http.request", "body": b'{"username": ', "more_body": True}]

        async def receive() -> dict[str, Any]:
            if not pieces:
                await asyncio.Event().wait()
            return pieces.pop()

        async def send(message: Any) -> None:
            sent.append(message)

        await asyncio.wait_for(app(_signing_in(), receive, send), 20)
        assert sent[0]["status"] == 408
        assert json.loads(sent[1]["body"])["code"] == "too_slow"
        assert (b"connection", b"close") in sent[0]["headers"]

    async def test_slow_response_has_no_deadline(self, client: httpx.AsyncClient) -> None:
        """The deadline is one of the request body only."""
        body = {"username": "mara", "password": "Thick-paint-7"}
        expect(await client.post("/identity/sign-in", json=body), 401)


def _signing_in() -> dict[str, Any]:
    path = "/api/v1/identity/sign-in"
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"content-type", b"application/json"), (b"content-length", b"60")],
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 1),
    }
