"""Progress of a run in a terminal and in a log."""

import io
import re

import pytest
from rich.console import Console

from impasto import Catalog, Context, Event, NodeError, Text, compile, execute, node
from impasto.cli.run_view import RunView, run_flow
from impasto.runtime.policies.retry import Backoff
from impasto.testing import flow_of, plan_of

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


@node(title="The [red] one")
async def refused(*, context: Context) -> Text:
    context.progress(0.5, "half [/done]")
    raise NodeError("The model has no [/INST] in its [bold] template.")


async def test_titles_and_messages_are_shown_in_a_terminal_as_they_are() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=150, record=True)
    plan = plan_of([refused], {"a": "refused"})
    with RunView(plan, console) as view:
        await execute(plan, {}, listener=view.show)
    ended = re.findall(r"✓ (.*?) +━+ (.*?) +\d:\d\d:\d\d", console.export_text())
    assert {*ended} == {("The [red] one", "The model has no [/INST] in its [bold] template.")}


async def test_log_has_a_line_for_each_step_that_ended() -> None:
    text, _ = await shown(is_terminal=False)
    lines = text.splitlines()
    assert [line.split(":")[0] for line in lines] == ["first", "second", "third"]
    assert lines[0] == "first: done"
    assert lines[2] == "third: skipped (failed: second)"


@node(retries=1)
async def paid(text: Text, *, context: Context) -> Text:
    if context.attempt == 1:
        raise NodeError("The shop is busy.", retryable=True)
    context.charge(0.25)
    return text


async def lines_of(nodes, edges, folder, *, cache=None, **options) -> list[str]:
    """Return what a run prints, with its seconds and its folder left out."""
    console = Console(file=io.StringIO(), width=1000, record=True)
    plan = plan_of([halfway, broken, after, paid], nodes, edges)
    await run_flow(plan, None, [], folder / "out", cache, console, **options)
    text = re.sub(r"in [\d.]+ s", "in 0 s", console.export_text())
    return text.replace(str(folder / "out"), "out").splitlines()


async def test_log_says_what_is_retried_what_is_reused_and_what_the_run_has_cost(tmp_path) -> None:
    nodes, edges = {"a": "halfway", "b": "paid"}, [("a.output", "b.text")]
    options = {"backoff": Backoff(base=0), "reuse": "changed"}
    lines = await lines_of(nodes, edges, tmp_path, cache=tmp_path / "cache", **options)
    assert lines == [
        "a: done in 0 s",
        "b: retrying in 0 s: The shop is busy.",
        "b: done in 0 s",
        "  out/b.txt",
        "  out/results.json",
        "finished in 0 s, $0.2500",
    ]
    again = await lines_of(nodes, edges, tmp_path, cache=tmp_path / "cache", **options)
    assert again == [
        "a: reused",
        "b: reused",
        "  out/b.txt",
        "  out/results.json",
        "finished in 0 s",
    ]


async def test_ids_with_square_brackets_are_printed_as_they_are(tmp_path) -> None:
    nodes, edges = {"[bold]a": "halfway", "[/b]": "broken"}, [("[bold]a.output", "[/b].text")]
    flow = flow_of(nodes, edges)
    flow.node("[bold]a").result = True
    console = Console(file=io.StringIO(), width=1000, record=True)
    assert not await run_flow(compile(flow, Catalog([halfway, broken])), None, [], tmp_path, None, console)
    error = "An error occurred. Please try again later."
    assert re.sub(r"in [\d.]+ s", "in 0 s", console.export_text()).splitlines() == [
        "[bold]a: done in 0 s",
        f"[/b]: {error}",
        f"  {tmp_path / '[bold]a.txt'}",
        f"  {tmp_path / 'results.json'}",
        f"[/b]: {error} (ValueError: no ink)",
        "failed in 0 s",
    ]


async def test_run_that_stops_without_a_failed_step_says_why(tmp_path) -> None:
    nodes = {"a": "halfway", "b": "paid", "c": "paid"}
    edges = [("a.output", "b.text"), ("b.output", "c.text")]
    lines = await lines_of(nodes, edges, tmp_path, budget_usd=0.125, backoff=Backoff(base=0))
    assert lines[3:] == [
        "c: skipped (budget)",
        "  out/results.json",
        "The run reached its budget of $0.125 and was stopped.",
        "failed in 0 s, $0.2500",
    ]


async def test_files_of_the_flow_are_stored_before_its_inputs_are_read(tmp_path) -> None:
    stores = []

    async def prepare(store) -> None:
        stores.append(await store.put(b"cup", "image/png", "cup.png"))

    await lines_of({"a": "halfway"}, [], tmp_path, cache=tmp_path / "cache", prepare=prepare)
    assert len(stores) == 1
    assert any(
        path.read_bytes() == b"cup" for path in (tmp_path / "cache" / "assets").rglob("*") if path.is_file()
    )


async def test_bar_of_a_step_says_that_it_is_retried() -> None:
    plan = plan_of([halfway, paid], {"a": "halfway", "b": "paid"}, [("a.output", "b.text")])
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    bars: list[tuple[str, str, float, float | None, str]] = []
    with RunView(plan, console) as view:

        def show(event: Event) -> None:
            view.show(event)
            if event.step is not None and event.type != "step.queued":
                task = view._progress.tasks[-1]
                status = re.sub(r"in [\d.]+ s", "in 0 s", task.fields["status"])
                bars.append((event.type, task.description, task.completed, task.total, status))

        await execute(plan, {}, listener=show, backoff=Backoff(base=0))
    assert bars == [
        ("step.started", "Halfway", 0, None, ""),
        ("step.progress", "Halfway", 0.5, 1.0, "Half done"),
        ("step.finished", "Halfway", 1.0, 1.0, "done in 0 s"),
        ("step.started", "Paid", 0, None, ""),
        ("step.retrying", "Paid", 0, None, "retrying in 0 s: The shop is busy."),
        ("step.finished", "Paid", 1.0, 1.0, "done in 0 s"),
    ]


async def test_paths_and_errors_with_brackets_are_printed_as_they_are(tmp_path) -> None:
    @node
    async def refuse() -> Text:
        raise NodeError("Choose [bold] text.", detail="[red]")

    console = Console(file=io.StringIO(), width=1000, record=True)
    plan = plan_of([refuse, halfway], {"a": "halfway", "b": "refuse"})
    assert not await run_flow(plan, None, [], tmp_path / "[bold]", None, console)
    lines = console.export_text().splitlines()
    assert f"  {tmp_path / '[bold]' / 'a.txt'}" in lines
    assert "b: Choose [bold] text." in lines
    assert "b: Choose [bold] text. ([red])" in lines
