"""Public agents, for admins: unpublish them, feature them on Home. Private agents stay private."""

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.admin import people
from impasto_server.admin.schemas import AdminAgent, AdminAgentPage
from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Action, Detail, Target
from impasto_server.container import AppState
from impasto_server.flows import service as flows
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import PublicAgentStatus
from impasto_server.http.errors import Conflict
from impasto_server.http.pagination import PageQuery


class AgentNotPublic(Conflict):
    """Only agents that everyone can see are featured."""

    code = "agent_not_public"

    def __init__(self) -> None:
        super().__init__("Only a public, published agent can be featured.")


async def page(
    app_state: AppState, session: AsyncSession, text: str, status: PublicAgentStatus | None, paging: PageQuery
) -> AdminAgentPage:
    """Return a page of public agents whose name or id matches a text, newest first."""
    rows, cursor = await flows.search_public(session, text, status, paging)
    return AdminAgentPage(items=await _described(app_state, session, rows), next_cursor=cursor)


async def set_withheld(
    app_state: AppState, admin_id: str, flow_id: str, *, withheld: bool, reason: str
) -> AdminAgent:
    """Withhold a public agent from everyone but its owner, or give it back. Raises `FlowNotFound`."""
    async with app_state.database.writing() as session:
        row = await flows.get_public(session, flow_id)
        row.withheld_at = app_state.clock() if withheld else None
        row.withheld_reason = reason if withheld else None
        if withheld:
            row.featured_at = None
        action: Action = "agent.unpublish" if withheld else "agent.republish"
        await _record(app_state, session, action, admin_id, row, {"reason": reason})
        return (await _described(app_state, session, [row]))[0]


async def set_featured(app_state: AppState, admin_id: str, flow_id: str, *, featured: bool) -> AdminAgent:
    """Put an agent first on Home, or no longer. Raises `FlowNotFound` or `AgentNotPublic`."""
    async with app_state.database.writing() as session:
        row = await flows.get_public(session, flow_id)
        if featured and not flows.is_public(row):
            raise AgentNotPublic
        row.featured_at = app_state.clock() if featured else None
        action: Action = "agent.feature" if featured else "agent.unfeature"
        await _record(app_state, session, action, admin_id, row, {})
        return (await _described(app_state, session, [row]))[0]


async def _record(
    app_state: AppState,
    session: AsyncSession,
    action: Action,
    admin_id: str,
    row: FlowRow,
    details: dict[str, Detail],
) -> None:
    details = {"name": row.name, **details}
    target = Target("agent", row.id)
    await audit.record(app_state, session, action, actor_id=admin_id, target=target, details=details)


async def _described(app_state: AppState, session: AsyncSession, rows: list[FlowRow]) -> list[AdminAgent]:
    owners = await people.refs(session, (row.owner_id for row in rows))
    return [
        AdminAgent.model_validate(
            {
                **{name: getattr(row, name) for name in AdminAgent.model_fields if hasattr(row, name)},
                "avatar_url": flows.avatar_url(app_state, row),
                "owner": owners[row.owner_id] if row.owner_id else None,
            }
        )
        for row in rows
    ]
