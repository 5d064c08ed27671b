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
    assert [node.id for node in flow.nodes] == ["a"]
    assert (flow.edges[0].source, flow.edges[0].target) == ("a.output", "b.text")
    assert json.loads(flow.dumps())["format"] == 1


def test_newer_format_is_refused_with_the_fix():
    with pytest.raises(FlowInvalid, match=r"format 7, which is newer .* Update Impasto") as raised:
        Flow.parse({"format": 7, "nodes": [], "edges": []})
    assert raised.value.problems[0].code == "bad_version"


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


def test_text_that_is_not_json_is_refused():
    with pytest.raises(FlowInvalid, match="not a JSON document"):
        Flow.loads("{")


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
