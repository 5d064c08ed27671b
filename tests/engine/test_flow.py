import json

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


def test_the_dump_is_canonical():
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


def test_an_older_format_is_upgraded():
    old = {"format": 0, "name": "Old", "nodes": {"a": {"type": "words"}}, "edges": [["a.output", "b.text"]]}
    flow = Flow.parse(old)
    assert [node.id for node in flow.nodes] == ["a"]
    assert (flow.edges[0].source, flow.edges[0].target) == ("a.output", "b.text")
    assert json.loads(flow.dumps())["format"] == 1


def test_a_newer_format_is_refused_with_a_clear_error():
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
    ],
)
def test_a_damaged_document_says_where(document, words):
    with pytest.raises(FlowInvalid, match=words) as raised:
        Flow.parse(document)
    assert {problem["code"] for problem in raised.value.problems} == {"bad_document"}


def test_all_damage_is_told_at_once():
    with pytest.raises(FlowInvalid) as raised:
        Flow.parse({"nodes": [1, {"id": "a"}], "edges": [2, 3]})
    assert len(raised.value.problems) == 4


def test_text_that_is_not_json_is_no_flow():
    with pytest.raises(FlowInvalid, match="not a JSON document"):
        Flow.loads("{")


def test_a_flow_goes_to_a_file_and_back(tmp_path):
    flow = Flow.parse(DOCUMENT)
    flow.dump(tmp_path / "flow.json")
    assert Flow.load(tmp_path / "flow.json") == flow


def test_the_difference_of_two_flows_is_data():
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
    }


def test_what_only_the_canvas_knows_is_no_difference():
    moved = json.loads(json.dumps(DOCUMENT))
    moved["canvas"] = {}
    moved["nodes"][0]["position"] = None
    assert Flow.parse(DOCUMENT).diff(Flow.parse(moved)) == {
        "nodes": {"added": [], "removed": [], "changed": []},
        "edges": {"added": [], "removed": []},
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
