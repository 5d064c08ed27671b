"""A launch: everything is checked first, then the run and its quota are written in one transaction."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import structlog
from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Plan
from impasto.errors import InputsInvalid as EngineInputsInvalid
from impasto_server.batches.models import BatchRow
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.flows import access
from impasto_server.flows.compilation import Blueprint, estimate_of, read_blueprint
from impasto_server.flows.errors import FlowInvalid, FlowNotFound, FlowNotYours
from impasto_server.flows.models import FlowRow
from impasto_server.flows.subflows import Subflows, load_subflows
from impasto_server.http import idempotency
from impasto_server.http.errors import Unavailable
from impasto_server.quota import service as quota
from impasto_server.runs import repository, service
from impasto_server.runs.errors import InputsInvalid, NotPublished, PrivateBeta
from impasto_server.runs.inputs import prepared
from impasto_server.runs.models import RunRow
from impasto_server.runs.planned_results import PlannedResult, planned_by, steps_of
from impasto_server.runs.schemas import Run, RunRequest
from impasto_server.users.models import User
from impasto_server.versions import service as versions

_MICRO = Decimal("0.000001")
log = structlog.get_logger()


@dataclass(frozen=True)
class Launchable:
    """An agent at one version, checked as far as it can be without inputs."""

    flow: FlowRow
    version: int | None
    document: dict[str, Any]
    subflows: Subflows
    plan: Plan
    planned_results: list[PlannedResult]
    planned_steps: list[dict[str, Any]]


async def launch(app_state: AppState, user: User, flow_id: str, body: RunRequest, key: str | None) -> Run:
    """Start a run. A repeat with the same key gets the first run and counts nothing."""
    mark = idempotency.scoped_key(flow_id, key) if key else None
    digest = hashlib.sha256(body.model_dump_json().encode()).hexdigest()
    async with app_state.database.reading() as session:
        first = await _first(session, app_state, user, mark, digest)
        if first is not None:
            return first
        ready = await launchable(session, app_state, user, flow_id, body.version, body.targets)
        inputs = await prepared(session, user.id, ready.plan, body.inputs)
    check_names(ready.plan, body)
    row = new_run(app_state, user, ready, inputs, body)
    row.launch_key, row.launch_digest = mark, digest if key else None
    try:
        await write(app_state, user, [row])
    except IntegrityError as error:
        return await _won_by_another(app_state, user, mark, digest, error)
    async with app_state.database.reading() as session:
        return await service.get(session, app_state, user, row.id)


async def launchable(
    session: AsyncSession,
    app_state: AppState,
    user: User,
    flow_id: str,
    version: int | Literal["draft"] | None,
    targets: Sequence[str] | None = None,
) -> Launchable:
    """Return an agent ready to run. Raises what keeps it from running."""
    flow = await access.visible(session, user, flow_id)
    number, document, pinned = await _document(session, user, flow, version)
    subflows = await load_subflows(session, app_state.catalog, user, document, pinned)
    configured = await credentials.providers_of(session, user.id)
    found = read_blueprint(
        document, app_state.catalog, subflows, flow_id=flow.id, targets=targets, configured=configured
    )
    if found.plan is None:
        raise FlowInvalid(found.problems)
    _check_beta(app_state, user, flow, found)
    return Launchable(flow, number, document, subflows, found.plan, planned_by(found), steps_of(found))


def new_run(
    app_state: AppState, user: User, ready: Launchable, inputs: dict[str, Any], body: RunRequest
) -> RunRow:
    """Return the row of a run that is about to be written."""
    return RunRow(
        owner_id=user.id,
        flow_id=ready.flow.id,
        flow_name=ready.flow.name,
        version=ready.version,
        document=ready.document,
        subflows=ready.subflows,
        planned_results=ready.planned_results,
        planned_steps=ready.planned_steps,
        inputs=inputs,
        targets=body.targets,
        fresh=body.fresh or [],
        reuse=body.reuse,
        budget_usd=_budget(app_state, body),
        estimate=estimate_of(ready.plan, inputs).model_dump(),
        status="queued",
        created_at=app_state.clock(),
    )


async def write(
    app_state: AppState, user: User, rows: Sequence[RunRow], batch: BatchRow | None = None
) -> None:
    """Count the quota and write the runs, all or none, then hand them to the backend."""
    async with app_state.database.writing() as session:
        day = await quota.take(session, app_state, user, len(rows))
        for key in filter(None, (row.launch_key for row in rows)):
            await repository.forget_launch_key(
                session, user.id, key, app_state.clock() - idempotency.RETENTION
            )
        if batch is not None:
            session.add(batch)
            await session.flush()
        number = await repository.next_number(session, user.id, str(rows[0].flow_id))
        for offset, row in enumerate(rows):
            row.number, row.quota_day = number + offset, day
            session.add(row)
    try:
        for row in rows:
            await app_state.runs.submit(row.id)
    except Exception as error:
        await _take_back(app_state, rows)
        log.error("launch refused by the backend", exc_info=error)
        raise Unavailable("Runs cannot be started at the moment. Please try again later.") from error


def check_names(plan: Plan, body: RunRequest) -> None:
    """Raise `InputsInvalid` when targets or nodes to run afresh are not in the plan."""
    field = "targets"
    try:
        plan.expand(body.targets, "all")
        field = "fresh"
        plan.afresh(body.fresh or ())
    except EngineInputsInvalid as error:
        raise InputsInvalid(
            [{"path": field, "code": item.code, "message": item.message} for item in error.problems]
        ) from error


async def launched(
    session: AsyncSession, app_state: AppState, user: User, mark: str | None, digest: str
) -> RunRow | None:
    """Return the run that a key has started within the day. Raises `KeyReused` when it was another launch."""
    since = app_state.clock() - idempotency.RETENTION
    known = await repository.by_launch_key(session, user.id, mark, since) if mark else None
    if known is not None and known.launch_digest != digest:
        raise idempotency.KeyReused
    return known


async def _first(
    session: AsyncSession, app_state: AppState, user: User, mark: str | None, digest: str
) -> Run | None:
    known = await launched(session, app_state, user, mark, digest)
    return await service.describe(session, app_state, user, known) if known else None


async def _won_by_another(
    app_state: AppState, user: User, mark: str | None, digest: str, error: IntegrityError
) -> Run:
    """Return the run of a launch that another request with the same key has won meanwhile."""
    async with app_state.database.reading() as session:
        first = await _first(session, app_state, user, mark, digest)
        if first is None:
            raise FlowNotFound("") from error
        return first


async def _document(
    session: AsyncSession, user: User, flow: FlowRow, version: int | Literal["draft"] | None
) -> tuple[int | None, dict[str, Any], Subflows | None]:
    if version == "draft":
        if not access.is_owner(flow, user):
            raise FlowNotYours
        return None, flow.draft, None
    number = flow.version if version is None else version
    if number is None:
        raise NotPublished
    published = await versions.published(session, flow.id, number)
    return number, published.document, published.subflows


def _check_beta(app_state: AppState, user: User, flow: FlowRow, found: Blueprint) -> None:
    names = [flow.id, *([flow.built_in] if flow.built_in else [])]
    if flow.beta and not access.is_owner(flow, user) and not access.has_beta(user, *names):
        raise PrivateBeta(f"The agent '{flow.name}'", app_state.settings)
    for type_id, beta in found.node_types.items():
        if beta and not access.has_beta(user, type_id):
            raise PrivateBeta(f"The node '{app_state.catalog[type_id].title}'", app_state.settings)


def _budget(app_state: AppState, body: RunRequest) -> Decimal | None:
    asked = Decimal(body.budget_usd).quantize(_MICRO) if body.budget_usd else None
    limits = [app_state.settings.run_budget_usd, asked]
    return min((limit for limit in limits if limit is not None), default=None)


async def _take_back(app_state: AppState, rows: Sequence[RunRow]) -> None:
    async with app_state.database.writing() as session:
        for row in rows:
            await quota.give_back(session, row.owner_id, str(row.quota_day))
        await session.execute(delete(RunRow).where(RunRow.id.in_([row.id for row in rows])))
