"""The engine's cache in the database. Each user has a cache of their own.

Entries are written soon after they are put, those of many steps in one transaction. A process that is killed
before loses them, as a cache may; the run that made them resumes from its journal.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, cast
from weakref import WeakValueDictionary

import orjson
import structlog
from sqlalchemy import Insert, Select, String, Table, and_, bindparam, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from impasto_server.assets import service as assets
from impasto_server.assets.references import asset_ids_in
from impasto_server.db.engine import Database
from impasto_server.runs.models import ReuseRow
from impasto_server.utils import Clock, shielded

_MAX_ENTRY_BYTES = 4 * 2**20
_MAX_BUFFER_BYTES = 16 * 2**20
_WRITE_SECONDS = 0.25
_USED_AT_PRECISION = timedelta(days=1)
Entries = dict[tuple[str, str], bytes]
"""Outputs by the id of their owner and their key."""
_MAX_READ = 64
log = structlog.get_logger()


class ReuseCache:
    """The step outputs of one user. Runs of the user share the object, so they share steps in flight."""

    can_peek = False  # the table is read asynchronously

    def __init__(
        self, database: Database, clock: Clock, reader: "ReuseReader", writer: "ReuseWriter", owner_id: str
    ) -> None:
        self.inflight: dict[str, Any] = {}
        self._database = database
        self._clock = clock
        self._reader = reader
        self._writer = writer
        self._owner_id = owner_id

    def peek(self, key: str) -> None:
        """Return None: see `can_peek`."""

    async def get(self, key: str) -> bytes | None:
        """Return the outputs stored under the key, or None, also if one of their assets was deleted."""
        entry, used_at = self._writer.find(self._owner_id, key), None
        if entry is None:
            found = await self._reader.find(self._owner_id, key)
            if found is None:
                return None
            entry, used_at = found
        if b'"asset_id"' in entry and not await self._has_all_assets(entry):
            return None
        if used_at is not None and self._clock() - used_at > _USED_AT_PRECISION:
            await self._touch(key)
        return entry

    @shielded
    async def _has_all_assets(self, entry: bytes) -> bool:
        asset_ids = asset_ids_in(orjson.loads(entry))
        async with self._database.reading() as session:
            return len(await assets.find_many(session, self._owner_id, asset_ids)) == len(asset_ids)

    @shielded
    async def _touch(self, key: str) -> None:
        mine = (ReuseRow.owner_id == self._owner_id, ReuseRow.key == key)
        async with self._database.writing() as session:
            await session.execute(update(ReuseRow).where(*mine).values(used_at=self._clock()))

    async def put(self, key: str, outputs: bytes) -> None:
        """Store the outputs under the key. Outputs above 4 MiB are not stored."""
        if len(outputs) <= _MAX_ENTRY_BYTES:
            await self._writer.add(self._owner_id, key, outputs)


Stored = tuple[bytes, datetime]
"""An entry, and when it was last used."""


@dataclass(frozen=True)
class _Lookup:
    """A step that waits for its entry. Its future is done early if the step is cancelled."""

    place: tuple[str, str]
    future: asyncio.Future[Stored | None]

    def answer(self, stored: Stored | None) -> None:
        if not self.future.done():
            self.future.set_result(stored)

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class ReuseReader:
    """Reads the entries of all users: together those that are asked for while others are read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._wanted: list[_Lookup] = []
        self._reading: asyncio.Task[None] | None = None

    async def find(self, owner_id: str, key: str) -> Stored | None:
        """Return an entry and when it was last used, or None."""
        lookup = _Lookup((owner_id, key), asyncio.get_running_loop().create_future())
        self._wanted.append(lookup)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_wanted(), name="reading reusable outputs")
        return await lookup.future

    async def _read_wanted(self) -> None:
        try:
            while self._wanted:
                wanted, self._wanted = self._wanted[:_MAX_READ], self._wanted[_MAX_READ:]
                await self._read(wanted)
        finally:
            self._reading = None

    async def _read(self, wanted: Sequence[_Lookup]) -> None:
        places = [each.place for each in wanted]
        # Few lengths, because each one is a statement of its own.
        places += places[-1:] * ((1 << (len(places) - 1).bit_length()) - len(places))
        values = {
            f"{name}_{number}": value
            for number, place in enumerate(places)
            for name, value in zip(("owner_id", "key"), place, strict=True)
        }
        try:
            rows = await self._database.all(_entries(len(places)), values)
        except Exception as error:  # noqa: BLE001 - each step that waits raises it
            for each in wanted:
                each.fail(error)
            return
        found = {(owner_id, key): (entry, used_at) for owner_id, key, entry, used_at in rows}
        for each in wanted:
            each.answer(found.get(each.place))


