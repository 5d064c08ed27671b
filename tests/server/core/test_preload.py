"""Slow libraries are preloaded; one that fails does not stop the others."""

import asyncio
import threading
from importlib import metadata
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from impasto_server.nodes import preload
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio

warmed: list[threading.Thread] = []
done = threading.Event()


def good() -> None:
    warmed.append(threading.current_thread())
    done.set()


def bad() -> None:
    raise ImportError("no such library")


def join_preloading() -> None:
    """Wait until nothing is preloaded any more."""
    for thread in threading.enumerate():
        if thread.name == "preloading":
            thread.join(60)


async def end_preloading() -> None:
    """Let what is due now begin, and wait until it has ended."""
    for _ in range(3):
        await asyncio.sleep(0)
    join_preloading()


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loaded:
        def __init__(self, function: Any) -> None:
            self.value = function.__name__
            self.load = lambda: function

    missing = EntryPoint("missing", "impasto_nothing:here", preload.GROUPS[0])
    monkeypatch.setattr(
        metadata,
        "entry_points",
        lambda group: [missing, Loaded(bad), Loaded(good)] if group == "impasto.preload" else [],
    )
    monkeypatch.setattr(preload, "_DELAY_SECONDS", 0)
    join_preloading()
    warmed.clear()
    done.clear()


async def test_every_entry_point_is_called_in_the_background(entries: None) -> None:
    async with preload.preloading(Settings(_env_file=None, warm=True)):
        assert await asyncio.to_thread(done.wait, 60)
    [thread] = warmed
    assert (thread.name, thread.daemon) == ("preloading", True), "the end of the process waits for no import"


async def test_preload_can_be_turned_off(entries: None) -> None:
    async with preload.preloading(Settings(_env_file=None, warm=False)):
        await end_preloading()
    assert warmed == []


async def test_server_stopped_at_once_preloads_nothing(entries: None) -> None:
    async with preload.preloading(Settings(_env_file=None, warm=True)):
        pass
    await end_preloading()
    assert warmed == []
