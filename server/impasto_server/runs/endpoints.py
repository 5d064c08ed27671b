"""HTTP endpoints of runs."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse

from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.flows.schemas import LaunchEstimate
from impasto_server.http.idempotency import IdempotencyKey
from impasto_server.http.pagination import Paging
from impasto_server.http.times import time_in_utc
from impasto_server.runs import service
from impasto_server.runs.events import stream
from impasto_server.runs.launch import comparison as comparisons
from impasto_server.runs.launch import estimate as estimates
from impasto_server.runs.launch import service as launch
from impasto_server.runs.schemas import (
    ComparisonEstimate,
    ComparisonEstimateRequest,
    ComparisonRequest,
    EstimateRequest,
    Run,
    RunPage,
    RunRequest,
    RunStatus,
    RunTotals,
)
from impasto_server.security.auth import CurrentCaller, CurrentUser

router = APIRouter(tags=["runs"])


@router.post("/flows/{flow_id}/runs", status_code=202)
async def start(
    flow_id: str, body: RunRequest, app_state: AppStateDep, user: CurrentUser, key: IdempotencyKey = None
) -> Run:
    """Launch an agent. 429 `quota_exceeded`, 403 `private_beta`, 422 `inputs_invalid` or `flow_invalid`."""
    return await launch.launch(app_state, user, flow_id, body, key)


@router.post("/flows/{flow_id}/estimate")
async def estimate(
    flow_id: str, body: EstimateRequest, app_state: AppStateDep, user: CurrentUser
) -> LaunchEstimate:
    """Return the estimated cost and duration of a launch. Starts nothing and uses no quota."""
    return await estimates.estimate(app_state, user, flow_id, body)


@router.post("/flows/{flow_id}/comparisons", status_code=202)
async def compare(
    flow_id: str,
    body: ComparisonRequest,
    app_state: AppStateDep,
    user: CurrentUser,
    key: IdempotencyKey = None,
) -> Run:
    """Run one node of your draft with its settings and with others. 422 `not_comparable`."""
    return await comparisons.compare(app_state, user, flow_id, body, key)


@router.post("/flows/{flow_id}/comparisons/estimate")
async def estimate_comparison(
    flow_id: str, body: ComparisonEstimateRequest, app_state: AppStateDep, user: CurrentUser
) -> ComparisonEstimate:
    """Return the estimated cost of a comparison, by variant. Starts nothing and uses no quota."""
    return await comparisons.estimate(app_state, user, flow_id, body)


@router.get("/runs/")
async def list_runs(
    session: SessionDep,
    app_state: AppStateDep,
    user: CurrentUser,
    paging: Paging,
    flow_id: str | None = None,
    status: Annotated[list[RunStatus] | None, Query(max_length=5)] = None,
    brand_id: Annotated[str | None, Query(max_length=36)] = None,
    q: Annotated[
        str | None, Query(max_length=200, description="Words in its inputs, agent, brand or text results")
    ] = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> RunPage:
    """List your runs, newest first."""
    wanted = service.ListFilter(
        flow_id, status, brand_id, q, time_in_utc("since", since), time_in_utc("until", until)
    )
    return await service.list_runs(session, app_state, user, wanted, paging)


@router.get("/runs/totals")
async def totals(session: SessionDep, app_state: AppStateDep, user: CurrentUser) -> RunTotals:
    """Return the number of your runs of this month, and what they cost."""
    return await service.totals_of_month(session, app_state, user)


@router.get("/runs/{run_id}")
async def get(run_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser) -> Run:
    """Return a run with its current steps and results."""
    return await service.get(session, app_state, user, run_id)


@router.delete("/runs/{run_id}", status_code=204)
async def delete(run_id: str, app_state: AppStateDep, user: CurrentUser) -> None:
    """Delete a run that has ended. Its assets stay in the library. 409 `run_live`."""
    await service.delete(app_state, user, run_id)


@router.get(
    "/runs/{run_id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def events(
    run_id: str,
    app_state: AppStateDep,
    caller: CurrentCaller,
    last_event_id: Annotated[str | None, Header(description="The `id` of the last event received")] = None,
    after: Annotated[int, Query(ge=0, description="Used without Last-Event-ID")] = 0,
) -> StreamingResponse:
    """Stream a run's events after Last-Event-ID as Server-Sent Events until the run ends."""
    return await stream.stream_events(app_state, caller, run_id, stream.parse_position(last_event_id, after))


@router.post("/runs/{run_id}/cancel", status_code=202)
async def cancel(run_id: str, app_state: AppStateDep, user: CurrentUser) -> Run:
    """Cancel a run. Finished steps keep their results."""
    return await service.cancel(app_state, user, run_id)


@router.post("/runs/{run_id}/variants/{step}/cancel", status_code=202)
async def cancel_variant(run_id: str, step: str, app_state: AppStateDep, user: CurrentUser) -> Run:
    """Cancel one variant of a comparison; the others go on. Cancelling the last one cancels the run."""
    return await service.cancel_variant(app_state, user, run_id, step)


@router.post("/runs/{run_id}/resume", status_code=202)
async def resume(run_id: str, app_state: AppStateDep, user: CurrentUser) -> Run:
    """Resume a failed or cancelled run. Only steps that did not finish are executed.

    Variants of a comparison that were cancelled alone stay cancelled; 409 `nothing_to_resume` if all were.
    """
    return await service.resume(app_state, user, run_id)
