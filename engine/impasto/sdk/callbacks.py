"""Webhooks: how an outside service wakes a step that waits for it.

A webhook request carries no data into the run. The step that it wakes asks the provider itself, so a forged,
repeated or lost request changes only when the step looks, never what it sees.
"""

import asyncio
import typing as t
from contextlib import AbstractAsyncContextManager


class Callback(t.Protocol):
    """A callback URL of one step, open for the length of an `async with` block."""

    def address(self, secret: str) -> str:
        """Return the URL to give to the provider; empty if the run cannot be reached from outside.

        `secret` (`whsec_…`) verifies the requests as Standard Webhooks specifies.
        """

    async def wait(self, seconds: float) -> bool:
        """Wait for a request, at most `seconds`; return whether one arrived."""


Callbacks = t.Callable[[str], AbstractAsyncContextManager[Callback]]
"""Opens the callback of a topic. The same topic has the same URL, also after a crash."""


class UnreachableCallback:
    """The callback of a run that cannot be reached from outside: it has no URL and only waits."""

    async def __aenter__(self) -> "UnreachableCallback":
        return self

    async def __aexit__(self, *error: object) -> None: ...

    def address(self, secret: str) -> str:
        """Return an empty string."""
        return ""

    async def wait(self, seconds: float) -> bool:
        """Sleep for `seconds` and return False."""
        await asyncio.sleep(seconds)
        return False
