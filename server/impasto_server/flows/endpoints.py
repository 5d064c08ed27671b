"""HTTP endpoints of agents."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response, UploadFile
from fastapi.responses import StreamingResponse
from pydantic import TypeAdapter

from impasto_server.assets.media import images
from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.flows import covers, export_archive, import_archive, service
from impasto_server.flows.repository import FlowFilter
from impasto_server.flows.schemas import (
    Category,
    DraftSaved,
    ExportContents,
    FlowCheck,
    FlowCreate,
    FlowDetail,
    FlowDocument,
    FlowImported,
    FlowPage,
    FlowPatch,
    FlowSummary,
    Kind,
    PublishRequest,
)
from impasto_server.http.etags import OptionalIfMatch, RequiredIfMatch, etag
from impasto_server.http.pagination import OptionalPaging
from impasto_server.http.streaming import HoldingResponse
from impasto_server.security.auth import CurrentUser
from impasto_server.security.signed_urls import HasSignature, SignatureInvalid
from impasto_server.versions.schemas import Version

router = APIRouter(prefix="/flows", tags=["flows"])

_FLOWS = TypeAdapter(list[FlowSummary])
Document = Annotated[FlowDocument, Body(description="A flow document, format 1")]


@router.get("/", response_model=list[FlowSummary] | FlowPage)
async def list_visible(
    session: SessionDep,
    app_state: AppStateDep,
    user: CurrentUser,
    paging: OptionalPaging,
    include_all: Annotated[bool, Query(description="Include your own drafts and legacy agents")] = False,
    q: Annotated[str | None, Query(max_length=200, description="Words in the name or description")] = None,
    mine: Annotated[bool | None, Query(description="Only your own agents, or only those of others")] = None,
    category: Category | None = None,
    takes: Annotated[
        list[Kind] | None, Query(description="Only agents whose launches may take such a file")
    ] = None,
    flow_ids: Annotated[
        list[str] | None, Query(max_length=100, description="Only agents with these ids")
    ] = None,
) -> Response:
    """List public published agents and your own.

    With `limit` or `cursor` the answer is a page; without them it is an array of all.
    """
    flow_filter = FlowFilter(
        include_all=include_all,
        mine=mine,
        q=q,
        category=category,
        takes=tuple(takes or ()),
        flow_ids=None if flow_ids is None else tuple(flow_ids),
    )
    if paging is None:
        flows = await service.list_visible(session, app_state, user, flow_filter)
        return Response(_FLOWS.dump_json(flows), media_type="application/json")
    page = await service.page_of_visible(session, app_state, user, flow_filter, paging)
    return Response(page.model_dump_json(), media_type="application/json")


@router.post("/", status_code=201, response_model=FlowDetail)
async def create(body: FlowCreate, app_state: AppStateDep, user: CurrentUser) -> Response:
    """Create a draft: empty, from a document, or from another agent."""
    return _detail(await service.create(app_state, user, body), 201)


@router.post("/check", response_model=FlowCheck)
async def check(
    document: Document,
    app_state: AppStateDep,
    user: CurrentUser,
    flow_id: Annotated[str | None, Query(description="The agent that the document belongs to")] = None,
) -> Response:
    """Return the problems, input form, results and estimate of a document without saving it.

    The problems are those of a run by you: also a provider without a key, and inputs without a value.
    """
    return Response(await service.check(app_state, user, document, flow_id), media_type="application/json")


@router.post("/import", status_code=201, response_model=FlowDetail)
async def import_document(document: Document, app_state: AppStateDep, user: CurrentUser) -> Response:
    """Create a draft from an exported agent or any flow document."""
    return _detail(await service.import_document(app_state, user, document), 201)


@router.post("/import/file", status_code=201, response_model=FlowImported)
async def import_file(file: UploadFile, app_state: AppStateDep, user: CurrentUser) -> Response:
    """Create a draft from the file of an exported agent: a zip with its assets, or a flow document.

    The assets become yours. What the agent refers to and you do not have is left out of it and named.
    """
    imported = await import_archive.import_file(app_state, user, file)
    return Response(imported.body, 201, {"ETag": etag(imported.revision)}, media_type="application/json")


@router.get("/{flow_id}", response_model=FlowDetail)
async def get(flow_id: str, app_state: AppStateDep, user: CurrentUser) -> Response:
    """Return an agent, with its draft for its owner and its published document for others."""
    return _detail(await service.get(app_state, user, flow_id))


@router.patch("/{flow_id}")
async def patch(
    flow_id: str, body: FlowPatch, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> FlowSummary:
    """Change an agent's name, description, category, visibility, or how its images are marked."""
    return await service.patch(session, app_state, user, flow_id, body)


