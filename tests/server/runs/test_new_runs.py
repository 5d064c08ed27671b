"""The row of a new run, and what its launch is expected to cost on the server's keys."""

from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from impasto_server.compiler.documents import Source
from impasto_server.flows.models import FlowRow
from impasto_server.limits.service import LaunchCost
from impasto_server.runs.launch.service import LaunchInputs, LaunchPlan, identify, new_run
from impasto_server.runs.schemas import RunRequest
from impasto_server.users.models import User

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
DOCUMENT: dict[str, Any] = {"nodes": [{"id": "ask"}]}
STEPS = [{"id": "ask", "type": "user_prompt", "title": "Ask"}]


def plan(*own_providers: str, types: tuple[str, ...] = ("Text",), brands: Any = ()) -> LaunchPlan:
    results: Any = [{"node": "ask", "port": "output", "type": each} for each in types]
    flow = FlowRow(id="f1", name="Poster")
    return LaunchPlan(flow, 4, Source(DOCUMENT, {"f2": {}}), results, STEPS, frozenset(own_providers), brands)


def inputs(*, unpriced: bool = False, **costs: float) -> LaunchInputs:
    return LaunchInputs({"ask": "Hi"}, [], {"usd": "1"}, costs, unpriced)


@pytest.mark.parametrize(
    ("launch_plan", "given", "cost"),
    [
        (plan(), inputs(), LaunchCost()),
        (plan(), inputs(fal=0.25, openai=0.5), LaunchCost(Decimal("0.75"), may_spend=True)),
        (plan(), inputs(fal=0.0000011), LaunchCost(Decimal("0.000002"), may_spend=True)),
        (plan(), inputs(fal=0), LaunchCost()),
        (plan("fal"), inputs(fal=0.25), LaunchCost(uses_own_keys=True)),
        (
            plan("fal"),
            inputs(fal=0.25, openai=0.5),
            LaunchCost(Decimal("0.5"), may_spend=True, uses_own_keys=True),
        ),
        (plan("fal"), inputs(openai=0.5), LaunchCost(Decimal("0.5"), may_spend=True)),
        (plan(), inputs(unpriced=True), LaunchCost(may_spend=True)),
        (plan("fal"), inputs(unpriced=True), LaunchCost(may_spend=True, uses_own_keys=True)),
        (plan(types=("Text", "Json")), inputs(), LaunchCost()),
        (plan(types=("Text", "Image")), inputs(), LaunchCost(stores_files=True)),
        (plan(types=("Video",)), inputs(), LaunchCost(stores_files=True)),
        (plan(types=("Audio",)), inputs(), LaunchCost(stores_files=True)),
        (plan(types=("File",)), inputs(), LaunchCost(stores_files=True)),
    ],
    ids=[
        "free", "two_providers", "rounded_up", "free_provider", "own_key", "own_and_server_key",
        "own_key_not_used", "unpriced", "unpriced_own_key", "texts", "image", "video", "audio", "file",
    ],
)  # fmt: skip
def test_launch_costs_what_is_spent_on_the_keys_of_the_server(
    launch_plan: LaunchPlan, given: LaunchInputs, cost: LaunchCost
) -> None:
    assert launch_plan.cost_of(given) == cost


def made(launch_plan: LaunchPlan, body: RunRequest, *brands: Any, budget: Decimal | None = None) -> Any:
    state: Any = SimpleNamespace(clock=lambda: NOON, settings=SimpleNamespace(run_budget_usd=budget))
    return new_run(state, User(id="mara"), launch_plan, inputs(), body, list(brands))


def test_row_of_a_new_run_has_what_was_asked_for() -> None:
    body = RunRequest(
        targets=["ask"], fresh=["ask"], reuse="none", again_of="r0", budget_usd="1.5", allow_unpriced=True
    )
    row = made(plan(brands=({"brand_id": "b1"},)), body, {"brand_id": "b2"})
    found = {name: value for name, value in vars(row).items() if not name.startswith("_")}
    assert found == {
        "owner_id": "mara", "flow_id": "f1", "flow_name": "Poster", "version": 4, "document": DOCUMENT,
        "subflows": {"f2": {}}, "planned_results": plan().planned_results, "planned_steps": STEPS,
        "inputs": {"ask": "Hi"}, "brands": [{"brand_id": "b1"}, {"brand_id": "b2"}], "targets": ["ask"],
        "fresh": ["ask"], "reuse": "none", "again_of": "r0", "budget_usd": Decimal("1.5"),
        "allow_unpriced": True, "estimate": {"usd": "1"}, "status": "queued", "created_at": NOON,
    }  # fmt: skip


def test_new_run_without_brands_budget_or_parts_has_none() -> None:
    row = made(plan(), RunRequest())
    assert (row.brands, row.targets, row.fresh, row.again_of) == (None, None, [], None)
    assert (row.budget_usd, row.allow_unpriced, row.reuse) == (None, False, "pure")


@pytest.mark.parametrize(
    ("of_server", "asked", "budget"),
    [("2", None, "2"), (None, "3", "3"), ("2", "3", "2"), ("2", "1", "1"), ("2", "2", "2")],
)
def test_budget_of_a_run_is_the_smaller_one(of_server: str | None, asked: str | None, budget: str) -> None:
    row = made(plan(), RunRequest(budget_usd=asked), budget=of_server and Decimal(of_server))  # type: ignore[arg-type]
    assert row.budget_usd == Decimal(budget)


def test_request_is_identified_by_its_key_its_agent_and_its_body() -> None:
    key, digest = identify("f1", RunRequest(), "key")
    assert key is not None
    assert identify("f1", RunRequest(), "key") == (key, digest)
    assert identify("f1", RunRequest(), None) == (None, digest)
    assert identify("f1", RunRequest(), "") == (None, digest)
    assert identify("f2", RunRequest(), "key")[0] not in (key, None)
    assert identify("f1", RunRequest(reuse="none"), "key")[1] != digest
