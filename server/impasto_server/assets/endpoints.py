"""HTTP endpoints of assets."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response, UploadFile

from impasto_server.assets import download as downloads
from impasto_server.assets import exports, labels, service
from impasto_server.assets.media.thumbnails import thumbnail as make_thumbnail
from impasto_server.assets.origin import credentials, provenance
from impasto_server.assets.repository import LibraryFilter
from impasto_server.assets.schemas import Asset, AssetEdits, AssetKind, AssetPage, TagPage, Trace
from impasto_server.container import AppStateDep
from impasto_server.content_credentials.formats import SIDECAR_SUFFIX
from impasto_server.content_credentials.schemas import CREDENTIALS_TYPE, AssetCredentials
from impasto_server.db.engine import SessionDep
from impasto_server.http.pagination import Paging
from impasto_server.http.times import time_in_utc
from impasto_server.security.auth import CurrentUser, FileReader
from impasto_server.security.signed_urls import HasSignature

router = APIRouter(prefix="/assets", tags=["assets"])

Ids = Annotated[list[str] | None, Query(max_length=500, description="Ids; the newest assets if omitted")]


@router.get("/")
async def list_some(
    session: SessionDep,
    app_state: AppStateDep,
    user: CurrentUser,
    asset_ids: Ids = None,
    with_newer: Annotated[bool, Query(description="Add the newer versions of these assets")] = False,
) -> list[Asset]:
    """Return your assets by id, in the order of the query. Unknown ids are left out."""
    return await service.list_some(session, app_state, user, asset_ids, with_newer=with_newer)


@router.post("/", status_code=201)
async def upload(
    file: UploadFile,
    app_state: AppStateDep,
    user: CurrentUser,
    intermediate: Annotated[
        bool, Query(description="Leave it out of the library, like a mask that belongs to an image")
    ] = False,
) -> Asset:
    """Upload a file, to use it as an input."""
    return await service.upload(app_state, user, file, intermediate=intermediate)


@router.patch("/")
async def edit(
    body: AssetEdits, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> list[Asset]:
    """Mark assets as favourites or not, add tags and remove tags. Changes all of the assets or none."""
    return await labels.edit(session, app_state, user, body)


@router.get("/tags")
async def tags(session: SessionDep, user: CurrentUser, paging: Paging) -> TagPage:
    """List the tags of your assets, in alphabetical order."""
    return await labels.list_tags(session, user, paging)


@router.get("/library")
async def library(
    session: SessionDep,
    app_state: AppStateDep,
    user: CurrentUser,
    paging: Paging,
    kind: AssetKind | None = None,
    flow_id: str | None = None,
    run_id: str | None = None,
    q: Annotated[
        str | None, Query(max_length=200, description="Words in the name, agent, prompt, text or tags")
    ] = None,
    since: datetime | None = None,
    until: datetime | None = None,
    source: Annotated[str | None, Query(pattern="^(run|upload)$")] = None,
    favourite: Annotated[bool, Query(description="Only favourites")] = False,
    tag: Annotated[str | None, Query(max_length=40)] = None,
    collection_id: Annotated[str | None, Query(max_length=36)] = None,
    intermediate: Annotated[bool, Query(description="Also what steps made on the way to a result")] = False,
) -> AssetPage:
    """Return a page of your assets, newest first."""
    library_filter = LibraryFilter(
        *(kind, flow_id, run_id, source, time_in_utc("since", since), time_in_utc("until", until)),
        favourite=favourite,
        tag=tag,
        collection_id=collection_id,
        intermediate=intermediate,
    )
    return await service.library(session, app_state, user, library_filter, paging, q)


@router.post("/trace")
async def trace(file: UploadFile, app_state: AppStateDep, user: CurrentUser) -> Trace:
    """Return what generated a file, from the library or from the metadata in the file."""
    return await provenance.trace(app_state, user, file)


@router.get("/{asset_id}")
async def get(asset_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser) -> Asset:
    """Return an asset with its provenance."""
    return await service.get(session, app_state, user, asset_id)


@router.get("/{asset_id}/credentials")
async def read_credentials(asset_id: str, app_state: AppStateDep, user: CurrentUser) -> AssetCredentials:
    """Return an asset's content credentials (C2PA), verified now."""
    return await credentials.of_asset(app_state, user, asset_id)


@router.get(
    "/{asset_id}/credentials/file",
    response_class=Response,
    responses={200: {"content": {"application/c2pa": {}}}},
)
async def credentials_file(
    asset_id: str, app_state: AppStateDep, signed: HasSignature, user: FileReader
) -> Response:
    """Return the content credentials of a format that cannot contain them, such as WebM, as a file."""
    async with app_state.database.reading() as session:
        row = await service.get_readable(session, user, asset_id, signed=signed)
    data = await credentials.sidecar_of(app_state, row)
    disposition = downloads.disposition(f"{row.name}{SIDECAR_SUFFIX}", CREDENTIALS_TYPE, download=True)
    return Response(data, media_type=CREDENTIALS_TYPE, headers={"Content-Disposition": disposition})


@router.delete("/{asset_id}", status_code=204)
async def delete(asset_id: str, app_state: AppStateDep, user: CurrentUser) -> None:
    """Delete an asset and its file."""
    await service.delete(app_state, user, asset_id)


@router.head("/{asset_id}/content", include_in_schema=False)
@router.get(
    "/{asset_id}/content",
    response_class=Response,
    responses={200: {"content": {"*/*": {}}}, 206: {"description": "The requested range"}},
)
async def content(
    asset_id: str,
    request: Request,
    app_state: AppStateDep,
    signed: HasSignature,
    user: FileReader,
    download: Annotated[bool, Query(description="Send the file as an attachment")] = False,
) -> Response:
    """Return an asset's file or a range of it. Requires a signed URL or the owner's token."""
    async with app_state.database.reading() as session:
        row = await service.get_readable(session, user, asset_id, signed=signed)
    text = await service.text_of(app_state, row)
    return await downloads.range_response(
        app_state.storage, row, request.headers, download=download, content=text
    )


@router.get("/{asset_id}/export", response_class=Response, responses={200: {"content": {"*/*": {}}}})
async def export(
    asset_id: str, request: Request, app_state: AppStateDep, signed: HasSignature, user: FileReader
) -> Response:
    """Return an asset's file to pass on, with a visible AI mark if the agent's builder wants one."""
    async with app_state.database.reading() as session:
        row = await service.get_readable(session, user, asset_id, signed=signed)
    data = await exports.marked_file(app_state, row)
    if data is None:
        text = await service.text_of(app_state, row)
        return await downloads.range_response(
            app_state.storage, row, request.headers, download=True, content=text
        )
    disposition = downloads.disposition(row.name, row.media_type, download=True)
    return Response(data, media_type=row.media_type, headers={"Content-Disposition": disposition})


@router.get("/{asset_id}/thumbnail", response_class=Response)
async def thumbnail(
    asset_id: str, app_state: AppStateDep, signed: HasSignature, user: FileReader
) -> Response:
    """Return a WebP thumbnail of an image or video. Requires a signed URL or the owner's token."""
    async with app_state.database.reading() as session:
        row = await service.get_readable(session, user, asset_id, signed=signed)
    data = await make_thumbnail(app_state, row)
    headers = {"Cache-Control": "private, max-age=3600, immutable", "ETag": f'"{row.sha256}"'}
    return Response(data, media_type="image/webp", headers=headers)
