"""Whether the process lives, and whether it can serve."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel
from sqlalchemy import text

from impasto_server.container import Parts, WithParts

router = APIRouter(tags=["system"])
State = Literal["ok", "unavailable"]
_PATIENCE_SECONDS = 5


class Health(BaseModel):
    """The process lives."""

    status: Literal["ok"] = "ok"


class Readiness(BaseModel):
    """What the server stands on, each part by itself."""

    database: State
    store: State
    queue: State


@router.get("/healthz")
async def healthz() -> Health:
    """Answer as long as the process lives."""
    return Health()


@router.get("/readyz")
async def readyz(parts: WithParts, response: Response) -> Readiness:
    """Answer 200 when everything the server stands on answers, 503 naming what does not."""
    states = await asyncio.gather(_state(parts, _database), _state(parts, _store), _state(parts, _queue))
    if "unavailable" in states:
        response.status_code = 503
    return Readiness(database=states[0], store=states[1], queue=states[2])


async def _state(parts: Parts, check: Callable[[Parts], Awaitable[None]]) -> State:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await check(parts)
    except Exception:  # noqa: BLE001 - any failure means the same here: not ready
        return "unavailable"
    return "ok"


async def _database(parts: Parts) -> None:
    async with parts.database.reading() as session:
        await session.execute(text("SELECT 1"))


async def _store(parts: Parts) -> None:
    await parts.storage.check()


async def _queue(parts: Parts) -> None:
    await parts.limiter.check()
