"""Requests that are wrong as requests: the answer says what to send instead."""

import gzip
from pathlib import Path
from typing import Any

import httpx
import pytest

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
async def test_reading_what_can_only_be_written_tells_the_method(
    client: httpx.AsyncClient, path: str, allowed: str
) -> None:
    for answer in (await client.get(path), await client.head(path)):
        assert answer.status_code == 405
        assert answer.headers["allow"] == allowed
    assert answer.headers["content-type"] == "application/problem+json"


async def test_an_address_that_is_none_stays_not_found(client: httpx.AsyncClient) -> None:
    assert (await client.get("/identity/nowhere")).status_code == 404


async def test_a_compressed_body_is_not_unpacked(client: httpx.AsyncClient) -> None:
    bomb = gzip.compress(b"0" * 10_000_000)
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    refused = await client.post("/identity/sign-in", content=bomb, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (415, "unsupported_media_type")
    assert "Content-Encoding" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded", "username=mara&password=Thick-paint-7"),
        ("text/plain", '{"username": "mara", "password": "Thick-paint-7"}'),
        ("application/json", '["mara"]'),
    ],
)
async def test_a_body_that_is_no_json_object_is_told_so(
    client: httpx.AsyncClient, kind: str, body: str
) -> None:
    refused = await client.post("/identity/sign-in", content=body, headers={"Content-Type": kind})
    assert refused.status_code == 422
    assert refused.json()["detail"] == "Send a JSON object, with Content-Type: application/json."
