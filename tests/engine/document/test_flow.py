"""The flow document: reading, writing, upgrading and comparing."""

import copy
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto import Flow, FlowInvalid

DOCUMENT = {
    "edges": [{"to": "b.text", "from": "a.output"}],
    "nodes": [
        {
            "type": "words",
            "id": "a",
            "settings": {"z": 1, "b": {"y": 1, "x": 2}},
            "position": {"y": 2, "x": 1},
        },
        {"id": "b", "type": "shout", "version": 1, "result": False, "title": "B"},
    ],
    "name": "Two",
    "format": 1,
    "canvas": {"notes": [{"text": "hello"}]},
}


def test_dump_is_canonical():
    shuffled = {key: DOCUMENT[key] for key in reversed(DOCUMENT)}
    text = Flow.parse(DOCUMENT).dumps()
    assert text == Flow.parse(shuffled).dumps() == Flow.loads(text).dumps()
    assert list(json.loads(text)) == ["format", "name", "nodes", "edges", "canvas"]
    assert list(json.loads(text)["nodes"][0]["settings"]) == ["b", "z"]


def test_dump_is_indented_json_without_defaults():
    flow = Flow.parse(
        {
            "edges": [{"to": "a.text", "from": "a.output", "note": 1}, {"from": "a.output", "to": "a.more"}],
            "description": "Said.",
            "nodes": [{"type": "say", "id": "a"}],
            "extra": {"z": 1, "a": {"d": 1, "c": [2]}},
            "canvas": {"zoom": 2, "notes": [{"y": 1, "x": 2}]},
        }
    )
    assert flow.dumps() == (
        """{
  "format": 1,
  "name": "",
  "description": "Said.",
  "nodes": [
    {
      "id": "a",
      "type": "say"
    }
  ],
  "edges": [
    {
      "from": "a.output",
      "to": "a.text",
      "extra": {
        "note": 1
      }
    },
    {
      "from": "a.output",
      "to": "a.more"
    }
  ],
  "canvas": {
    "notes": [
      {
        "x": 2,
        "y": 1
      }
    ],
    "zoom": 2
  },
  "extra": {
    "a": {
      "c": [
        2
      ],
      "d": 1
    },
    "z": 1
  }
}
"""
    )


def test_document_may_leave_everything_out():
    nothing = {"name": None, "description": None, "canvas": None, "variables": None, "extra": None}
    for document in ({}, nothing, {"format": 2}):
        flow = Flow.parse(document)
        assert flow == Flow()
        assert flow.to_dict() == {"format": 1, "name": "", "nodes": [], "edges": []}


def test_node_is_found_by_its_id():
    flow = Flow.parse(DOCUMENT)
    assert flow.node("b") is flow.nodes[1]
    with pytest.raises(KeyError, match="c"):
        flow.node("c")


def test_flow_is_taken_as_it_is_or_read_from_data_or_text():
    flow = Flow.parse(DOCUMENT)
    assert Flow.of(flow) is flow
    assert Flow.of(DOCUMENT) == Flow.of(json.dumps(DOCUMENT)) == flow
    with pytest.raises(FlowInvalid, match="nodes and edges must be lists"):
        Flow.of(Flow(nodes=()))


def test_unknown_keys_survive_under_extra():
    document = {
        **DOCUMENT,
        "future": [1],
        "nodes": [{"id": "a", "type": "words", "colour": "red"}],
        "edges": [],
    }
    flow = Flow.loads(Flow.parse(document).dumps())
    assert flow.extra == {"future": [1]}
    assert flow.nodes[0].extra == {"colour": "red"}
    assert json.loads(flow.dumps())["extra"] == {"future": [1]}


def test_older_format_is_upgraded():
    old = {"format": 0, "name": "Old", "nodes": {"a": {"type": "words"}}, "edges": [["a.output", "b.text"]]}
    flow = Flow.parse(old)
    assert flow.to_dict() == {
        "format": 1,
        "name": "Old",
        "nodes": [{"id": "a", "type": "words"}],
        "edges": [{"from": "a.output", "to": "b.text"}],
    }
    assert Flow.parse({"format": 0}) == Flow()
    new = {"format": 0, "nodes": [{"id": "a", "type": "words"}], "edges": [{"from": "a.x", "to": "a.y"}]}
    assert Flow.parse(new).to_dict() == new | {"format": 1, "name": ""}
    variables = [{"name": "tone", "type": "Text", "value": "dry"}]
    assert Flow.parse({"format": 1, "variables": variables}).to_dict()["variables"] == variables


