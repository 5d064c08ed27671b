"""Agents over HTTP."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response, UploadFile

from impasto_server.assets import covers
from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.flows import service
from impasto_server.flows.schemas import (
    DraftSaved,
    FlowCheck,
    FlowCreate,
    FlowDetail,
    FlowDocument,
    FlowPatch,
    FlowSummary,
    PublishRequest,
)
from impasto_server.http.etags import OptionalIfMatch, RequiredIfMatch, etag
from impasto_server.security.auth import CurrentUser
from impasto_server.security.signed_urls import HasSignature, SignatureInvalid
from impasto_server.versions.schemas import Version

router = APIRouter(prefix="/flows", tags=["flows"])

Document = Annotated[FlowDocument, Body(description="A flow document, format 1")]


@router.get("/")
async def list_visible(
    session: SessionDep,
    app_state: AppStateDep,
    user: CurrentUser,
    include_all: Annotated[bool, Query(description="Also one's own drafts and legacy agents")] = False,
) -> list[FlowSummary]:
    """List public published agents and one's own."""
    return await service.list_visible(session, app_state, user, include_all=include_all)


@router.post("/", status_code=201)
async def create(
    body: FlowCreate, session: SessionDep, app_state: AppStateDep, user: CurrentUser, response: Response
) -> FlowDetail:
    """Make a draft: empty, from a document, or from another agent."""
    return _tagged(response, await service.create(session, app_state, user, body))


@router.post("/check")
async def check(
    document: Document, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> FlowCheck:
    """Tell every problem of a document, its form, its results and its estimate; nothing is saved."""
    return await service.check(session, app_state, user, document)


@router.post("/import", status_code=201)
async def import_document(
    document: Document, session: SessionDep, app_state: AppStateDep, user: CurrentUser, response: Response
) -> FlowDetail:
    """Make a draft from an exported agent or any flow document."""
    return _tagged(response, await service.import_document(session, app_state, user, document))


@router.get("/{flow_id}")
async def get(
    flow_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser, response: Response
) -> FlowDetail:
    """Return an agent: with its draft to its owner, with its published document to others."""
    return _tagged(response, await service.get(session, app_state, user, flow_id))


@router.patch("/{flow_id}")
async def patch(
    flow_id: str, body: FlowPatch, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> FlowSummary:
    """Change name, description, category or visibility."""
    return await service.patch(session, app_state, user, flow_id, body)


@router.delete("/{flow_id}", status_code=204)
async def delete(flow_id: str, app_state: AppStateDep, user: CurrentUser) -> None:
    """Remove an agent; its runs' assets stay."""
    await service.delete(app_state, user, flow_id)


@router.put("/{flow_id}/draft")
async def save_draft(
    flow_id: str,
    document: Document,
    session: SessionDep,
    app_state: AppStateDep,
    user: CurrentUser,
    if_match: RequiredIfMatch,
    response: Response,
    keep: Annotated[bool, Query(description="Keep this save as an entry of its own in the history")] = False,
) -> DraftSaved:
    """Store the draft, complete or not. 412 `stale_revision` when somebody saved in between."""
    saved = await service.save_draft(session, app_state, user, flow_id, if_match, document, keep=keep)
    response.headers["ETag"] = etag(saved.revision)
    return saved


@router.post("/{flow_id}/publish")
async def publish(
    flow_id: str,
    session: SessionDep,
    app_state: AppStateDep,
    user: CurrentUser,
    if_match: OptionalIfMatch,
    body: PublishRequest | None = None,
) -> Version:
    """Make the draft the version that everybody runs. 422 `flow_invalid` when it does not compile."""
    note = body.note if body else ""
    return await service.publish(session, app_state, user, flow_id, note, if_match)


@router.post("/{flow_id}/deprecate")
async def deprecate(
    flow_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> FlowSummary:
    """Retire a published agent: it runs for its owner only and leaves Home."""
    return await service.deprecate(session, app_state, user, flow_id)


@router.post("/{flow_id}/restore-status")
async def restore_status(
    flow_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> FlowSummary:
    """Publish a retired agent again."""
    return await service.restore_status(session, app_state, user, flow_id)


@router.post("/{flow_id}/duplicate", status_code=201)
async def duplicate(
    flow_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser, response: Response
) -> FlowDetail:
    """Make a draft of one's own from an agent one sees."""
    return _tagged(response, await service.duplicate(session, app_state, user, flow_id))


@router.get("/{flow_id}/export")
async def export(flow_id: str, session: SessionDep, user: CurrentUser) -> dict[str, Any]:
    """Return an agent as one document, which `import` and `impasto run` take."""
    return await service.export(session, user, flow_id)


@router.post("/{flow_id}/avatar")
async def set_avatar(
    flow_id: str, file: UploadFile, app_state: AppStateDep, user: CurrentUser
) -> FlowSummary:
    """Give an agent a cover: PNG, JPEG or WebP."""
    return await service.set_avatar(app_state, user, flow_id, await covers.read(app_state, file))


@router.get("/{flow_id}/avatar/{mark}", include_in_schema=False)
async def avatar(
    flow_id: str, mark: str, session: SessionDep, app_state: AppStateDep, signed: HasSignature
) -> Response:
    """Return a cover to whoever has its signed address."""
    if not signed:
        raise SignatureInvalid
    data = await app_state.storage.read(await service.avatar_key(session, flow_id, mark))
    headers = {"Cache-Control": "private, max-age=3600, immutable"}
    return Response(data, media_type="image/webp", headers=headers)


def _tagged(response: Response, flow: FlowDetail) -> FlowDetail:
    response.headers["ETag"] = etag(flow.revision)
    return flow
