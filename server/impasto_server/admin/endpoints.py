"""HTTP endpoints for admins. For everyone else they answer 404; API keys are refused."""

from datetime import date, datetime
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import AfterValidator, AwareDatetime
from pydantic_core import PydanticCustomError

from impasto_server.admin import agents, audit_log, people, runs, usage
from impasto_server.admin.access import AdminUser, require_admin
from impasto_server.admin.schemas import (
    AdminAgent,
    AdminAgentPage,
    AdminRun,
    AdminRunPage,
    AuditPage,
    Betas,
    InvitationCreate,
    InvitationItem,
    InvitationPage,
    PersonDetail,
    PersonLimits,
    PersonPage,
    ReasonBody,
    UsageGroup,
    UsageReport,
)
from impasto_server.audit.schemas import AuditFilter, Outcome
from impasto_server.container import AppState, AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.flows.schemas import PublicAgentStatus
from impasto_server.http.pagination import Paging
from impasto_server.identity.models import Invitation
from impasto_server.identity.sign_up import invitations
from impasto_server.limits.schemas import LimitOverrides
from impasto_server.runs.operators.service import RunFilter
from impasto_server.runs.schemas import RunStatus
from impasto_server.users.schemas import PersonFilter

router = APIRouter(prefix="/admin", tags=["admin"], dependencies=[Depends(require_admin)])
Moment = TypeVar("Moment", date, datetime)
Text = Annotated[str, Query(max_length=200, description="Part of a name; case does not matter")]


def _in_reach(moment: Moment) -> Moment:
    # Near the ends of the calendar, converting a time zone or adding a day overflows.
    if not 2000 <= moment.year < 3000:
        raise PydanticCustomError("year_invalid", "Choose a year from 2000 to 2999.")
    return moment


Time = Annotated[
    Annotated[AwareDatetime, AfterValidator(_in_reach)] | None,
    Query(description="RFC 3339, with a time zone"),
]
Day = Annotated[date, AfterValidator(_in_reach)]


@router.get("/users")
async def list_users(
    session: SessionDep, paging: Paging, q: Text = "", status: PersonFilter | None = None
) -> PersonPage:
    """List users, newest first."""
    return await people.page(session, q, status, paging)


@router.get("/users/{user_id}")
async def get_user(user_id: str, session: SessionDep, app_state: AppStateDep) -> PersonDetail:
    """Return a user with what they use."""
    return await people.detail(app_state, session, user_id)


@router.post("/users/{user_id}/suspend")
async def suspend_user(
    user_id: str, body: ReasonBody, app_state: AppStateDep, admin: AdminUser
) -> PersonDetail:
    """Suspend a user: sessions end, API keys are revoked, live runs are cancelled."""
    await people.suspend(app_state, admin.id, user_id, body.reason)
    return await _detail(app_state, user_id)


@router.post("/users/{user_id}/restore")
async def restore_user(
    user_id: str, body: ReasonBody, app_state: AppStateDep, admin: AdminUser
) -> PersonDetail:
    """End a suspension. Revoked API keys stay revoked."""
    await people.restore(app_state, admin.id, user_id, body.reason)
    return await _detail(app_state, user_id)


@router.put("/users/{user_id}/betas")
async def put_betas(user_id: str, body: Betas, app_state: AppStateDep, admin: AdminUser) -> PersonDetail:
    """Replace the private betas that a user has access to."""
    await people.set_betas(app_state, admin.id, user_id, body.betas)
    return await _detail(app_state, user_id)


@router.get("/users/{user_id}/limits")
async def get_limits(user_id: str, app_state: AppStateDep) -> PersonLimits:
    """Return every limit of a user with its use and default."""
    return await people.limits(app_state, user_id)


@router.patch("/users/{user_id}/limits")
async def patch_limits(
    user_id: str, body: LimitOverrides, app_state: AppStateDep, admin: AdminUser
) -> PersonLimits:
    """Change limits of a user: a missing limit stays, null is the default again."""
    await people.set_limits(app_state, admin.id, user_id, body)
    return await people.limits(app_state, user_id)


@router.post("/users/{user_id}/password-reset", status_code=202)
async def send_password_reset(user_id: str, app_state: AppStateDep, admin: AdminUser) -> None:
    """Send a user the e-mail with a code that resets the password."""
    await people.send_password_reset(app_state, admin.id, user_id)


@router.get("/invitations")
async def list_invitations(session: SessionDep, app_state: AppStateDep, paging: Paging) -> InvitationPage:
    """List invitations, newest first."""
    rows, cursor = await invitations.page(session, paging)
    return InvitationPage(items=[_invitation(app_state, row) for row in rows], next_cursor=cursor)


@router.post("/invitations", status_code=201)
async def create_invitation(
    body: InvitationCreate, app_state: AppStateDep, admin: AdminUser
) -> InvitationItem:
    """Invite an address by e-mail. 409 `user_exists` or `already_invited`; 403 if sign-up is closed."""
    return _invitation(app_state, await invitations.create(app_state, body.email, admin.id))


