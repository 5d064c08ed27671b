"""Queries of history entries."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from impasto_server.http.pagination import PageQuery, encode_cursor
from impasto_server.users.models import User
from impasto_server.versions.models import VersionRow
from impasto_server.versions.thinning import Save

Entry = tuple[VersionRow, str | None]


async def find_published(session: AsyncSession, flow_id: str, number: int) -> VersionRow | None:
    """Return a published version with its document, or None."""
    query = select(VersionRow).where(VersionRow.flow_id == flow_id, VersionRow.number == number)
    whole = query.options(undefer(VersionRow.document), undefer(VersionRow.subflows))
    return (await session.scalars(whole)).one_or_none()


async def save_at(session: AsyncSession, flow_id: str, revision: int) -> VersionRow | None:
    """Return the save of a revision with its document, or None."""
    query = (
        select(VersionRow)
        .where(VersionRow.flow_id == flow_id, VersionRow.number.is_(None), VersionRow.revision == revision)
        .options(undefer(VersionRow.document))
    )
    return (await session.scalars(query)).first()


async def newest(session: AsyncSession, flow_id: str) -> VersionRow | None:
    """Return the newest entry of the history, or None."""
    query = select(VersionRow).where(VersionRow.flow_id == flow_id).order_by(VersionRow.id.desc()).limit(1)
    return (await session.scalars(query)).first()


async def highest_number(session: AsyncSession, flow_id: str) -> int:
    """Return the number of the newest published version, or 0."""
    query = select(func.max(VersionRow.number)).where(VersionRow.flow_id == flow_id)
    return await session.scalar(query) or 0


async def newest_runnable(session: AsyncSession, flow_id: str, *, public: bool) -> VersionRow | None:
    """Return the newest published version that is not withdrawn, and is public if `public`; or None."""
    query = select(VersionRow).where(
        VersionRow.flow_id == flow_id, VersionRow.number.is_not(None), VersionRow.withdrawn_at.is_(None)
    )
    if public:
        query = query.where(VersionRow.public)
    return (await session.scalars(query.order_by(VersionRow.number.desc()).limit(1))).first()


async def history(
    session: AsyncSession, flow_id: str, paging: PageQuery, *, own: bool
) -> tuple[list[Entry], str | None]:
    """Return a page of entries with their authors' names, newest first, and the next cursor.

    Unless the agent is the user's `own`, only versions that other users may see are listed.
    """
    query = (
        select(VersionRow, User.username)
        .outerjoin(User, User.id == VersionRow.author_id)
        .where(VersionRow.flow_id == flow_id)
        .order_by(VersionRow.id.desc())
        .limit(paging.limit + 1)
    )
    if not own:
        query = query.where(
            VersionRow.number.is_not(None), VersionRow.public, VersionRow.withdrawn_at.is_(None)
        )
    if paging.after is not None:
        query = query.where(VersionRow.id < paging.after)
    found: list[Entry] = [(row, name) for row, name in await session.execute(query)]
    page = found[: paging.limit]
    return page, encode_cursor(page[-1][0].id) if len(found) > len(page) else None


async def author_name(session: AsyncSession, user_id: str | None) -> str | None:
    """Return a user's name, or None."""
    return await session.scalar(select(User.username).where(User.id == user_id)) if user_id else None


async def saves(session: AsyncSession, flow_id: str) -> list[Save]:
    """List an agent's saves, newest first."""
    query = select(VersionRow.id, VersionRow.created_at, VersionRow.kept).where(
        VersionRow.flow_id == flow_id, VersionRow.number.is_(None)
    )
    return [Save(*row) for row in await session.execute(query.order_by(VersionRow.id.desc()))]


async def count_published(session: AsyncSession, flow_id: str) -> int:
    """Return how many published versions an agent has."""
    query = select(func.count()).where(VersionRow.flow_id == flow_id, VersionRow.number.is_not(None))
    return (await session.scalars(query)).one()


async def stored_bytes(session: AsyncSession, flow_id: str) -> int:
    """Return the size of the documents in an agent's history, in bytes."""
    query = select(func.coalesce(func.sum(VersionRow.bytes), 0)).where(VersionRow.flow_id == flow_id)
    return int((await session.scalars(query)).one())


async def delete_entries(session: AsyncSession, ids: Sequence[str]) -> None:
    """Delete history entries."""
    if ids:
        await session.execute(delete(VersionRow).where(VersionRow.id.in_(ids)))
