"""Launching an agent: check everything, then write the run and its quota in one transaction."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_UP, Decimal
from typing import Any, Literal

import orjson
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.batches.models import BatchRow
from impasto_server.compiler.documents import Source
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.db import rows as new_rows
from impasto_server.db.engine import Base
from impasto_server.flows import access
from impasto_server.flows.beta import require_access
from impasto_server.flows.errors import FlowInvalid, FlowNotFound, NotFlowOwner
from impasto_server.flows.models import FlowRow
from impasto_server.flows.subflows import Subflows, load_subflows
from impasto_server.http import idempotency
from impasto_server.http.errors import DiskFull
from impasto_server.http.schemas import RequestModel
from impasto_server.limits.service import LaunchCost
from impasto_server.observability.tracing import current_traceparent, traced
from impasto_server.runs import repository, service
from impasto_server.runs.errors import InputsInvalid, NotPublished
from impasto_server.runs.launch.brands import StoredBrands, brands_of_document, brands_of_inputs
from impasto_server.runs.launch.inputs import input_errors, resolve_inputs
from impasto_server.runs.launch.planned_results import PlannedResult
from impasto_server.runs.library import listings
from impasto_server.runs.models import RunRow
from impasto_server.runs.schemas import Run, RunRequest
from impasto_server.storage.object_storage import is_disk_nearly_full
from impasto_server.users.models import User
from impasto_server.versions import service as versions

_MICRO = Decimal("0.000001")
_FILES = frozenset({"Image", "Video", "Audio", "File"})


@dataclass(frozen=True)
class LaunchPlan:
    """An agent at one version, compiled and checked apart from its inputs."""

    flow: FlowRow
    version: int | None
    source: Source
    planned_results: list[PlannedResult]
    planned_steps: list[dict[str, Any]]
    own_providers: frozenset[str]
    brands: StoredBrands

    def cost_of(self, inputs: "LaunchInputs") -> LaunchCost:
        """Return what a run with these inputs is expected to cost on the server's keys."""
        costs = inputs.provider_costs
        server_usd = sum(usd for provider, usd in costs.items() if provider not in self.own_providers)
        uses_own_keys = bool(self.own_providers & costs.keys())
        return LaunchCost(
            Decimal(str(server_usd)).quantize(_MICRO, ROUND_UP),
            may_spend=server_usd > 0 or inputs.is_unpriced,
            uses_own_keys=uses_own_keys or bool(inputs.is_unpriced and self.own_providers),
            stores_files=any(item["type"] in _FILES for item in self.planned_results),
        )


@dataclass(frozen=True)
class LaunchInputs:
    """The inputs of one run: what is wrong with them, or else the estimates of the run.

    `provider_costs` are the expected US dollars by provider. `is_unpriced` says that steps may cost more.
    """

    values: dict[str, Any]
    errors: list[dict[str, Any]]
    estimate: dict[str, Any] = field(default_factory=dict)
    provider_costs: dict[str, float] = field(default_factory=dict)
    is_unpriced: bool = False


async def launch(app_state: AppState, user: User, flow_id: str, body: RunRequest, key: str | None) -> Run:
    """Start a run. A repeat with the same key returns the first run and uses no quota."""
    with traced(app_state.tracing, "launch", {"gen_ai.agent.id": flow_id}):
        return await _launch(app_state, user, flow_id, body, key)


async def _launch(app_state: AppState, user: User, flow_id: str, body: RunRequest, key: str | None) -> Run:
    scoped_key, digest = identify(flow_id, body, key)
    existing = await find_started(app_state, user, scoped_key, digest)
    if existing is not None:
        return existing
    launch_plan = await prepare_launch(app_state, user, flow_id, body.version, body.targets)
    return await start_run(app_state, user, launch_plan, body, scoped_key, digest)


async def start_run(
    app_state: AppState,
    user: User,
    launch_plan: LaunchPlan,
    body: RunRequest,
    scoped_key: str | None,
    digest: str,
    comparison: dict[str, Any] | None = None,
) -> Run:
    """Check the inputs of a prepared launch, write the run and submit it; `comparison` is that of the row.

    `scoped_key` and `digest` are those of the request. Raises what `write_runs` does, and `InputsInvalid`.
    """
    async with app_state.database.reading() as session:
        inputs = await resolve_inputs(session, user.id, body.inputs)
        brands = await brands_of_inputs(session, user.id, inputs)
        if body.again_of is not None:
            await service.get_owned(session, user, body.again_of)
    (checked,) = await check_inputs(app_state, user, launch_plan, [inputs], body)
    if checked.errors:
        raise InputsInvalid(checked.errors)
    row = new_run(app_state, user, launch_plan, checked, body, brands)
    row.comparison = comparison
    row.launch_key, row.launch_digest = scoped_key, digest if scoped_key else None
    try:
        await write_runs(app_state, user, [row], [launch_plan.cost_of(checked)])
    except IntegrityError as error:
        return await _lost_race(app_state, user, scoped_key, digest, error)
    return await service.describe_launched(app_state.database, row)


