"""What a batch of a journal's records changes in the run's row."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from typing import Any, cast

import orjson
from sqlalchemy import ColumnElement, Table, Update, bindparam, func, update

from impasto.journal.protocol import Entry
from impasto_server.assets.references import references_in
from impasto_server.runs.models import RunRow

ENDS = {"run.finished": "finished", "run.failed": "failed", "run.cancelled": "cancelled"}
"""The statuses by the events that end a run."""
_RUNS = cast("Table", RunRow.__table__)  # an update of the table itself takes half of the class's time
_ADDED = "added_usd"
RowUpdate = Callable[[Entry], dict[str, Any]]


def is_end(record: Entry) -> bool:
    """Return whether a record ends the run. A node may give a memo the name of an event."""
    return record.kind == "event" and record.name in ENDS


def row_updates(records: Sequence[Entry]) -> dict[str, Any]:
    """Return the values that a batch of records changes, for `set_if_held` and `set_first`."""
    updates: dict[str, Any] = {}
    usd = charged(records, own_keys=True)
    if usd:
        # Counted when it is spent, so that a run that never writes its end has its cost, too.
        updates[_ADDED] = usd
    for record in records:
        if record.kind != "event":
            continue
        updates["last_seq"] = record.seq
        to_updates = _UPDATES.get(record.name)
        if to_updates is not None:
            updates |= to_updates(record)
    if "cost_usd" in updates:  # what the end says includes what was added
        updates.pop(_ADDED, None)
    return updates


def charged(records: Sequence[Entry], *, own_keys: bool) -> Decimal:
    """Return the US dollars charged in a batch; without `own_keys`, only those on the server's keys."""
    charges = (orjson.loads(record.body) for record in records if record.kind == "charge")
    usd = sum(charge["usd"] for charge in charges if own_keys or not charge.get("own_key"))
    return Decimal(str(usd))


def set_if_held(run_id: str, fence: int, values: Mapping[str, Any]) -> tuple[Update, dict[str, Any]]:
    """Return the update of a run's row, and its parameters, that returns no row without this lease."""
    return _if_held(_sorted(values)), {"of_run": run_id, "of_fence": fence, **_parameters(values)}


def set_first(run_id: str, owner: str, values: Mapping[str, Any]) -> tuple[Update, dict[str, Any]]:
    """Return the same of a run that the owner has leased in the queue, and that has no journal yet."""
    return _first(_sorted(values)), {"of_run": run_id, "of_owner": owner, **_parameters(values)}


# Built once for each set of columns: building them takes longer than their execution.
@cache
def _if_held(names: tuple[str, ...]) -> Update:
    held = (_RUNS.c.fence == bindparam("of_fence"), _RUNS.c.lease_owner.is_not(None))
    return _setting(names).where(_RUNS.c.id == bindparam("of_run"), *held).returning(_RUNS.c.id)


@cache
def _first(names: tuple[str, ...]) -> Update:
    leased = (_RUNS.c.lease_owner == bindparam("of_owner"), _RUNS.c.fence == 0)
    return _setting(names).where(_RUNS.c.id == bindparam("of_run"), *leased).returning(_RUNS.c.id)


def _setting(names: Collection[str]) -> Update:
    return update(_RUNS).values({_column(name): _value(name) for name in names})


def _column(name: str) -> str:
    return "cost_usd" if name == _ADDED else name


def _value(name: str) -> ColumnElement[Any]:
    column = _RUNS.c[_column(name)]
    given: ColumnElement[Any] = bindparam(f"new_{name}", type_=column.type)
    if name == _ADDED:
        return column + given
    return func.coalesce(column, given) if name == "started_at" else given


def _sorted(values: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(values))


def _parameters(values: Mapping[str, Any]) -> dict[str, Any]:
    return {f"new_{name}": value for name, value in values.items()}


def _on_run_started(record: Entry) -> dict[str, Any]:
    return {"status": "running", "started_at": _time_of(record), "finished_at": None, "error": None}


def _on_step_finished(record: Entry) -> dict[str, Any]:
    if b'"Image"' not in record.body:
        return {}
    references = references_in(orjson.loads(record.body).get("outputs"))
    image = next((item["asset_id"] for item in references if item["$type"] == "Image"), None)
    return {} if image is None else {"cover_asset_id": image}


def _on_run_ended(record: Entry) -> dict[str, Any]:
    data = orjson.loads(record.body)
    return {
        "status": ENDS[record.name],
        "finished_at": _time_of(record),
        "error": data.get("error"),
        "cost_usd": Decimal(str(data.get("cost_usd") or 0)),
        "lease_until": None,
    }


def _time_of(record: Entry) -> datetime:
    return datetime.fromtimestamp(record.time, UTC)


_UPDATES: dict[str, RowUpdate] = {
    "run.started": _on_run_started,
    "step.finished": _on_step_finished,
    **dict.fromkeys(ENDS, _on_run_ended),
}
