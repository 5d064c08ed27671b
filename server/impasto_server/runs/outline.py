"""What a batch of events changes in a run's row: its status, its times, its cost, its cover."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson
from sqlalchemy import func

from impasto.journal.protocol import Entry
from impasto_server.assets.references import asset_ids_in, references_in
from impasto_server.runs.models import RunRow

_ENDS = {"run.finished": "finished", "run.failed": "failed", "run.cancelled": "cancelled"}
Change = Callable[[Entry], dict[str, Any]]


def changes_of(records: Sequence[Entry]) -> dict[str, Any]:
    """Return the columns to set; empty when the row stays as it is."""
    changes: dict[str, Any] = {}
    for record in records:
        if record.kind != "event":
            continue
        changes["last_seq"] = record.seq
        change = _CHANGES.get(record.name)
        if change is not None:
            changes |= change(record)
    return changes


def _started(record: Entry) -> dict[str, Any]:
    first = func.coalesce(RunRow.started_at, _moment(record))
    return {"status": "running", "started_at": first, "finished_at": None, "error": None}


def _finished_step(record: Entry) -> dict[str, Any]:
    if b'"Image"' not in record.body:
        return {}
    found = references_in(orjson.loads(record.body).get("outputs"))
    image = next((item["asset_id"] for item in found if item["$type"] == "Image"), None)
    return {} if image is None else {"cover_asset_id": image}


def _ended(record: Entry) -> dict[str, Any]:
    data = orjson.loads(record.body)
    return {
        "status": _ENDS[record.name],
        "finished_at": _moment(record),
        "error": data.get("error"),
        "cost_usd": Decimal(str(data.get("cost_usd") or 0)),
        "lease_until": None,
    }


def made_in(records: Sequence[Entry]) -> Iterator[tuple[list[str], Decimal, dict[str, Any] | None]]:
    """Yield the assets of each step that finished, what each has cost, and what made them."""
    for record in records:
        if record.name != "step.finished" or b'"asset_id"' not in record.body:
            continue
        data = orjson.loads(record.body)
        found = asset_ids_in(data.get("outputs"))
        if found and not data.get("cached"):
            cost = Decimal(str(data.get("cost_usd") or 0)) / len(found)
            yield found, cost, data.get("made_by")


def _moment(record: Entry) -> datetime:
    return datetime.fromtimestamp(record.time, UTC)


_CHANGES: dict[str, Change] = {
    "run.started": _started,
    "step.finished": _finished_step,
    **dict.fromkeys(_ENDS, _ended),
}
