"""What a user has open at a time: uploads and exports, and event streams.

Uploads and exports are rows with a lease. They are few, and the disk and the storage that they fill are
shared by every process, so they count across processes. The process that holds a row extends its lease; after
a crash the rows count for `LEASE_SECONDS` at most.

Event streams are counted in memory, for each process. A stream costs its own process a connection and
nothing shared, every launch opens one, and a process that dies closes its streams: a row for each would cost
two writes to the database without protecting more.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Literal

import structlog

from impasto_server.db.engine import Database
from impasto_server.limits import refusals, repository
from impasto_server.limits.models import SlotRow
from impasto_server.limits.service import LimitsService
from impasto_server.settings import Settings
from impasto_server.users.models import User
from impasto_server.utils import Clock, new_id, shielded

LEASE_SECONDS = 60
_RENEW_SECONDS = LEASE_SECONDS / 4
_DESCRIPTIONS = {"uploads": "uploads in progress", "exports": "exports in progress"}
SlotKind = Literal["uploads", "exports"]
log = structlog.get_logger()


class Slots:
    """The uploads and exports that this process serves."""

    def __init__(self, settings: Settings, limits: LimitsService, database: Database, clock: Clock) -> None:
        self._settings = settings
        self._limits = limits
        self._database = database
        self._clock = clock
        self._holder = new_id()
        self._held: set[str] = set()
        self._renewal: asyncio.Task[None] | None = None

    async def take(self, user: User, kind: SlotKind) -> str:
        """Take a slot and return its id, which `release` takes back. Raises `LimitReached`."""
        slot_id = new_id()
        used = await self._insert(user.id, kind, slot_id)
        if used is not None:
            limit = getattr(self._limits.of(user), kind)
            raise refusals.in_progress(self._settings, kind, _DESCRIPTIONS[kind], limit, used)
        self._held.add(slot_id)
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._renew(), name="slots")
        return slot_id

    @shielded
    async def release(self, slot_id: str) -> None:
        """Give a slot back. A slot that cannot be given back now expires."""
        self._held.discard(slot_id)
        try:
            async with self._database.writing() as session:
                await repository.remove_slot(session, slot_id)
        except Exception as error:
            log.warning("could not release a slot", slot=slot_id, exc_info=error)

    async def close(self) -> None:
        """Stop extending slots: what is still held expires."""
        self._held.clear()
        if self._renewal is not None:
            self._renewal.cancel()
            await asyncio.gather(self._renewal, return_exceptions=True)

    @asynccontextmanager
    async def hold(self, user: User, kind: SlotKind) -> AsyncIterator[None]:
        """Hold a slot for the length of the block. Raises `LimitReached`."""
        slot_id = await self.take(user, kind)
        try:
            yield
        finally:
            await self.release(slot_id)

    @shielded
    async def _insert(self, user_id: str, kind: SlotKind, slot_id: str) -> int | None:
        now = self._clock()
        async with self._database.writing() as session:
            limits = await self._limits.lock(session, user_id)
            row = SlotRow(
                id=slot_id,
                user_id=user_id,
                kind=kind,
                holder=self._holder,
                expires_at=now + timedelta(seconds=LEASE_SECONDS),
            )
            return await repository.take_slot(session, user_id, kind, getattr(limits, kind), row, now)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            if not self._held:
                return
            until = self._clock() + timedelta(seconds=LEASE_SECONDS)
            try:
                async with self._database.writing() as session:
                    await repository.extend_slots(session, self._holder, sorted(self._held), until)
            except Exception as error:
                log.warning("could not extend slots", exc_info=error)


class Streams:
    """The event streams that this process serves, by user."""

    def __init__(self, settings: Settings, limits: LimitsService) -> None:
        self._settings = settings
        self._limits = limits
        self._open: Counter[str] = Counter()

    def open(self, user: User) -> None:
        """Count a stream that is about to open. Raises `LimitReached`."""
        limit, used = self._limits.of(user).streams, self._open[user.id]
        if used >= limit:
            raise refusals.in_progress(self._settings, "streams", "event streams open", limit, used)
        self._open[user.id] += 1

    def close(self, user: User) -> None:
        """Count a stream as closed."""
        self._open[user.id] -= 1
        if self._open[user.id] <= 0:
            del self._open[user.id]

    @property
    def total(self) -> int:
        """The number of streams open here."""
        return sum(self._open.values())

    def count(self, user_id: str) -> int:
        """Return how many streams a user has open here."""
        return self._open.get(user_id, 0)
