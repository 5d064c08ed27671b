"""The difference between two flows: which values of a document count as the same."""

import pytest

from impasto import Flow


def node(**parts):
    return Flow.parse({"nodes": [{"id": "a", "type": "say", **parts}]})


def pinned(value):
    return {"outputs": {"output": {"type": "Json", "depth": 0, "value": value}}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([1], [True]),
        ([1], [1.0]),
        ([0, {"a": [False]}], [0, {"a": [0]}]),
        ([[1, 2]], [[1, 2.0]]),
        ([1], [1, 2]),
        ([], {}),
    ],
    ids=str,
)
def test_value_of_another_type_inside_a_value_is_a_difference(before, after):
    def variables(value):
        return Flow.parse({"variables": [{"name": "v", "type": "Json", "value": {"in": value}}]})

    for old, new in ((before, after), (after, before)):
        (changed,) = node(settings={"v": old}).diff(node(settings={"v": new}))["nodes"]["changed"]
        assert changed == {"id": "a", "settings": [{"path": "v", "before": old, "after": new}]}
        (changed,) = node(pin=pinned(old)).diff(node(pin=pinned(new)))["nodes"]["changed"]
        assert changed == {
            "id": "a",
            "settings": [],
            "pin": {"before": pinned(old), "after": pinned(new)},
        }
        (changed,) = variables(old).diff(variables(new))["variables"]["changed"]
        assert (changed["before"]["value"], changed["after"]["value"]) == ({"in": old}, {"in": new})


@pytest.mark.parametrize("value", [[1, {"b": [True, None], "a": 1.5}], [], {}, [[]], "text", None], ids=str)
def test_equal_values_are_no_difference(value):
    parts = {"settings": {"v": value}, "pin": pinned(value), "exposed": {"v": {"choices": [1, value]}}}
    assert node(**parts).diff(node(**parts))["nodes"]["changed"] == []