@router.delete("/{flow_id}", status_code=204)
async def delete(flow_id: str, app_state: AppStateDep, user: CurrentUser) -> None:
    """Delete an agent. Its runs and their assets stay."""
    await service.delete(app_state, user, flow_id)


@router.put("/{flow_id}/draft")
async def save_draft(
    flow_id: str,
    document: Document,
    app_state: AppStateDep,
    user: CurrentUser,
    if_match: RequiredIfMatch,
    response: Response,
    keep: Annotated[bool, Query(description="Keep this save as a separate entry in the history")] = False,
) -> DraftSaved:
    """Save the draft, complete or not. 412 `stale_revision` if the draft has changed since `If-Match`."""
    saved = await service.save_draft(app_state, user, flow_id, if_match, document, keep=keep)
    response.headers["ETag"] = etag(saved.revision)
    return saved


@router.post("/{flow_id}/publish")
async def publish(
    flow_id: str,
    app_state: AppStateDep,
    user: CurrentUser,
    if_match: OptionalIfMatch,
    body: PublishRequest | None = None,
) -> Version:
    """Publish the draft as a new version. 422 `flow_invalid` if it does not compile."""
    note = body.note if body else ""
    return await service.publish(app_state, user, flow_id, note, if_match)


@router.post("/{flow_id}/deprecate")
async def deprecate(
    flow_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> FlowSummary:
    """Deprecate a published agent: only its owner can run it, and it leaves Home."""
    return await service.deprecate(session, app_state, user, flow_id)


@router.post("/{flow_id}/restore-status")
async def restore_status(
    flow_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> FlowSummary:
    """Publish a deprecated agent again."""
    return await service.restore_status(session, app_state, user, flow_id)


@router.post("/{flow_id}/duplicate", status_code=201, response_model=FlowDetail)
async def duplicate(flow_id: str, app_state: AppStateDep, user: CurrentUser) -> Response:
    """Copy an agent that you can see into a draft of your own."""
    return _detail(await service.duplicate(app_state, user, flow_id), 201)


@router.get("/{flow_id}/export")
async def export(flow_id: str, session: SessionDep, user: CurrentUser) -> dict[str, Any]:
    """Return an agent as one document without its assets, which `import` and `impasto run` accept."""
    return await service.export(session, user, flow_id)


@router.get("/{flow_id}/export/contents")
async def export_contents(
    flow_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> ExportContents:
    """Return which assets `export/file` has, and what it lacks: deleted files, brands, other agents."""
    return (await export_archive.plan(session, app_state, user, flow_id)).contents()


@router.get(
    "/{flow_id}/export/file",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {}, "application/json": {}}}},
)
async def export_file(
    flow_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> StreamingResponse:
    """Return an agent as a file: a zip if it has assets of yours, otherwise its document as JSON.

    429 `exports_limit` for a zip while another export is in progress.
    """
    found = await export_archive.plan(session, app_state, user, flow_id)
    if not found.is_zip:
        return StreamingResponse(
            found.stream_document(), media_type="application/json", headers=_attachment("agent.json")
        )
    slot_id = await app_state.slots.take(user, "exports")
    return HoldingResponse(
        found.stream_zip(app_state),
        partial(app_state.slots.release, slot_id),
        media_type="application/zip",
        headers=_attachment("agent.zip"),
    )


@router.post("/{flow_id}/avatar")
async def set_avatar(
    flow_id: str, file: UploadFile, app_state: AppStateDep, user: CurrentUser
) -> FlowSummary:
    """Set an agent's cover image: PNG, JPEG or WebP."""
    return await covers.set_cover(app_state, user, flow_id, await images.read_cover(app_state, file))


@router.get("/{flow_id}/avatar/{mark}", include_in_schema=False)
async def avatar(
    flow_id: str, mark: str, session: SessionDep, app_state: AppStateDep, signed: HasSignature
) -> Response:
    """Return a cover image. Requires a signed URL."""
    if not signed:
        raise SignatureInvalid
    data = await app_state.storage.read(await covers.cover_key(session, flow_id, mark))
    headers = {"Cache-Control": "private, max-age=3600, immutable"}
    return Response(data, media_type="image/webp", headers=headers)


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _detail(flow: service.FlowResponse, status: int = 200) -> Response:
    headers = {"ETag": etag(flow.revision)}
    return Response(flow.body, status, headers, media_type="application/json")
