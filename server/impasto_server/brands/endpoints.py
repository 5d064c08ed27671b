"""HTTP endpoints of brands."""

from typing import Annotated

from fastapi import APIRouter, Path, Response, UploadFile

from impasto_server.brands import fonts, service
from impasto_server.brands.schemas import (
    BrandContent,
    BrandDetail,
    BrandDiff,
    BrandDraftSaved,
    BrandPage,
    BrandPublish,
    BrandVersion,
    BrandVersionDetail,
    BrandVersionPage,
    UploadedFont,
)
from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.http.etags import OptionalIfMatch, RequiredIfMatch, etag
from impasto_server.http.pagination import Paging
from impasto_server.security.auth import CurrentUser

router = APIRouter(prefix="/brands", tags=["brands"])

Number = Annotated[int, Path(ge=1, le=999_999_999, description="The number of a published version")]
Ref = Annotated[str, Path(max_length=20, description='"3" for version 3, or "draft"')]


@router.get("/")
async def list_own(
    session: SessionDep, app_state: AppStateDep, user: CurrentUser, paging: Paging
) -> BrandPage:
    """List your brands, newest first. The last page ends with the example brand."""
    return await service.list_own(session, app_state, user, paging)


@router.post("/", status_code=201)
async def create(
    body: BrandContent, app_state: AppStateDep, user: CurrentUser, response: Response
) -> BrandDetail:
    """Create a brand. Agents can use it once it is published."""
    return _tagged(response, await service.create(app_state, user, body))


@router.post("/fonts", status_code=201)
async def upload_font(file: UploadFile, app_state: AppStateDep, user: CurrentUser) -> UploadedFont:
    """Upload a TTF, OTF or WOFF2 file of at most 16 MiB, to add it to `font_files` of a brand.

    The file is written again without anything that drawing letters does not need. One that no brand has is
    deleted after a day.
    """
    return await fonts.upload(app_state, user, file)


@router.get("/{brand_id}")
async def get(
    brand_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser, response: Response
) -> BrandDetail:
    """Return a brand: its draft, its newest published version, and what the draft changes."""
    return _tagged(response, await service.get(session, app_state, user, brand_id))


@router.delete("/{brand_id}", status_code=204)
async def delete(brand_id: str, session: SessionDep, user: CurrentUser) -> None:
    """Delete a brand. Runs keep the values that they used; agents with it go on without a brand."""
    await service.delete(session, user, brand_id)


@router.put("/{brand_id}/draft")
async def save_draft(
    brand_id: str,
    body: BrandContent,
    app_state: AppStateDep,
    user: CurrentUser,
    if_match: RequiredIfMatch,
    response: Response,
) -> BrandDraftSaved:
    """Save the draft. 412 `stale_revision` if it has changed since `If-Match`."""
    saved = await service.save_draft(app_state, user, brand_id, if_match, body)
    response.headers["ETag"] = etag(saved.revision)
    return saved


@router.delete("/{brand_id}/draft")
async def discard_draft(brand_id: str, app_state: AppStateDep, user: CurrentUser) -> BrandDraftSaved:
    """Make the draft the same as the newest published version."""
    return await service.discard_draft(app_state, user, brand_id)


@router.post("/{brand_id}/publish")
async def publish(
    brand_id: str,
    app_state: AppStateDep,
    user: CurrentUser,
    if_match: OptionalIfMatch,
    body: BrandPublish | None = None,
) -> BrandVersion:
    """Publish the draft as a new version, which agents use from then on.

    409 `nothing_to_publish` if it is the same as the newest version.
    """
    return await service.publish(app_state, user, brand_id, body.note if body else "", if_match)


@router.post("/{brand_id}/duplicate", status_code=201)
async def duplicate(
    brand_id: str, app_state: AppStateDep, user: CurrentUser, response: Response
) -> BrandDetail:
    """Copy the draft of one of your brands, or the example, into a new brand."""
    return _tagged(response, await service.duplicate(app_state, user, brand_id))


@router.put("/{brand_id}/default", status_code=204)
async def set_default(brand_id: str, session: SessionDep, user: CurrentUser) -> None:
    """Make a published brand the one that new launches start with."""
    await service.set_default(session, user, brand_id)


@router.delete("/{brand_id}/default", status_code=204)
async def unset_default(brand_id: str, session: SessionDep, user: CurrentUser) -> None:
    """Let new launches start without this brand."""
    await service.unset_default(session, user, brand_id)


@router.get("/{brand_id}/versions")
async def list_versions(
    brand_id: str, session: SessionDep, user: CurrentUser, paging: Paging
) -> BrandVersionPage:
    """List the published versions of a brand, newest first."""
    return await service.list_versions(session, user, brand_id, paging)


@router.get("/{brand_id}/versions/{number}")
async def get_version(
    brand_id: str, number: Number, session: SessionDep, user: CurrentUser
) -> BrandVersionDetail:
    """Return a published version with its content."""
    return await service.get_version(session, user, brand_id, number)


@router.post("/{brand_id}/versions/{number}/restore")
async def restore(
    brand_id: str, number: Number, app_state: AppStateDep, user: CurrentUser
) -> BrandDraftSaved:
    """Save the content of a published version as the draft."""
    return await service.restore(app_state, user, brand_id, number)


@router.get("/{brand_id}/versions/{before}/diff/{after}")
async def diff(brand_id: str, before: Ref, after: Ref, session: SessionDep, user: CurrentUser) -> BrandDiff:
    """Return the differences between two versions as sentences. "draft" stands for the draft."""
    return BrandDiff(changes=await service.diff(session, user, brand_id, before, after))


def _tagged(response: Response, brand: BrandDetail) -> BrandDetail:
    response.headers["ETag"] = etag(brand.revision)
    return brand
