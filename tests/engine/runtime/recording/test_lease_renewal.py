"""A run's lease is renewed after each third of its time, and given up when it cannot be."""

import asyncio

import pytest

from impasto import Lease, LeaseLost
from impasto.runtime.recording.lease_renewal import LeaseRenewal

pytestmark = pytest.mark.anyio
LEASE = Lease("r", "me", 1)
GONE = OSError("the database is gone")


class Renewals:
    """A lease of 3 s whose renewals end as given, one after another, on a clock that the test sets."""

    def __init__(self, monkeypatch, *ends):
        loop = asyncio.get_running_loop()
        self._now = self._start = float(int(loop.time()))
        monkeypatch.setattr(loop, "time", lambda: self._now)
        self._ends = [*ends]
        self.renewed = []
        self.lost = []
        self.hangs = asyncio.Event()
        self.lease = LeaseRenewal(self, LEASE, 3.0, self.lost.append)

    async def renew(self, lease, seconds):
        self.renewed.append((self._now - self._start, lease, seconds))
        end = self._ends.pop(0)
        if end is self.hangs:
            await self.hangs.wait()
        if isinstance(end, Exception):
            raise end

    @property
    def times(self):
        return [moment for moment, _, _ in self.renewed]

    async def until(self, seconds):
        """Let the time pass, in eighths of a second."""
        while self._now < self._start + seconds:
            self._now += 0.125
            for _ in range(4):
                await asyncio.sleep(0)


async def test_lease_is_renewed_after_each_third_of_its_time(monkeypatch):
    made = Renewals(monkeypatch, None, None, None)
    made.lease.schedule()
    await made.until(0.875)
    assert made.renewed == []
    await made.until(3.5)
    assert made.renewed == [(1, LEASE, 3.0), (2, LEASE, 3.0), (3, LEASE, 3.0)]
    assert made.lost == []
    made.lease.stop()
    await made.until(5)
    assert len(made.renewed) == 3


async def test_lost_lease_is_reported_at_once_and_not_renewed_again(monkeypatch):
    error = LeaseLost("r")
    made = Renewals(monkeypatch, error)
    made.lease.schedule()
    await made.until(6)
    assert (made.times, made.lost) == ([1], [error])


async def test_other_errors_are_tolerated_until_the_lease_ends(monkeypatch):
    made = Renewals(monkeypatch, GONE, GONE, GONE, GONE)
    made.lease.schedule()
    await made.until(2.875)
    assert (made.times, made.lost) == ([1, 2], [])
    await made.until(6)
    assert (made.times, made.lost) == ([1, 2, 3], [GONE])


async def test_lease_lasts_from_its_latest_renewal(monkeypatch):
    made = Renewals(monkeypatch, None, None, GONE, GONE, GONE, GONE)
    made.lease.schedule()
    await made.until(4.875)
    assert (made.times, made.lost) == ([1, 2, 3, 4], [])
    await made.until(7)
    assert (made.times, made.lost) == ([1, 2, 3, 4, 5], [GONE])


async def test_renewal_under_way_is_cancelled_when_the_run_ends(monkeypatch):
    made = Renewals(monkeypatch, None)
    made._ends = [made.hangs]
    made.lease.stop()
    made.lease.schedule()
    await made.until(1.5)
    assert len(made.renewed) == 1
    made.lease.stop()
    made.hangs.set()
    await made.until(4)
    assert (len(made.renewed), made.lost) == (1, [])
