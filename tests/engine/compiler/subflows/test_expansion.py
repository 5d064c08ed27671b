"""Expanding flows: what is wrong with edges and inner flows, how far they nest, and the memory it takes."""

import gc
import weakref
from typing import Any

import pytest
from tests.engine.compiler.subflows.test_subflows import CATALOG, LOUD, outer

from impasto import FlowInvalid, Problem, compile
from impasto.compiler.subflows import expansion
from impasto.compiler.subflows.expansion import Expansion
from impasto.compiler.subflows.levels import Draft
from impasto.testing import flow_of


def problems_of(document: Any, **more: Any) -> list[Problem]:
    """Return all problems of a flow, warnings too."""
    try:
        return compile(document, CATALOG, **more).warnings
    except FlowInvalid as error:
        return error.problems


REMOVE, WRITE = "Remove the edge, or add the node.", "Write edges as node.port."


@pytest.mark.parametrize(
    ("edge", "code", "message", "node", "port", "hint"),
    [
        (
            ("ghost.output", "o.text"), "unknown_node",
            "An edge goes from 'ghost.output', but there is no node 'ghost'.", "ghost", None, REMOVE,
        ),
        (
            ("p.output", "ghost.text"), "unknown_node",
            "An edge goes to 'ghost.text', but there is no node 'ghost'.", "ghost", None, REMOVE,
        ),
        (
            ("ghost.x.y", "o.text"), "unknown_node",
            "An edge goes from 'ghost.x.y', but there is no node 'ghost'.", "ghost", None, REMOVE,
        ),
        (
            ("ghost", "o.text"), "unknown_node",
            "An edge goes from 'ghost', but there is no node 'ghost'.", "ghost", None, WRITE,
        ),
        (
            ("teaser", "o.text"), "unknown_port",
            "An edge goes from 'teaser', which is a node without a port.", "teaser", "", WRITE,
        ),
        (
            ("p.output", "o"), "unknown_port",
            "An edge goes to 'o', which is a node without a port.", "o", "", WRITE,
        ),
        (
            ("teaser.song", "o.text"), "unknown_port",
            "The flow inside 'teaser' has no result 'song'.", "teaser", "song", "It has: speak, n.",
        ),
        (
            ("p.output", "teaser.tempo"), "unknown_port",
            "The flow inside 'teaser' has no input 'tempo'.", "teaser", "tempo", "It has: prompt.",
        ),
        (
            ("p.sound", "o.text"), "unknown_port",
            "Node 'p' has no output 'sound'.", "p", "sound", "It has: output.",
        ),
        (
            ("p.outptu", "o.text"), "unknown_port",
            "Node 'p' has no output 'outptu'.", "p", "outptu", "Did you mean 'output'?",
        ),
        (
            ("p.output", "o.txet"), "unknown_port",
            "Node 'o' has no input or setting 'txet'.", "o", "txet", "Did you mean 'text'?",
        ),
        (
            ("p.output", "o.sound"), "unknown_port",
            "Node 'o' has no input or setting 'sound'.", "o", "sound", "It has: text.",
        ),
    ],
)  # fmt: skip
def test_edge_that_leads_nowhere_says_where_it_ends(edge, code, message, node, port, hint):
    document = outer(edges=[edge], o="optional")
    assert problems_of(document) == [Problem(code=code, message=message, node=node, port=port, hint=hint)]
    within = flow_of({"in": ("inner", {"flow": document.to_dict(), "inputs": {"p": "x"}})})
    (problem,) = problems_of(within)
    assert (problem.code, problem.node, problem.port) == (code, f"in/{node}", port)


def test_both_ends_of_an_edge_can_be_wrong():
    found = problems_of(outer(edges=[("ghost.output", "teaser.tempo"), ("teaser.song", "gone.text")]))
    assert [(each.code, each.node) for each in found] == [
        ("unknown_node", "ghost"),
        ("unknown_port", "teaser"),
        ("unknown_node", "gone"),
    ]


