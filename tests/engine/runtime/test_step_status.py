"""The status of every step of a run, and which step is to blame."""

import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import Lazy, NodeError, Text, execute, node
from impasto.runtime.step_status import STATUS_NAMES, StepStatusTable
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio
PLAN = plan_of(NODES, dict.fromkeys("abcd", "say"))


@pytest.fixture
def table():
    return StepStatusTable(PLAN)


def names(table):
    return [STATUS_NAMES[code] for code in table.codes]


def test_steps_are_absent_until_they_are_part_of_the_run(table):
    assert (names(table), table.present(), table.unused()) == (["absent"] * 4, [], [0, 1, 2, 3])
    table.set_all_pending()
    assert (names(table), table.present(), table.unused()) == (["pending"] * 4, [0, 1, 2, 3], [])


def test_steps_are_unused_as_far_as_the_run_is_about_them(table):
    table.limit_to({3, 1, 2})
    table.finish(2, 0.0, 0.0, False)
    assert table.unused() == [1, 3]
    table.limit_to(None)
    assert table.unused() == [0, 1, 3]
    assert table.present() == [2]


def test_fanned_out_step_starts_once(table):
    assert [table.start_once(index) for index in (1, 1, 2, 1)] == [True, False, True, False]


def test_step_ends_with_its_time_cost_and_error(table):
    errors = [NodeError("first"), NodeError("second")]
    assert table.first_error() is None
    table.finish(0, 1.5, 0.25, True)
    table.finish(1, 0.5, 0.0, False)
    table.fail(3, errors[1], 2.5, 0.0)
    assert table.first_error() is errors[1]
    table.fail(2, errors[0], 3.5, 0.75)
    assert names(table) == ["finished", "finished", "failed", "failed"]
    assert table.seconds == [1.5, 0.5, 3.5, 2.5]
    assert (table.costs, table.cached) == ({0: 0.25, 2: 0.75}, {0})
    assert table.first_error() is errors[0]


@pytest.mark.parametrize(
    ("reason", "cancelled", "status"),
    [
        ("failed", False, "skipped"),
        ("cancelled", False, "skipped"),
        ("cancelled", True, "cancelled"),
        ("budget", True, "skipped"),
    ],
)
def test_step_that_does_not_run_is_skipped_and_one_that_ran_is_cancelled(table, reason, cancelled, status):
    table.skip(1, "a", reason, cancelled)
    assert (names(table)[1], table.skips) == (status, {1: ("a", reason)})


def test_blame_goes_to_the_step_that_failed_or_closed_its_output(table):
    table.fail(0, NodeError("No."), 0.0, 0.0)
    table.skip(1, "a", "failed")
    table.skip(2, None, "cancelled")
    assert [table.root_cause(index) for index in range(4)] == ["a", "a", "c", "d"]
    assert [table.reason(index) for index in range(4)] == ["failed", "failed", "cancelled", "failed"]


@node
async def ignore(a: Lazy[Text]) -> Text:
    return "never asked"


async def test_step_that_no_target_needs_is_not_part_of_the_result():
    plan = plan_of(
        [*NODES, ignore],
        {"p": "say", "i": "ignore", "q": ("say", {"text": "q"}), "j": "ignore"},
        [("p.output", "i.a"), ("q.output", "j.a")],
    )
    result = await execute(plan, targets=["i"])
    assert {name: (step.status, step.reason) for name, step in result.steps.items()} == {
        "p": ("skipped", "closed"),
        "i": ("finished", None),
    }
    skipped = [(event.step, event.data) for event in result.events if event.type == "step.skipped"]
    assert skipped == [("p", {"because": None, "reason": "closed"})]
    assert len((await execute(plan)).steps) == 4
