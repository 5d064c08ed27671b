"""A flow and the flows inside it as one flow."""

import pytest
from tests.engine.compiler.subflows.test_subflows import CATALOG, LOUD, outer

from impasto import Flow, FlowInvalid, compile, flatten


def test_nodes_of_inner_flows_have_the_ids_of_their_steps_and_their_edges() -> None:
    flow = outer(flow="loud", edges=[("teaser.speak", "after.text")], after="shout")
    flat = flatten(flow, CATALOG, flows={"loud": LOUD}.get)
    assert [node.id for node in flat.nodes] == ["p", "after", "teaser/prompt", "teaser/speak", "teaser/n"]
    assert {(edge.source, edge.target) for edge in flat.edges} == {
        ("p.output", "teaser/prompt.text"),
        ("teaser/prompt.output", "teaser/speak.text"),
        ("teaser/prompt.output", "teaser/n.text"),
        ("teaser/speak.output", "after.text"),
    }
    plan = compile(flow, CATALOG, flows={"loud": LOUD}.get)
    assert {step.id for step in compile(flat, CATALOG).steps} == {step.id for step in plan.steps}


def test_values_of_the_outer_node_and_of_variables_are_settings() -> None:
    flow = outer().to_dict()
    flow["edges"] = []
    flow["nodes"][1]["settings"]["inputs"] = {"prompt": "from outside"}
    flow["variables"] = [{"name": "tone", "type": "Text", "value": "calm"}]
    flow["nodes"][0]["variables"] = {"text": "tone"}
    flow["format"] = 2
    settings = {node.id: node.settings for node in flatten(flow, CATALOG).nodes}
    assert settings["teaser/prompt"] == {"text": "from outside"}
    assert settings["p"] == {"text": "calm"}


def test_what_does_not_exist_is_left_out() -> None:
    flat = flatten(outer(flow="gone"), CATALOG, flows={}.get)
    assert [node.id for node in flat.nodes] == ["p"]
    assert flat.edges == []


def test_damaged_flow_is_refused() -> None:
    with pytest.raises(FlowInvalid):
        flatten({"nodes": "none"}, CATALOG)


def test_flow_without_inner_flows_stays_as_it_is() -> None:
    assert flatten(LOUD, CATALOG) == Flow.of(LOUD)