@pytest.mark.parametrize(
    ("flow", "message", "hint"),
    [
        ("gone", "There is no flow 'gone'.", "Choose the flow that this node runs."),
        ("", "Node 'teaser' runs another flow: choose which.", "Choose the flow that this node runs."),
        ({}, "Node 'teaser' runs another flow: choose which.", "Choose the flow that this node runs."),
        (None, "Node 'teaser' runs another flow: choose which.", "Choose the flow that this node runs."),
        (
            {"nodes": 3},
            "The flow inside 'teaser' is damaged: The flow's nodes must be a list.",
            "Choose the flow that this node runs.",
        ),
        ("b", "The flow contains itself: b → c → b.", "Choose another flow here."),
    ],
    ids=["unknown", "no id", "empty", "none", "damaged", "circle"],
)
def test_inner_flow_that_cannot_be_used_is_a_problem_of_its_node(flow, message, hint):
    flows = {"b": outer("c").to_dict(), "c": outer("b").to_dict()}
    document = outer(flow)
    document.edges = []
    for load in (flows.get, None) if flow != "b" else (flows.get,):
        found = next(each for each in problems_of(document, flows=load) if each.setting == "flow")
        code, node = ("self_containing", "teaser/teaser/teaser") if flow == "b" else ("bad_setting", "teaser")
        assert found == Problem(code=code, message=message, node=node, setting="flow", hint=hint)


def test_values_of_a_node_for_inputs_of_its_flow_keep_to_their_limits():
    inner = {"nodes": [{"id": "i", "type": "inner", "settings": {"flow": LOUD}, "exposed": {"inputs": {}}}]}
    document = flow_of({"teaser": ("inner", {"flow": inner, "inputs": {"i.inputs": 5}})})
    assert problems_of(document)[0] == Problem(
        code="bad_setting",
        message="The input 'i.inputs' of node 'teaser' expected an object or nothing, got a whole number.",
        node="teaser",
        setting="inputs",
        hint="Change it, or remove it.",
        reason=problems_of(document)[0].reason,
    )


def test_steps_of_inner_flows_are_counted_up_to_the_limit(monkeypatch):
    document = flow_of({"a": "optional", "in": ("inner", {"flow": LOUD, "inputs": {"prompt": "x"}})})
    monkeypatch.setattr(expansion, "MAX_EXPANDED_STEPS", 4)
    assert len(compile(document, CATALOG).steps) == 4
    monkeypatch.setattr(expansion, "MAX_EXPANDED_STEPS", 3)
    too_large = Problem(
        code="too_large",
        message="The flows inside this one expand to more than 3 steps.",
        node="in",
        hint="Nest fewer flows, or pass a list to one of them: it then runs once for each item.",
    )
    assert problems_of(document) == [too_large]
    monkeypatch.setattr(expansion, "MAX_EXPANDED_STEPS", 0)
    again = flow_of({"out": ("inner", {"flow": document.to_dict()}), "odd": "optional"})
    again.nodes.append(again.nodes[1])
    assert [(each.code, each.node) for each in problems_of(again)] == [
        ("duplicate_id", "odd"),
        ("too_large", "out"),
    ]


FLAT = flow_of({"p": "say", "s": "shout"}, [("p.output", "s.text")])
ROUND = flow_of({"s": "shout", "o": "optional"}, [("s.output", "o.text"), ("o.output", "s.text")])


@pytest.mark.parametrize(
    ("flow", "parts", "is_valid"),
    [
        (FLAT, 3, True),
        (flow_of({"p": "say", "s": "ghost"}), 3, False),
        (outer(edges=[("teaser.speak", "o.text")], o="optional"), 7, True),
        (flow_of({"in": ("inner", {"flow": outer().to_dict(), "inputs": {"p": "x"}})}), 7, True),
        (ROUND, 3, False),
    ],
    ids=["flat", "unknown type", "subflow", "nested", "circle"],
)
def test_compiling_leaves_no_reference_cycles(monkeypatch, flow, parts, is_valid):
    seen: list[weakref.ref[Any]] = []
    closed = Expansion.close

    class Marked:
        """Something to hold a weak reference to: drafts and levels have no room for one."""

    def close(self):
        marks = [Marked() for _ in (*self.drafts, *self.levels)]
        for draft, mark in zip((*self.drafts, *self.levels), marks, strict=True):
            setattr(draft, "settings" if isinstance(draft, Draft) else "flow_ids", {"mark": mark})
        seen.extend(map(weakref.ref, marks))
        closed(self)

    monkeypatch.setattr(Expansion, "close", close)
    gc.disable()
    try:
        try:
            compile(flow, CATALOG)
        except FlowInvalid:
            assert not is_valid
        assert [mark() for mark in seen] == [None] * parts
    finally:
        gc.enable()
