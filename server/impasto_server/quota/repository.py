"""Queries about the daily quota. Counting is one statement: two launches can never both take the last."""

from sqlalchemy import update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.quota.models import QuotaDayRow


async def used(session: AsyncSession, user_id: str, day: str) -> int:
    """Return a person's launches of a day."""
    row = await session.get(QuotaDayRow, (user_id, day))
    return row.used if row is not None else 0


async def count(session: AsyncSession, user_id: str, day: str, launches: int, limit: int) -> bool:
    """Add launches unless they would pass the limit; tell whether they were added."""
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


async def give_back(session: AsyncSession, user_id: str, day: str) -> None:
    """Take one launch off a day's count."""
    query = (
        update(QuotaDayRow)
        .where(QuotaDayRow.user_id == user_id, QuotaDayRow.day == day, QuotaDayRow.used > 0)
        .values(used=QuotaDayRow.used - 1)
    )
    await session.execute(query)
