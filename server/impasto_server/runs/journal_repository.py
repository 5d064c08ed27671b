"""Queries of the journals of runs: their records, of which some are events."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import orjson
from sqlalchemy import Integer, String, and_, bindparam, delete, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from impasto import Event
from impasto.hashing import canonical_json, parse_json
from impasto_server.assets.references import asset_ids_in
from impasto_server.runs.models import RecordRow

_EVENT = (RecordRow.seq, RecordRow.time, RecordRow.name, RecordRow.step, RecordRow.body)
_RUN_ID = bindparam("run_id", type_=String)
_LATER = aliased(RecordRow)
# Built once: building these statements takes longer than their execution.
_EVENTS_AFTER = (
    select(*_EVENT)
    .where(RecordRow.run_id == _RUN_ID, RecordRow.seq > bindparam("seq", type_=Integer))
    # A resume reuses the number of the run's former end.
    .where(
        ~exists().where(
            _LATER.run_id == RecordRow.run_id,
            _LATER.seq == RecordRow.seq,
            _LATER.position > RecordRow.position,
        )
    )
    .order_by(RecordRow.seq)
)
_PAGE_OF_EVENTS_AFTER = _EVENTS_AFTER.limit(bindparam("limit", type_=Integer))
_LAST_POSITION = select(func.max(RecordRow.position)).where(RecordRow.run_id == _RUN_ID)


async def assets_of_steps(session: AsyncSession, run_id: str) -> dict[str, list[str]]:
    """Return the ids of the assets in each finished step's outputs, in order."""
    query = select(RecordRow.step, RecordRow.body).where(
        RecordRow.run_id == run_id, RecordRow.kind == "event", RecordRow.name == "step.finished"
    )
    rows = await session.execute(query.order_by(RecordRow.position))
    return {str(step): asset_ids_in(orjson.loads(body).get("outputs")) for step, body in rows}


class StepTime(msgspec.Struct):
    """How long a finished step worked, and whether its result of an earlier run was taken instead."""

    seconds: float = 0.0
    cached: bool = False


_MAX_TIMED_STEPS = 2000
MAX_TIMED_BYTES = 16_384
_STEP_TIME = msgspec.json.Decoder(StepTime)


async def step_times(session: AsyncSession, run_ids: Sequence[str]) -> dict[str, dict[str, StepTime]]:
    """Return the times of finished steps of runs, by run and step.

    A trimmed journal has none. Of large outputs, and after 2,000 steps, they are left out.
    """
    query = (
        select(RecordRow.run_id, RecordRow.step, RecordRow.body)
        .where(RecordRow.run_id.in_(run_ids), RecordRow.kind == "event", RecordRow.name == "step.finished")
        .where(func.length(RecordRow.body) <= MAX_TIMED_BYTES)
        .order_by(RecordRow.run_id.desc(), RecordRow.position)
        .limit(_MAX_TIMED_STEPS)
    )
    rows = (await session.execute(query)).all()
    return await asyncio.to_thread(_times_of, run_ids, rows)


def _times_of(run_ids: Sequence[str], rows: Sequence[Any]) -> dict[str, dict[str, StepTime]]:
    times: dict[str, dict[str, StepTime]] = {run_id: {} for run_id in run_ids}
    for run_id, step, body in rows:
        times[run_id][str(step)] = _STEP_TIME.decode(body)
    return times


async def step_outputs(session: AsyncSession, run_id: str) -> dict[str, bytes]:
    """Return the outputs of a run's finished steps as JSON by port, by step id."""
    is_output = or_(
        RecordRow.kind == "outcome", and_(RecordRow.kind == "event", RecordRow.name == "step.finished")
    )
    query = select(RecordRow.kind, RecordRow.step, RecordRow.body).where(
        RecordRow.run_id == run_id, is_output
    )
    events: dict[str, bytes] = {}
    exact: dict[str, bytes] = {}
    for kind, step, body in await session.execute(query.order_by(RecordRow.position)):
        (exact if kind == "outcome" else events)[str(step)] = body
    return await asyncio.to_thread(_outputs_of, events, exact)


def _outputs_of(events: dict[str, bytes], exact: dict[str, bytes]) -> dict[str, bytes]:
    reported = {
        step: exact[step] if step in exact else canonical_json(parse_json(body)["outputs"])
        for step, body in events.items()
    }
    return reported | exact


async def events_after(
    session: AsyncSession, run_id: str, seq: int = 0, limit: int | None = None
) -> list[Event]:
    """List a run's events after a sequence number, in order.

    A resume reuses the number of the run's former end, which is left out.
    """
    query = _EVENTS_AFTER if limit is None else _PAGE_OF_EVENTS_AFTER
    rows = await session.execute(query, {"run_id": run_id, "seq": seq, "limit": limit})
    return [Event(run_id, number, time, name, step, None, body) for number, time, name, step, body in rows]


async def next_position(session: AsyncSession, run_id: str) -> int:
    """Return the position of the next record in a run's journal."""
    last = await session.scalar(_LAST_POSITION, {"run_id": run_id})
    return 0 if last is None else last + 1


async def has_records(session: AsyncSession, run_id: str) -> bool:
    """Whether the run's journal has any record."""
    return await next_position(session, run_id) > 0


async def purge_records(session: AsyncSession, run_id: str) -> None:
    """Delete the journal of a run."""
    await session.execute(delete(RecordRow).where(RecordRow.run_id == run_id))


async def step_events(session: AsyncSession, run_id: str) -> Sequence[tuple[str, str | None]]:
    """List the type and the step of each of a run's events, in order."""
    query = select(RecordRow.name, RecordRow.step).where(
        RecordRow.run_id == run_id, RecordRow.kind == "event"
    )
    return [(name, step) for name, step in await session.execute(query.order_by(RecordRow.position))]
