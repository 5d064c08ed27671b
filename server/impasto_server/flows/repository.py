"""Queries about agents."""

from collections.abc import Iterable, Sequence

from sqlalchemy import and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from impasto_server.flows.models import FlowRow

# The built-in agents as their files order them, then whatever changed last.
_SHOWN_FIRST = (
    FlowRow.position.is_(None),
    FlowRow.position,
    FlowRow.updated_at.desc(),
    FlowRow.id.desc(),
)


async def find(session: AsyncSession, flow_id: str) -> FlowRow | None:
    """Find an agent with its draft."""
    return await session.get(FlowRow, flow_id, options=[undefer(FlowRow.draft)], populate_existing=True)


async def find_for_update(session: AsyncSession, flow_id: str) -> FlowRow | None:
    """Find an agent with its draft and keep others from changing it until the transaction ends."""
    query = select(FlowRow).where(FlowRow.id == flow_id).options(undefer(FlowRow.draft)).with_for_update()
    return (await session.scalars(query)).one_or_none()


async def find_built_in(session: AsyncSession, key: str) -> FlowRow | None:
    """Find the built-in agent that a file makes."""
    query = select(FlowRow).where(FlowRow.built_in == key).options(undefer(FlowRow.draft))
    return (await session.scalars(query)).one_or_none()


async def visible_to(session: AsyncSession, user_id: str, *, include_all: bool) -> Sequence[FlowRow]:
    """List public published agents and one's own: the published ones, or all of them."""
    own = FlowRow.owner_id == user_id
    if not include_all:
        own = and_(own, FlowRow.status == "published")
    public = and_(FlowRow.visibility == "public", FlowRow.status == "published")
    query = select(FlowRow).where(or_(own, public)).order_by(*_SHOWN_FIRST)
    return (await session.scalars(query)).all()


async def with_drafts(session: AsyncSession, flow_ids: Iterable[str]) -> Sequence[FlowRow]:
    """Find several agents with their drafts."""
    query = select(FlowRow).where(FlowRow.id.in_(list(flow_ids))).options(undefer(FlowRow.draft))
    return (await session.scalars(query)).all()
