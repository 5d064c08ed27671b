"""HTTP endpoints of API keys. They need a signed-in user; an API key cannot manage API keys."""

from fastapi import APIRouter, BackgroundTasks

from impasto_server.api_keys import service
from impasto_server.api_keys.schemas import ApiKeyCreate, ApiKeyCreated, ApiKeyPage
from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.http.pagination import Paging
from impasto_server.identity import notices
from impasto_server.security.auth import SignedInUser

router = APIRouter(prefix="/api-keys", tags=["api_keys"])


@router.get("")
async def list_all(session: SessionDep, user: SignedInUser, paging: Paging) -> ApiKeyPage:
    """List the user's keys without their secrets."""
    return await service.list_all(session, user, paging)


@router.post("", status_code=201)
async def create(
    body: ApiKeyCreate,
    session: SessionDep,
    app_state: AppStateDep,
    user: SignedInUser,
    tasks: BackgroundTasks,
) -> ApiKeyCreated:
    """Create a key, valid for 90 days by default. Only this response contains it. 409 `too_many_keys`."""
    created = await service.create(session, app_state, user, body)
    await notices.schedule(app_state, tasks, user, notices.API_KEY_CREATED, created.name)
    return created


@router.delete("/{key_id}", status_code=204)
async def delete(
    key_id: str, session: SessionDep, app_state: AppStateDep, user: SignedInUser, tasks: BackgroundTasks
) -> None:
    """Revoke a key immediately."""
    name = await service.delete(session, app_state, user, key_id)
    await notices.schedule(app_state, tasks, user, notices.API_KEY_REVOKED, name)