def identify(flow_id: str, body: RequestModel, key: str | None) -> tuple[str | None, str]:
    """Return the launch key of a request, None without an Idempotency-Key, and the digest of its body."""
    scoped_key = idempotency.scoped_key(flow_id, key) if key else None
    return scoped_key, hashlib.sha256(body.model_dump_json().encode()).hexdigest()


async def find_started(app_state: AppState, user: User, scoped_key: str | None, digest: str) -> Run | None:
    """Return the run that an earlier request with the same key started, or None. Raises `KeyReused`."""
    if scoped_key is None:
        return None
    async with app_state.database.reading() as session:
        return await _existing_for_key(session, app_state, user, scoped_key, digest)


async def prepare_launch(
    app_state: AppState,
    user: User,
    flow_id: str,
    version: int | Literal["draft"] | None,
    targets: Sequence[str] | None = None,
) -> LaunchPlan:
    """Compile an agent for a launch.

    Raises `FlowNotFound`, `NotFlowOwner`, `NotPublished`, `VersionNotFound`, `FlowInvalid`, `FlowTooLarge` or
    `PrivateBeta`. No transaction is open while the agent is compiled.
    """
    async with app_state.database.reading() as session:
        flow, has_beta, (providers,) = await access.read_to_launch(
            session, user, flow_id, credentials.providers_query(user.id)
        )
        configured = credentials.providers_in(providers)
        number, document, pinned = await _document(session, user, flow, version)
        loaded = await load_launch(
            session, app_state, user, flow, number, document, pinned, targets, configured
        )
    return await plan_launch(app_state, user, loaded, has_beta=has_beta)


@dataclass(frozen=True)
class LoadedLaunch:
    """What a launch needs of the database before it is compiled."""

    flow: FlowRow
    version: int | None
    source: Source
    brands: StoredBrands


async def load_launch(
    session: AsyncSession,
    app_state: AppState,
    user: User,
    flow: FlowRow,
    number: int | None,
    document: dict[str, Any],
    pinned: Subflows | None,
    targets: Sequence[str] | None,
    configured: frozenset[str] | None = None,
) -> LoadedLaunch:
    """Read what a document of an agent needs for a launch; see `prepare_launch`.

    `configured` are the user's providers, None to read them.
    """
    subflows = await load_subflows(session, app_state, user, document, pinned)
    if configured is None:
        configured = await credentials.providers_of(session, user.id)
    brands = await brands_of_document(session, user.id, document, subflows)
    source = Source(document, subflows, flow_id=flow.id, targets=targets, configured=configured)
    return LoadedLaunch(flow, number, source, brands)


async def plan_launch(
    app_state: AppState, user: User, loaded: LoadedLaunch, *, has_beta: bool | None = None
) -> LaunchPlan:
    """Compile a document of an agent for a launch; see `prepare_launch`.

    `has_beta`: whether any agent is in beta, if the caller has looked.
    """
    source = loaded.source
    checked = await app_state.compiler.check(user.id, source)
    if not checked.can_run:
        raise FlowInvalid(checked.problems)
    await require_access(app_state, user, source, checked, has_agents=has_beta)
    return LaunchPlan(
        loaded.flow,
        loaded.version,
        source,
        orjson.loads(checked.results),
        orjson.loads(checked.planned_steps),
        source.configured or frozenset(),
        loaded.brands,
    )


async def check_inputs(
    app_state: AppState,
    user: User,
    launch_plan: LaunchPlan,
    rows: Sequence[dict[str, Any]],
    body: RunRequest,
) -> list[LaunchInputs]:
    """Check the inputs of launches, which have complete media references, and estimate each launch.

    Raises `InputsInvalid` for ids in `targets` or `fresh` that are not in the plan.
    """
    report = await app_state.compiler.check_inputs(user.id, launch_plan.source, rows, body.fresh or ())
    if report.ids is not None:
        field = report.ids["field"]
        raise InputsInvalid(
            [
                {"path": field, "code": item["code"], "message": item["message"]}
                for item in report.ids["problems"]
            ]
        )
    return [
        LaunchInputs(values, input_errors(found.pop("problems")), **found)
        for values, found in zip(rows, report.rows, strict=True)
    ]


