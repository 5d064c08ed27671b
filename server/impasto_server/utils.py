"""Small helpers without a feature of their own: the clock, identifiers, shielded coroutines."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import uuid_utils

P = ParamSpec("P")
R = TypeVar("R")

Clock = Callable[[], datetime]
"""Returns the current time. Tests inject one that they advance by hand."""


def utc_now() -> datetime:
    """Return the current time in UTC, timezone-aware."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a new UUIDv7 (RFC 9562). Ids sort by age; those of one process in the order of the calls."""
    return str(uuid_utils.uuid7())


def shielded(function: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Run a coroutine function to completion even when its caller is cancelled.

    The caller still sees the cancellation at once. Used for short database work: cancelling a query halfway
    makes the pool discard its connection.
    """

    @wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.shield(function(*args, **kwargs))

    return run
