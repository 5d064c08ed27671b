"""HTTP endpoints of provider keys."""

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Path

from impasto_server.container import AppStateDep
from impasto_server.credentials import service
from impasto_server.credentials.schemas import Credential, CredentialPage, CredentialPut
from impasto_server.db.engine import SessionDep
from impasto_server.identity import notices
from impasto_server.security.auth import SignedInUser

router = APIRouter(prefix="/credentials", tags=["credentials"])

Provider = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_]{0,59}$", examples=["openai"])]


@router.get("/")
async def list_all(session: SessionDep, user: SignedInUser) -> CredentialPage:
    """List the providers that the user has stored a key for."""
    return await service.list_all(session, user)


@router.get("/{provider}")
async def get(provider: Provider, session: SessionDep, user: SignedInUser) -> Credential:
    """Return the last four characters of a stored key."""
    return await service.get(session, user, provider)


@router.put("/{provider}")
async def put(
    provider: Provider,
    body: CredentialPut,
    session: SessionDep,
    app_state: AppStateDep,
    user: SignedInUser,
    tasks: BackgroundTasks,
) -> Credential:
    """Store the user's key for a provider. It is never returned. 409 `too_many_keys`."""
    stored = await service.put(session, app_state, user, provider, body.key)
    await notices.schedule(app_state, tasks, user, notices.PROVIDER_KEY_SET, provider)
    return stored


@router.delete("/{provider}", status_code=204)
async def delete(
    provider: Provider,
    session: SessionDep,
    app_state: AppStateDep,
    user: SignedInUser,
    tasks: BackgroundTasks,
) -> None:
    """Delete a key."""
    await service.delete(session, app_state, user, provider)
    await notices.schedule(app_state, tasks, user, notices.PROVIDER_KEY_REMOVED, provider)
