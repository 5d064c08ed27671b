"""Steps from events. The editor's test of its own fold reads the same fixture file."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from impasto import Event
from impasto_server.runs.events.projection import fold_events
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
    """Return all fields of a step as the fixture has them: epoch seconds, money and text never null."""
    fields = step.model_dump()
    return fields | {
        "text": step.text or "",
        "started_at": step.started_at and step.started_at.timestamp(),
        "finished_at": step.finished_at and step.finished_at.timestamp(),
        "cost_usd": float(step.cost_usd or 0),
    }


def test_the_fixture_sets_every_field_of_a_step() -> None:
    unset = shared_fields(Step(id="write", node_type="", title="", status="pending"))
    steps = [step for case in CASES for step in case["steps"]]
    assert [name for name in unset if all(step[name] == unset[name] for step in steps)] == []


def test_details_of_errors_are_hidden_from_everyone_but_the_owner() -> None:
    error = {"code": "moderated", "message": "Refused.", "detail": "secret"}
    failed = Event("run", 1, 1.0, "step.failed", "paint", {"error": error})
    for with_detail, shown in ((False, None), (True, "secret")):
        [step] = fold_events([failed], with_detail=with_detail)
        assert step.error is not None
        assert step.error.detail == shown
    [step] = fold_events([failed])
    assert step.error is not None
    assert step.error.detail is None


def test_events_that_lack_data_set_what_is_certain() -> None:
    def folded(*types: tuple[str, dict[str, Any]]) -> dict[str, Any]:
        events = [Event("run", seq, float(seq), name, "a", data) for seq, (name, data) in enumerate(types, 1)]
        [step] = fold_events(events, with_detail=True)
        return step.model_dump(exclude_defaults=True, exclude={"id", "node_type"})

    at = [datetime.fromtimestamp(seq, UTC) for seq in range(4)]
    began = {"title": "a", "started_at": at[1]}
    assert folded(("step.queued", {})) == {"title": "a", "status": "queued"}
    assert folded(("step.started", {}), ("step.retrying", {})) == {
        **began,
        "status": "running",
        "retrying": {"attempt": 1, "seconds": 0.0},
    }
    for data in ({}, {"outputs": None, "made_by": None, "cost_usd": None}, {"made_by": "openai"}):
        assert folded(("step.started", {}), ("step.finished", data)) == {
            **began,
            "status": "finished",
            "finished_at": at[2],
            "progress": 1.0,
        }
    assert folded(("step.started", {}), ("step.progress", {"fraction": 0.5}), ("step.skipped", {})) == {
        **began,
        "status": "skipped",
        "finished_at": at[3],
        "progress": 0.5,
        "skipped": {"because": None, "reason": ""},
    }
    assert folded(("step.skipped", {"reason": "cancelled"})) == {
        "title": "a",
        "status": "cancelled",
        "skipped": {"because": None, "reason": "cancelled"},
    }
