"""Provider keys: stored encrypted, decrypted only for the user's own runs."""

from collections.abc import Sequence
from contextlib import suppress

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.credentials import repository
from impasto_server.credentials.models import CredentialRow
from impasto_server.credentials.schemas import Credential, CredentialPage
from impasto_server.db import prepared
from impasto_server.http.errors import Conflict, NotFound
from impasto_server.users.models import User
from impasto_server.utils import shielded

MAX_KEYS = 100
_MAX_STORED = "100/hour"  # each one is in the audit log
_ADDRESS = "address:"
"""Begins the names of addresses. No request can name one: the API's names of providers have no colon."""


class CredentialNotFound(NotFound):
    """The user has no key for this provider."""

    def __init__(self, provider: str) -> None:
        super().__init__("key for", provider)


class AddressNotFound(NotFound):
    """The user has not chosen a server for this provider."""

    def __init__(self, provider: str) -> None:
        super().__init__("address for", provider)


class TooManyKeys(Conflict):
    """The user has as many provider keys as are allowed."""

    code = "too_many_keys"

    def __init__(self) -> None:
        super().__init__(f"You have {MAX_KEYS} provider keys. Delete one that you no longer need.")


async def put(session: AsyncSession, app_state: AppState, user: User, provider: str, key: str) -> Credential:
    """Store a key; it replaces the previous one. Raises `TooManyKeys` or `RateLimited`."""
    await app_state.rate_limiter.hit(_MAX_STORED, "provider keys", user.id)
    await app_state.limits.lock(session, user.id)
    row = await repository.find(session, user.id, provider)
    if row is None:
        if await repository.count(session, user.id) >= MAX_KEYS:
            raise TooManyKeys
        row = CredentialRow(owner_id=user.id, provider=provider)
        session.add(row)
    row.sealed = app_state.encryptor.encrypt(key.encode(), _purpose(user.id, provider))
    row.last_four, row.updated_at = key[-4:], app_state.clock()
    target = Target("provider", provider)
    await audit.record(app_state, session, "provider_key.set", actor_id=user.id, target=target)
    return Credential.model_validate(row)


async def get(session: AsyncSession, user: User, provider: str) -> Credential:
    """Return the last four characters of a key. Raises `CredentialNotFound`."""
    row = await repository.find(session, user.id, provider)
    if row is None:
        raise CredentialNotFound(provider)
    return Credential.model_validate(row)


async def list_all(session: AsyncSession, user: User) -> CredentialPage:
    """List the providers that the user has a key for."""
    rows = [row for row in await repository.all_of(session, user.id) if not _is_address(row)]
    return CredentialPage(items=[Credential.model_validate(row) for row in rows], next_cursor=None)


async def put_address(
    session: AsyncSession, app_state: AppState, user: User, provider: str, address: str
) -> None:
    """Store the address of a server that the user's runs use for a provider."""
    await put(session, app_state, user, _ADDRESS + provider, address)


async def delete_address(session: AsyncSession, app_state: AppState, user: User, provider: str) -> None:
    """Delete the address of a provider's server. Raises `AddressNotFound`."""
    try:
        await delete(session, app_state, user, _ADDRESS + provider)
    except CredentialNotFound:
        raise AddressNotFound(provider) from None


async def addresses_of(app_state: AppState, session: AsyncSession, user_id: str) -> dict[str, str]:
    """Return the addresses of the servers that the user has chosen, by provider; "" for an unreadable one."""
    found: dict[str, str] = {}
    for row in filter(_is_address, await repository.all_of(session, user_id)):
        provider = row.provider.removeprefix(_ADDRESS)
        found[provider] = ""
        with suppress(ValueError):  # encrypted with a key that is lost
            found[provider] = _revealed(app_state, row)
    return found


async def delete(session: AsyncSession, app_state: AppState, user: User, provider: str) -> None:
    """Delete a key. Raises `CredentialNotFound`."""
    if not await repository.remove(session, user.id, provider):
        raise CredentialNotFound(provider)
    target = Target("provider", provider)
    await audit.record(app_state, session, "provider_key.delete", actor_id=user.id, target=target)


@shielded
async def reveal(app_state: AppState, user_id: str, provider: str) -> str | None:
    """Return a user's key for a provider, or None."""
    async with app_state.database.reading() as session:
        row = await repository.find(session, user_id, provider)
    if row is None:
        return None
    return _revealed(app_state, row)


async def reencrypt_all(app_state: AppState) -> int:
    """Encrypt the keys of all users with the newest encryption key; return how many."""
    count = 0
    async with app_state.database.writing() as session:
        for row in await repository.lock_all(session):
            purpose = _purpose(row.owner_id, row.provider)
            with suppress(ValueError):  # encrypted with a key that is lost
                row.sealed = app_state.encryptor.encrypt(
                    app_state.encryptor.decrypt(row.sealed, purpose), purpose
                )
                count += 1
    return count


async def providers_of(session: AsyncSession, user_id: str) -> frozenset[str]:
    """Return the providers that a user has a key, or a server of their own, for."""
    return providers_in(await prepared.rows(session, *providers_query(user_id)))


def providers_query(user_id: str) -> prepared.Query:
    """Return the query of the rows of `providers_in`."""
    return repository.providers_of(user_id)


def providers_in(rows: Sequence[prepared.Row]) -> frozenset[str]:
    """Return what `providers_of` does, of the rows of `providers_query`."""
    return frozenset(provider.removeprefix(_ADDRESS) for (provider,) in rows)


def _revealed(app_state: AppState, row: CredentialRow) -> str:
    return app_state.encryptor.decrypt(row.sealed, _purpose(row.owner_id, row.provider)).decode()


def _is_address(row: CredentialRow) -> bool:
    return row.provider.startswith(_ADDRESS)


def _purpose(user_id: str, provider: str) -> str:
    # Bound to user and provider: an encrypted key copied into another row cannot be decrypted.
    return f"credential {user_id} {provider}"
