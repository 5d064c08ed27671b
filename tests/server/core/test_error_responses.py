"""Malformed requests: the error says what to send instead."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.http.asgi import Stalled
from tests.server.responses import expect

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "editor").mkdir()
    (tmp_path / "editor" / "index.html").write_text("<!doctype html><title>Impasto</title>")
    return {"editor_dir": tmp_path / "editor"}


async def test_wrong_method_is_405_with_allow(client: httpx.AsyncClient, subtests: pytest.Subtests) -> None:
    cases = [
        ("/identity/sign-in", "POST"),
        ("/users/me/info", "PUT"),
        ("/flows/some/publish", "POST"),
        ("/identity/refresh/", "POST"),
    ]
    for path, allowed in cases:
        with subtests.test(path=path):
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


async def test_body_that_is_not_a_json_object_is_explained(
    client: httpx.AsyncClient, subtests: pytest.Subtests
) -> None:
    cases = [
        ("application/x-www-form-urlencoded", "username=mara&password=Thick-paint-7"),
        ("text/plain", '{"username": "mara", "password": "Thick-paint-7"}'),
        ("application/json", '["mara"]'),
    ]
    for kind, body in cases:
        with subtests.test(kind=kind):
            refused = await client.post("/identity/sign-in", content=body, headers={"Content-Type": kind})
            expect(refused, 422)
            assert refused.json()["detail"] == "Send a JSON object, with Content-Type: application/json."


class TestBodyDeadline:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"body_seconds": 0.02}

    async def test_stalled_body_times_out(self, app: FastAPI) -> None:
        headers = {"Content-Type": "application/json", "Content-Length": "60"}
        exchange = Stalled("POST", "/api/v1/identity/sign-in", headers=headers, pieces=[b'{"username": '])
        await asyncio.wait_for(exchange.run(app), 20)
        assert exchange.status == 408
        assert json.loads(exchange.body)["code"] == "too_slow"
        assert exchange.answer_headers["connection"] == "close"

    async def test_slow_response_has_no_deadline(self, client: httpx.AsyncClient) -> None:
        """The deadline is one of the request body only."""
        body = {"username": "mara", "password": "Thick-paint-7"}
        expect(await client.post("/identity/sign-in", json=body), 401)
