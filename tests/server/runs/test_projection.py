"""Steps from events. The editor's test of its own fold reads the same fixture file."""

import json
from pathlib import Path
from typing import Any

import pytest

from impasto import Event
from impasto_server.runs.projection import fold_events
from impasto_server.runs.schemas import Step

CASES = json.loads((Path(__file__).parents[2] / "fixtures" / "run_events.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_events_fold_into_steps(case: dict[str, Any]) -> None:
    events = [
        Event(
            "run",
            item["seq"],
            item["time"],
            item["type"],
            item["step"],
            None,
            json.dumps(item["data"]).encode(),
        )
        for item in case["events"]
    ]
    assert [shared_fields(step) for step in fold_events(events, with_detail=True)] == case["steps"]


def shared_fields(step: Step) -> dict[str, Any]:
    """Return the fields that the server's and the editor's fold have in common."""
    return {
        "id": step.id,
        "node_type": step.node_type,
        "title": step.title,
        "status": step.status,
        "cached": step.cached,
        "text": step.text or "",
        "outputs": step.outputs,
        "error_code": step.error.code if step.error else None,
        "skipped": step.skipped.model_dump() if step.skipped else None,
        "started_at": step.started_at.timestamp() if step.started_at else None,
        "seconds": step.seconds,
        "cost_usd": float(step.cost_usd or 0),
    }
