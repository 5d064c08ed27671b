"""Runs of all users, for admins: list and cancel. Inputs and results stay with the owner."""

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.admin import people
from impasto_server.admin.schemas import AdminRun, AdminRunPage, PersonRef
from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Detail, Target
from impasto_server.container import AppState
from impasto_server.http.pagination import PageQuery
from impasto_server.http.schemas import money
from impasto_server.runs import service as runs
from impasto_server.runs.errors import RunNotFound
from impasto_server.runs.models import RunRow
from impasto_server.runs.operators import service as operators
from impasto_server.runs.operators.service import RunFilter
from impasto_server.users import service as users


async def page(session: AsyncSession, wanted: RunFilter, paging: PageQuery) -> AdminRunPage:
    """Return a page of runs, newest first."""
    rows, cursor = await operators.search(session, wanted, paging)
    owners = await people.refs(session, (row.owner_id for row in rows))
    items = [_described(row, owners[row.owner_id]) for row in rows]
    return AdminRunPage(items=items, next_cursor=cursor)


async def cancel(app_state: AppState, admin_id: str | None, run_id: str) -> AdminRun:
    """Cancel a run of any user. `admin_id` is None for the operator at the command line.

    Raises `RunNotFound` or `RunAlreadyEnded`.
    """
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


async def requeue(app_state: AppState, run_id: str, *, force: bool) -> AdminRun:
    """Let another process take up a live run, or resume a failed or cancelled one for its owner.

    Raises `RunNotFound`, `RunHasProcess` unless `force`, and what a resume raises, such as `QuotaExceeded`.
    """
    async with app_state.database.reading() as session:
        row = await runs.find(session, run_id)
        owner = await users.find(session, row.owner_id) if row is not None else None
    if row is None or owner is None:
        raise RunNotFound(run_id)
    before = row.status
    if runs.is_live(row):
        async with app_state.database.writing() as session:
            await operators.release(app_state, session, run_id, force=force)
        await app_state.runs.submit(run_id)
    else:
        await runs.resume(app_state, owner, run_id)
    details: dict[str, Detail] = {"owner": row.owner_id, "status": before, "forced": force}
    await audit.record_now(app_state, "run.requeue", target=Target("run", run_id), details=details)
    async with app_state.database.reading() as session:
        changed = await runs.find(session, run_id)
        owners = await people.refs(session, [row.owner_id])
    return _described(changed or row, owners[row.owner_id])


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