@pytest.mark.parametrize(
    ("document", "messages"),
    [
        (
            {"format": 0, "nodes": {"a": 3}, "edges": [["a", "b", "c"], ["a"], "a"]},
            [
                "Node 1 of the flow is not an object.",
                *(
                    f'Edge {number} of the flow must be {{"from": "node.port", "to": "node.port"}}.'
                    for number in (1, 2, 3)
                ),
            ],
        ),
        ({"format": 0, "nodes": "a"}, ["The flow's nodes must be a list."]),
        ({"format": 0, "edges": {"a": "b"}}, ["The flow's edges must be a list."]),
        ({"format": -1}, ["The flow's format must be a number, not -1."]),
        ({"format": True}, ["The flow's format must be a number, not True."]),
        ({"format": 1.0}, ["The flow's format must be a number, not 1.0."]),
        (
            {"name": 3, "description": ["d"], "canvas": [1], "nodes": {}, "edges": 3, "variables": {"a": 1}},
            [
                "The flow's canvas must be an object.",
                "The flow's name must be text.",
                "The flow's nodes must be a list.",
                "The flow's edges must be a list.",
                "The flow's variables must be a list.",
                "The flow's description must be text.",
            ],
        ),
        ([], ["A flow document is a JSON object."]),
    ],
    ids=["old items", "old nodes", "old edges", "negative", "boolean", "fraction", "every part", "list"],
)
def test_everything_that_is_wrong_with_a_document_is_said(document, messages):
    with pytest.raises(FlowInvalid) as raised:
        Flow.parse(document)
    assert [problem.message for problem in raised.value.problems] == messages
    assert {problem.code for problem in raised.value.problems} == {"bad_document"}


@pytest.mark.parametrize("number", [3, 7])
def test_newer_format_is_refused_with_the_fix(number):
    with pytest.raises(FlowInvalid) as raised:
        Flow.parse({"format": number, "nodes": [], "edges": []})
    (problem,) = raised.value.problems
    assert (problem.code, problem.message) == (
        "bad_version",
        f"This flow has format {number}, which is newer than this version of Impasto can read (up to 2). "
        "Update Impasto to open it.",
    )


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "JSON object"),
        ({"format": "1"}, "format must be a number"),
        ({"nodes": {}}, "nodes must be a list"),
        ({"edges": 3}, "edges must be a list"),
        ({"nodes": [3]}, "Node 1"),
        ({"nodes": [{"id": "a"}]}, "no 'type'"),
        ({"nodes": [{"id": "a/b", "type": "x"}]}, "slash"),
        ({"nodes": [{"id": "a", "type": "x", "settings": []}]}, "not an object"),
        ({"edges": [{"from": "a.b"}]}, "Edge 1"),
        ({"name": 3}, "name must be text"),
        ({"nodes": [{"id": "a", "type": "x", "title": 5}]}, "title that is not text"),
        ({"nodes": [{"id": "a", "type": "x", "result": "yes"}]}, "neither true nor false"),
        ({"nodes": [{"id": "a", "type": "x", "settings": {"n": math.nan}}]}, "a number that is not finite"),
        ({"canvas": {"n": -math.inf}}, "a number that is not finite"),
        ({"nodes": [{"id": "\ud800", "type": "x"}]}, "lone surrogate"),
        ({"canvas": {"big": 1 << 70}}, "more than 64 bits"),
        ({"canvas": {1: 2}}, "keys are not text"),
        ({"canvas": object()}, "not JSON"),
        ({"canvas": [1]}, "canvas must be an object"),
        ({"nodes": [{"id": "a", "type": "x", "position": [1, 2]}]}, "position that is not an object"),
        ({"format": 0, "nodes": {"a": 3}}, "Node 1"),
    ],
)
def test_damaged_document_names_the_place(document, words):
    with pytest.raises(FlowInvalid, match=words) as raised:
        Flow.parse(document)
    assert {problem["code"] for problem in raised.value.problems} == {"bad_document"}


def nested(levels, inside=1):
    for _ in range(levels):
        inside = [inside]
    return inside


@pytest.mark.parametrize("levels", [300, 700, 10_000])
def test_document_nested_too_deeply_is_refused(levels):
    with pytest.raises(FlowInvalid, match="nested too deeply"):
        Flow.parse({"nodes": [{"id": "a", "type": "x", "settings": {"v": nested(levels)}}]})
    with pytest.raises(FlowInvalid, match=r"depth|deeply"):
        Flow.loads('{"canvas": ' + "[" * levels + "]" * levels + "}")


def test_deeply_nested_document_survives_a_round_trip():
    flow = Flow.parse({"canvas": {"v": nested(200)}})
    assert Flow.loads(flow.dumps()) == flow


@pytest.mark.parametrize("odd", [object(), "\ud800", 1 << 70, {"in": object()}])
def test_dumping_a_flow_with_a_value_that_is_not_json_is_refused(odd):
    flow = Flow.parse(DOCUMENT)
    flow.node("b").settings["odd"] = odd
    with pytest.raises(FlowInvalid, match="cannot be written as JSON: it holds"):
        flow.dumps()


def test_editing_a_flow_does_not_change_the_document_it_was_read_from():
    document = copy.deepcopy(DOCUMENT)
    flow = Flow.parse(document)
    flow.node("a").settings["b"]["x"] = 3
    flow.node("a").settings["z"] = 3
    flow.node("a").position["x"] = 3
    flow.canvas["notes"].clear()
    assert document == DOCUMENT


def test_byte_order_mark_is_ignored():
    assert Flow.loads(b'\xef\xbb\xbf{"name": "x"}').name == "x"
    assert Flow.loads('\ufeff{"name": "x"}').name == "x"


