"""The users feature for the rest of the server."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.db.text_normalization import normalize_login
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.users import avatars, repository
from impasto_server.users.models import User
from impasto_server.users.schemas import PersonFilter, PersonStatus, Quota, UserInfo, UserMe

find = repository.by_id
find_by_login = repository.by_login
find_by_username = repository.by_username
find_by_email = repository.by_email
find_conflicting = repository.conflicting
find_for_update = repository.find_for_update
usernames = repository.usernames
list_all = repository.list_all


async def create(session: AsyncSession, username: str, email: str | None, now: datetime) -> User:
    """Add a user. Raises IntegrityError if the username or the e-mail address is taken."""
    user = User(
        username=username.strip(),
        username_key=normalize_login(username),
        email=email,
        email_key=normalize_login(email) if email else None,
        created_at=now,
        betas=[],
    )
    session.add(user)
    await session.flush()
    return user


async def change_email(session: AsyncSession, user: User, email: str) -> None:
    """Give a user another e-mail address. Raises IntegrityError if it is taken.

    A username that is the old address becomes the new one: otherwise it could be another user's address.
    """
    if user.username_key == user.email_key:
        user.username, user.username_key = email, normalize_login(email)
    user.email, user.email_key = email, normalize_login(email)
    await session.flush()


async def search(
    session: AsyncSession, text: str, wanted: PersonFilter | None, paging: PageQuery
) -> tuple[Sequence[User], str | None, int]:
    """Return a page of users, newest first, the next cursor, and the number of users on all pages."""
    query = repository.matching(text, wanted)
    rows, cursor = await fetch_page(session, query, paging, User.id)
    return rows, cursor, await repository.count(session, query)


def status_of(user: User) -> PersonStatus:
    """Return whether a user can sign in, or why not."""
    if user.suspended_at is not None:
        return "suspended"
    return "active" if user.confirmed_at is not None else "unconfirmed"


async def delete_unconfirmed(app_state: AppState, session: AsyncSession, user_id: str) -> bool:
    """Delete a user who never confirmed the sign-up; return whether this was one."""
    user = await repository.by_id(session, user_id)
    if user is None or user.confirmed_at is not None:
        return False
    await session.delete(user)
    target, details = Target("user", user_id), {"reason": "never confirmed"}
    await audit.record(app_state, session, "account.delete", target=target, details=details)
    return True


async def update_info(session: AsyncSession, user_id: str, info: UserInfo) -> User:
    """Store the answers of the onboarding."""
    user = await repository.by_id(session, user_id)
    assert user is not None
    user.info = info.model_dump()
    return user


async def set_credentials_name(session: AsyncSession, user_id: str, name: str | None) -> User:
    """Store the name that content credentials of the user's files give from now on; None for none."""
    user = await repository.by_id(session, user_id)
    assert user is not None
    user.credentials_name = (name or "").strip() or None
    return user


async def describe(app_state: AppState, session: AsyncSession, user: User) -> UserMe:
    """Return the profile that a user sees of their own account."""
    state = await app_state.limits.quota(session, user)
    return UserMe(
        id=user.id,
        username=user.username,
        email=user.email,
        avatar_url=avatars.url(user),
        info=UserInfo(**user.info) if user.info else None,
        credentials_name=user.credentials_name,
        quota=Quota(limit=state.limit, used=state.used, resets_at=state.resets_at),
        betas=user.betas,
        book_a_call_url=app_state.settings.book_a_call_url or None,
        is_admin=user.is_admin,
    )
