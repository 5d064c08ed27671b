"""Launching batches (one run for each row of a table) and reading them."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from fastapi.responses import StreamingResponse
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.batches import repository
from impasto_server.batches.errors import BatchNotFound, TableInvalid
from impasto_server.batches.export import BatchExport
from impasto_server.batches.models import BatchRow
from impasto_server.batches.schemas import Batch, BatchCounts
from impasto_server.batches.table import Rows, read_table
from impasto_server.container import AppState
from impasto_server.flows.errors import FlowNotFound
from impasto_server.http import idempotency
from impasto_server.http.schemas import money
from impasto_server.http.streaming import HoldingResponse
from impasto_server.runs import service as runs
from impasto_server.runs.errors import InputsInvalid
from impasto_server.runs.launch import service as launch
from impasto_server.runs.launch.brands import StoredBrands, brands_of_inputs
from impasto_server.runs.launch.inputs import resolve_inputs
from impasto_server.runs.models import Priority, RunRow
from impasto_server.runs.schemas import RunRequest
from impasto_server.users.models import User
from impasto_server.utils import new_id

_MAX_ERRORS = 50


@dataclass(frozen=True)
class UploadedTable:
    """A table as it was uploaded, and the version of the agent to launch."""

    content_type: str
    body: bytes
    version: str | None

    @property
    def requested_version(self) -> int | Literal["draft"] | None:
        """The version in the form of a launch."""
        if self.version == "draft":
            return "draft"
        return int(self.version) if self.version else None

    @property
    def digest(self) -> str:
        """A hash of the table, to detect another batch under the same idempotency key."""
        head = f"{self.content_type}\0{self.version}\0"
        return hashlib.sha256(head.encode() + self.body).hexdigest()


async def start(
    app_state: AppState, user: User, flow_id: str, table: UploadedTable, key: str | None
) -> Batch:
    """Launch every row of a table, or none. A repeat with the same key returns the first batch.

    Each row uses one launch of the quota. The key is stored on the first run, in the transaction that writes
    the whole batch. Raises `TableInvalid` and what a launch raises.
    """
    scoped_key = idempotency.scoped_key(f"{flow_id}/batch", key) if key else None
    async with app_state.database.reading() as session:
        existing = await _existing_for_key(session, app_state, user, scoped_key, table.digest)
        if existing is not None:
            return existing
    launch_plan = await launch.prepare_launch(app_state, user, flow_id, table.requested_version)
    form = await app_state.compiler.form(user.id, launch_plan.source)
    rows = await asyncio.to_thread(read_table, table.content_type, table.body, form)
    inputs, brands = await _validate_rows(app_state, user, launch_plan, rows)
    batch = _new_batch(app_state, user, launch_plan)
    launches = [
        launch.new_run(app_state, user, launch_plan, row, RunRequest(), own)
        for row, own in zip(inputs, brands, strict=True)
    ]
    for index, row in enumerate(launches):
        row.batch_id, row.batch_row, row.priority = batch.id, index, Priority.BATCH
    launches[0].launch_key, launches[0].launch_digest = scoped_key, table.digest if key else None
    try:
        costs = [launch_plan.cost_of(row) for row in inputs]
        await launch.write_runs(app_state, user, launches, costs, batch)
    except IntegrityError as error:
        async with app_state.database.reading() as session:
            existing = await _existing_for_key(session, app_state, user, scoped_key, table.digest)
        if existing is None:
            raise FlowNotFound(flow_id) from error
        return existing
    return _describe(batch, launches)


async def get(session: AsyncSession, user: User, batch_id: str) -> Batch:
    """Return a batch with its runs. Raises `BatchNotFound`."""
    batch = await _owned(session, user, batch_id)
    return _describe(batch, list(await repository.runs_of(session, batch_id)))


async def results(
    app_state: AppState, user: User, batch_id: str, form: Literal["csv", "zip"]
) -> StreamingResponse:
    """Return a batch's results as CSV, or as a zip with the CSV and all files.

    Raises `BatchNotFound`, or for a zip `LimitReached`.
    """
    async with app_state.database.reading() as session:
        batch = await _owned(session, user, batch_id)
        planned = await runs.planned_results_of_batch(session, app_state, batch_id)
        names = await repository.input_names(session, batch_id)
    export = BatchExport(app_state, user, batch_id, names, planned)
    name = f"batch-{batch.id[:8]}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if form == "csv":
        return StreamingResponse(export.stream_csv(), media_type="text/csv", headers=headers)
    slot_id = await app_state.slots.take(user, "exports")
    on_end = partial(app_state.slots.release, slot_id)
    return HoldingResponse(export.stream_zip(), on_end, media_type="application/zip", headers=headers)


async def _existing_for_key(
    session: AsyncSession, app_state: AppState, user: User, scoped_key: str | None, digest: str
) -> Batch | None:
    run = await launch.find_by_key(session, app_state, user, scoped_key, digest)
    return await get(session, user, run.batch_id) if run and run.batch_id else None


def _new_batch(app_state: AppState, user: User, launch_plan: launch.LaunchPlan) -> BatchRow:
    return BatchRow(
        id=new_id(),
        owner_id=user.id,
        flow_id=launch_plan.flow.id,
        flow_name=launch_plan.flow.name,
        version=launch_plan.version,
        created_at=app_state.clock(),
    )


async def _validate_rows(
    app_state: AppState, user: User, launch_plan: launch.LaunchPlan, rows: Rows
) -> tuple[list[launch.LaunchInputs], list[StoredBrands]]:
    errors: list[dict[str, Any]] = []
    resolved: Rows = []
    brands: list[StoredBrands] = []
    async with app_state.database.reading() as session:
        for index, row in enumerate(rows, 1):
            try:
                resolved.append(await resolve_inputs(session, user.id, row))
                brands.append(await brands_of_inputs(session, user.id, resolved[-1]))
            except InputsInvalid as error:
                errors += _of_row(index, error.members["errors"])
    if not errors:
        checked = await launch.check_inputs(app_state, user, launch_plan, resolved, RunRequest())
        for index, each in enumerate(checked, 1):
            errors += _of_row(index, each.errors)
    if errors:
        message = f"Row {errors[0]['path'].split('.')[1]}: {errors[0]['message']}"
        raise TableInvalid(message, errors=errors[:_MAX_ERRORS])
    return checked, brands


def _of_row(index: int, errors: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**item, "path": f"rows.{index}.{item['path']}"} for item in errors]


async def _owned(session: AsyncSession, user: User, batch_id: str) -> BatchRow:
    batch = await repository.find(session, user.id, batch_id)
    if batch is None:
        raise BatchNotFound(batch_id)
    return batch


def _describe(batch: BatchRow, rows: list[RunRow]) -> Batch:
    counts: Counter[str] = Counter(row.status for row in rows)
    return Batch(
        id=batch.id,
        flow_id=batch.flow_id,
        flow_name=batch.flow_name,
        version=batch.version or "draft",
        created_at=batch.created_at,
        total=len(rows),
        counts=BatchCounts(**{name: counts[name] for name in BatchCounts.model_fields}),
        cost_usd=money(sum(row.cost_usd for row in rows)),
        runs=[runs.summarize(row) for row in rows],
    )
