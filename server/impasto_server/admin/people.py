"""Users, for admins: search, suspension, private betas, password resets."""

import secrets
from collections.abc import Iterable

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.admin.schemas import (
    Person,
    PersonDetail,
    PersonLimit,
    PersonLimits,
    PersonPage,
    PersonRef,
)
from impasto_server.api_keys import service as api_keys
from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Action, Detail, Target
from impasto_server.container import AppState
from impasto_server.flows import service as flows
from impasto_server.http.errors import Conflict
from impasto_server.http.pagination import PageQuery
from impasto_server.http.schemas import money
from impasto_server.identity import service as identity
from impasto_server.identity.sessions.devices import Device
from impasto_server.limits.schemas import LimitOverrides, UserLimits
from impasto_server.runs import service as runs
from impasto_server.users import avatars
from impasto_server.users import service as users
from impasto_server.users.errors import UserNotFound
from impasto_server.users.models import User
from impasto_server.users.schemas import PersonFilter, Quota

log = structlog.get_logger()


class OwnAccount(Conflict):
    """Admins cannot suspend themselves."""

    code = "own_account"

    def __init__(self) -> None:
        super().__init__("You cannot suspend your own account.")


class SuspensionUnchanged(Conflict):
    """The user is suspended already, or is not suspended."""

    code = "suspension_unchanged"

    def __init__(self, *, suspended: bool) -> None:
        super().__init__("This user is suspended already." if suspended else "This user is not suspended.")


class NoPassword(Conflict):
    """The user has no password to reset, or no confirmed e-mail address to send a code to."""

    code = "no_password"

    def __init__(self) -> None:
        super().__init__("This user signs in without a password, so there is nothing to reset.")


async def page(
    session: AsyncSession, text: str, status: PersonFilter | None, paging: PageQuery
) -> PersonPage:
    """Return a page of users whose name, address or id matches a text, newest first."""
    rows, cursor, total = await users.search(session, text, status, paging)
    return PersonPage(items=[_person(row) for row in rows], next_cursor=cursor, total=total)


async def detail(app_state: AppState, session: AsyncSession, user_id: str) -> PersonDetail:
    """Return a user with what they use. Raises `UserNotFound`."""
    user = await users.find(session, user_id)
    if user is None:
        raise UserNotFound(user_id)
    state = await app_state.limits.quota(session, user)
    sessions, last_seen_at = await identity.count_sessions(session, user_id)
    run_count, cost = await runs.totals_of(session, user_id)
    return PersonDetail(
        **_person(user).model_dump(),
        suspended_reason=user.suspended_reason,
        quota=Quota(limit=state.limit, used=state.used, resets_at=state.resets_at),
        last_seen_at=last_seen_at,
        sessions=sessions,
        api_keys=await api_keys.count(session, user_id),
        agents=await flows.count(session, user_id),
        runs=run_count,
        cost_usd=money(cost),
        has_password=await identity.has_password_in(session, user_id),
    )


async def refs(session: AsyncSession, user_ids: Iterable[str | None]) -> dict[str, PersonRef]:
    """Return the users with these ids, by id; those who are deleted have no username."""
    wanted = {user_id for user_id in user_ids if user_id is not None}
    names = await users.usernames(session, wanted)
    return {user_id: PersonRef(id=user_id, username=names.get(user_id)) for user_id in wanted}


async def suspend(app_state: AppState, admin_id: str | None, user_id: str, reason: str) -> None:
    """Suspend a user: sessions and codes end, API keys are revoked, live runs are cancelled.

    `admin_id` is None for the operator at the command line. Raises `UserNotFound`, `OwnAccount` or
    `SuspensionUnchanged`.
    """
    if user_id == admin_id:
        raise OwnAccount
    async with app_state.database.writing() as session:
        user = await _locked(session, user_id)
        if user.suspended_at is not None:
            raise SuspensionUnchanged(suspended=True)
        user.suspended_at, user.suspended_reason = app_state.clock(), reason
        await identity.end_access(app_state, session, user_id)
        keys = await api_keys.revoke_all(session, user_id)
        run_ids = await runs.request_cancel_all(app_state, session, user_id)
        details: dict[str, Detail] = {"reason": reason, "revoked_keys": keys, "cancelled_runs": len(run_ids)}
        await _record(app_state, session, "user.suspend", admin_id, user_id, details)
    await runs.deliver_cancels(app_state, run_ids)


