"""Queries of agents."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, cast, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import PublicAgentStatus
from impasto_server.versions.models import VersionRow

# Featured agents, then the built-in ones in the order that their files give, then the most recently changed.
_DISPLAY_ORDER = (
    FlowRow.featured_at.is_(None),
    FlowRow.featured_at.desc(),
    FlowRow.position.is_(None),
    FlowRow.position,
    FlowRow.updated_at.desc(),
    FlowRow.id.desc(),
)

_PUBLIC = and_(FlowRow.visibility == "public", FlowRow.status == "published", FlowRow.withheld_at.is_(None))
_CONDITIONS: dict[PublicAgentStatus, ColumnElement[bool]] = {
    "published": _PUBLIC,
    "featured": FlowRow.featured_at.is_not(None),
    "withheld": FlowRow.withheld_at.is_not(None),
    "deprecated": FlowRow.status == "deprecated",
}


async def find(session: AsyncSession, flow_id: str) -> FlowRow | None:
    """Return an agent with its draft, or None."""
    return await session.get(FlowRow, flow_id, options=[undefer(FlowRow.draft)], populate_existing=True)


async def find_for_update(session: AsyncSession, flow_id: str) -> FlowRow | None:
    """Return an agent with its draft, locked until the transaction ends, or None."""
    query = select(FlowRow).where(FlowRow.id == flow_id).options(undefer(FlowRow.draft)).with_for_update()
    return (await session.scalars(query)).one_or_none()


async def find_built_in(session: AsyncSession, key: str) -> FlowRow | None:
    """Return the built-in agent with this key (the stem of its file's name), or None."""
    query = select(FlowRow).where(FlowRow.built_in == key).options(undefer(FlowRow.draft))
    return (await session.scalars(query)).one_or_none()


async def visible_to(session: AsyncSession, user_id: str, *, include_all: bool) -> Sequence[FlowRow]:
    """List public published agents and the user's own: only published ones, or all."""
    own = FlowRow.owner_id == user_id
    if not include_all:
        own = and_(own, FlowRow.status == "published")
    query = select(FlowRow).where(or_(own, _PUBLIC)).order_by(*_DISPLAY_ORDER)
    return (await session.scalars(query)).all()


async def without_draft(session: AsyncSession, flow_id: str) -> FlowRow | None:
    """Return an agent without its draft, or None."""
    return (await session.scalars(select(FlowRow).where(FlowRow.id == flow_id))).one_or_none()


async def without_drafts(session: AsyncSession, flow_ids: Iterable[str]) -> Sequence[FlowRow]:
    """List those of the agents that exist, without their drafts."""
    return (await session.scalars(select(FlowRow).where(FlowRow.id.in_(list(flow_ids))))).all()


async def named(session: AsyncSession, names: Iterable[str]) -> Sequence[FlowRow]:
    """List the agents with these ids or keys of built-in agents, without their drafts."""
    listed = list(names)
    query = select(FlowRow).where(or_(FlowRow.id.in_(listed), FlowRow.built_in.in_(listed)))
    return (await session.scalars(query)).all()


def public_matching(text: str, status: PublicAgentStatus | None) -> Select[FlowRow]:
    """Return the query for public agents that were published, by a part of the name or by id."""
    query = select(FlowRow).where(FlowRow.visibility == "public", FlowRow.status != "draft")
    if text.strip():
        name = FlowRow.name.icontains(text.strip(), autoescape=True)
        query = query.where(or_(name, FlowRow.id == text.strip()))
    return query if status is None else query.where(_CONDITIONS[status])


async def count(session: AsyncSession, user_id: str) -> int:
    """Return the number of a user's agents."""
    query = select(func.count()).select_from(FlowRow).where(FlowRow.owner_id == user_id)
    return await session.scalar(query) or 0


async def in_beta(session: AsyncSession) -> Sequence[FlowRow]:
    """List the agents in private beta, without their drafts."""
    return (await session.scalars(select(FlowRow).where(FlowRow.beta.is_(True)))).all()


async def open_built_ins(session: AsyncSession) -> Sequence[FlowRow]:
    """List the built-in agents that are not in private beta, without their drafts."""
    query = select(FlowRow).where(FlowRow.built_in.is_not(None), FlowRow.beta.is_(False))
    return (await session.scalars(query)).all()


async def draft_of(session: AsyncSession, flow_id: str) -> dict[str, Any]:
    """Return an agent's draft."""
    query = select(FlowRow.draft).where(FlowRow.id == flow_id)
    draft: dict[str, Any] = (await session.scalars(query)).one()
    return draft


async def document_bytes(session: AsyncSession, row: FlowRow) -> int:
    """Return about how large the document is that others run of an agent: its published one, or its draft."""
    query = select(func.length(cast(FlowRow.draft, Text))).where(FlowRow.id == row.id)
    if row.version is not None:
        query = select(func.length(cast(VersionRow.document, Text))).where(
            VersionRow.flow_id == row.id, VersionRow.number == row.version
        )
    return await session.scalar(query) or 0
