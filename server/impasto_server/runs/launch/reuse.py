"""The engine's cache in the database. Each user has a cache of their own."""

from datetime import timedelta
from typing import Any
from weakref import WeakValueDictionary

import orjson
from sqlalchemy import update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service as assets
from impasto_server.assets.references import asset_ids_in
from impasto_server.db.engine import Database
from impasto_server.runs.models import ReuseRow
from impasto_server.utils import Clock, shielded

_MAX_ENTRY_BYTES = 4 * 2**20
_USED_AT_PRECISION = timedelta(days=1)


class ReuseCache:
    """The step outputs of one user. Runs of the user share the object, so they share steps in flight."""

    can_peek = False  # the table is read asynchronously

    def __init__(self, database: Database, clock: Clock, owner_id: str) -> None:
        self.inflight: dict[str, Any] = {}
        self._database = database
        self._clock = clock
        self._owner_id = owner_id

    def peek(self, key: str) -> None:
        """Return None: see `can_peek`."""

    @shielded
    async def get(self, key: str) -> bytes | None:
        """Return the outputs stored under the key, or None, also if one of their assets was deleted."""
        async with self._database.reading() as session:
            row = await session.get(ReuseRow, (self._owner_id, key))
            if row is None or not await self._has_all_assets(session, row.entry):
                return None
        if self._clock() - row.used_at > _USED_AT_PRECISION:
            await self._touch(key)
        return row.entry

    async def _has_all_assets(self, session: AsyncSession, entry: bytes) -> bool:
        if b'"asset_id"' not in entry:
            return True
        asset_ids = asset_ids_in(orjson.loads(entry))
        return len(await assets.find_many(session, self._owner_id, asset_ids)) == len(asset_ids)

    async def _touch(self, key: str) -> None:
        mine = (ReuseRow.owner_id == self._owner_id, ReuseRow.key == key)
        async with self._database.writing() as session:
            await session.execute(update(ReuseRow).where(*mine).values(used_at=self._clock()))

    @shielded
    async def put(self, key: str, outputs: bytes) -> None:
        """Store the outputs under the key. Outputs above 4 MiB are not stored."""
        if len(outputs) > _MAX_ENTRY_BYTES:
            return
        values = {"entry": outputs, "used_at": self._clock()}
        async with self._database.writing() as session:
            dialect = session.get_bind().dialect.name
            insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
            query = insert(ReuseRow).values(owner_id=self._owner_id, key=key, **values)
            query = query.on_conflict_do_update(index_elements=["owner_id", "key"], set_=values)
            await session.execute(query)


class ReuseCaches:
    """The caches of the users whose runs are being executed."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._caches: WeakValueDictionary[str, ReuseCache] = WeakValueDictionary()

    def for_user(self, owner_id: str) -> ReuseCache:
        """Return the user's cache, the same object while a run uses it."""
        cache = self._caches.get(owner_id)
        if cache is None:
            cache = self._caches[owner_id] = ReuseCache(self._database, self._clock, owner_id)
        return cache
