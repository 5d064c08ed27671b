"""Texts that a database cannot store are refused or not found, on both databases."""

from typing import Any

import pytest
from tests.server.responses import expect

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


async def test_id_with_nul_is_404(person: Any, subtests: pytest.Subtests) -> None:
    cases = ["/flows/%00", "/runs/a%00b", "/assets/%00", "/users/avatars/%00", "/nodes/%00/options/x"]
    for path in cases:
        with subtests.test(path=path):
            expect(await person.client.get(path), 404)


async def test_query_with_nul_is_404(person: Any, subtests: pytest.Subtests) -> None:
    cases = ["/assets/?asset_ids=%00", "/assets/library?q=%00", "/runs/?flow_id=%00"]
    for path in cases:
        with subtests.test(path=path):
            expect(await person.client.get(path), 200, 404, 422)


async def test_text_with_nul_is_stored_or_refused(person: Any) -> None:
    info = {"first_name": "a\0b", "last_name": "b", "company": "c", "role": "other", "reasons": []}
    kept = await person.client.put("/users/me/info", json=info)
    flow = await person.client.post("/flows/", json={"name": "a\0b"})
    login = await person.client.post("/identity/confirm-sign-up", json={"username": "a\0b", "code": "000000"})
    for answer in (kept, flow, login):
        expect(answer, 200, 201, 400, 422)
        assert answer.headers["content-type"].startswith("application/")
    expect(await person.client.get("/users/me"), 200)
