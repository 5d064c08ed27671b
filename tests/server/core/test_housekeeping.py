"""Housekeeping deletes expired data and keeps the rest."""

from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import delete, func, select, update
from tests.server.conftest import Recorded
from tests.server.responses import expect
from tests.server.sample_nodes import chain

from impasto_server.assets.models import AssetRow
from impasto_server.audit.models import AuditRow
from impasto_server.housekeeping import run_housekeeping
from impasto_server.http.idempotency import StoredResponse
from impasto_server.identity.models import Code, RefreshToken, SignInSession
from impasto_server.runs.models import RunListingRow, RunRow
from impasto_server.utils import new_id

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


async def test_housekeeping_deletes_old_audit_entries(app: FastAPI, recorded: Recorded) -> None:
    state = app.state.app_state
    for days in (state.settings.audit_days + 1, state.settings.audit_days - 1):
        async with state.database.writing() as session:
            at = state.clock() - timedelta(days=days)
            session.add(AuditRow(id=new_id(), at=at, action="sign_in", outcome="success", actor_kind="user"))
    assert len(await recorded("sign_in")) == 2
    await run_housekeeping(state)
    [kept] = await recorded("sign_in")
    assert kept.at == at


async def test_housekeeping_completes_the_runs_of_earlier_versions(
    app_state: Any, person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("shout"))
    await finished(person, await run_flow(person, made["id"], inputs={"ask": "A blue jug"}))
    listed = (await person.client.get("/runs/", params={"q": "jug"})).json()["items"]
    library = (await person.client.get("/assets/library")).json()["items"]
    assert (len(listed), len(library)) == (1, 1)
    async with app_state.database.writing() as session:
        planned = await session.scalar(select(RunRow.planned_results))
        assert planned
        await session.execute(update(RunRow).values(planned_results=None, planned_steps=None))
        await session.execute(delete(RunListingRow))
        await session.execute(delete(AssetRow))

    await run_housekeeping(app_state)
    assert (await person.client.get("/runs/", params={"q": "jug"})).json()["items"] == listed
    assert (await person.client.get("/assets/library")).json()["items"] == library
    async with app_state.database.reading() as session:
        assert await session.scalar(select(RunRow.planned_results)) == planned


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
