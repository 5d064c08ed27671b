"""Hourly clean-up: expired codes, sessions and responses, unused objects, old run data and audit entries."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog

from impasto_server.assets.garbage import sweep
from impasto_server.audit import service as audit
from impasto_server.brands.fonts import delete_unused as delete_unused_fonts
from impasto_server.container import AppState
from impasto_server.http.idempotency import delete_expired as delete_expired_responses
from impasto_server.identity import service as identity
from impasto_server.runs.launch.planned_results import backfill_planned_results
from impasto_server.runs.library.backfill import backfill_library, backfill_listings
from impasto_server.runs.retention import purge_expired

log = structlog.get_logger()
# A start has work of its own, and its first requests should not wait for this.
_FIRST_AFTER_SECONDS = 60
_PERIOD_SECONDS = 3600


@asynccontextmanager
async def housekeeping(app_state: AppState) -> AsyncIterator[None]:
    """Run the clean-up after a minute and then every hour while the block is active."""
    stop = asyncio.Event()
    task = asyncio.create_task(_run_hourly(app_state, stop), name="housekeeping")
    try:
        yield
    finally:
        stop.set()
        await task


async def run_housekeeping(app_state: AppState) -> None:
    """Run the clean-up once."""
    now = app_state.clock()
    async with app_state.database.writing() as session:
        await identity.delete_expired(session, now)
        await delete_expired_responses(session, now)
        await app_state.limits.delete_expired(session)
    await delete_unused_fonts(app_state)
    await sweep(app_state)
    await purge_expired(app_state)
    await audit.purge_expired(app_state)
    await backfill_planned_results(app_state)
    await backfill_listings(app_state)
    await backfill_library(app_state)


async def _run_hourly(app_state: AppState, stop: asyncio.Event) -> None:
    seconds = _FIRST_AFTER_SECONDS
    while not await _is_set_within(stop, seconds):
        try:
            await run_housekeeping(app_state)
        except Exception as error:
            log.warning("housekeeping failed", exc_info=error)
        seconds = _PERIOD_SECONDS


async def _is_set_within(event: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
