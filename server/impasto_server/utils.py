"""Small helpers without a feature of their own: the clock, identifiers, shielded coroutines."""

import asyncio
import os
import time
import uuid
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

Clock = Callable[[], datetime]
"""Returns the current time. Tests inject one that they advance by hand."""


def utc_now() -> datetime:
    """Return the current time in UTC, timezone-aware."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a new UUIDv7 (RFC 9562): a millisecond timestamp, then random bits, so ids sort by age."""
    milliseconds = time.time_ns() // 1_000_000
    number = milliseconds << 80 | int.from_bytes(os.urandom(10))
    number = number & ~(0xF << 76) | 0x7 << 76
    number = number & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=number))


def shielded(function: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Run a coroutine function to completion even when its caller is cancelled.

    The caller still sees the cancellation at once. Used for short database work: cancelling a query halfway
    makes the pool discard its connection.
    """

    @wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.shield(function(*args, **kwargs))

    return run
