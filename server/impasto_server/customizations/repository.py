"""Queries of customizations."""

from sqlalchemy import Select, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.customizations.models import CustomizationRow


async def find(session: AsyncSession, user_id: str, flow_id: str) -> CustomizationRow | None:
    """Return what a user has set for an agent, or None."""
    return await session.get(CustomizationRow, (user_id, flow_id))


async def remove(session: AsyncSession, user_id: str, flow_id: str) -> None:
    """Delete what a user has set for an agent."""
    query = delete(CustomizationRow).where(
        CustomizationRow.user_id == user_id, CustomizationRow.flow_id == flow_id
    )
    await session.execute(query)


def all_of(user_id: str) -> Select[CustomizationRow]:
    """Return the query of a user's customizations."""
    return select(CustomizationRow).where(CustomizationRow.user_id == user_id)
