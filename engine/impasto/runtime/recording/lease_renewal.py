"""The lease of a run: who owns it, and its renewal while the run lasts."""

import asyncio
import os
import socket
from collections.abc import Callable
from functools import cache
from secrets import token_hex

from impasto.errors import LeaseLost
from impasto.journal.protocol import Journal, Lease


def owner_of_this_process() -> str:
    """Return the name that owns the leases of this process.

    A forked process has another than its parent, whose runs it must not own.
    """
    return _owner(os.getpid())


@cache
def _owner(process: int) -> str:
    return f"{socket.gethostname()}:{process}:{token_hex(4)}"


class LeaseRenewal:
    """Renews a lease after each third of its `seconds`, and calls `on_lost` with the error if that fails.

    Other errors than LeaseLost are tolerated as long as the lease lasts: no other process can own the run.
    """

    def __init__(
        self, journal: Journal, lease: Lease, seconds: float, on_lost: Callable[[BaseException], None]
    ) -> None:
        self.lease = lease
        self._journal = journal
        self._seconds = seconds
        self._on_lost = on_lost
        self._loop = asyncio.get_running_loop()
        self._expires = self._loop.time() + seconds
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def schedule(self) -> None:
        """Renew the lease after a third of its time."""
        self._timer = self._loop.call_later(self._seconds / 3, self._start)

    def _start(self) -> None:
        self._task = self._loop.create_task(self._renew())

    async def _renew(self) -> None:
        now = self._loop.time()
        try:
            await self._journal.renew(self.lease, self._seconds)
        except Exception as error:  # noqa: BLE001 - the run raises it to its caller
            if isinstance(error, LeaseLost) or self._loop.time() >= self._expires:
                self._on_lost(error)
            else:
                self.schedule()
        else:
            self._expires = now + self._seconds
            self.schedule()

    def stop(self) -> None:
        """Renew the lease no more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
