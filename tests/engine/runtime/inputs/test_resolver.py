"""The arguments and keys of steps: which port or list a value belongs to, defaults, and closed inputs."""

from typing import Annotated

import pytest

from impasto import SKIP, Integer, Json, Lazy, MemoryCache, Setting, Text, execute, node
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def say(*, text: str = "") -> Text:
    return text


@node
async def closed() -> Text:
    return SKIP


@node
async def lists(first: list[Text], second: list[Text]) -> Json:
    return [first, second]


@node
async def pair(one: Text = "none", two: Text = "none") -> Json:
    return [one, two]


@node
async def table(rows: list[Text] = ["a"], options: Json = {"b": []}) -> Json:  # noqa: B006 - copied
    rows.append("more")
    options["b"].append("more")
    return [rows, options]


NODES = [say, closed, lists, pair, table]
SAID = {name: ("say", {"text": name}) for name in "abc"}


@pytest.mark.parametrize(
    ("kind", "wirings"),
    [
        (
            "lists",
            {
                "a.output>first b.output>first c.output>second": [["a", "b"], ["c"]],
                "a.output>first b.output>second c.output>second": [["a"], ["b", "c"]],
                "b.output>first a.output>first c.output>second": [["b", "a"], ["c"]],
            },
        ),
        ("pair", {"a.output>one": ["a", "none"], "a.output>two": ["none", "a"]}),
    ],
)
async def test_result_is_reused_only_if_each_value_goes_to_the_same_input(kind, wirings):
    cache = MemoryCache()
    for is_reused in (False, True):
        for wiring, output in wirings.items():
            edges = [(edge.split(">")[0], f"x.{edge.split('>')[1]}") for edge in wiring.split()]
            result = await execute(plan_of(NODES, {**SAID, "x": kind}, edges), cache=cache)
            assert result.outputs["x.output"] == output
            assert result.steps["x"].cached is is_reused


async def test_defaults_of_inputs_are_new_in_each_call():
    plan = plan_of(NODES, {"a": "table", "b": "table"})
    for _ in range(2):
        result = await execute(plan, reuse="none")
        assert [result.outputs[f"{name}.output"] for name in "ab"] == [[["a", "more"], {"b": ["more"]}]] * 2


@pytest.mark.parametrize(
    ("edges", "output"),
    [
        ([("a.output", "x.one"), ("closed.output", "x.two")], ["a", "none"]),
        ([("closed.output", "x.one")], None),
        ([("closed.output", "x.one"), ("closed.output", "x.two")], None),
    ],
)
async def test_step_is_skipped_if_every_connected_input_is_closed(edges, output):
    result = await execute(plan_of(NODES, {**SAID, "closed": "closed", "x": "pair"}, edges))
    step = result.steps["x"]
    if output is None:
        assert (step.status, step.outputs) == ("skipped", {})
        (event,) = [each for each in result.events if each.type == "step.skipped" and each.step == "x"]
        assert event.data == {"because": "closed", "reason": "closed"}
    else:
        assert (step.status, step.outputs["output"]) == ("finished", output)


async def test_closed_source_is_left_out_of_a_list():
    edges = [
        ("a.output", "x.first"),
        ("closed.output", "x.first"),
        ("b.output", "x.first"),
        ("c.output", "x.second"),
    ]
    result = await execute(plan_of(NODES, {**SAID, "closed": "closed", "x": "lists"}, edges))
    assert result.outputs["x.output"] == [["a", "b"], ["c"]]


@node
async def late(text: Lazy[Text] = "later", other: Lazy[Text] | None = None) -> Json:
    return [await text, other]


async def test_default_of_a_lazy_input_is_awaited_as_its_values_are():
    plan = plan_of([*NODES, late], {**SAID, "x": "late", "y": "late"}, [("a.output", "y.text")])
    result = await execute(plan)
    assert result.outputs["x.output"] == ["later", None]
    assert result.outputs["y.output"] == ["a", None]


@node
async def listed() -> list[Json]:
    return [["deep"], 1]


@node
async def items() -> Json:
    return ["deep"]


@node
async def all_of(values: list[Json]) -> Json:
    return values


async def test_lists_join_the_items_of_an_input_and_lists_inside_them_stay():
    edges = [("m.output", "x.values"), ("n.output", "x.values")]
    result = await execute(
        plan_of([listed, items, all_of], {"m": "listed", "n": "items", "x": "all_of"}, edges)
    )
    assert result.outputs["x.output"] == [["deep"], 1, "deep"]


@node
async def number(*, value: int = 0) -> Integer:
    return value


@node
async def no_number() -> Integer:
    return SKIP


@node
async def sized(text: Text = "none", *, width: Annotated[int, Setting(le=9)], height: int = 5) -> Json:
    return [text, width, height]


@pytest.mark.parametrize(
    ("settings", "edges", "found"),
    [
        ({}, ["three.output>width"], ["none", 3, 5]),
        ({"width": 7}, ["three.output>width"], ["none", 3, 5]),
        ({"width": 7}, ["closed.output>width", "a.output>text"], ["a", 7, 5]),
        ({"width": 7}, ["closed.output>width"], "closed"),
        ({"width": 7}, ["closed.output>height"], "closed"),
        ({"width": 7}, ["nothing.output>text", "closed.output>height"], "nothing"),
        ({"width": 7}, ["nothing.output>text", "three.output>height"], ["none", 7, 3]),
        ({}, ["closed.output>height", "three.output>width"], ["none", 3, 5]),
        ({}, ["closed.output>width", "a.output>text"], "closed"),
        ({}, ["closed.output>width", "a.output>text", "three.output>height"], "closed"),
    ],
)
async def test_setting_that_an_edge_drives_counts_as_an_input(settings, edges, found):
    nodes = {
        "a": ("say", {"text": "a"}),
        "nothing": "closed",
        "closed": "no_number",
        "three": ("number", {"value": 3}),
        "x": ("sized", settings),
    }
    wires = [(edge.split(">")[0], f"x.{edge.split('>')[1]}") for edge in edges]
    result = await execute(plan_of([*NODES, number, no_number, sized], nodes, wires))
    if isinstance(found, list):
        assert result.outputs["x.output"] == found
    else:
        assert result.steps["x"].status == "skipped"
        (event,) = [each for each in result.events if each.type == "step.skipped" and each.step == "x"]
        assert event.data == {"because": found, "reason": "closed"}


async def test_value_that_a_driven_setting_does_not_take_is_named():
    nodes = {"big": ("number", {"value": 10}), "x": "sized"}
    result = await execute(plan_of([number, sized], nodes, [("big.output", "x.width")]))
    error = result.steps["x"].error
    assert (error.code, error.detail) == ("bad_setting", None)
    assert error.message == "'Width' of 'Sized' got a value that it does not take: must be at most 9."
