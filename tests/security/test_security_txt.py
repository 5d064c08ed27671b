"""Reporting a vulnerability: /.well-known/security.txt is valid after RFC 9116."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import ValidationError
from tests.server.responses import expect

from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
PATH = "/.well-known/security.txt"


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"security_contact": "security@impasto.example", "public_url": "https://impasto.example"}


@pytest.fixture
async def root(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="https://impasto.example"
    ) as one:
        yield one


async def test_contact_and_expiry_are_given(root: httpx.AsyncClient, clock: Any) -> None:
    clock.travel_to_noon()
    answer = expect(await root.get(PATH), 200)
    expires = clock().date() + timedelta(days=180)
    assert answer.text == (
        "Contact: mailto:security@impasto.example\n"
        f"Expires: {expires}T00:00:00Z\n"
        "Preferred-Languages: en\n"
        "Canonical: https://impasto.example/.well-known/security.txt\n"
    )
    names = ("content-type", "cache-control", "strict-transport-security")
    assert [answer.headers[name] for name in names] == [
        "text/plain; charset=utf-8",
        "public, max-age=86400",
        "max-age=31536000; includeSubDomains",
    ]


class TestWithoutContact:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {}

    async def test_there_is_no_file(self, root: httpx.AsyncClient) -> None:
        answer = expect(await root.get(PATH), 404)
        assert answer.json()["detail"] == "There is no page."
        assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize("contact", ["https://a.example/report", "mailto:a@b.example", "tel:+1-201-555-0123"])
def test_uris_are_kept(contact: str) -> None:
    assert Settings(_env_file=None, security_contact=contact).security_contact == contact


@pytest.mark.parametrize(
    "contact",
    ["http://a.example", "nowhere", "mailto:", "a@b.example\nContact: mailto:evil@x.example", "https://"],
)
def test_unusable_contact_stops_the_start(contact: str) -> None:
    with pytest.raises(ValidationError, match=r"https://|mailto:"):
        Settings(_env_file=None, security_contact=contact)
