"""Results kept by step key, for one user: what another user made is never found."""

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

_LARGEST = 4 * 2**20
_NOTED_EACH = timedelta(days=1)


class ReuseCache:
    """The engine's cache over a table. One object a user, so that two of their runs share an execution."""

    can_peek = False  # the table is read asynchronously

    def __init__(self, database: Database, clock: Clock, owner_id: str) -> None:
        self.flights: dict[str, Any] = {}
        self._database = database
        self._clock = clock
        self._owner_id = owner_id

    def peek(self, key: str) -> None:
        """Return None: see `can_peek`."""

    @shielded
    async def get(self, key: str) -> bytes | None:
        """The outputs kept under the key, unless a file of theirs was deleted."""
        async with self._database.reading() as session:
            row = await session.get(ReuseRow, (self._owner_id, key))
            if row is None or not await self._is_whole(session, row.entry):
                return None
        if self._clock() - row.used_at > _NOTED_EACH:
            await self._note_use(key)
        return row.entry

    async def _is_whole(self, session: AsyncSession, entry: bytes) -> bool:
        if b'"asset_id"' not in entry:
            return True
        named = asset_ids_in(orjson.loads(entry))
        return len(await assets.find_many(session, self._owner_id, named)) == len(named)

    async def _note_use(self, key: str) -> None:
        mine = (ReuseRow.owner_id == self._owner_id, ReuseRow.key == key)
        async with self._database.writing() as session:
            await session.execute(update(ReuseRow).where(*mine).values(used_at=self._clock()))

    @shielded
    async def put(self, key: str, outputs: bytes) -> None:
        """Keep the outputs."""
        if len(outputs) > _LARGEST:
            return
        values = {"entry": outputs, "used_at": self._clock()}
        async with self._database.writing() as session:
            dialect = session.get_bind().dialect.name
            insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
            query = insert(ReuseRow).values(owner_id=self._owner_id, key=key, **values)
            query = query.on_conflict_do_update(index_elements=["owner_id", "key"], set_=values)
            await session.execute(query)


class ReuseCaches:
    """The caches of the users whose runs are under way."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._caches: WeakValueDictionary[str, ReuseCache] = WeakValueDictionary()

    def of(self, owner_id: str) -> ReuseCache:
        """Return the user's cache."""
        cache = self._caches.get(owner_id)
        if cache is None:
            cache = self._caches[owner_id] = ReuseCache(self._database, self._clock, owner_id)
        return cache
