"""Fixtures that store rows of runs, which no process executes."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from impasto_server.container import AppState
from impasto_server.runs.models import RecordRow, RunRow

__all__ = ["owner", "store", "store_records"]

AT = datetime(2026, 1, 31, 9, tzinfo=UTC)
Store = Callable[..., Awaitable[None]]


@pytest.fixture
async def owner(person: Any, app_state: AppState) -> str:
    """Mara; no run is executed."""
    await app_state.runs.stop()
    return str(await person.id())


@pytest.fixture
def store(app_state: AppState, owner: str) -> Store:
    """Return a function that stores finished runs of Mara, which differ as given by their ids."""

    async def add(**runs: dict[str, Any]) -> None:
        async with app_state.database.writing() as session:
            for number, (run_id, about) in enumerate(runs.items(), 1):
                usual = {
                    "owner_id": owner, "number": number, "flow_name": "Poster", "document": {"nodes": []},
                    "status": "finished", "planned_results": [], "created_at": AT, "started_at": AT,
                    "finished_at": AT + timedelta(seconds=2), "estimate": {"usd": "1"}, "lease_until": None,
                }  # fmt: skip
                session.add(RunRow(id=run_id, **usual | about))

    return add


@pytest.fixture
def store_records(app_state: AppState) -> Store:
    """Return a function that stores records of a run's journal: kind, name, step, number and data."""

    async def add(run_id: str, *records: tuple[str, str, str | None, int, Any]) -> None:
        async with app_state.database.writing() as session:
            for position, (kind, name, step, seq, data) in enumerate(records):
                text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
                body = {"kind": kind, "name": name, "step": step, "seq": seq, "body": text.encode()}
                session.add(RecordRow(run_id=run_id, position=position, time=1.5, **body))

    return add
