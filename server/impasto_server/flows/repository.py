"""Queries of agents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    Text,
    and_,
    bindparam,
    cast,
    func,
    inspect,
    or_,
    select,
    tuple_,
    union,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from impasto_server.db import prepared
from impasto_server.db.folding import contains_words, folded_on_postgresql
from impasto_server.db.substring_search import SubstringIndex
from impasto_server.flows.models import DISPLAY_ORDER, NOT_FEATURED, NOT_PLACED, ONE, FlowRow
from impasto_server.flows.schemas import Kind, PublicAgentStatus
from impasto_server.http.pagination import PageQuery, cursor_invalid, encode_cursor
from impasto_server.versions.models import VersionRow

_FLOW = (
    select(FlowRow)
    .where(FlowRow.id == bindparam("flow_id", type_=String))
    .options(undefer(FlowRow.draft))
    .execution_options(populate_existing=True)
)  # built once: building it takes longer than its execution
_COLUMNS = inspect(FlowRow).columns
_ATTRIBUTES = tuple(FlowRow.__mapper__.get_property_by_column(column).key for column in _COLUMNS)
_VALUES = select(*_COLUMNS).where(FlowRow.id == bindparam("flow_id", type_=String))
_SEARCH = SubstringIndex("flows", folded_on_postgresql("name", "description"))
_MAX_POSITION = 2**31 - 1  # of an integer column
_SHOWN = (FlowRow.status == "published", FlowRow.withheld_at.is_(None))
_PUBLIC = and_(FlowRow.visibility == "public", *_SHOWN)
_CONDITIONS: dict[PublicAgentStatus, ColumnElement[bool]] = {
    "published": _PUBLIC,
    "featured": FlowRow.featured_at.is_not(None),
    "withheld": FlowRow.withheld_at.is_not(None),
    "deprecated": FlowRow.status == "deprecated",
}


@dataclass(frozen=True)
class FlowFilter:
    """The filter of a list of agents; None is no limit.

    `mine`: the user's own, or those of others. `takes`: launches take a file of one of these kinds, or it is
    not known what they take. `has_few`: `flow_ids` are so few that they are looked up one by one.
    """

    include_all: bool = False
    mine: bool | None = None
    q: str | None = None
    category: str | None = None
    takes: tuple[Kind, ...] = ()
    flow_ids: tuple[str, ...] | None = None
    has_few: bool = False

    def sources(self, user_id: str) -> list[ColumnElement[bool]]:
        """Return a condition for each set of agents that a user may see: the user's own, and public ones.

        Each set is read from an index of its own, in the order of lists. An agent may be in both.
        """
        owner: ColumnElement[str | None] = FlowRow.owner_id.expression
        visibility: ColumnElement[str] = FlowRow.visibility.expression
        if self.has_few:  # no index has these expressions: without them, SQLite reads whole lists in order
            owner, visibility = owner.concat(""), visibility.concat("")
        own = owner == user_id
        listed_own = own if self.include_all else and_(own, FlowRow.status == "published")
        public = and_(visibility == "public", *_SHOWN)
        # `owner_id` is null for built-in agents.
        of_others = and_(public, or_(FlowRow.owner_id.is_(None), FlowRow.owner_id != user_id))
        sources = {True: [listed_own], False: [of_others], None: [listed_own, public]}[self.mine]
        return [and_(source, *self._wanted()) for source in sources]

    def _wanted(self) -> list[ColumnElement[bool]]:
        found = contains_words(self.q or "", FlowRow.name, FlowRow.description)
        if self.category is not None:
            found.append(FlowRow.category == self.category)
        if self.flow_ids is not None:
            found.append(FlowRow.id.in_(self.flow_ids))
        if self.takes:
            # Once each: a database refuses a condition of a thousand parts.
            kinds = (cast(FlowRow.takes, Text).contains(f'"{kind}"') for kind in set(self.takes))
            found.append(or_(FlowRow.takes.is_(None), *kinds))
        return found


async def find(session: AsyncSession, flow_id: str) -> FlowRow | None:
    """Return an agent with its draft, or None."""
    return (await session.scalars(_FLOW, {"flow_id": flow_id})).one_or_none()


def detached(flow_id: str) -> prepared.Query:
    """Return the query of the row of `detached_in`."""
    return _VALUES, {"flow_id": flow_id}


def detached_in(rows: Sequence[prepared.Row]) -> FlowRow | None:
    """Return an agent with its draft, in no session, or None. Takes half of what `find` takes."""
    return FlowRow(**dict(zip(_ATTRIBUTES, rows[0], strict=True))) if rows else None


async def find_for_update(session: AsyncSession, flow_id: str) -> FlowRow | None:
    """Return an agent with its draft, locked until the transaction ends, or None."""
    query = select(FlowRow).where(FlowRow.id == flow_id).options(undefer(FlowRow.draft)).with_for_update()
    return (await session.scalars(query)).one_or_none()


async def find_built_in(session: AsyncSession, key: str) -> FlowRow | None:
    """Return the built-in agent with this key (the stem of its file's name), or None."""
    query = select(FlowRow).where(FlowRow.built_in == key).options(undefer(FlowRow.draft))
    return (await session.scalars(query)).one_or_none()


async def visible_to(session: AsyncSession, user_id: str, flow_filter: FlowFilter) -> Sequence[FlowRow]:
    """List public published agents and the user's own: only published ones, or all."""
    flow_filter = await _narrowed(session, flow_filter)
    query = select(FlowRow).where(or_(*flow_filter.sources(user_id))).order_by(*DISPLAY_ORDER)
    return (await session.scalars(query)).all()


async def visible_page(
    session: AsyncSession, user_id: str, flow_filter: FlowFilter, paging: PageQuery
) -> tuple[Sequence[FlowRow], str | None]:
    """Return a page of what `visible_to` lists, and the next cursor."""
    query = page_query(user_id, await _narrowed(session, flow_filter), paging)
    rows = (await session.scalars(query)).all()
    page = rows[: paging.limit]
    return page, encode_cursor(_place(page[-1])) if len(rows) > paging.limit else None


async def _narrowed(session: AsyncSession, flow_filter: FlowFilter) -> FlowFilter:
    """Return the filter with the agents that its search may find, if the index knows them."""
    found = None if flow_filter.q is None else await _SEARCH.candidates(session, flow_filter.q)
    if found is None:
        return flow_filter
    wanted = found if flow_filter.flow_ids is None else set(found) & set(flow_filter.flow_ids)
    return replace(flow_filter, flow_ids=tuple(wanted), has_few=True)


def page_query(user_id: str, flow_filter: FlowFilter, paging: PageQuery) -> Select[FlowRow]:
    """Return the query for a page and one agent more. Raises `FieldInvalid`."""
    after, constant = ([], []) if paging.after is None else _after(paging.after)
    order = [part for part in DISPLAY_ORDER if not any(part is each for each in constant)]
    # The first of each set, without their drafts, hold the first of all.
    sets = (
        select(FlowRow.id).where(source, *after).order_by(*order).limit(paging.limit + 1).subquery()
        for source in flow_filter.sources(user_id)
    )
    ids = union(*(select(each.c.id) for each in sets))
    return select(FlowRow).where(FlowRow.id.in_(ids)).order_by(*DISPLAY_ORDER).limit(paging.limit + 1)


def _place(row: FlowRow) -> str:
    """Return the values that an agent is ordered by."""
    return orjson.dumps([row.featured_at, row.position, row.updated_at, row.id]).decode()


def _after(place: str) -> tuple[list[ColumnElement[bool]], list[ColumnElement[int]]]:
    """Return the conditions that an agent comes after a place in the order, and what is equal for all such.

    SQLite sorts again by what conditions make constant. Raises `FieldInvalid`.
    """
    try:
        featured, position, updated, flow_id = orjson.loads(place)
        featured_at = None if featured is None else _time(featured)
        updated_at = _time(updated)
        if not isinstance(flow_id, str) or not isinstance(position, int | None):
            raise ValueError(place)
        if abs(position or 0) > _MAX_POSITION:
            raise ValueError(place)
    except (ValueError, TypeError, OverflowError) as error:
        raise cursor_invalid() from error
    older = tuple_(FlowRow.updated_at, FlowRow.id) < tuple_(updated_at, flow_id)
    not_featured = [NOT_FEATURED == ONE, FlowRow.featured_at.is_(None)]
    if position is None:
        behind = [NOT_PLACED == ONE, FlowRow.position.is_(None), older]
        if featured_at is None:
            # Said by the columns of the index, in their order: it is read from this place on.
            return [*not_featured, *behind], [NOT_FEATURED, NOT_PLACED]
    else:
        same = and_(FlowRow.position == position, older)
        behind = [or_(FlowRow.position > position, FlowRow.position.is_(None), same)]
        if featured_at is None:
            return [*not_featured, *behind], [NOT_FEATURED]
    same = and_(FlowRow.featured_at == featured_at, *behind)
    return [or_(FlowRow.featured_at < featured_at, FlowRow.featured_at.is_(None), same)], []


def _time(text: str) -> datetime:
    """Return a time that the database can compare. Raises `ValueError`, `TypeError` or `OverflowError`."""
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(text)
    return time.astimezone(UTC)


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
    return (await session.scalars(query)).one()


# Built once: each launch asks it.
ANY_IN_BETA = select(FlowRow.id).where(FlowRow.beta.is_(True)).limit(1)


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


async def document_bytes(session: AsyncSession, row: FlowRow) -> int | None:
    """Return about how large the document is that others run of an agent: its published one, or its draft.

    Returns None if the agent was deleted since `row` was read.
    """
    query = select(func.length(cast(FlowRow.draft, Text))).where(FlowRow.id == row.id)
    if row.version is not None:
        query = select(func.length(cast(VersionRow.document, Text))).where(
            VersionRow.flow_id == row.id, VersionRow.number == row.version
        )
    size: int | None = await session.scalar(query)
    return size
