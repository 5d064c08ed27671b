"""What clients get wrong about addresses and methods costs them nothing."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.responses import expect
from tests.server.sample_nodes import png

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "path",
    ["/flows", "/flows/", "/assets", "/runs", "/nodes/", "/users/me", "/users/me/", "/assets/library/"],
)
async def test_a_slash_more_or_less_finds_the_same_call(person: Any, path: str) -> None:
    expect(await person.client.get(path), 200)


async def test_a_slash_less_loses_no_body(person: Any) -> None:
    made = await person.client.post("/flows", json={"name": "Poster"})
    expect(made, 201)
    files = {"file": ("a.png", png(1), "image/png")}
    expect(await person.client.post("/assets", files=files), 201)
    expect(await person.client.patch(f"/flows/{made.json()['id']}/", json={"name": "P"}), 200)


async def test_an_upload_without_its_slash_is_still_asked_who_sends_it(client: httpx.AsyncClient) -> None:
    files = {"file": ("a.png", b"x" * (3 * 2**20), "image/png")}
    expect(await client.post("/assets", files=files), 401)


async def test_head_answers_what_get_would_without_its_body(person: Any, client: httpx.AsyncClient) -> None:
    for path in ("/users/me", "/flows/", "/nodes/"):
        whole, head = await person.client.get(path), await person.client.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]
    expect(await client.head("/users/me"), 401)


async def test_what_is_nowhere_is_a_problem(app: FastAPI, client: httpx.AsyncClient) -> None:
    for path in ("/nowhere", "/nowhere/", "/flows/a/b/c/d"):
        answer = await client.get(path)
        expect(answer, 404, code="not_found")


async def test_every_422_names_what_is_wrong(person: Any, client: httpx.AsyncClient) -> None:
    answers = [
        await client.post("/identity/sign-in", json={}),
        await person.client.post("/flows/check", json={"nodes": 1}),
        await person.client.post("/assets/", files={"file": ("a.png", b"", "image/png")}),
    ]
    for answer in answers:
        expect(answer, 422)
        assert answer.json()["errors"]
        assert all(set(error) == {"path", "code", "message"} for error in answer.json()["errors"])