async def restore(app_state: AppState, admin_id: str | None, user_id: str, reason: str) -> None:
    """End a suspension. The user signs in again; revoked keys stay revoked.

    Raises `UserNotFound` or `SuspensionUnchanged`.
    """
    async with app_state.database.writing() as session:
        user = await _locked(session, user_id)
        if user.suspended_at is None:
            raise SuspensionUnchanged(suspended=False)
        user.suspended_at = user.suspended_reason = None
        await _record(app_state, session, "user.restore", admin_id, user_id, {"reason": reason})


async def set_role(app_state: AppState, user_id: str, *, is_admin: bool) -> None:
    """Grant or revoke the admin role, from the command line. Raises `UserNotFound`."""
    async with app_state.database.writing() as session:
        user = await _locked(session, user_id)
        user.is_admin = is_admin
        action: Action = "user.grant_admin" if is_admin else "user.revoke_admin"
        await _record(app_state, session, action, None, user_id, {})


async def set_betas(app_state: AppState, admin_id: str | None, user_id: str, betas: list[str]) -> None:
    """Replace the private betas that a user has access to. Raises `UserNotFound`."""
    async with app_state.database.writing() as session:
        user = await _locked(session, user_id)
        user.betas = list(dict.fromkeys(beta.strip() for beta in betas))
        details: dict[str, Detail] = {"betas": ", ".join(user.betas)}
        await _record(app_state, session, "user.set_betas", admin_id, user_id, details)


async def limits(app_state: AppState, user_id: str) -> PersonLimits:
    """Return every limit of a user with its use and default. Raises `UserNotFound`."""
    found = await app_state.limits.get(user_id)
    usage = await app_state.limits.usage(user_id, app_state.streams.count(user_id))
    defaults = found.defaults.model_dump()
    items = [
        PersonLimit(
            **limit.model_dump(), default=defaults[limit.name], overridden=limit.name in found.overridden
        )
        for limit in usage.items
    ]
    return PersonLimits(items=items)


async def set_limits(
    app_state: AppState, admin_id: str | None, user_id: str, overrides: LimitOverrides
) -> UserLimits:
    """Change the limits of a user that `overrides` sets; None stands for the default.

    `admin_id` is None for the operator at the command line. Raises `UserNotFound`.
    """
    details: dict[str, Detail] = {
        name: value if value is None else str(value)
        for name, value in overrides.model_dump(exclude_unset=True).items()
    }
    async with app_state.database.writing() as session:
        changed = await app_state.limits.set(session, user_id, overrides)
        if details:
            await _record(app_state, session, "user.set_limits", admin_id, user_id, details)
    return changed


async def send_password_reset(app_state: AppState, admin_id: str, user_id: str) -> None:
    """Send a user the e-mail with a code that resets the password.

    Raises `UserNotFound` or `NoPassword`.
    """
    async with app_state.database.reading() as session:
        user = await users.find(session, user_id)
        has_password = await identity.has_password_in(session, user_id)
    if user is None:
        raise UserNotFound(user_id)
    if user.email is None or not has_password:
        raise NoPassword
    device = Device(secrets.token_urlsafe(32), "", "Admin")
    await identity.request_reset(app_state, user.username, device, admin_id)


async def _locked(session: AsyncSession, user_id: str) -> User:
    user = await users.find_for_update(session, user_id)
    if user is None:
        raise UserNotFound(user_id)
    return user


async def _record(
    app_state: AppState,
    session: AsyncSession,
    action: Action,
    admin_id: str | None,
    user_id: str,
    details: dict[str, Detail],
) -> None:
    target = Target("user", user_id)
    await audit.record(app_state, session, action, actor_id=admin_id, target=target, details=details)


def _person(user: User) -> Person:
    return Person(
        id=user.id,
        username=user.username,
        email=user.email,
        avatar_url=avatars.url(user),
        status=users.status_of(user),
        is_admin=user.is_admin,
        created_at=user.created_at,
        confirmed_at=user.confirmed_at,
        suspended_at=user.suspended_at,
        betas=user.betas,
    )
