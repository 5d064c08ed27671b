"""How the outside wakes a step that waits for it: an address to call, and a wait for that call.

A call carries nothing into the run. Whoever is woken asks the provider itself, so a forged, doubled or
lost call changes when a step looks, never what it sees.
"""

import asyncio
import typing as t
from contextlib import AbstractAsyncContextManager


class Callback(t.Protocol):
    """One step's ear, for as long as its block lasts."""

    def address(self, secret: str) -> str:
        """Where to call, signed with `secret` as Standard Webhooks say (`whsec_…`); empty: nobody can."""

    async def wait(self, seconds: float) -> bool:
        """Wait for a call, at most so long; whether one came."""


Callbacks = t.Callable[[str], AbstractAsyncContextManager[Callback]]
"""Opens the callback of a topic: the same topic again, after a crash say, hears the same address."""


class Silence:
    """The callback of a run that nobody outside can reach."""

    async def __aenter__(self) -> "Silence":
        return self

    async def __aexit__(self, *error: object) -> None: ...

    def address(self, secret: str) -> str:
        """None."""
        return ""

    async def wait(self, seconds: float) -> bool:
        """Sleep."""
        await asyncio.sleep(seconds)
        return False
