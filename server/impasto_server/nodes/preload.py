"""Loads what is slow to load before anybody asks for it: the entry points of the group `impasto.warm`."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import EntryPoint, entry_points

import structlog

from impasto_server.settings import Settings

log = structlog.get_logger()
GROUP = "impasto.warm"
_DELAY_SECONDS = 2  # the first page comes first


@asynccontextmanager
async def preloading(settings: Settings) -> AsyncIterator[None]:
    """Begin to warm up soon after the start, in a thread that no shutdown waits for."""
    if not settings.warm:
        yield
        return
    begin = asyncio.get_running_loop().call_later(_DELAY_SECONDS, _begin)
    try:
        yield
    finally:
        begin.cancel()


def preload() -> None:
    """Call every entry point; one that fails stops no other."""
    for entry in entry_points(group=GROUP):
        _load(entry)


def _begin() -> None:
    threading.Thread(target=preload, name="preloading", daemon=True).start()


def _load(entry: EntryPoint) -> None:
    try:
        entry.load()()
    except Exception as error:  # noqa: BLE001 - a plugin's trouble shows when it is used, in its own words
        log.warning("could not warm up", entry=entry.value, error=str(error))
