"""A pause of deletions, for as long as a backup copies the objects that its snapshot refers to.

The pause is an object in the storage, so that it counts for every server and worker. Backups at the same time
share it: none removes it, because another may still need it. It expires ten minutes after the last of them
has ended or was killed.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import structlog

from impasto_server.storage.object_storage import Storage
from impasto_server.utils import Clock

log = structlog.get_logger()
KEY = "maintenance/deletions-paused-until"
_DURATION = timedelta(minutes=10)
_RENEWAL_SECONDS = 60.0


@asynccontextmanager
async def pause(storage: Storage, clock: Clock) -> AsyncIterator[None]:
    """Pause deletions for the length of the block, and up to ten minutes longer."""
    await _write(storage, clock)
    renewing = asyncio.create_task(_renew(storage, clock), name="pause of deletions")
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)


async def is_paused(storage: Storage, now: datetime) -> bool:
    """Return whether objects must not be deleted now."""
    try:
        until = await storage.read(KEY)
    except FileNotFoundError:
        return False
    return now < datetime.fromisoformat(until.decode())


async def _renew(storage: Storage, clock: Clock) -> None:
    while True:
        await asyncio.sleep(_RENEWAL_SECONDS)
        try:
            await _write(storage, clock)
        except Exception as error:
            log.warning("the pause of deletions could not be renewed", exc_info=error)


async def _write(storage: Storage, clock: Clock) -> None:
    await storage.put_at(KEY, (clock() + _DURATION).isoformat().encode())
