"""HTTP endpoints of customizations."""

from fastapi import APIRouter

from impasto_server.container import AppStateDep
from impasto_server.customizations import service
from impasto_server.customizations.schemas import Customization, CustomizationUpdate
from impasto_server.db.engine import SessionDep
from impasto_server.security.auth import CurrentUser

router = APIRouter(prefix="/flows/{flow_id}/customization", tags=["flows"])


@router.get("")
async def get_customization(flow_id: str, session: SessionDep, user: CurrentUser) -> Customization:
    """Return the inputs of an agent's launches as you last set them under Customize."""
    return await service.get(session, user, flow_id)


@router.patch("")
async def update_customization(
    flow_id: str, body: CustomizationUpdate, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> Customization:
    """Store inputs for your later launches of an agent from a form. Launches by API do not use them."""
    return await service.update(session, app_state, user, flow_id, body)


@router.delete("", status_code=204)
async def reset_customization(flow_id: str, session: SessionDep, user: CurrentUser) -> None:
    """Delete the stored inputs, so that the agent's own values apply."""
    await service.reset(session, user, flow_id)
