"""What a launch would cost and take with the inputs as they stand, before it is pressed."""

from typing import Any, Literal

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.flows import access
from impasto_server.flows.compilation import estimate_of, read_blueprint
from impasto_server.flows.errors import FlowNotYours
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Estimate
from impasto_server.flows.subflows import Subflows, load_subflows
from impasto_server.runs.inputs import acceptable
from impasto_server.runs.schemas import EstimateRequest
from impasto_server.users.models import User
from impasto_server.versions import service as versions


async def estimate(
    session: AsyncSession, app_state: AppState, user: User, flow_id: str, body: EstimateRequest
) -> Estimate:
    """Return what is known of a launch beforehand; nothing is known of an agent that cannot run."""
    flow = await access.visible(session, user, flow_id)
    document, pinned = await _document(session, user, flow, body.version)
    if document is None:
        return Estimate()
    subflows = await load_subflows(session, app_state.catalog, user, document, pinned)
    configured = await credentials.providers_of(session, user.id)
    found = read_blueprint(document, app_state.catalog, subflows, flow_id=flow.id, configured=configured)
    if found.plan is None:
        return Estimate()
    inputs = await acceptable(session, user.id, found.plan, body.inputs)
    return estimate_of(found.plan, inputs)


async def _document(
    session: AsyncSession, user: User, flow: FlowRow, version: int | Literal["draft"] | None
) -> tuple[dict[str, Any] | None, Subflows | None]:
    if version == "draft":
        if not access.is_owner(flow, user):
            raise FlowNotYours
        return flow.draft, None
    number = version or flow.version
    if number is None:
        return (flow.draft if access.is_owner(flow, user) else None), None
    published = await versions.published(session, flow.id, number)
    return published.document, published.subflows
