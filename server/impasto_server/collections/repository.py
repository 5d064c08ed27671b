"""Queries of collections."""

from collections.abc import Sequence

from sqlalchemy import Select, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.collections.models import CollectionAssetRow, CollectionRow


def all_of(user_id: str) -> Select[CollectionRow]:
    """Return the query of a user's collections."""
    return select(CollectionRow).where(CollectionRow.owner_id == user_id)


async def find(session: AsyncSession, user_id: str, collection_id: str) -> CollectionRow | None:
    """Return one of the user's collections, or None."""
    row = await session.get(CollectionRow, collection_id)
    return row if row is not None and row.owner_id == user_id else None


async def count(session: AsyncSession, user_id: str) -> int:
    """Return the number of a user's collections."""
    query = select(func.count()).select_from(CollectionRow).where(CollectionRow.owner_id == user_id)
    return (await session.scalars(query)).one()


async def names(session: AsyncSession, user_id: str) -> Sequence[tuple[str, str]]:
    """List the id and the name of each of a user's collections."""
    query = select(CollectionRow.id, CollectionRow.name).where(CollectionRow.owner_id == user_id)
    return [(collection_id, name) for collection_id, name in await session.execute(query)]


async def sizes(session: AsyncSession, collection_ids: Sequence[str]) -> dict[str, int]:
    """Return the number of assets in each collection that has any."""
    query = (
        select(CollectionAssetRow.collection_id, func.count())
        .where(CollectionAssetRow.collection_id.in_(collection_ids))
        .group_by(CollectionAssetRow.collection_id)
    )
    return {row[0]: row[1] for row in await session.execute(query)}


async def asset_ids(session: AsyncSession, collection_id: str) -> Sequence[str]:
    """List the ids of the assets in a collection, newest first."""
    query = select(CollectionAssetRow.asset_id).where(CollectionAssetRow.collection_id == collection_id)
    return (await session.scalars(query.order_by(CollectionAssetRow.asset_id.desc()))).all()


async def add(session: AsyncSession, collection_id: str, asset_ids: Sequence[str]) -> None:
    """Put assets into a collection; those in it stay."""
    if not asset_ids:
        return
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    rows = [{"collection_id": collection_id, "asset_id": asset_id} for asset_id in sorted(set(asset_ids))]
    await session.execute(insert(CollectionAssetRow).on_conflict_do_nothing(), rows)


async def remove(session: AsyncSession, collection_id: str, asset_ids: Sequence[str]) -> None:
    """Take assets out of a collection."""
    query = delete(CollectionAssetRow).where(
        CollectionAssetRow.collection_id == collection_id, CollectionAssetRow.asset_id.in_(asset_ids)
    )
    await session.execute(query)
