"""What is read from a run's journal, and the run in the form of the API."""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto_server.container import AppState
from impasto_server.runs import journal_repository, presenter
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio


def finished(seq: int, step: str, **data: Any) -> tuple[str, str, str, int, Any]:
    return "event", "step.finished", step, seq, data


async def test_events_outputs_and_times_are_those_of_the_run(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    await store(r1={}, r2={}, r3={})
    await store_records(
        "r1",
        ("event", "run.started", None, 1, {}),
        ("memo", "run.failed", "a", 0, {}),
        finished(2, "a", outputs={"x": 1}, seconds=1.5),
        ("outcome", "", "a", 0, {"x": "exact"}),
        finished(3, "b", outputs={"x": 2**70 + 1}, seconds=2.5, cached=True),
        ("outcome", "", "c", 0, {"x": 3}),
    )
    await store_records("r2", finished(1, "a", outputs={}, seconds=9))
    async with app_state.database.reading() as session:
        events = await journal_repository.events_after(session, "r1")
        assert [(event.seq, event.type, event.step) for event in events] == [
            (1, "run.started", None),
            (2, "step.finished", "a"),
            (3, "step.finished", "b"),
        ]
        assert [event.seq for event in await journal_repository.events_after(session, "r1", 1)] == [2, 3]
        assert [event.seq for event in await journal_repository.events_after(session, "r1", 0, 2)] == [1, 2]
        assert await journal_repository.step_events(session, "r1") == [
            ("run.started", None),
            ("step.finished", "a"),
            ("step.finished", "b"),
        ]
        outputs = await journal_repository.step_outputs(session, "r1")
        assert {step: json.loads(body) for step, body in outputs.items()} == {
            "a": {"x": "exact"},
            "b": {"x": 2**70 + 1},
            "c": {"x": 3},
        }
        times = await journal_repository.step_times(session, ["r1", "r2", "r3"])
        assert {
            run_id: {step: (time.seconds, time.cached) for step, time in each.items()}
            for run_id, each in times.items()
        } == {
            "r1": {"a": (1.5, False), "b": (2.5, True)},
            "r2": {"a": (9, False)},
            "r3": {},
        }
        positions = [await journal_repository.next_position(session, run_id) for run_id in ("r1", "r2", "r3")]
        assert positions == [6, 1, 0]
        assert [await journal_repository.has_records(session, run_id) for run_id in ("r2", "r3")] == [
            True,
            False,
        ]
    async with app_state.database.writing() as session:
        await journal_repository.purge_records(session, "r1")
        left = [await journal_repository.has_records(session, run_id) for run_id in ("r1", "r2")]
        assert left == [False, True]


def row(**about: Any) -> RunRow:
    usual = {
        "id": "r1", "number": 3, "flow_id": None, "flow_name": "Poster", "version": None,
        "status": "finished", "inputs": {}, "created_at": AT, "started_at": AT,
        "finished_at": AT + timedelta(seconds=2.5),
        "cost_usd": Decimal("0.50"), "estimate": {}, "last_seq": 0,
    }  # fmt: skip
    return RunRow(**usual | about)


def test_run_is_summarized_with_its_time_and_cost() -> None:
    found = presenter.summarize(row())
    assert (found.version, found.seconds, found.cost_usd, found.error) == ("draft", 2.5, "0.5", None)
    assert (found.can_cancel, found.can_resume, found.comparison) == (False, False, None)
    assert presenter.summarize(row(version=4)).version == 4
    for missing in ("started_at", "finished_at"):
        assert presenter.summarize(row(**{missing: None})).seconds is None
    error = {"code": "x", "message": "m", "detail": "secret"}
    for with_detail, detail in ((False, None), (True, "secret")):
        shown = presenter.summarize(row(status="failed", error=error), with_detail=with_detail).error
        assert shown is not None
        assert shown.detail == detail
    assert presenter.summarize(row(status="failed", error=error)).error.detail is None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("status", "variants", "cancelled", "can_cancel", "can_resume"),
    [
        ("queued", None, None, True, False), ("running", None, None, True, False),
        ("finished", None, None, False, False), ("failed", None, None, False, True),
        ("cancelled", None, None, False, True), ("cancelled", ["a", "b"], ["a"], False, True),
        ("cancelled", ["a", "b"], ["a", "b"], False, False), ("failed", ["a"], None, False, True),
    ],
)  # fmt: skip
def test_ended_run_is_resumed_unless_all_its_variants_were_cancelled(
    status: str, variants: list[str] | None, cancelled: list[str] | None, can_cancel: bool, can_resume: bool
) -> None:
    comparison = variants and {"node": "a", "title": "A", "steps": variants}
    found = presenter.summarize(row(status=status, comparison=comparison, cancelled_steps=cancelled))
    assert (found.can_cancel, found.can_resume) == (can_cancel, can_resume)
    assert (found.comparison and found.comparison.cancelled) == (comparison and (cancelled or []))
