"""Housekeeping deletes expired data and keeps the rest."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, select
from tests.server.responses import expect

from impasto_server.housekeeping import run_housekeeping
from impasto_server.http.idempotency import StoredResponse
from impasto_server.identity.models import Code, RefreshToken, SignInSession

pytestmark = pytest.mark.anyio

TABLES = (Code, StoredResponse, RefreshToken, SignInSession)


async def counts(app: FastAPI) -> list[int]:
    async with app.state.app_state.database.reading() as session:
        return [int(await session.scalar(select(func.count()).select_from(table)) or 0) for table in TABLES]


async def test_housekeeping_deletes_expired_rows_only(
    app: FastAPI, client: httpx.AsyncClient, person: Any, clock: Any
) -> None:
    await person.client.post("/identity/refresh")
    body = {"username": "noor", "email": "noor@northbound.example", "password": "Thick-paint-7"}
    await client.post("/identity/sign-up", json=body)
    await person.client.post("/flows/", json={"name": "Poster"}, headers={"Idempotency-Key": "one"})
    assert await counts(app) == [1, 1, 2, 1]

    await run_housekeeping(app.state.app_state)
    assert await counts(app) == [1, 1, 2, 1], "everything is still good"

    clock.travel(hours=25)
    await run_housekeeping(app.state.app_state)
    assert await counts(app) == [0, 0, 2, 1]
    expect(await person.client.post("/identity/refresh"), 200)

    clock.travel(days=31)
    await run_housekeeping(app.state.app_state)
    assert await counts(app) == [0, 0, 0, 0]


async def test_housekeeping_continues_after_an_error(app: FastAPI, monkeypatch: Any) -> None:
    import asyncio

    from impasto_server import housekeeping

    tries: list[int] = []
    enough = asyncio.Event()

    async def busy(_app_state: object) -> None:
        tries.append(1)
        if len(tries) == 3:
            enough.set()
        raise OSError

    monkeypatch.setattr(housekeeping, "run_housekeeping", busy)
    monkeypatch.setattr(housekeeping, "_FIRST_AFTER_SECONDS", 0)
    monkeypatch.setattr(housekeeping, "_PERIOD_SECONDS", 0)
    async with housekeeping.housekeeping(app.state.app_state):
        await enough.wait()
    assert len(tries) >= 3
