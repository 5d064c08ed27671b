"""HTTP endpoints of connections."""

from typing import Annotated

from fastapi import APIRouter, Path

from impasto_server.admin.access import AdminUser
from impasto_server.connections import downloads, local_servers, service
from impasto_server.connections.schemas import (
    AddressPut,
    ConnectionPage,
    ConnectionTest,
    DownloadDetails,
    DownloadList,
    DownloadPut,
    LocalServers,
)
from impasto_server.container import AppStateDep
from impasto_server.credentials import service as credentials
from impasto_server.db.engine import SessionDep
from impasto_server.security.auth import SignedInUser

router = APIRouter(prefix="/connections", tags=["connections"])

Provider = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_]{0,59}$", examples=["openai"])]
Model = Annotated[str, Path(pattern=r"^\w[\w.-]{0,119}$", examples=["qwen3-4b"])]


@router.get("/")
async def list_all(session: SessionDep, app_state: AppStateDep, user: SignedInUser) -> ConnectionPage:
    """List the installed providers, how the user can use each, and what it cost them this month."""
    return await service.list_all(app_state, session, user)


@router.get("/local-servers")
async def list_local_servers(session: SessionDep, app_state: AppStateDep, admin: AdminUser) -> LocalServers:
    """List the model servers on this machine that answer at their usual ports. For admins.

    They are looked for in the background, without any key.
    """
    return await local_servers.list_all(app_state, session, admin)


@router.put("/{provider}/address", status_code=204)
async def use_local_server(
    provider: Provider, body: AddressPut, session: SessionDep, app_state: AppStateDep, user: SignedInUser
) -> None:
    """Let the user's own runs use a server that the operator allows, or an admin's one that was found.

    No key is sent to it.
    """
    await local_servers.use(app_state, session, user, provider, body.address)


@router.delete("/{provider}/address", status_code=204)
async def stop_using_local_server(
    provider: Provider, session: SessionDep, app_state: AppStateDep, user: SignedInUser
) -> None:
    """Use the server that was chosen for a provider no longer."""
    await credentials.delete_address(session, app_state, user, provider)


@router.post("/{provider}/test")
async def test(provider: Provider, app_state: AppStateDep, user: SignedInUser) -> ConnectionTest:
    """Ask a provider for its models and voices with the key that the user's runs have. Nothing is paid."""
    return await service.test(app_state, user, provider)


@router.get("/{provider}/downloads")
async def list_downloads(provider: Provider, app_state: AppStateDep, admin: AdminUser) -> DownloadList:
    """List the models that can be downloaded to this machine, or are there. For admins."""
    return await downloads.list_all(app_state, provider)


@router.get("/{provider}/downloads/{model}")
async def show_download(
    provider: Provider, model: Model, app_state: AppStateDep, admin: AdminUser
) -> DownloadDetails:
    """Ask the hub for the licence, size and SHA-256 of a model. Nothing is downloaded."""
    return await downloads.look_up(app_state, provider, model)


@router.put("/{provider}/downloads/{model}", status_code=202)
async def download(
    provider: Provider, model: Model, body: DownloadPut, app_state: AppStateDep, admin: AdminUser
) -> DownloadList:
    """Download a model, or the rest of it, in the background. List the downloads to see its progress."""
    await downloads.start(app_state, admin, provider, model, body.sha256)
    return await downloads.list_all(app_state, provider)


@router.delete("/{provider}/downloads/{model}", status_code=204)
async def remove_download(provider: Provider, model: Model, app_state: AppStateDep, admin: AdminUser) -> None:
    """Stop a download, keeping what has arrived; or delete what is on this machine."""
    await downloads.remove(app_state, admin, provider, model)
