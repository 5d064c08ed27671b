"""Progress of a run in a terminal and in a log."""

import io
import re

import pytest
from rich.console import Console

from impasto import Context, Event, Text, execute, node
from impasto.cli.run_view import RunView, run_flow
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def halfway(*, context: Context) -> Text:
    context.progress(0.5, "Half done")
    return "x"


@node
async def broken(text: Text) -> Text:
    raise ValueError("no ink")


@node
async def after(text: Text) -> Text:
    return text


async def shown(is_terminal: bool) -> tuple[str, list[float]]:
    """Return what a run prints, and the fraction of its bars after each event of progress."""
    plan = plan_of(
        [halfway, broken, after],
        {"first": "halfway", "second": "broken", "third": "after"},
        [("first.output", "second.text"), ("second.output", "third.text")],
    )
    console = Console(file=io.StringIO(), force_terminal=is_terminal, width=120, record=True)
    fractions: list[float] = []
    with RunView(plan, console) as view:

        def show(event: Event) -> None:
            view.show(event)
            if event.type == "step.progress":
                fractions.extend(task.completed for task in view._progress.tasks)

        await execute(plan, {}, listener=show)
    return re.sub(r"done in [\d.]+ s", "done", console.export_text()), fractions


async def test_summary_of_a_failed_run_has_the_error_of_the_step_with_its_detail(tmp_path) -> None:
    console = Console(file=io.StringIO(), width=1000, record=True)
    plan = plan_of([halfway, broken], {"a": "halfway", "b": "broken"}, [("a.output", "b.text")])
    assert not await run_flow(plan, None, [], tmp_path / "out", None, console)
    error = "An error occurred. Please try again later."
    lines = re.sub(r"in [\d.]+ s", "in 0 s", console.export_text()).splitlines()
    assert lines == [
        "a: done in 0 s",
        f"b: {error}",
        f"  {tmp_path / 'out' / 'results.json'}",
        f"b: {error} (ValueError: no ink)",
        "failed in 0 s",
    ]


async def test_terminal_has_a_bar_for_each_step() -> None:
    text, fractions = await shown(is_terminal=True)
    ended = dict(re.findall(r"✓ (\w+) +━+ (.*?) +\d:\d\d:\d\d", text))
    assert ended == {
        "Halfway": "done",
        "Broken": "An error occurred. Please try again later.",
        "After": "skipped (failed: second)",
    }
    assert fractions == [0.5]


async def test_log_has_a_line_for_each_step_that_ended() -> None:
    text, _ = await shown(is_terminal=False)
    lines = text.splitlines()
    assert [line.split(":")[0] for line in lines] == ["first", "second", "third"]
    assert lines[0] == "first: done"
    assert lines[2] == "third: skipped (failed: second)"
