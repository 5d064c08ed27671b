"""HTTP endpoints of what a change of a brand affects."""

from typing import Annotated

from fastapi import APIRouter, Query

from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.http.pagination import Paging
from impasto_server.impact import regeneration, service
from impasto_server.impact.errors import PublishFirst
from impasto_server.impact.schemas import (
    AffectedAssetPage,
    Cancelled,
    Decided,
    Decision,
    Impact,
    Quote,
    RegenerationBatch,
    RegenerationPage,
    RegenerationRequest,
    Started,
)
from impasto_server.security.auth import CurrentUser

router = APIRouter(prefix="/brands", tags=["brands"])

_REF = '"3" for version 3, or "draft"; by default the draft if it has changes, else the newest version'
Ref = Annotated[str | None, Query(max_length=20, description=_REF)]
FlowId = Annotated[str | None, Query(max_length=36, description="Empty: assets whose agent was deleted")]


@router.get("/{brand_id}/impact")
async def get_impact(
    brand_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser, version: Ref = None
) -> Impact:
    """Return which of your assets were made with values that a version of a brand changes, by agent."""
    ref = version or await service.newest_ref(session, app_state, user, brand_id)
    return await service.describe(session, user, brand_id, ref)


@router.get("/{brand_id}/impact/assets")
async def list_affected(
    brand_id: str,
    session: SessionDep,
    app_state: AppStateDep,
    user: CurrentUser,
    paging: Paging,
    version: Ref = None,
    flow_id: FlowId = None,
) -> AffectedAssetPage:
    """List the affected assets, newest first, all or those of one agent."""
    ref = version or await service.newest_ref(session, app_state, user, brand_id)
    return await service.list_affected(session, app_state, user, brand_id, ref, flow_id, paging)


@router.post("/{brand_id}/impact/quote")
async def quote(brand_id: str, body: RegenerationRequest, session: SessionDep, user: CurrentUser) -> Quote:
    """Return what making assets again is expected to cost. Nothing starts."""
    return await service.quote(session, user, brand_id, body)


@router.post("/{brand_id}/regenerations", status_code=202)
async def regenerate(
    brand_id: str, body: RegenerationBatch, app_state: AppStateDep, user: CurrentUser
) -> Started:
    """Make affected assets again with a published version. Steps that read nothing that changed are reused.

    A call starts one batch; send the same body with `next_cursor` for the next one. What is not started stays
    affected, so you can go on later. The earlier assets stay as they are until you decide. 409
    `nothing_to_regenerate` if none is affected.
    """
    async with app_state.database.reading() as session:
        if await service.newest_published(session, app_state, user, brand_id) is None:
            raise PublishFirst
    return await regeneration.regenerate(app_state, user, brand_id, body)


@router.post("/{brand_id}/regenerations/cancel")
async def cancel(brand_id: str, app_state: AppStateDep, user: CurrentUser) -> Cancelled:
    """Cancel the runs that make assets again. What is made already stays for your decision."""
    return Cancelled(runs=await regeneration.cancel(app_state, user, brand_id))


@router.get("/{brand_id}/regenerations")
async def list_regenerations(
    brand_id: str, app_state: AppStateDep, user: CurrentUser, paging: Paging
) -> RegenerationPage:
    """List the assets that were made again for a brand, before and after, newest first."""
    return await regeneration.list_made(app_state, user, brand_id, paging)


@router.post("/{brand_id}/regenerations/decisions")
async def decide(brand_id: str, body: Decision, app_state: AppStateDep, user: CurrentUser) -> Decided:
    """Let new assets replace the earlier ones, keep those, or undo that. All of them change, or none."""
    rows = await regeneration.decide(app_state, user, brand_id, body.ids, body.state)
    return Decided(regenerations=rows)
