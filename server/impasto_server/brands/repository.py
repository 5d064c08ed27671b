"""Queries of brands."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, Text, cast, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.brands.models import BrandRow, BrandVersionRow
from impasto_server.flows.models import FlowRow


async def find(session: AsyncSession, user_id: str, brand_id: str) -> BrandRow | None:
    """Return one of the user's brands, or None."""
    query = select(BrandRow).where(BrandRow.owner_id == user_id, BrandRow.id == brand_id)
    return (await session.scalars(query)).one_or_none()


async def find_for_update(session: AsyncSession, user_id: str, brand_id: str) -> BrandRow | None:
    """Return one of the user's brands, locked until the transaction ends, or None."""
    query = select(BrandRow).where(BrandRow.owner_id == user_id, BrandRow.id == brand_id)
    return (await session.scalars(query.with_for_update())).one_or_none()


def owned(user_id: str) -> Select[BrandRow]:
    """Return the query of a user's brands."""
    return select(BrandRow).where(BrandRow.owner_id == user_id)


async def drafts(session: AsyncSession, user_id: str, limit: int) -> Sequence[tuple[str, dict[str, Any]]]:
    """Return ids and drafts of the user's newest brands."""
    query = select(BrandRow.id, BrandRow.draft).where(BrandRow.owner_id == user_id)
    rows = await session.execute(query.order_by(BrandRow.id.desc()).limit(limit))
    return [(brand_id, draft) for brand_id, draft in rows]


async def agents_with(session: AsyncSession, user_id: str, brand_ids: Sequence[str]) -> dict[str, int]:
    """Return how many of the user's agents refer to each of the brands in their draft."""
    if not brand_ids:
        return {}
    counts = [func.count().filter(cast(FlowRow.draft, Text).contains(brand_id)) for brand_id in brand_ids]
    row = (await session.execute(select(*counts).where(FlowRow.owner_id == user_id))).one()
    return dict(zip(brand_ids, row, strict=True))


async def is_mentioned(session: AsyncSession, user_id: str, asset_id: str) -> bool:
    """Whether the draft or a published version of one of the user's brands has the id of an asset."""
    drafts = select(BrandRow.id).where(
        BrandRow.owner_id == user_id, cast(BrandRow.draft, Text).contains(asset_id)
    )
    versions = (
        select(BrandVersionRow.id)
        .join(BrandRow, BrandRow.id == BrandVersionRow.brand_id)
        .where(
            BrandRow.owner_id == user_id,
            cast(BrandVersionRow.content, Text).contains(asset_id),
        )
    )
    return any([(await session.scalar(query.limit(1))) is not None for query in (drafts, versions)])


async def clear_default(session: AsyncSession, user_id: str) -> None:
    """Make none of the user's brands the default."""
    mine = (BrandRow.owner_id == user_id, BrandRow.is_default.is_(True))
    await session.execute(update(BrandRow).where(*mine).values(is_default=False))


async def has_default(session: AsyncSession, user_id: str) -> bool:
    """Whether one of the user's brands is the default."""
    query = select(BrandRow.id).where(BrandRow.owner_id == user_id, BrandRow.is_default.is_(True)).limit(1)
    return (await session.scalar(query)) is not None


async def version(session: AsyncSession, brand_id: str, number: int) -> BrandVersionRow | None:
    """Return a published version, or None."""
    query = select(BrandVersionRow).where(
        BrandVersionRow.brand_id == brand_id, BrandVersionRow.number == number
    )
    return (await session.scalars(query)).one_or_none()


async def newest_versions(session: AsyncSession, rows: Sequence[BrandRow]) -> dict[str, BrandVersionRow]:
    """Return the newest published version of each brand that has one, by the brand's id."""
    query = (
        select(BrandVersionRow)
        .join(BrandRow, BrandRow.id == BrandVersionRow.brand_id)
        .where(BrandRow.id.in_([row.id for row in rows]), BrandVersionRow.number == BrandRow.version)
    )
    return {found.brand_id: found for found in await session.scalars(query)}


def versions_of(brand_id: str) -> Select[BrandVersionRow]:
    """Return the query of a brand's published versions."""
    return select(BrandVersionRow).where(BrandVersionRow.brand_id == brand_id)


async def stored_bytes(session: AsyncSession, brand_id: str) -> int:
    """Return the size of a brand's published versions, in bytes."""
    query = select(func.sum(BrandVersionRow.bytes)).where(BrandVersionRow.brand_id == brand_id)
    return int(await session.scalar(query) or 0)


async def count_versions(session: AsyncSession, brand_id: str) -> int:
    """Return how many published versions a brand has."""
    query = select(func.count()).select_from(BrandVersionRow).where(BrandVersionRow.brand_id == brand_id)
    return await session.scalar(query) or 0
