"""Small helpers without a feature of their own: the clock, the version, ids, threads, shielded coroutines."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, wraps
from importlib.metadata import version
from typing import Any, ParamSpec, TypeVar

import structlog
import uuid_utils

from impasto_server.outages import log_failure

log = structlog.get_logger()
P = ParamSpec("P")
R = TypeVar("R")

_SWITCH_SECONDS = 0.0005

Clock = Callable[[], datetime]
"""Returns the current time. Tests inject one that they advance by hand."""


def utc_now() -> datetime:
    """Return the current time in UTC, timezone-aware."""
    return datetime.now(UTC)


@cache
def own_version() -> str:
    """Return the version of Impasto that is installed."""
    return version("impasto")


def new_id() -> str:
    """Return a new UUIDv7 (RFC 9562). Ids sort by age; those of one process in the order of the calls."""
    return str(uuid_utils.uuid7())


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """Switch threads of this process every 0.5 ms instead of 5 inside the block (`sys.setswitchinterval`).

    The event loop waits for the thread of an SQLite connection or of the broker about twenty times in a run,
    each time until the thread that has the interpreter's lock gives it up.
    """
    former = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(former)


def shielded(function: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Run a coroutine function to completion even when its caller is cancelled.

    The caller still sees the cancellation at once. Used for short database work: cancelling a query halfway
    makes the pool discard its connection.
    """

    @wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return await finished(asyncio.create_task(function(*args, **kwargs)))

    return run


async def finished(task: asyncio.Task[R]) -> R:
    """Return a task's result. Cancelling the caller does not stop the task, whose error is then logged."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if not task.done():
            _abandoned.add(task)
            task.add_done_callback(_on_abandoned_done)
        raise


# The event loop refers to its tasks weakly: one that is not awaited could be collected before it ends.
_abandoned: set[asyncio.Task[Any]] = set()


def _on_abandoned_done(task: asyncio.Task[Any]) -> None:
    _abandoned.discard(task)
    error = None if task.cancelled() else task.exception()
    if isinstance(error, Exception):
        log_failure(log, "work failed after its caller was cancelled", error)