def new_run(
    app_state: AppState,
    user: User,
    launch_plan: LaunchPlan,
    inputs: LaunchInputs,
    body: RunRequest,
    brands: StoredBrands,
) -> RunRow:
    """Return the row of a new run; `write_runs` numbers and stores it. `brands` are those of the inputs."""
    return RunRow(
        owner_id=user.id,
        flow_id=launch_plan.flow.id,
        flow_name=launch_plan.flow.name,
        version=launch_plan.version,
        document=launch_plan.source.document,
        subflows=launch_plan.source.subflows,
        planned_results=launch_plan.planned_results,
        planned_steps=launch_plan.planned_steps,
        inputs=inputs.values,
        brands=[*launch_plan.brands, *brands] or None,
        targets=body.targets,
        fresh=body.fresh or [],
        reuse=body.reuse,
        again_of=body.again_of,
        budget_usd=_budget(app_state, body),
        allow_unpriced=body.allow_unpriced,
        estimate=inputs.estimate,
        status="queued",
        created_at=app_state.clock(),
    )


async def write_runs(
    app_state: AppState,
    user: User,
    rows: Sequence[RunRow],
    costs: Sequence[LaunchCost],
    batch: BatchRow | None = None,
    beside: Sequence[Base] = (),
    check: Callable[[AsyncSession], Awaitable[None]] | None = None,
) -> None:
    """Take what the user's limits allow and write the runs, all or none, then submit them to the backend.

    `costs` are those of `rows`, `beside` are other rows that refer to them. `check` is called before they are
    written, while no other launch of the user can be; what it raises refuses the runs. Raises
    `QuotaExceeded`, `LimitReached`, `DiskFull`, or `IntegrityError` if a launch key is taken.
    """
    if is_disk_nearly_full(app_state.settings.data_dir):
        raise DiskFull
    traceparent = current_traceparent(app_state.tracing)
    async with app_state.database.writing() as session:
        taken = await app_state.limits.reserve_launches(session, user.id, costs)
        if check is not None:
            await check(session)
        for key in filter(None, (row.launch_key for row in rows)):
            await repository.purge_launch_key(
                session, user.id, key, app_state.clock() - idempotency.RETENTION
            )
        if batch is not None:
            session.add(batch)
            await session.flush()
        number = await repository.next_number(session, user.id, str(rows[0].flow_id))
        for offset, row in enumerate(rows):
            row.number, row.quota_day = number + offset, taken.day
            row.traceparent = traceparent
            row.reserved_usd, row.spend_cap_usd = taken.reserved[offset], taken.caps[offset]
        await new_rows.insert(session, rows)
        await new_rows.insert(session, [listings.of_launch(row) for row in rows])
        session.add_all(beside)
    for row in rows:
        await app_state.runs.submit(row.id)


async def find_by_key(
    session: AsyncSession, app_state: AppState, user: User, scoped_key: str | None, digest: str
) -> RunRow | None:
    """Return the run that a key started in the last 24 h, or None.

    Raises `KeyReused` if that run was launched with another body.
    """
    since = app_state.clock() - idempotency.RETENTION
    run = await repository.by_launch_key(session, user.id, scoped_key, since) if scoped_key else None
    if run is not None and run.launch_digest != digest:
        raise idempotency.KeyReused
    return run


async def _existing_for_key(
    session: AsyncSession, app_state: AppState, user: User, scoped_key: str | None, digest: str
) -> Run | None:
    run = await find_by_key(session, app_state, user, scoped_key, digest)
    return await service.describe(session, app_state, user, run) if run else None


async def _lost_race(
    app_state: AppState, user: User, scoped_key: str | None, digest: str, error: IntegrityError
) -> Run:
    """Return the run that a concurrent request with the same key has written.

    Raises `FlowNotFound` if there is none: then the agent was deleted.
    """
    async with app_state.database.reading() as session:
        existing = await _existing_for_key(session, app_state, user, scoped_key, digest)
        if existing is None:
            raise FlowNotFound("") from error
        return existing


async def _document(
    session: AsyncSession, user: User, flow: FlowRow, version: int | Literal["draft"] | None
) -> tuple[int | None, dict[str, Any], Subflows | None]:
    if version == "draft":
        if not access.is_owner(flow, user):
            raise NotFlowOwner
        return None, flow.draft, None
    number = flow.version if version is None else version
    if number is None:
        raise NotPublished
    published = await versions.get_launchable(session, flow, user, number)
    return number, published.document, published.subflows


def _budget(app_state: AppState, body: RunRequest) -> Decimal | None:
    requested = Decimal(body.budget_usd).quantize(_MICRO) if body.budget_usd else None
    limits = [app_state.settings.run_budget_usd, requested]
    return min((limit for limit in limits if limit is not None), default=None)