class ReuseWriter:
    """Collects the entries of all users, and writes them together a quarter of a second later."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._buffer: Entries = {}
        self._bytes = 0
        self._being_written: Entries = {}
        self._writing: asyncio.Task[None] | None = None

    def find(self, owner_id: str, key: str) -> bytes | None:
        """Return an entry that is not in the database yet, or None."""
        found = self._buffer.get((owner_id, key))
        return self._being_written.get((owner_id, key)) if found is None else found

    async def add(self, owner_id: str, key: str, entry: bytes) -> None:
        """Write an entry soon. Returns at once unless 16 MiB wait already."""
        self._buffer[owner_id, key] = entry
        self._bytes += len(entry)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_soon(), name="writing reusable outputs")
        if self._bytes > _MAX_BUFFER_BYTES:
            await self.flush()

    async def flush(self) -> None:
        """Return when every entry so far is written."""
        while self._writing is not None:
            await asyncio.shield(self._writing)

    async def _write_soon(self) -> None:
        try:
            while self._buffer:
                await asyncio.sleep(_WRITE_SECONDS)
                self._being_written, self._buffer, self._bytes = self._buffer, {}, 0
                await self._write(self._being_written)
        finally:
            self._being_written = {}
            self._writing = None

    async def _write(self, entries: Entries) -> None:
        """Write entries; those that cannot be written are computed again by later runs."""
        try:
            await self._upsert(entries)
        except IntegrityError:  # the owner of one was deleted; the others are kept
            for place, entry in entries.items() if len(entries) > 1 else ():
                await self._write({place: entry})
        except Exception as error:  # noqa: BLE001 - no error of a cache may end a run
            log.warning("could not store outputs for reuse", entries=len(entries), error=repr(error))

    async def _upsert(self, entries: Entries) -> None:
        now = self._clock()
        rows = [
            {"owner_id": owner_id, "key": key, "entry": entry, "used_at": now}
            for (owner_id, key), entry in sorted(entries.items())
        ]
        await self._database.execute(_storing(self._database.engine.dialect.name), rows)


@cache
def _entries(size: int) -> Select[str, str, bytes, datetime]:
    """Return the query of the entries in `size` places. Built once, because a query is kept."""
    places = [
        and_(
            ReuseRow.owner_id == bindparam(f"owner_id_{number}", type_=String),
            ReuseRow.key == bindparam(f"key_{number}", type_=String),
        )
        for number in range(size)
    ]
    return select(ReuseRow.owner_id, ReuseRow.key, ReuseRow.entry, ReuseRow.used_at).where(or_(*places))


@cache
def _storing(dialect: str) -> Insert:
    """Return the statement that stores an entry. Built once: building it takes longer than its execution."""
    table = cast("Table", ReuseRow.__table__)
    insert = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(table)
    changed = {"entry": insert.excluded.entry, "used_at": insert.excluded.used_at}
    return insert.on_conflict_do_update(index_elements=["owner_id", "key"], set_=changed)


class ReuseCaches:
    """The caches of the users whose runs are being executed."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._reader = ReuseReader(database)
        self._writer = ReuseWriter(database, clock)
        self._caches: WeakValueDictionary[str, ReuseCache] = WeakValueDictionary()

    def for_user(self, owner_id: str) -> ReuseCache:
        """Return the user's cache, the same object while a run uses it."""
        cache = self._caches.get(owner_id)
        if cache is None:
            cache = self._caches[owner_id] = ReuseCache(
                self._database, self._clock, self._reader, self._writer, owner_id
            )
        return cache

    async def flush(self) -> None:
        """Return when what was put into the caches is written."""
        await self._writer.flush()