def test_all_problems_of_a_document_are_reported():
    with pytest.raises(FlowInvalid) as raised:
        Flow.parse({"nodes": [1, {"id": "a"}], "edges": [2, 3]})
    assert len(raised.value.problems) == 4


@pytest.mark.parametrize("text", ["{", "", b"\xff", "\ud800", '{"canvas": {"big": NaN}}'], ids=repr)
def test_text_that_is_not_json_is_refused(text):
    with pytest.raises(FlowInvalid, match="not a JSON document"):
        Flow.loads(text)


def test_number_that_no_document_can_hold_is_refused_in_text_as_in_data():
    for text in ('{"canvas": {"big": 1180591620717411303424}}', b'{"canvas": {"big": -9223372036854775809}}'):
        with pytest.raises(FlowInvalid, match="more than 64 bits"):
            Flow.loads(text)
    assert Flow.loads('{"canvas": {"big": 18446744073709551615}}').canvas == {"big": 2**64 - 1}


def test_flow_survives_a_round_trip_through_a_file(tmp_path):
    flow = Flow.parse(DOCUMENT)
    flow.dump(tmp_path / "flow.json")
    assert Flow.load(tmp_path / "flow.json") == flow


def test_diff_of_two_flows_is_data():
    before = Flow.parse(DOCUMENT)
    changed = json.loads(json.dumps(DOCUMENT))
    changed["nodes"][0]["settings"]["b"]["x"] = 3
    changed["nodes"][0]["position"] = {"x": 100, "y": 100}
    changed["nodes"][1] = {"id": "c", "type": "shout"}
    changed["edges"] = [{"from": "a.output", "to": "c.text"}]
    assert before.diff(Flow.parse(changed)) == {
        "nodes": {
            "added": ["c"],
            "removed": ["b"],
            "changed": [{"id": "a", "settings": [{"path": "b.x", "before": 2, "after": 3}]}],
        },
        "edges": {
            "added": [{"from": "a.output", "to": "c.text"}],
            "removed": [{"from": "a.output", "to": "b.text"}],
        },
        "variables": {"added": [], "removed": [], "changed": []},
    }


def test_diff_names_each_attribute_of_a_node_that_changes():
    pin = {"outputs": {}}
    before = {"id": "a", "type": "words", "settings": {"kept": 1, "gone": 2, "b": {"x": 1}, "n": 1, "o": {}}}
    changes = {
        "type": "shout",
        "version": 2,
        "title": "A",
        "variables": {"text": "tone"},
        "exposed": {"text": {}},
        "result": True,
        "mode": "bypassed",
        "pin": pin,
    }
    settings = {"kept": 1, "new": [1], "b": {"x": 1, "y": 2}, "n": True, "o": 1}
    old = Flow.parse({"nodes": [before, {"id": "b", "type": "words"}]})
    new = Flow.parse({"nodes": [before | changes | {"settings": settings}, {"id": "b", "type": "shout"}]})
    unset = {"type": "words", "variables": {}, "exposed": {}}
    first, second = old.diff(new)["nodes"]["changed"]
    assert first == {
        "id": "a",
        "settings": [
            {"path": "b.y", "before": None, "after": 2},
            {"path": "gone", "before": 2, "after": None},
            {"path": "n", "before": 1, "after": True},
            {"path": "new", "before": None, "after": [1]},
            {"path": "o", "before": {}, "after": 1},
        ],
        **{name: {"before": unset.get(name), "after": after} for name, after in changes.items()},
    }
    assert second == {"id": "b", "settings": [], "type": {"before": "words", "after": "shout"}}


def test_diff_counts_equal_edges():
    def flow(*sources):
        return Flow.parse({"edges": [{"from": source, "to": "b.text"} for source in sources]})

    changed = flow("a.x", "a.x", "a.y").diff(flow("a.x", "a.y", "a.y", "a.z"))["edges"]
    assert changed == {
        "added": [{"from": "a.y", "to": "b.text"}, {"from": "a.z", "to": "b.text"}],
        "removed": [{"from": "a.x", "to": "b.text"}],
    }


def test_canvas_state_is_not_part_of_a_diff():
    moved = json.loads(json.dumps(DOCUMENT))
    moved["canvas"] = {}
    moved["nodes"][0]["position"] = None
    assert Flow.parse(DOCUMENT).diff(Flow.parse(moved)) == {
        "nodes": {"added": [], "removed": [], "changed": []},
        "edges": {"added": [], "removed": []},
        "variables": {"added": [], "removed": [], "changed": []},
    }


names = st.text("abcXYZé9", min_size=1, max_size=5)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text('ab"\\é ✦', max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)


@given(
    st.lists(st.fixed_dictionaries({"id": names, "type": names, "settings": st.dictionaries(names, values)})),
    st.dictionaries(names.map("x".__add__), values),
)
def test_any_document_survives_a_round_trip(nodes, more):
    document = {"format": 1, "name": "n", "nodes": nodes, "edges": [], **more}
    flow = Flow.parse(document)
    again = Flow.loads(flow.dumps())
    assert again == flow
    assert again.dumps() == flow.dumps()
