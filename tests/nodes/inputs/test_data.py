"""The data input: values of any shape, or of given fields."""

import pytest

from impasto import Catalog, Flow, FlowInvalid, NodeError, compile, execute
from impasto.sdk.node_type import node_type_of
from impasto.testing import flow_of, run_node
from impasto_nodes.inputs.data import data

FIELDS = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "points": {"type": "array", "items": {"type": "string"}}},
    "required": ["title"],
}


@pytest.mark.anyio
async def test_data_of_any_shape_is_passed_on():
    for value in ({"a": [1, None]}, [1, "two"], "text", 3, None):
        assert (await run_node(data, settings={"value": value})).output == value


@pytest.mark.anyio
async def test_data_that_does_not_fit_its_fields_is_refused():
    good = {"title": "Dawn", "points": ["one"]}
    assert (await run_node(data, settings={"value": good, "schema": FIELDS})).output == good
    with pytest.raises(NodeError, match=r"does not fit its fields.*points"):
        await run_node(data, settings={"value": good | {"points": "one"}, "schema": FIELDS})
    with pytest.raises(NodeError, match=r"^There is no value for its fields\. Fill them in\.$"):
        await run_node(data, settings={"schema": FIELDS})
    assert (await run_node(data, settings={"schema": {"type": ["string", "null"]}})).output is None


def test_data_without_fields_has_no_problem_before_the_run():
    for settings in ({}, {"schema": None}, {"schema": {}}):
        assert list(node_type_of(data).check(settings, None)) == []


def test_invalid_fields_are_a_problem_before_the_run():
    flow = Flow.parse(
        {"format": 1, "nodes": [{"id": "d", "type": "data", "settings": {"schema": {"type": "thing"}}}]}
    )
    with pytest.raises(FlowInvalid) as refused:
        compile(flow, Catalog([data]))
    assert [problem.code for problem in refused.value.problems] == ["bad_schema"]


@pytest.mark.anyio
async def test_invalid_fields_that_another_node_makes_are_refused():
    nodes = {"fields": ("data", {"value": {"type": "thing"}}), "d": ("data", {"value": "x"})}
    plan = compile(flow_of(nodes, [("fields.output", "d.schema")]), Catalog([data]))
    result = await execute(plan)
    assert result.steps["d"].error.code == "bad_schema"


def test_the_problem_names_the_part_of_the_fields():
    fields = {"type": "object", "properties": {"city": {"type": "string"}, "full name": {"type": "thing"}}}
    node = {"id": "d", "type": "data", "settings": {"schema": fields}}
    with pytest.raises(FlowInvalid) as refused:
        compile(Flow.parse({"format": 1, "nodes": [node]}), Catalog([data]))
    (problem,) = refused.value.problems
    assert problem.setting == 'schema.properties["full name"].type'
    assert 'at $.properties["full name"].type: ' in problem.message
