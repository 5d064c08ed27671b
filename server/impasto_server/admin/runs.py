"""Runs of all users, for admins: list and cancel. Inputs and results stay with the owner."""

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.admin import people
from impasto_server.admin.schemas import AdminRun, AdminRunPage, PersonRef
from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.http.pagination import PageQuery
from impasto_server.http.schemas import money
from impasto_server.runs import service as runs
from impasto_server.runs.models import RunRow
from impasto_server.runs.service import RunFilter


async def page(session: AsyncSession, wanted: RunFilter, paging: PageQuery) -> AdminRunPage:
    """Return a page of runs, newest first."""
    rows, cursor = await runs.search(session, wanted, paging)
    owners = await people.refs(session, (row.owner_id for row in rows))
    items = [_described(row, owners[row.owner_id]) for row in rows]
    return AdminRunPage(items=items, next_cursor=cursor)


async def cancel(app_state: AppState, admin_id: str, run_id: str) -> AdminRun:
    """Cancel a run of any user. Raises `RunNotFound` or `RunAlreadyEnded`."""
    async with app_state.database.writing() as session:
        row = await runs.request_cancel(app_state, session, run_id)
        target = Target("run", run_id)
        details = {"owner": row.owner_id}
        await audit.record(
            app_state, session, "run.cancel", actor_id=admin_id, target=target, details=details
        )
        owners = await people.refs(session, [row.owner_id])
    await runs.deliver_cancels(app_state, [run_id])
    return _described(row, owners[row.owner_id])


def _described(row: RunRow, owner: PersonRef) -> AdminRun:
    end = row.finished_at
    return AdminRun(
        id=row.id,
        number=row.number,
        owner=owner,
        flow_id=row.flow_id,
        flow_name=row.flow_name,
        version=row.version or "draft",
        status=row.status,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=end,
        seconds=(end - row.started_at).total_seconds() if end and row.started_at else None,
        cost_usd=money(row.cost_usd),
        error_code=str(row.error["code"]) if row.error else None,
        can_cancel=runs.is_live(row) and not row.cancel_requested,
    )
