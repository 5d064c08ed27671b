"""The audit log for the rest of the server: recording, reading and retention."""

import re
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.audit import repository
from impasto_server.audit.models import AuditRow
from impasto_server.audit.origin import current_origin, plain
from impasto_server.audit.schemas import Action, AuditFilter, Detail, Outcome, Target
from impasto_server.container import AppState
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.utils import utc_now

MIN_DAYS = 31
_MAX_DETAIL = 200
_PAGE = 500
_MAX_REFUSALS = "60/minute"
_SECRET = re.compile(r"passw|secret|token|code\b|credential|cookie|\bkey\b", re.IGNORECASE)


async def record(
    app_state: AppState,
    session: AsyncSession,
    action: Action,
    *,
    actor_id: str | None = None,
    api_key_id: str | None = None,
    target: Target | None = None,
    outcome: Outcome = "success",
    details: Mapping[str, Detail] | None = None,
) -> None:
    """Add an entry in the caller's transaction: it is stored if and only if the action is.

    `actor_id` is the user who acts; without one the actor is an anonymous client, the operator at the command
    line, or the server itself. `api_key_id` is the key by which the user acted. Address and user agent are
    those of the current request. `details` says more in a few plain values: names and numbers, never secrets.
    Raises ValueError if the name of a detail is one of a secret.
    """
    for name in details or {}:
        if _SECRET.search(name):
            raise ValueError(f"the audit log must not hold secrets, got the detail {name!r}")
    origin = current_origin()
    kind = "api_key" if api_key_id else "user" if actor_id else origin.kind
    session.add(
        AuditRow(
            at=app_state.clock(),
            action=action,
            outcome=outcome,
            actor_kind=kind,
            actor_id=actor_id,
            api_key_id=api_key_id,
            target_kind=target.kind if target else None,
            target_id=target.id if target else None,
            address=origin.address,
            user_agent=origin.user_agent,
            details={name: _short(value) for name, value in (details or {}).items()},
        )
    )
    await session.flush()


async def record_now(
    app_state: AppState,
    action: Action,
    *,
    actor_id: str | None = None,
    target: Target | None = None,
    outcome: Outcome = "success",
    details: Mapping[str, Detail] | None = None,
) -> None:
    """Add an entry in a transaction of its own, for an action that was refused or writes nothing itself."""
    async with app_state.database.writing() as session:
        await record(
            app_state, session, action, actor_id=actor_id, target=target, outcome=outcome, details=details
        )


async def record_refusal(
    app_state: AppState,
    action: Action,
    outcome: Outcome,
    *,
    actor_id: str | None = None,
    api_key_id: str | None = None,
    target: Target | None = None,
    details: Mapping[str, Detail] | None = None,
) -> None:
    """Add an entry for an action that was refused: at most 60 a minute from one address, to bound the log.

    Call it outside a transaction: the refused action's own is rolled back.
    """
    address = current_origin().address or ""
    if await app_state.rate_limiter.allows(_MAX_REFUSALS, "recorded refusals", address):
        async with app_state.database.writing() as session:
            await record(
                app_state,
                session,
                action,
                actor_id=actor_id,
                api_key_id=api_key_id,
                target=target,
                outcome=outcome,
                details=details,
            )


async def page(
    session: AsyncSession, wanted: AuditFilter, paging: PageQuery
) -> tuple[list[AuditRow], str | None]:
    """Return a page of entries, newest first, and the cursor of the next page."""
    rows, cursor = await fetch_page(session, repository.entries(wanted), paging, AuditRow.id)
    return list(rows), cursor


async def all_entries(app_state: AppState, wanted: AuditFilter) -> AsyncIterator[AuditRow]:
    """Yield every entry that matches, newest first, a page at a time."""
    after: str | None = None
    while True:
        async with app_state.database.reading() as session:
            rows, cursor = await page(session, wanted, PageQuery(_PAGE, after))
        for row in rows:
            yield row
        if cursor is None:
            return
        after = rows[-1].id


async def purge_expired(app_state: AppState) -> int:
    """Delete the entries that are older than `audit_days`; return how many."""
    # Later than this the database refuses, whose clock may differ from this server's.
    allowed = utc_now() - timedelta(days=MIN_DAYS)
    before = min(app_state.clock() - timedelta(days=app_state.settings.audit_days), allowed)
    deleted, last = 0, _PAGE
    while last == _PAGE:
        async with app_state.database.writing() as session:
            last = await repository.delete_before(session, before, _PAGE)
        deleted += last
    return deleted


def _short(value: Detail) -> Detail:
    return plain(value, _MAX_DETAIL) if isinstance(value, str) else value
