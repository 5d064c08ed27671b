"""Nodes and edges of a document: what is read, what is wrong with them, and what is written."""

import pytest

from impasto import FlowInvalid, Image
from impasto.document.model import (
    FlowEdge,
    FlowNode,
    copied,
    dump_json,
    extra_of,
    key_sorted,
    read_edges,
    read_nodes,
)

NODE = {"id": "a", "type": "say"}
PIN = {"outputs": {"output": {"type": "Text", "depth": 0, "value": None}}}


def read(reader, items):
    problems = []
    found = reader(items, problems)
    assert all(problem.code == "bad_document" for problem in problems)
    return found, [(problem.message, problem.node) for problem in problems]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"id": 5}, "must have text as its id and type"),
        ({"id": ""}, "must have text as its id and type"),
        ({"type": None}, "must have text as its id and type"),
        ({"id": "a/b"}, "has an id with a slash ('a/b'); only steps inside subflows have slashes"),
        ({"settings": []}, "('a') has settings that are not an object"),
        ({"version": "1"}, "('a') has a version that is not an integer"),
        ({"version": True}, "('a') has a version that is not an integer"),
        ({"title": 5}, "('a') has a title that is not text"),
        ({"result": 1}, "('a') has a result that is neither true nor false"),
        ({"position": [1, 2]}, "('a') has a position that is not an object"),
        ({"mode": "paused"}, "('a') has a mode that is neither 'disabled' nor 'bypassed'"),
        ({"mode": ""}, "('a') has a mode that is neither 'disabled' nor 'bypassed'"),
        ({"variables": []}, "('a') has variables that are not names by setting"),
        ({"variables": {"text": 5}}, "('a') has variables that are not names by setting"),
        ({"variables": {5: "name"}}, "('a') has variables that are not names by setting"),
        ({"exposed": []}, "('a') has exposed settings that are not objects by name"),
        ({"exposed": {"text": 5}}, "('a') has exposed settings that are not objects by name"),
        (
            {"exposed": {"text": {"size": 5}}},
            "('a') exposes 'text' with an unknown 'size' "
            "(it may have label, help, minimum, maximum, choices, order)",
        ),
        ({"exposed": {"text": {"label": 5}}}, "('a') exposes 'text' with a 'label' that is not text"),
        ({"exposed": {"text": {"choices": "a"}}}, "('a') exposes 'text' with a 'choices' that is not a list"),
        ({"exposed": {"text": {"order": "a"}}}, "('a') exposes 'text' with a 'order' that is not a number"),
        ({"exposed": {"text": {"order": True}}}, "('a') exposes 'text' with a 'order' that is not a number"),
        ({"exposed": {"text": {"choices": []}}}, "('a') exposes 'text' with an empty list of choices"),
    ],
)
def test_node_that_cannot_be_read_says_why(fields, wrong):
    found, problems = read(read_nodes, [{"id": "first", "type": "say"}, NODE | fields])
    assert [node.id for node in found] == ["first"]
    named = (NODE | fields)["id"]
    assert problems == [(f"Node 2 of the flow {wrong}.", named if isinstance(named, str) else None)]


@pytest.mark.parametrize(
    ("item", "wrong", "node"),
    [
        (5, "is not an object", None),
        ({"type": "say"}, "has no 'id'", None),
        ({"id": "a"}, "has no 'type'", "a"),
    ],
)
def test_node_that_lacks_what_it_needs_says_so(item, wrong, node):
    assert read(read_nodes, [item]) == ([], [(f"Node 1 of the flow {wrong}.", node)])


@pytest.mark.parametrize(
    ("pin", "is_read"),
    [
        (PIN, True),
        ({"outputs": {}}, True),
        ({"outputs": {"output": {"type": "Text", "depth": 16, "value": 1}}}, True),
        ({"outputs": {"output": {"type": "Text", "depth": 17, "value": 1}}}, False),
        ({"outputs": {"output": {"type": "Text", "depth": -1, "value": 1}}}, False),
        ({"outputs": {"output": {"type": "Text", "depth": False, "value": 1}}}, False),
        ({"outputs": {"output": {"type": 5, "depth": 0, "value": 1}}}, False),
        ({"outputs": {"output": {"type": "Text", "depth": 0}}}, False),
        ({"outputs": {"output": 5}}, False),
        ({"outputs": []}, False),
        ({}, False),
        ([], False),
    ],
    ids=repr,
)
def test_pinned_result_has_a_type_depth_and_value_for_each_output(pin, is_read):
    found, problems = read(read_nodes, [NODE | {"pin": pin}])
    if is_read:
        assert (found[0].pin, problems) == (pin, [])
    else:
        wrong = "('a') has a pinned result without a type, depth and value for each output"
        assert (found, problems) == ([], [(f"Node 1 of the flow {wrong}.", "a")])


