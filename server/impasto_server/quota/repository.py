"""Queries about the daily quota. Counting is atomic: two launches cannot both take the last one."""

from sqlalchemy import update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.quota.models import QuotaDayRow


async def used(session: AsyncSession, user_id: str, day: str) -> int:
    """Return a user's launches of a day."""
    row = await session.get(QuotaDayRow, (user_id, day))
    return row.used if row is not None else 0


async def count(session: AsyncSession, user_id: str, day: str, launches: int, limit: int) -> bool:
    """Add launches unless they exceed the limit; return whether they were added."""
    dialect = session.get_bind().dialect.name
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    row = insert(QuotaDayRow).values(user_id=user_id, day=day, used=0).on_conflict_do_nothing()
    await session.execute(row)
    query = (
        update(QuotaDayRow)
        .where(QuotaDayRow.user_id == user_id, QuotaDayRow.day == day, QuotaDayRow.used + launches <= limit)
        .values(used=QuotaDayRow.used + launches)
        .returning(QuotaDayRow.used)
    )
    return (await session.execute(query)).first() is not None


async def refund(session: AsyncSession, user_id: str, day: str) -> None:
    """Subtract one launch from a day."""
    query = (
        update(QuotaDayRow)
        .where(QuotaDayRow.user_id == user_id, QuotaDayRow.day == day, QuotaDayRow.used > 0)
        .values(used=QuotaDayRow.used - 1)
    )
    await session.execute(query)
