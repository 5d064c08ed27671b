"""Inputs of a run, checked against a plan."""

import math
from typing import Annotated, NamedTuple
from typing import Any as Anything

import pytest

from impasto import (
    Catalog,
    DefinitionError,
    Image,
    InputsInvalid,
    Json,
    MemoryJournal,
    Port,
    Setting,
    Text,
    compile,
    execute,
    node,
)
from impasto.testing import plan_of


@node
async def given(*, data: Annotated[Anything, Setting(input=True)] = None) -> Json:
    return data


@node
async def said(*, text: Annotated[str, Setting(input=True)] = "") -> Text:
    return text


def nested(levels):
    inside: Anything = 1
    for _ in range(levels):
        inside = {"in": inside}
    return inside


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (nested(300), "nested too deeply"),
        (nested(5000), "nested too deeply"),
        (math.nan, "not finite"),
        ({"deep": [None, math.inf]}, "not finite"),
        ("\ud83d", "lone surrogate"),
        (1 << 64, "more than 64 bits"),
        ({1, 2}, "not JSON"),
    ],
)
async def test_input_without_a_json_form_is_refused_before_the_run(value, words):
    journal = MemoryJournal()
    with pytest.raises(InputsInvalid, match=words) as raised:
        await execute(plan_of([given], {"g": "given"}), {"g": value}, journal=journal, run_id="r")
    assert [(each.code, each.node, each.setting) for each in raised.value.problems] == [
        ("bad_input", "g", "data")
    ]


@node
async def shown(*, picture: Annotated[Image | None, Setting(input=True)] = None) -> Image:
    return picture


@pytest.mark.parametrize("value", ["\ud800", {"asset_id": "\ud800"}, 5, [], {"asset_id": 3}, {}])
def test_input_that_does_not_fit_its_setting_is_refused(value):
    with pytest.raises(InputsInvalid) as raised:
        plan_of([shown], {"p": "shown"}).decode_inputs({"p": value})
    assert [each.code for each in raised.value.problems] == ["bad_input"]


@pytest.mark.parametrize("inputs", ["s", 5, ["s"]])
def test_inputs_that_are_not_an_object_are_refused(inputs):
    with pytest.raises(InputsInvalid, match="a value for each node"):
        plan_of([said], {"s": "said"}).decode_inputs(inputs)


@pytest.mark.anyio
@pytest.mark.parametrize("value", ["", "\x00 \u202e 💥", "x" * 1_000_000])
async def test_any_valid_text_passes_through_a_run_unchanged(value):
    result = await execute(plan_of([said], {"s": "said"}), {"s": value})
    assert result.outputs["s.output"] == value


def test_step_is_shown_by_its_id():
    (step,) = plan_of([said], {"s": "said"}).steps
    assert repr(step) == "<Step s>"


class Tagged(NamedTuple):
    output: Annotated[Text, Port(text_of="data")]
    data: Annotated[Json, Port(meaning=lambda settings: settings["shape"] or None)]


@node
async def tagged(*, shape: str = "") -> Tagged:
    return Tagged("#a", {"hashtags": ["#a"]})


@node(title="Lines")
async def lines() -> list[Text]:
    return ["a"]


@node(title="Trim")
async def trim(text: Text) -> Text:
    return text


def test_results_are_lists_where_an_output_is_one_or_its_step_is_called_for_each_item():
    nodes = {"t": "tagged", "l": "lines", "m": "lines", "x": "trim"}
    results = plan_of([tagged, lines, trim], nodes, [("m.output", "x.text")]).results
    shown = [(each["node"], each["port"], each["type"], each["list"], each["title"]) for each in results]
    assert shown == [
        ("t", "output", "Text", False, "Tagged: Output"),
        ("t", "data", "Json", False, "Tagged: Data"),
        ("l", "output", "Text", True, "Lines"),
        ("x", "output", "Text", True, "Trim"),
    ]


def test_results_name_the_meaning_that_the_settings_give():
    results = plan_of([tagged], {"t": ("tagged", {"shape": "hashtags"})}).results
    assert [(each["port"], each["meaning"], each["text_of"]) for each in results] == [
        ("output", None, "data"),
        ("data", "hashtags", None),
    ]


def test_an_edit_of_a_setting_changes_the_meaning():
    catalog = Catalog([tagged])
    meanings = []
    for shape in ("hashtags", "", "post"):
        document = {"format": 1, "nodes": [{"id": "t", "type": "tagged", "settings": {"shape": shape}}]}
        meanings.append(compile(document, catalog).results[1]["meaning"])
    assert meanings == ["hashtags", None, "post"]


def test_text_of_must_name_another_output():
    class Wrong(NamedTuple):
        output: Annotated[Text, Port(text_of="data")]

    async def wrong() -> Wrong:
        return Wrong("a")

    with pytest.raises(DefinitionError, match="text_of='data' is not another output"):
        node(wrong)


class Cells(NamedTuple):
    price: Annotated[Text, Port(item_of="rows")]
    whole: Json


@node
async def table(*, rows: Json = None) -> Cells:
    return Cells("1", {})


@node
async def some_rows() -> Json:
    return []


@pytest.mark.parametrize(
    ("rows", "edges", "shown"),
    [
        ([{"port": "price", "name": "Price in euros"}], [], ["Table: Price in euros", "Table: Whole"]),
        ([{"port": "other", "name": "Other"}], [], ["Table: Whole"]),
        (None, [], ["Table: Whole"]),
        (None, [("r.output", "t.rows")], ["Table: Price", "Table: Whole"]),
    ],
    ids=["its item", "another item", "no items", "connected"],
)
def test_output_of_an_item_is_a_result_while_there_may_be_such_an_item(rows, edges, shown):
    nodes = {"r": "some_rows", "t": ("table", {"rows": rows})}
    results = plan_of([table, some_rows], nodes, edges).results
    assert [each["title"] for each in results if each["node"] == "t"] == shown
