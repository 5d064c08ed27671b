"""HTTP endpoints of connections."""

from typing import Annotated

from fastapi import APIRouter, Path

from impasto_server.connections import service
from impasto_server.connections.schemas import ConnectionPage, ConnectionTest
from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.security.auth import SignedInUser

router = APIRouter(prefix="/connections", tags=["connections"])

Provider = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_]{0,59}$", examples=["openai"])]


@router.get("/")
async def list_all(session: SessionDep, app_state: AppStateDep, user: SignedInUser) -> ConnectionPage:
    """List the installed providers, how the user can use each, and what it cost them this month."""
    return await service.list_all(app_state, session, user)


@router.post("/{provider}/test")
async def test(provider: Provider, app_state: AppStateDep, user: SignedInUser) -> ConnectionTest:
    """Ask a provider for its models and voices with the key that the user's runs have. Nothing is paid."""
    return await service.test(app_state, user, provider)
