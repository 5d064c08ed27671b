"""Paid calls in a run's journal: what is reserved for those under way, and what a dead process leaves."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.journal.protocol import Entry
from impasto_server.limits.periods import stored
from impasto_server.runs.models import RecordRow

_KINDS = ("reserve", "charge", "settle")


class OpenCall(NamedTuple):
    """A paid call without a settlement. `left` are the dollars reserved for it that are not charged."""

    id: str
    step: str | None
    left: float
    is_own_key: bool


def change(records: Iterable[Entry]) -> Decimal:
    """Return by how much a batch changes what the run holds on the server's keys.

    What a call reserves is held before it is journalled, but for the part that an earlier call was charged.
    """
    held = Decimal(0)
    for record in records:
        if record.kind not in _KINDS:
            continue
        body = orjson.loads(record.body)
        if body.get("own_key"):
            continue
        if record.kind == "reserve":
            held += stored(body["usd"]) - stored(body["held"])
        else:
            held -= stored(body["usd"] if record.kind == "settle" else body.get("reserved", 0))
    return held


async def open_calls(session: AsyncSession, run_id: str) -> list[OpenCall]:
    """Return the calls of a run that were under way when its journal ends."""
    query = (
        select(RecordRow.kind, RecordRow.name, RecordRow.step, RecordRow.body)
        .where(RecordRow.run_id == run_id, RecordRow.kind.in_(_KINDS))
        .order_by(RecordRow.position)
    )
    found: dict[str, OpenCall] = {}
    for kind, name, step, raw in await session.execute(query):
        body = orjson.loads(raw)
        if kind == "reserve":
            found[name] = OpenCall(name, step, body["usd"], bool(body.get("own_key")))
        elif kind == "settle":
            found.pop(name, None)
        elif (call := found.get(body.get("call", ""))) is not None:
            found[call.id] = call._replace(left=call.left - body.get("reserved", 0.0))
    return list(found.values())


def held_by(calls: Iterable[OpenCall]) -> Decimal:
    """Return the dollars that calls hold on the server's keys."""
    return sum((stored(call.left) for call in calls if not call.is_own_key), Decimal(0))


def settlements(calls: Sequence[OpenCall]) -> list[tuple[str, str, str | None, dict[str, Any]]]:
    """Return the records (kind, name, step, body) that count calls as spent, as the engine writes them."""
    records: list[tuple[str, str, str | None, dict[str, Any]]] = []
    for call in calls:
        key = {"own_key": True} if call.is_own_key else {}
        about = {"call": call.id, "reserved": call.left, "assumed": True, **key}
        records.append(("charge", "", call.step, {"usd": call.left, "units": {}, **about}))
        records.append(("settle", call.id, call.step, {"usd": 0.0, **key}))
    return records
