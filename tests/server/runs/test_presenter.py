"""Runs in the form of the API, from their rows and their journals."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto_server.container import AppState
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Estimate
from impasto_server.runs import presenter, repository
from impasto_server.runs.schemas import Run, Step
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
_ERROR = {"code": "moderated", "message": "Refused.", "detail": "secret"}
_PLANNED = [{"node": "write", "port": "output", "title": "Words", "type": "Text", "list": False}]


async def described(app_state: AppState, user: str, run_id: str) -> Run:
    async with app_state.database.reading() as session:
        row = await repository.find(session, run_id)
        assert row is not None
        return await presenter.describe(session, app_state, User(id=user), row)


async def test_run_has_the_steps_of_its_events_else_of_its_plan_else_of_its_document(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    document = {"nodes": [{"id": "ask", "type": "user_prompt"}]}
    plan = [{"id": "write", "type": "shout", "title": "Write"}]
    await store(
        r1={"planned_steps": plan, "planned_results": _PLANNED},
        r2={"planned_steps": plan},
        r3={"document": document},
    )
    await store_records(
        "r1",
        ("event", "run.started", None, 1, {"steps": [{"id": "write", "type": "shout", "title": "Now"}]}),
        ("event", "step.finished", "write", 2, {"outputs": {"output": "Hi"}}),
    )
    runs = {run_id: await described(app_state, owner, run_id) for run_id in ("r1", "r2", "r3")}
    assert {
        run_id: [(step.id, step.node_type, step.title, step.status) for step in run.steps]
        for run_id, run in runs.items()
    } == {
        "r1": [("write", "shout", "Now", "finished")],
        "r2": [("write", "shout", "Write", "pending")],
        "r3": [("ask", "user_prompt", "ask", "pending")],
    }
    assert [(each.step, each.value) for each in runs["r1"].results] == [("write", "Hi")]


async def test_details_of_errors_are_for_the_owner_of_the_agent(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    async with app_state.database.writing() as session:
        session.add(FlowRow(id="f1", owner_id=owner, name="Poster", draft={"nodes": []}))
    failed: dict[str, Any] = {"status": "failed", "error": _ERROR}
    await store(r1={**failed, "flow_id": "f1"}, r2=failed)
    for run_id in ("r1", "r2"):
        await store_records(run_id, ("event", "step.failed", "paint", 1, {"error": _ERROR}))
    for user, run_id, shown in (
        (owner, "r1", "secret"),
        ("another", "r1", None),
        (owner, "r2", None),  # the agent was deleted
    ):
        run = await described(app_state, user, run_id)
        errors = [run.error, *(step.error for step in run.steps)]
        assert [error and error.detail for error in errors] == [shown, shown]


async def test_run_that_no_process_executes_has_a_place_in_the_queue(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(
        r1={"status": "queued"},
        r2={"status": "queued", "lease_owner": "a process"},
        r3={"status": "running"},
        r4={},
    )
    positions = [
        (await described(app_state, owner, run_id)).queue_position for run_id in ("r1", "r2", "r3", "r4")
    ]
    assert positions[1::2] == [None, None]
    assert None not in positions[::2]


async def test_run_is_shown_whole(app_state: AppState, owner: str, store: Store) -> None:
    document = {"format": 1, "nodes": [{"id": "a", "type": "shout", "title": "Say"}], "edges": []}
    brand = {"brand_id": "b1", "version": 2, "name": "Fjell", "input": "brand"}
    await store(
        r1={
            "number": 7, "version": 4, "status": "failed", "document": document, "inputs": {"ask": "Hi"},
            "targets": ["a"], "fresh": ["a#1"], "again_of": "r0", "cost_usd": Decimal("0.125"), "last_seq": 9,
            "estimate": {"usd": "1", "seconds": 4.0}, "error": {"code": "x", "message": "X."},
            "cover_asset_id": "i1", "planned_results": _PLANNED, "cancelled_steps": ["a_2"],
            "comparison": {"node": "a", "title": "Say", "steps": ["a", "a_2"]},
            "brands": [{**brand, "reference": "b1@2", "value": {}, "reads_recorded": True}],
        }
    )  # fmt: skip
    step = Step(id="a", node_type="shout", title="Say", status="pending")
    error = {"code": "x", "message": "X.", "detail": None, "retryable": False, "provider": None}
    result = {"step": "write", "port": "output", "title": "Words", "type": "Text", "list": False,
              "meaning": None, "text_of": None, "value": None}  # fmt: skip
    assert (await described(app_state, owner, "r1")).model_dump() == {
        "id": "r1", "number": 7, "flow_id": None, "flow_name": "Poster", "version": 4, "status": "failed",
        "inputs": {"ask": "Hi"}, "targets": ["a"], "created_at": AT, "started_at": AT,
        "finished_at": AT + timedelta(seconds=2), "seconds": 2.0, "cost_usd": "0.125",
        "estimate": Estimate(usd="1", seconds=4.0).model_dump(), "error": error, "last_seq": 9,
        "can_resume": True, "can_cancel": False, "batch_id": None, "cover_asset_id": "i1",
        "comparison": {"node": "a", "title": "Say", "steps": ["a", "a_2"], "cancelled": ["a_2"]},
        "queue_position": None, "brands": [brand], "steps": [step.model_dump()], "results": [result],
        "flow": document, "fresh": ["a#1"], "again_of": "r0",
    }  # fmt: skip
    await store(r2={"finished_at": None}, r3={"started_at": None, "status": "cancelled"})
    for run_id, can_resume in (("r2", False), ("r3", True)):
        run = await described(app_state, owner, run_id)
        assert (run.seconds, run.version, run.comparison, run.error) == (None, "draft", None, None)
        assert (run.brands, run.targets, run.fresh, run.can_resume) == ([], None, [], can_resume)