@router.post("/invitations/{invitation_id}/resend")
async def resend_invitation(invitation_id: str, app_state: AppStateDep, admin: AdminUser) -> InvitationItem:
    """Send an invitation again with a new link; the earlier one stops working."""
    return _invitation(app_state, await invitations.resend(app_state, invitation_id, admin.id))


@router.post("/invitations/{invitation_id}/revoke")
async def revoke_invitation(invitation_id: str, app_state: AppStateDep, admin: AdminUser) -> InvitationItem:
    """Revoke an invitation: its link stops working."""
    return _invitation(app_state, await invitations.revoke(app_state, invitation_id, admin.id))


@router.get("/flows")
async def list_flows(
    session: SessionDep,
    app_state: AppStateDep,
    paging: Paging,
    q: Text = "",
    status: PublicAgentStatus | None = None,
) -> AdminAgentPage:
    """List the public agents of all users, newest first. Private agents stay private."""
    return await agents.page(app_state, session, q, status, paging)


@router.post("/flows/{flow_id}/unpublish")
async def unpublish_flow(
    flow_id: str, body: ReasonBody, app_state: AppStateDep, admin: AdminUser
) -> AdminAgent:
    """Unpublish an agent: only its owner sees it, until an admin republishes it."""
    return await agents.set_withheld(app_state, admin.id, flow_id, withheld=True, reason=body.reason)


@router.post("/flows/{flow_id}/republish")
async def republish_flow(
    flow_id: str, body: ReasonBody, app_state: AppStateDep, admin: AdminUser
) -> AdminAgent:
    """Let everyone see an agent again that an admin has unpublished."""
    return await agents.set_withheld(app_state, admin.id, flow_id, withheld=False, reason=body.reason)


@router.put("/flows/{flow_id}/feature")
async def feature_flow(flow_id: str, app_state: AppStateDep, admin: AdminUser) -> AdminAgent:
    """Put an agent first on Home, before those that were featured earlier."""
    return await agents.set_featured(app_state, admin.id, flow_id, featured=True)


@router.delete("/flows/{flow_id}/feature")
async def unfeature_flow(flow_id: str, app_state: AppStateDep, admin: AdminUser) -> AdminAgent:
    """Put an agent back to its usual place on Home."""
    return await agents.set_featured(app_state, admin.id, flow_id, featured=False)


@router.get("/runs")
async def list_runs(
    session: SessionDep,
    paging: Paging,
    user_id: str | None = None,
    flow_id: str | None = None,
    status: Annotated[list[RunStatus] | None, Query()] = None,
    since: Time = None,
    until: Time = None,
) -> AdminRunPage:
    """List the runs of all users, newest first, without their inputs and results."""
    wanted = RunFilter(user_id, flow_id, status or (), since, until)
    return await runs.page(session, wanted, paging)


@router.post("/runs/{run_id}/cancel", status_code=202)
async def cancel_run(run_id: str, app_state: AppStateDep, admin: AdminUser) -> AdminRun:
    """Cancel a run of any user. Finished steps keep their results."""
    return await runs.cancel(app_state, admin.id, run_id)


@router.get("/usage")
async def get_usage(
    session: SessionDep,
    app_state: AppStateDep,
    by: UsageGroup = "day",
    since: Annotated[Day | None, Query(description="First day (UTC); 29 days before the last one")] = None,
    until: Annotated[Day | None, Query(description="Last day (UTC); today by default")] = None,
    user_id: str | None = None,
) -> UsageReport:
    """Return the number of runs and what they cost in a period, by day, user or provider."""
    return await usage.report(app_state, session, by, since, until, user_id)


class _AuditQuery:
    """The filters of the audit log, as query parameters."""

    def __init__(
        self,
        action: Annotated[
            str | None, Query(max_length=64, description="An action, or a group of them such as `api_key`")
        ] = None,
        outcome: Outcome | None = None,
        user_id: Annotated[str | None, Query(description="Who acted, or to whom it was done")] = None,
        address: Annotated[str | None, Query(max_length=64, description="IP address")] = None,
        since: Time = None,
        until: Time = None,
    ) -> None:
        self.wanted = AuditFilter(action, outcome, user_id, address, since, until)


AuditQuery = Annotated[_AuditQuery, Depends()]


@router.get("/audit")
async def list_audit(session: SessionDep, query: AuditQuery, paging: Paging) -> AuditPage:
    """List the entries of the audit log, newest first."""
    return await audit_log.page(session, query.wanted, paging)


@router.get(
    "/audit/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def export_audit(app_state: AppStateDep, query: AuditQuery, admin: AdminUser) -> StreamingResponse:
    """Return the entries that match as CSV, newest first."""
    return await audit_log.download(app_state, query.wanted, admin.id)


async def _detail(app_state: AppState, user_id: str) -> PersonDetail:
    async with app_state.database.reading() as session:
        return await people.detail(app_state, session, user_id)


def _invitation(app_state: AppState, row: Invitation) -> InvitationItem:
    return InvitationItem(
        id=row.id,
        email=row.email,
        state=invitations.state_of(app_state, row),
        created_at=row.created_at,
        sent_at=row.sent_at,
        expires_at=row.expires_at,
        accepted_at=row.accepted_at,
    )
