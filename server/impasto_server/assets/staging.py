"""Assets that are stored together with what refers to them: all of them, or none.

No user can see or reuse them before, and a request that fails or dies leaves no row behind. What it had
stored by then is recorded for deletion.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service, similarity
from impasto_server.assets.garbage import put_objects, sweep
from impasto_server.assets.media import thumbnails
from impasto_server.assets.models import AssetRow
from impasto_server.assets.upload import ReceivedFile
from impasto_server.container import AppState
from impasto_server.users.models import User
from impasto_server.utils import new_id

Result = TypeVar("Result")


class StagedAssets:
    """New assets of a user, which `commit` stores. Their files must stay where they are until then."""

    def __init__(self, app_state: AppState, user: User) -> None:
        self._app_state = app_state
        self._user = user
        self._rows: list[AssetRow] = []
        self._paths: dict[str, Path] = {}
        self._thumbnails: dict[str, bytes] = {}

    def find(self, sha256: str, *, font: bool = False) -> AssetRow | None:
        """Return the row that was added for this content, or None."""
        rows = (row for row in self._rows if row.sha256 == sha256 and (row.source == "font") == font)
        return next(rows, None)

    async def add(self, received: ReceivedFile, declared: str, *, intermediate: bool = False) -> AssetRow:
        """Add a file that the user brought, and return its row, which has its id already.

        Raises `FileInvalid`, `ImageTooLarge` or `LimitReached`.
        """
        row = await service.received_row(
            self._app_state, self._user, received, declared, intermediate=intermediate
        )
        return await self.add_row(row, received.path)

    async def add_row(self, row: AssetRow, path: Path) -> AssetRow:
        """Add a file with a row of its own. Raises `LimitReached`."""
        size = sum(each.bytes for each in self._rows)
        async with self._app_state.database.reading() as session:
            await self._app_state.limits.check_asset(session, row.owner_id, size + row.bytes, lock=False)
        row.id = new_id()
        if row.kind == "image":
            megapixels = self._app_state.settings.image_megapixels
            row.image_hash = await asyncio.to_thread(similarity.image_hash, path, megapixels)
        thumbnail = await thumbnails.make_video_thumbnail(path, row.kind)
        if thumbnail is not None:
            self._thumbnails[row.sha256] = thumbnail
        self._rows.append(row)
        self._paths[row.object_key] = path
        return row

    async def commit(self, write: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
        """Store the files, and in one transaction their rows and what `write` writes; return its result.

        Raises `LimitReached`, or what `write` raises; nothing is stored then.
        """
        database, storage, limits = self._app_state.database, self._app_state.storage, self._app_state.limits
        puts = {
            row.object_key: partial(storage.put_file, self._paths[row.object_key], row.sha256)
            for row in self._rows
        }

        async def write_all(session: AsyncSession) -> Result:
            for row in self._rows:
                await limits.check_asset(session, row.owner_id, row.bytes)
                session.add(row)
            return await write(session)

        try:
            result = await put_objects(database, puts, write_all)
        except Exception:
            await sweep(self._app_state, list(puts))
            raise
        for sha256, thumbnail in self._thumbnails.items():
            await thumbnails.store_thumbnail(database, storage, sha256, thumbnail)
        return result
