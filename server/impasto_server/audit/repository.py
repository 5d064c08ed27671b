"""Queries about the audit log."""

from datetime import datetime

from sqlalchemy import CursorResult, Select, delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.audit.models import AuditRow
from impasto_server.audit.schemas import AuditFilter


def entries(wanted: AuditFilter) -> Select[AuditRow]:
    """Return the query for the entries that match."""
    query = select(AuditRow)
    if wanted.action is not None:
        below = AuditRow.action.startswith(f"{wanted.action}.", autoescape=True)
        query = query.where(or_(AuditRow.action == wanted.action, below))
    if wanted.outcome is not None:
        query = query.where(AuditRow.outcome == wanted.outcome)
    if wanted.user_id is not None:
        query = query.where(or_(AuditRow.actor_id == wanted.user_id, AuditRow.target_id == wanted.user_id))
    if wanted.address is not None:
        query = query.where(AuditRow.address == wanted.address)
    if wanted.since is not None:
        query = query.where(AuditRow.at >= wanted.since)
    if wanted.until is not None:
        query = query.where(AuditRow.at < wanted.until)
    return query


async def delete_before(session: AsyncSession, moment: datetime, limit: int) -> int:
    """Delete at most `limit` of the oldest entries before `moment`; return how many."""
    oldest = select(AuditRow.id).where(AuditRow.at < moment).order_by(AuditRow.at).limit(limit)
    result = await session.execute(
        delete(AuditRow).where(AuditRow.id.in_(oldest)).execution_options(synchronize_session=False)
    )
    assert isinstance(result, CursorResult)
    return int(result.rowcount)
