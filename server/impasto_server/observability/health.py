"""Health checks: liveness and readiness."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from sqlalchemy import text

from impasto_server.container import AppState, AppStateDep
from impasto_server.runs.operators import service as operators

router = APIRouter(tags=["system"])
State = Literal["ok", "unavailable"]
_TIMEOUT_SECONDS = 5


class Health(BaseModel):
    """The process is running."""

    status: Literal["ok"] = "ok"


class Readiness(BaseModel):
    """The state of each service that the server depends on."""

    database: State
    store: State
    queue: State | Literal["no workers"]
    mail: State | Literal["delayed"] = Field(description="Does not decide the status: runs go on.")


class ServerReadiness(BaseModel):
    """The state of what the server needs to answer requests."""

    database: State


@router.get("/healthz")
async def healthz() -> Health:
    """Return 200 while the process is running."""
    return Health()


@router.get("/readyz")
async def readyz(app_state: AppStateDep, response: Response) -> Readiness:
    """Return 200 if every dependency responds, else 503 and which one does not."""
    database, store, queue, workers, mail = await asyncio.gather(
        _state(app_state, _database),
        _state(app_state, _store),
        _state(app_state, _queue),
        _state(app_state, _workers),
        _state(app_state, _mail),
    )
    has_no_workers = (database, queue, workers) == ("ok", "ok", "unavailable")
    if "unavailable" in (database, store, queue, workers):
        response.status_code = 503
    is_delayed = (database, mail) == ("ok", "unavailable")
    return Readiness(
        database=database,
        store=store,
        queue="no workers" if has_no_workers else queue,
        mail="delayed" if is_delayed else mail,
    )


@router.get("/readyz/server", include_in_schema=False)
async def server_readyz(app_state: AppStateDep, response: Response) -> ServerReadiness:
    """Return 200 if this server can answer requests, else 503.

    For load balancers. It needs the database only: while the storage or the queue does not respond, the
    server still answers most requests and accepts launches, and others have the same difficulty.
    """
    database = await _state(app_state, _database)
    if database == "unavailable":
        response.status_code = 503
    return ServerReadiness(database=database)


async def _state(app_state: AppState, check: Callable[[AppState], Awaitable[None]]) -> State:
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            await check(app_state)
    except Exception:  # noqa: BLE001 - whatever fails, the dependency is not ready
        return "unavailable"
    return "ok"


async def _database(app_state: AppState) -> None:
    async with app_state.database.reading() as session:
        await session.execute(text("SELECT 1"))


async def _store(app_state: AppState) -> None:
    await app_state.storage.check()


async def _queue(app_state: AppState) -> None:
    await app_state.rate_limiter.check()


async def _workers(app_state: AppState) -> None:
    """Raise an error unless a process that executes runs is alive."""
    async with app_state.database.reading() as session:
        if not await operators.count_workers(session, app_state):
            raise LookupError("no process executes runs")


async def _mail(app_state: AppState) -> None:
    """Raise an error if e-mails wait for the mail server."""
    if await app_state.mailer.is_delayed():
        raise LookupError("the mail server does not take e-mails")
