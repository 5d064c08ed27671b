"""Queries that are finished although whoever asked has gone: a torn one would cost its connection."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def shielded(function: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Let a coroutine function run to its end when its caller is cancelled; the caller is, at once."""

    @wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.shield(function(*args, **kwargs))

    return run
