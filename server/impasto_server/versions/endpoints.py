"""HTTP endpoints of an agent's history."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.flows import access
from impasto_server.flows import service as flows
from impasto_server.flows.schemas import DraftSaved, VersionPorts
from impasto_server.http.etags import OptionalIfMatch
from impasto_server.http.pagination import Paging
from impasto_server.security.auth import CurrentUser
from impasto_server.versions import service
from impasto_server.versions.schemas import FlowDiff, Version, VersionDetail, VersionPage

router = APIRouter(prefix="/flows/{flow_id}/versions", tags=["versions"])

Ref = Annotated[str, Path(max_length=20, description='"3" for version 3, "r12" for the save of revision 12')]


@router.get("")
async def list_versions(flow_id: str, session: SessionDep, user: CurrentUser, paging: Paging) -> VersionPage:
    """List published versions and saves, newest first."""
    row = await access.get_visible(session, user, flow_id)
    return await service.list_versions(session, row, user, paging)


@router.get("/{ref}")
async def get(flow_id: str, ref: Ref, session: SessionDep, user: CurrentUser) -> VersionDetail:
    """Return one history entry with its document."""
    row = await access.get_visible(session, user, flow_id)
    return await service.get(session, row, user, ref)


@router.get("/{ref}/ports")
async def ports(flow_id: str, ref: Ref, app_state: AppStateDep, user: CurrentUser) -> VersionPorts:
    """Return what an entry takes and gives: its launch form, and its results."""
    return await flows.version_ports(app_state, user, flow_id, ref)


@router.post("/{ref}/restore")
async def restore(
    flow_id: str,
    ref: Ref,
    app_state: AppStateDep,
    user: CurrentUser,
    if_match: OptionalIfMatch,
) -> DraftSaved:
    """Save an entry's document as the draft, with a new revision. The history stays complete."""
    return await flows.restore(app_state, user, flow_id, ref, if_match)


@router.post("/{ref}/withdraw")
async def withdraw(
    flow_id: str, ref: Ref, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> Version:
    """Withdraw a published version: no one can launch it any more, and only its owner sees it.

    The newest remaining version takes its place; without one the agent is a draft again. Runs that have
    started go on. Agents that were published with it as a part keep their copy.
    """
    row = await access.get_owned(session, user, flow_id)
    return await service.withdraw(session, row, user, ref, app_state.clock())


@router.get("/{before}/diff/{after}", response_model=FlowDiff)
async def diff(flow_id: str, before: Ref, after: Ref, app_state: AppStateDep, user: CurrentUser) -> Response:
    """Return the differences between two entries. "draft" stands for the current draft."""
    async with app_state.database.reading() as session:
        row = await access.get_visible(session, user, flow_id)
        documents = await service.documents_at(session, row, user, before, after)
    return Response(await app_state.compiler.diff(user.id, *documents), media_type="application/json")
