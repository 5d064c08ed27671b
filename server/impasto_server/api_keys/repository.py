"""Queries about API keys."""

from datetime import UTC, datetime, time

from sqlalchemy import Select, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.api_keys.models import ApiKeyRow


async def by_digest(session: AsyncSession, digest: str) -> ApiKeyRow | None:
    """Find a key by its hash."""
    return (await session.scalars(select(ApiKeyRow).where(ApiKeyRow.digest == digest))).one_or_none()


def all_of(user_id: str) -> Select[ApiKeyRow]:
    """Return the query for a user's keys."""
    return select(ApiKeyRow).where(ApiKeyRow.owner_id == user_id)


async def mark_used(session: AsyncSession, key_id: str, now: datetime) -> bool:
    """Store when a key was last used; return whether it is the first use of the day (UTC)."""
    change = update(ApiKeyRow).where(ApiKeyRow.id == key_id).values(last_used_at=now)
    midnight = datetime.combine(now.date(), time(), UTC)
    # Of concurrent requests, the database lets one find the earlier day.
    is_first = or_(ApiKeyRow.last_used_at.is_(None), ApiKeyRow.last_used_at < midnight)
    if await session.scalar(change.where(is_first).returning(ApiKeyRow.id)) is not None:
        return True
    await session.execute(change)
    return False


async def remove_all(session: AsyncSession, user_id: str) -> int:
    """Delete all keys of a user; return how many there were."""
    query = delete(ApiKeyRow).where(ApiKeyRow.owner_id == user_id)
    return len((await session.execute(query.returning(ApiKeyRow.id))).all())


async def count(session: AsyncSession, user_id: str) -> int:
    """Return the number of a user's keys."""
    query = select(func.count()).select_from(ApiKeyRow).where(ApiKeyRow.owner_id == user_id)
    return (await session.scalars(query)).one()


async def find(session: AsyncSession, key_id: str) -> ApiKeyRow | None:
    """Find a key by its id."""
    return await session.get(ApiKeyRow, key_id)


async def remove(session: AsyncSession, user_id: str, key_id: str) -> str | None:
    """Delete a key; return its name, or None if there was none."""
    query = delete(ApiKeyRow).where(ApiKeyRow.owner_id == user_id, ApiKeyRow.id == key_id)
    return await session.scalar(query.returning(ApiKeyRow.name))
