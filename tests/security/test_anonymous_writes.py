"""Requests without an account leave nothing behind on the server, however often they are sent."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, select
from tests.server.responses import expect

from impasto_server.db.migrations.tables import metadata

pytestmark = pytest.mark.anyio

SIGN_IN = {"username": "stranger", "password": "Thick-paint-7"}


async def rows(app: FastAPI) -> dict[str, int]:
    async with app.state.app_state.database.reading() as session:
        # Failed sign-ins are recorded on purpose, at most 60 a minute from an address.
        tables = [(name, table) for name, table in metadata.tables.items() if name != "audit_log"]
        return {name: await session.scalar(select(func.count()).select_from(table)) for name, table in tables}


def files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if "impasto.db" not in path.name}


@pytest.mark.parametrize("authorization", [None, "Bearer imp_made-up", "Bearer a.b.c", "Basic eA=="])
async def test_idempotency_key_of_a_stranger_writes_nothing(
    app: FastAPI, client: httpx.AsyncClient, authorization: str | None
) -> None:
    before = await rows(app)
    for number in range(5):
        headers = {
            "Idempotency-Key": f"k{number}",
            **({"Authorization": authorization} if authorization else {}),
        }
        for path, body in (("/identity/sign-in", SIGN_IN), ("/flows/", {"name": "Poster"})):
            expect(await client.post(path, json=body, headers=headers), 401)
    assert await rows(app) == before


async def test_readiness_check_writes_nothing(app: FastAPI, settings: Any) -> None:
    transport = httpx.ASGITransport(app)
    before = files(settings.data_dir), await rows(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        for _ in range(3):
            expect(await client.get("/readyz"), 200)
    assert (files(settings.data_dir), await rows(app)) == before
