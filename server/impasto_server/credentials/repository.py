"""Queries about provider keys."""

from collections.abc import Sequence
from typing import cast

from sqlalchemy import String, Table, bindparam, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.credentials.models import CredentialRow
from impasto_server.db import prepared


async def find(session: AsyncSession, user_id: str, provider: str) -> CredentialRow | None:
    """Find a user's key for a provider."""
    return await session.get(CredentialRow, (user_id, provider))


async def all_of(session: AsyncSession, user_id: str) -> Sequence[CredentialRow]:
    """List a user's keys by provider."""
    query = select(CredentialRow).where(CredentialRow.owner_id == user_id).order_by(CredentialRow.provider)
    return (await session.scalars(query)).all()


async def count(session: AsyncSession, user_id: str) -> int:
    """Return the number of a user's keys and addresses."""
    query = select(func.count()).select_from(CredentialRow).where(CredentialRow.owner_id == user_id)
    return (await session.scalars(query)).one()


# Built once, of the table: each launch executes it.
_CREDENTIALS = cast("Table", CredentialRow.__table__)
_PROVIDERS = select(_CREDENTIALS.c.provider).where(
    _CREDENTIALS.c.owner_id == bindparam("user_id", type_=String)
)


def providers_of(user_id: str) -> prepared.Query:
    """Return the query of the providers that a user has a key for."""
    return _PROVIDERS, {"user_id": user_id}


async def lock_all(session: AsyncSession) -> Sequence[CredentialRow]:
    """List the keys of all users and lock the rows until the transaction ends."""
    return (await session.scalars(select(CredentialRow).with_for_update())).all()


async def remove(session: AsyncSession, user_id: str, provider: str) -> bool:
    """Delete a key; return whether there was one."""
    query = delete(CredentialRow).where(CredentialRow.owner_id == user_id, CredentialRow.provider == provider)
    return bool((await session.execute(query.returning(CredentialRow.provider))).first())
