"""Cost and duration of a launch with the given inputs, before it is started."""

from collections.abc import Mapping
from typing import Any, Literal

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.compiler.documents import Source
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.flows import access
from impasto_server.flows.errors import NotFlowOwner
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import LaunchEstimate
from impasto_server.flows.subflows import Subflows, load_subflows
from impasto_server.runs import journal_repository, repository
from impasto_server.runs.journal_repository import StepTime
from impasto_server.runs.launch.history import MAX_RUNS, EarlierRun, at_speed_of, corrected, whole_runs
from impasto_server.runs.launch.inputs import resolve_known_inputs
from impasto_server.runs.schemas import EstimateRequest
from impasto_server.users.models import User
from impasto_server.versions import service as versions


async def estimate(app_state: AppState, user: User, flow_id: str, body: EstimateRequest) -> LaunchEstimate:
    """Return the expected cost, also by node, and duration; both are null if the agent cannot run.

    They are corrected by the user's earlier runs of the agent, if there are enough.
    """
    async with app_state.database.reading() as session:
        flow = await access.get_visible(session, user, flow_id)
        document, pinned = await _document(session, user, flow, body.version)
        subflows = await load_subflows(session, app_state, user, document, pinned)
        configured = await credentials.providers_of(session, user.id)
        inputs = await resolve_known_inputs(session, user.id, body.inputs)
    source = Source(document, subflows, flow_id=flow.id, configured=configured)
    checked = await app_state.compiler.check(user.id, source)
    if not checked.can_run:
        return LaunchEstimate()
    computed = await app_state.compiler.estimate(user.id, source, inputs)
    async with app_state.database.reading() as session:
        own = await _earlier_runs(session, user, flow.id)
        found = corrected(computed, own.get(flow.id, []))
        if found.based_on_runs or not computed.seconds:
            return found
        others = await _earlier_runs(session, user, None)
    return at_speed_of(computed, [run for runs in others.values() for run in whole_runs(runs)])


async def _earlier_runs(
    session: AsyncSession, user: User, flow_id: str | None
) -> dict[str | None, list[EarlierRun]]:
    """Return the user's newest runs by agent, of one agent or of all."""
    rows = await repository.finished_runs(session, user.id, flow_id, MAX_RUNS)
    times = await journal_repository.step_times(session, [row.id for row in rows])
    runs: dict[str | None, list[EarlierRun]] = {}
    for row in rows:
        runs.setdefault(row.flow_id, []).append(_earlier(row, times[row.id]))
    return runs


def _earlier(row: repository.FinishedRun, steps: Mapping[str, StepTime]) -> EarlierRun:
    usd, seconds = row.estimate.get("usd"), row.estimate.get("seconds")
    return EarlierRun(
        usd=float(row.cost_usd),
        seconds=(row.finished_at - row.started_at).total_seconds(),
        estimated_usd=None if usd is None else float(usd),
        estimated_seconds=None if seconds is None else float(seconds),
        steps=steps,
    )


async def _document(
    session: AsyncSession, user: User, flow: FlowRow, version: int | Literal["draft"] | None
) -> tuple[dict[str, Any], Subflows | None]:
    number = flow.version if version is None else version
    if number is None or number == "draft":
        if not access.is_owner(flow, user):
            raise NotFlowOwner
        return flow.draft, None
    published = await versions.get_launchable(session, flow, user, number)
    return published.document, published.subflows