def test_node_is_read_and_written_as_a_whole_with_sorted_keys():
    item = {
        "id": "a",
        "type": "say",
        "version": 2,
        "title": "A",
        "settings": {"b": 1, "a": {"d": 1, "c": [2]}},
        "variables": {"y": "n", "x": "m"},
        "exposed": {"b": {"order": 1.5, "label": "B"}, "a": {}},
        "position": {"y": 2, "x": 1},
        "result": False,
        "mode": "bypassed",
        "pin": PIN,
        "note": "kept",
        "extra": {"b": 1},
    }
    (node,), problems = read(read_nodes, (item,))
    assert problems == []
    assert node == FlowNode(
        id="a",
        type="say",
        version=2,
        title="A",
        settings=item["settings"],
        variables=item["variables"],
        exposed=item["exposed"],
        position=item["position"],
        result=False,
        mode="bypassed",
        pin=PIN,
        extra={"b": 1, "note": "kept"},
    )
    written = node.to_dict()
    assert written == {key: value for key, value in item.items() if key != "note"} | {"extra": node.extra}
    assert [*written] == [
        "id", "type", "version", "title", "settings", "variables", "exposed", "position", "result", "mode",
        "pin", "extra",
    ]  # fmt: skip
    assert [*written["settings"]] == ["a", "b"]
    assert [*written["settings"]["a"]] == ["c", "d"]
    assert [[*written[name]] for name in ("variables", "exposed", "position")] == [
        ["x", "y"],
        ["a", "b"],
        ["x", "y"],
    ]
    node.settings["b"] = 2
    node.position["x"] = 5
    assert (item["settings"]["b"], item["position"]["x"]) == (1, 1)


def test_short_node_is_written_without_what_it_does_not_have():
    (node,), _ = read(
        read_nodes, [NODE | {"settings": None, "variables": None, "exposed": None, "extra": None}]
    )
    assert node == FlowNode(id="a", type="say")
    assert node.to_dict() == NODE
    for mode in ("disabled", "bypassed"):
        assert read(read_nodes, [NODE | {"mode": mode}])[0][0].to_dict() == NODE | {"mode": mode}
    assert FlowNode(id="a", type="say", version=0, title="", result=True, position={}).to_dict() == NODE | {
        "version": 0,
        "title": "",
        "result": True,
        "position": {},
    }


def test_edges_are_read_and_written():
    items = [{"from": "a.x", "to": "b.y"}, {"from": "a.x", "to": "b.z", "note": 1, "extra": {"b": 2, "a": 1}}]
    edges, problems = read(read_edges, items)
    assert problems == []
    assert edges == [FlowEdge("a.x", "b.y"), FlowEdge("a.x", "b.z", {"b": 2, "a": 1, "note": 1})]
    assert edges[0].to_dict() == items[0]
    assert [*edges[1].to_dict()["extra"]] == ["a", "b", "note"]


@pytest.mark.parametrize(
    "item", [5, [], {"from": "a.x"}, {"to": "b.y"}, {"from": 5, "to": "b.y"}, {"from": "a", "to": None}]
)
def test_edge_that_cannot_be_read_shows_how_to_write_it(item):
    found, problems = read(read_edges, [{"from": "a.x", "to": "b.y"}, item])
    assert len(found) == 1
    assert problems == [('Edge 2 of the flow must be {"from": "node.port", "to": "node.port"}.', None)]


@pytest.mark.parametrize("items", [None, {}, "a", 5])
def test_nodes_and_edges_are_lists(items):
    assert read(read_nodes, items) == ([], [("The flow's nodes must be a list.", None)])
    assert read(read_edges, items) == ([], [("The flow's edges must be a list.", None)])


@pytest.mark.parametrize(
    ("data", "extra"),
    [
        ({"a": 1}, {}),
        ({"a": 1, "b": 2}, {"b": 2}),
        ({"a": 1, "extra": {"c": 3}}, {"c": 3}),
        ({"a": 1, "extra": {"c": 3}, "b": 2, "c": 4}, {"c": 4, "b": 2}),
        ({"a": 1, "extra": None}, {}),
        ({"a": 1, "extra": [5]}, {"extra": [5]}),
    ],
)
def test_unknown_keys_of_a_document_are_kept(data, extra):
    assert extra_of(data, frozenset(("a", "extra"))) == extra


@pytest.mark.parametrize("value", [{"b": 1, "a": "x"}, {"a": {"b": [1, None]}}, [1, {"a": 2}], {}, "a"])
def test_copy_of_plain_data_is_equal_and_its_own(value):
    found = copied(value)
    assert found == value
    assert found is not value or isinstance(value, str)
    assert key_sorted(value) == value
    assert copied(None) is None


def test_media_in_settings_are_written_as_json():
    assert copied({"image": Image(asset_id="a")})["image"]["$type"] == "Image"
    with pytest.raises(FlowInvalid, match="This flow cannot be written as JSON"):
        dump_json({"a": object()})
