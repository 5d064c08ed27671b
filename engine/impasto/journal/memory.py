"""A journal in memory."""

import time
from collections.abc import Callable, Sequence

from impasto.errors import LeaseHeld, LeaseLost, RunExists, RunNotFound
from impasto.journal.protocol import Entry, Lease


class _Log:
    __slots__ = ("expires", "fence", "owner", "records")

    def __init__(self, owner: str, expires: float, records: Sequence[Entry]) -> None:
        self.owner: str | None = owner
        self.expires = expires
        self.fence = 1
        self.records: list[Entry] = list(records)


class MemoryJournal:
    """Keeps logs as long as the process lives: for tests, scripts and runs that need no durability."""

    volatile = True

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._logs: dict[str, _Log] = {}
        self._clock = clock

    async def create(self, run_id: str, owner: str, seconds: float, records: Sequence[Entry]) -> Lease:
        """Begin a run. Raises RunExists."""
        if run_id in self._logs:
            raise RunExists(run_id)
        self._logs[run_id] = _Log(owner, self._clock() + seconds, records)
        return Lease(run_id, owner, 1)

    async def claim(self, run_id: str, owner: str, seconds: float) -> Lease:
        """Take over a run. Raises LeaseHeld or RunNotFound."""
        log = self._log(run_id)
        if log.owner not in (None, owner) and log.expires > self._clock():
            raise LeaseHeld(run_id, str(log.owner))
        log.owner = owner
        log.fence += 1
        log.expires = self._clock() + seconds
        return Lease(run_id, owner, log.fence)

    async def renew(self, lease: Lease, seconds: float) -> None:
        """Extend the lease to `seconds` from now. Raises LeaseLost."""
        self._leased(lease).expires = self._clock() + seconds

    async def release(self, lease: Lease) -> None:
        """Release the run. Does nothing if the lease is not the newest."""
        log = self._log(lease.run_id)
        if log.fence == lease.fence:
            log.owner = None

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        """Add the records. Raises LeaseLost."""
        self._leased(lease).records.extend(records)

    async def read(self, run_id: str) -> Sequence[Entry]:
        """Return the whole log in order. Raises RunNotFound."""
        return tuple(self._log(run_id).records)

    def _log(self, run_id: str) -> _Log:
        if run_id not in self._logs:
            raise RunNotFound(run_id)
        return self._logs[run_id]

    def _leased(self, lease: Lease) -> _Log:
        """Return the log that the lease may write to; LeaseLost if it may not."""
        log = self._log(lease.run_id)
        if log.fence != lease.fence or log.owner is None:
            raise LeaseLost(lease.run_id)
        return log
