"""Trailing slashes and HEAD requests."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.responses import expect
from tests.server.sample_nodes import png

pytestmark = pytest.mark.anyio


async def test_path_matches_with_and_without_trailing_slash(person: Any, subtests: pytest.Subtests) -> None:
    cases = [
        "/flows",
        "/flows/",
        "/assets",
        "/runs",
        "/nodes/",
        "/users/me",
        "/users/me/",
        "/assets/library/",
    ]
    for path in cases:
        with subtests.test(path=path):
            expect(await person.client.get(path), 200)


async def test_body_survives_missing_trailing_slash(person: Any) -> None:
    made = await person.client.post("/flows", json={"name": "Poster"})
    expect(made, 201)
    files = {"file": ("a.png", png(1), "image/png")}
    expect(await person.client.post("/assets", files=files), 201)
    expect(await person.client.patch(f"/flows/{made.json()['id']}/", json={"name": "P"}), 200)


async def test_upload_without_trailing_slash_is_authenticated_first(client: httpx.AsyncClient) -> None:
    files = {"file": ("a.png", b"x" * (3 * 2**20), "image/png")}
    expect(await client.post("/assets", files=files), 401)


async def test_head_has_headers_of_get_without_body(person: Any, client: httpx.AsyncClient) -> None:
    for path in ("/users/me", "/flows/", "/nodes/"):
        whole, head = await person.client.get(path), await person.client.head(path)
        expect(head, 200)
        assert head.content == b""
        assert head.headers["content-type"] == whole.headers["content-type"]
    expect(await client.head("/users/me"), 401)


async def test_unknown_path_is_a_problem_document(app: FastAPI, client: httpx.AsyncClient) -> None:
    for path in ("/nowhere", "/nowhere/", "/flows/a/b/c/d"):
        answer = await client.get(path)
        expect(answer, 404, code="not_found")


async def test_every_422_has_errors(person: Any, client: httpx.AsyncClient) -> None:
    answers = [
        await client.post("/identity/sign-in", json={}),
        await person.client.post("/flows/check", json={"nodes": 1}),
        await person.client.post("/assets/", files={"file": ("a.png", b"", "image/png")}),
    ]
    for answer in answers:
        expect(answer, 422)
        assert answer.json()["errors"]
        assert all(set(error) == {"path", "code", "message"} for error in answer.json()["errors"])
