"""While a service of the server does not respond, requests are refused with 503 and when to try again."""

import shutil
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from tests.server.conftest import PASSWORD
from tests.server.responses import expect
from tests.server.sample_nodes import chain, png

from impasto_server.db.engine import Database
from impasto_server.http.rate_limit import RateLimiter
from impasto_server.outages import is_outage
from impasto_server.storage.object_storage import MIN_FREE_BYTES, Storage

pytestmark = pytest.mark.anyio
FILE = {"file": ("jug.png", png(1), "image/png")}


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port without a listener, reserved so that no other process gets it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield int(taken.getsockname()[1])


def refused(response: httpx.Response) -> None:
    """Check that a response says when to try again, and nothing about the inside of the server."""
    assert expect(response, 503, code="unavailable").json()["detail"] == (
        "A part of this server does not respond. Please try again in a moment."
    )
    assert response.headers["Retry-After"] == "5"


async def test_uploads_and_downloads_without_storage(
    person: Any, app_state: Any, settings: Any, silent_port: int
) -> None:
    stored = expect(await person.client.post("/assets/", files=FILE), 201).json()
    keys = "region=us-east-1&access_key_id=a&secret_access_key=b"
    url = f"s3://paint/files?endpoint=http://127.0.0.1:{silent_port}&{keys}"
    app_state.storage = Storage.from_settings(settings.model_copy(update={"storage_url": url}))
    refused(await person.client.post("/assets/", files={"file": ("cup.png", png(2), "image/png")}))
    refused(await person.client.get(f"/assets/{stored['id']}/content"))


async def test_requests_without_database(
    person: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable() -> Any:
        raise ConnectionRefusedError(111, "Connect call failed ('10.0.0.7', 5432)")

    monkeypatch.setattr(app_state.database, "reading", unreachable)
    monkeypatch.setattr(app_state.database, "writing", unreachable)
    refused(await person.client.get("/flows/"))
    headers = {"Idempotency-Key": "one"}
    refused(await person.client.post("/flows/", json={"name": "Sample"}, headers=headers))


async def write_read_only(database: Database) -> None:
    async with database.writing() as session:
        await session.execute(text("SET TRANSACTION READ ONLY"))
        await session.execute(text("CREATE TABLE trials (id INTEGER)"))


async def test_database_that_takes_no_changes_is_an_outage(empty_postgresql: str) -> None:
    database = Database(empty_postgresql)
    try:
        with pytest.raises(DBAPIError) as refusal:
            await write_read_only(database)
    finally:
        await database.close()
    assert is_outage(refusal.value)


async def test_users_sign_in_without_redis(person: Any, app_state: Any, silent_port: int) -> None:
    app_state.rate_limiter = RateLimiter(f"redis://127.0.0.1:{silent_port}/0")
    wanted = {"username": "mara", "password": PASSWORD}
    expect(await person.client.post("/identity/sign-in", json=wanted), 200)
    await app_state.rate_limiter.close()


async def test_launch_is_refused_while_the_disk_is_nearly_full(
    person: Any, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await make_flow(person, chain("shout"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=MIN_FREE_BYTES - 1))
    problem = await run_flow(person, made["id"], status=507)
    assert problem["code"] == "disk_full"
    assert (await person.client.get("/runs/")).json()["items"] == []
