from typing import Annotated, NamedTuple

import pytest
from tests.engine.runtime.run_nodes import NODES, say

from impasto import SKIP, Any, Boolean, Json, Number, Setting, Text, execute, node
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


class Branches(NamedTuple):
    yes: Any
    no: Any


@node
async def choose(value: Any, which: Boolean) -> Branches:
    return Branches(value, SKIP) if which else Branches(SKIP, value)


@node
async def merge(first: Any = None, second: Any = None) -> Any:
    return first if first is not None else second


@node
async def truth(text: Text, *, of: bool) -> Boolean:
    return of


async def test_closed_branch_is_skipped_and_shared_ancestors_run():
    plan = plan_of(
        [*NODES, choose, merge, truth],
        {
            "p": "say", "shared": "shout", "t": ("truth", {"of": False}), "c": "choose", "y": "shout",
            "n": "shout", "m": "merge", "also": "length",
        },
        [
            ("p.output", "shared.text"),
            ("p.output", "t.text"),
            ("shared.output", "c.value"),
            ("t.output", "c.which"),
            ("c.yes", "y.text"),
            ("c.no", "n.text"),
            ("y.output", "m.first"),
            ("n.output", "m.second"),
            ("shared.output", "also.text"),
        ],
    )  # fmt: skip
    result = await execute(plan)
    assert result.status == "finished"
    assert (result.steps["y"].status, result.steps["y"].reason, result.steps["y"].because) == (
        "skipped",
        "closed",
        "c",
    )
    assert (result.outputs["m.output"], result.outputs["also.output"]) == ("HI", 2)


@node
async def lenient(text: Text = "default", other: Text = "", *, volume: float = 1.0) -> Text:
    return f"{text} {other}".strip()


@node
async def measure(text: Text = "") -> Number:
    return float(len(text))


BRANCH = (
    {"p": "say", "t": ("truth", {"of": False}), "c": "choose", "l": "lenient"},
    [("p.output", "c.value"), ("p.output", "t.text"), ("t.output", "c.which")],
)


async def test_step_on_a_closed_branch_does_not_run_also_when_its_inputs_are_optional():
    nodes, edges = BRANCH
    nodes = {**nodes, "after": "lenient", "m": "measure", "driven": "lenient"}
    edges = [
        *edges,
        ("c.yes", "l.text"), ("c.yes", "l.other"), ("l.output", "after.text"),
        ("c.yes", "m.text"), ("m.output", "driven.volume"),
    ]  # fmt: skip
    result = await execute(plan_of([say, choose, truth, lenient, measure], nodes, edges))
    assert result.status == "finished"
    skipped = {name: step for name, step in result.steps.items() if step.status == "skipped"}
    assert {(name, step.reason, step.because) for name, step in skipped.items()} == {
        (name, "closed", "c") for name in ("l", "after", "m", "driven")
    }
    started = {event.step for event in result.events if event.type == "step.started"}
    assert started == {"p", "t", "c"}


async def test_closed_optional_input_takes_its_default_where_another_input_is_open():
    nodes, edges = BRANCH
    edges = [*edges, ("c.yes", "l.text"), ("p.output", "l.other")]
    plan = plan_of([say, choose, truth, lenient], nodes, edges)
    assert (await execute(plan)).outputs["l.output"] == "default hi"


@pytest.mark.parametrize("settings", [{}, {"text": ""}])
async def test_empty_input_that_nothing_reads_is_a_warning_and_skipped(settings):
    @node
    async def ask(*, text: Annotated[Text, Setting(input=True)]) -> Text:
        assert text
        return text

    plan = plan_of(
        [ask, say, lenient],
        {"unused": ("ask", settings), "p": "say", "l": "lenient"},
        [("p.output", "l.text")],
    )
    assert [(problem.code, problem.node, problem.severity) for problem in plan.warnings] == [
        ("unused_input", "unused", "warning")
    ]
    assert plan.inputs["required"] == []
    result = await execute(plan)
    assert (result.status, result.steps["unused"].status, dict(result.outputs)) == (
        "finished",
        "skipped",
        {"p.output": "hi", "l.output": "hi"},
    )
    assert (await execute(plan, {"unused": "given"})).outputs["unused.output"] == "given"


# -- edges into settings, variables ------------------------------------------------------------


async def test_value_of_a_driven_setting_is_validated_at_run_time():
    @node
    async def repeat(text: Text, *, times: Annotated[int, Setting(le=3)]) -> Text:
        return text * times

    plan = plan_of(
        [*NODES, repeat],
        {"p": "say", "n": "length", "r": "repeat"},
        [("p.output", "r.text"), ("p.output", "n.text"), ("n.output", "r.times")],
    )
    assert (await execute(plan, {"p": "ab"})).outputs["r.output"] == "abab"
    failed = await execute(plan, {"p": "abcd"})
    assert failed.steps["r"].error.code == "bad_setting"
    assert failed.steps["r"].error.message.startswith("'Times' of")


async def test_variables_in_a_setting_are_inputs():
    @node(variables="template")
    async def write(prompt: Text = "", *, template: str, variables: dict[str, Text]) -> Text:
        text = template
        for name, value in variables.items():
            text = text.replace("{{" + name + "}}", value)
        return text + prompt

    plan = plan_of(
        [*NODES, write],
        {"p": "say", "w": ("write", {"template": "Dear {{name}}, {{body}}! {{sign|Us}}"})},
        [("p.output", "w.name"), ("p.output", "w.sign")],
    )
    assert (await execute(plan, {"p": "Ann"})).outputs["w.output"] == "Dear Ann, ! {{sign|Us}}"


async def test_list_input_joins_its_edges_in_document_order():
    @node
    async def join(parts: list[Text], *more: Text) -> Text:
        return ",".join(parts) + "|" + ",".join(more)

    @node
    async def many() -> list[Text]:
        return ["x", "y"]

    plan = plan_of(
        [*NODES, join, many],
        {"p": "say", "s": "shout", "m": "many", "j": "join", "k": "length"},
        [
            ("s.output", "j.parts"), ("m.output", "j.parts"), ("p.output", "j.parts"), ("p.output", "s.text"),
            ("p.output", "k.text"), ("k.output", "j.more"), ("p.output", "j.more"),
        ],
    )  # fmt: skip
    assert (await execute(plan)).outputs["j.output"] == "HI,x,y,hi|2,hi"


async def test_json_joins_a_list_input_if_it_is_a_list_and_else_is_one_item():
    @node
    async def pair() -> Json:
        return [1, 2]

    @node
    async def word() -> Json:
        return "ab"

    @node
    async def keep(items: list[Json]) -> Json:
        return items

    edges = [("p.output", "k.items"), ("w.output", "k.items")]
    plan = plan_of([pair, word, keep], {"p": "pair", "w": "word", "k": "keep"}, edges)
    assert (await execute(plan)).outputs["k.output"] == [1, 2, "ab"]
