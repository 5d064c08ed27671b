"""Calls the entry points of the group `impasto.preload`, which load slow libraries before the first use."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import EntryPoint

import structlog

from impasto.plugins.allow_list import in_use
from impasto_server.settings import Settings

log = structlog.get_logger()
GROUPS = ("impasto.preload", "impasto.warm")  # the second is the former name
_DELAY_SECONDS = 2  # the first page comes first


@asynccontextmanager
async def preloading(settings: Settings) -> AsyncIterator[None]:
    """Start preloading soon after the start, in a daemon thread that a shutdown does not wait for."""
    if not settings.warm:
        yield
        return
    begin = asyncio.get_running_loop().call_later(_DELAY_SECONDS, _begin)
    try:
        yield
    finally:
        begin.cancel()


def preload() -> None:
    """Call every entry point that may load. One that fails is logged, and the others are still called."""
    for group in GROUPS:
        for entry in in_use().admit(group).entries:
            _load(entry)


def _begin() -> None:
    threading.Thread(target=preload, name="preloading", daemon=True).start()


def _load(entry: EntryPoint) -> None:
    try:
        entry.load()()
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything, and will again when it is used
        log.warning("preload failed", entry=entry.value, error=str(error))
