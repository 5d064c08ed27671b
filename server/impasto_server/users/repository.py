"""Queries about users."""

from collections.abc import Sequence

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.db.text_normalization import normalize_login
from impasto_server.users.models import User


async def by_id(session: AsyncSession, user_id: str) -> User | None:
    """Find a user by id."""
    return await session.get(User, user_id)


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
