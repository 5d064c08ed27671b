"""Queries about users."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.db.text_normalization import normalize_login
from impasto_server.users.models import User
from impasto_server.users.schemas import PersonFilter

_CONDITIONS: dict[PersonFilter, ColumnElement[bool]] = {
    "active": User.suspended_at.is_(None) & User.confirmed_at.is_not(None),
    "unconfirmed": User.suspended_at.is_(None) & User.confirmed_at.is_(None),
    "suspended": User.suspended_at.is_not(None),
    "admin": User.is_admin.is_(True),
}


async def by_id(session: AsyncSession, user_id: str) -> User | None:
    """Find a user by id."""
    return await session.get(User, user_id)


async def find_for_update(session: AsyncSession, user_id: str) -> User | None:
    """Find a user by id, locked until the transaction ends."""
    return await session.get(User, user_id, with_for_update=True, populate_existing=True)


async def usernames(session: AsyncSession, user_ids: Collection[str]) -> dict[str, str]:
    """Return the names of those of the users who exist, by id."""
    rows = (await session.execute(select(User.id, User.username).where(User.id.in_(user_ids)))).all()
    return {row.id: row.username for row in rows}


def matching(text: str, wanted: PersonFilter | None) -> Select[User]:
    """Return the query for users whose name or address contains a text, or whose id it is."""
    query = select(User)
    if text.strip():
        key = normalize_login(text)
        query = query.where(
            or_(
                User.username_key.contains(key, autoescape=True),
                User.email_key.contains(key, autoescape=True),
                User.id == text.strip(),
            )
        )
    return query if wanted is None else query.where(_CONDITIONS[wanted])


async def count(session: AsyncSession, query: Select[Any]) -> int:
    """Return the number of rows of a query."""
    return (await session.scalars(select(func.count()).select_from(query.subquery()))).one()


async def by_login(session: AsyncSession, login: str) -> User | None:
    """Find a user by username or e-mail address; the username takes precedence."""
    key = normalize_login(login)
    found = await session.scalars(
        select(User)
        .where(or_(User.username_key == key, User.email_key == key))
        .order_by(User.username_key != key)
        .limit(1)
    )
    return found.one_or_none()


async def by_username(session: AsyncSession, username: str) -> User | None:
    """Find a user by username."""
    return (
        await session.scalars(select(User).where(User.username_key == normalize_login(username)))
    ).one_or_none()


async def by_email(session: AsyncSession, email: str) -> User | None:
    """Find a user by e-mail address."""
    return (await session.scalars(select(User).where(User.email_key == normalize_login(email)))).one_or_none()


async def conflicting(session: AsyncSession, username: str, email: str) -> Sequence[User]:
    """List the users who have this username or this e-mail address."""
    same = or_(User.username_key == normalize_login(username), User.email_key == normalize_login(email))
    return (await session.scalars(select(User).where(same))).all()


async def list_all(session: AsyncSession) -> Sequence[User]:
    """List all users, oldest first."""
    return (await session.scalars(select(User).order_by(User.created_at, User.id))).all()
