"""Creating, changing, listing and deleting collections."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service as assets
from impasto_server.collections import repository
from impasto_server.collections.errors import (
    MAX_ASSETS,
    MAX_COLLECTIONS,
    CollectionExists,
    CollectionFull,
    CollectionNotFound,
    TooManyCollections,
)
from impasto_server.collections.models import CollectionRow
from impasto_server.collections.schemas import (
    Collection,
    CollectionCreate,
    CollectionPage,
    CollectionUpdate,
)
from impasto_server.container import AppState
from impasto_server.db.text_normalization import nfkc_casefold
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.users.models import User


async def list_own(session: AsyncSession, user: User, paging: PageQuery) -> CollectionPage:
    """List the user's collections, newest first."""
    rows, cursor = await fetch_page(session, repository.all_of(user.id), paging, CollectionRow.id)
    sizes = await repository.sizes(session, [row.id for row in rows])
    return CollectionPage(items=[_describe(row, sizes.get(row.id, 0)) for row in rows], next_cursor=cursor)


async def get(session: AsyncSession, user: User, collection_id: str) -> Collection:
    """Return one of the user's collections. Raises `CollectionNotFound`."""
    return await _with_size(session, await _owned(session, user, collection_id))


async def create(
    session: AsyncSession, app_state: AppState, user: User, body: CollectionCreate
) -> Collection:
    """Create a collection.

    Raises `AssetNotFound`, `CollectionExists` or `TooManyCollections`.
    """
    await app_state.limits.lock(session, user.id)
    if await repository.count(session, user.id) >= MAX_COLLECTIONS:
        raise TooManyCollections
    await _check_name(session, user, body.name)
    await assets.check_owned(session, user, body.asset_ids)
    now = app_state.clock()
    row = CollectionRow(owner_id=user.id, name=body.name, created_at=now, updated_at=now)
    session.add(row)
    await session.flush()
    await repository.add(session, row.id, body.asset_ids)
    return await _with_size(session, row)


async def update(
    session: AsyncSession, app_state: AppState, user: User, collection_id: str, body: CollectionUpdate
) -> Collection:
    """Rename a collection, put assets into it and take others out of it. The request can be repeated.

    Raises `AssetNotFound`, `CollectionNotFound`, `CollectionExists` or `CollectionFull`.
    """
    await app_state.limits.lock(session, user.id)
    row = await _owned(session, user, collection_id)
    if body.name is not None:
        await _check_name(session, user, body.name, but=row.id)
        row.name = body.name
    await assets.check_owned(session, user, body.add_asset_ids)
    await repository.remove(session, row.id, body.remove_asset_ids)
    await repository.add(session, row.id, body.add_asset_ids)
    row.updated_at = app_state.clock()
    changed = await _with_size(session, row)
    if body.add_asset_ids and changed.assets > MAX_ASSETS:
        raise CollectionFull(row.name)
    return changed


async def delete(session: AsyncSession, user: User, collection_id: str) -> None:
    """Delete a collection; its assets stay. Raises `CollectionNotFound`."""
    await session.delete(await _owned(session, user, collection_id))


async def _owned(session: AsyncSession, user: User, collection_id: str) -> CollectionRow:
    row = await repository.find(session, user.id, collection_id)
    if row is None:
        raise CollectionNotFound(collection_id)
    return row


async def _check_name(session: AsyncSession, user: User, name: str, but: str | None = None) -> None:
    key = nfkc_casefold(name)
    taken: Sequence[tuple[str, str]] = await repository.names(session, user.id)
    if any(nfkc_casefold(other) == key and collection_id != but for collection_id, other in taken):
        raise CollectionExists(name)


async def _with_size(session: AsyncSession, row: CollectionRow) -> Collection:
    return _describe(row, (await repository.sizes(session, [row.id])).get(row.id, 0))


def _describe(row: CollectionRow, size: int) -> Collection:
    return Collection(
        id=row.id, name=row.name, assets=size, created_at=row.created_at, updated_at=row.updated_at
    )
