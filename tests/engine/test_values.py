"""Copies of values, and how values of edges become lists."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto.types import ANY, SKIP, TEXT
from impasto.values import SingleValue, concatenated, deep_copied, edge_converter, fits, without_skipped

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.just(dt.date(2026, 1, 2)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.sets(st.integers()),
)


def containers(value):
    """The mutable objects in a value."""
    if isinstance(value, list | dict | set):
        yield id(value)
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)


@given(VALUES)
def test_a_copy_is_equal_and_shares_nothing_mutable(value):
    copy = deep_copied(value)
    assert copy == value
    assert not set(containers(copy)) & set(containers(value))


@pytest.mark.parametrize("value", ["text", 7, None, (1, 2), b"data"])
def test_an_immutable_value_is_its_own_copy(value):
    assert deep_copied(value) is value


def test_single_values_are_appended_and_lists_joined():
    assert concatenated([["a"], SingleValue("b"), [], SingleValue(["c"]), ["d", "e"]]) == [
        "a", "b", ["c"], "d", "e",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "value", "found"),
    [
        ({"convert": str, "depth": 0, "goal": 0}, 5, "5"),
        ({"convert": str, "depth": 1, "goal": 1}, [5, SKIP], ["5", SKIP]),
        ({"convert": str, "depth": 2, "goal": 1}, [[5], SKIP, []], [["5"], SKIP, []]),
        ({"convert": str, "depth": 0, "goal": 1}, 5, ["5"]),
        ({"convert": str, "depth": 0, "goal": 2}, 5, [["5"]]),
        ({"convert": None, "depth": 0, "goal": 1}, 5, [5]),
        ({"convert": str, "depth": 0, "goal": 1, "dynamic": True}, [5, 6], ["5", "6"]),
        ({"convert": str, "depth": 0, "goal": 1, "dynamic": True}, 5, ["5"]),
        ({"convert": str, "depth": 1, "goal": 2, "dynamic": True}, [[5]], [["5"]]),
        ({"convert": str, "depth": 1, "goal": 2, "dynamic": True}, [5], [["5"]]),
        ({"convert": str, "depth": 1, "goal": 2, "dynamic": True}, [], [[]]),
        ({"convert": str, "depth": 0, "goal": 1, "dynamic": True}, [[5]], ["[5]"]),
    ],
)
def test_value_of_an_edge_is_converted_and_wrapped_to_its_port(facts, value, found):
    assert edge_converter(**facts)(value) == found


@pytest.mark.parametrize(
    ("facts", "value", "appended"),
    [
        ({"depth": 0, "goal": 1}, 5, "5"),
        ({"depth": 0, "goal": 2}, 5, ["5"]),
        ({"depth": 1, "goal": 2}, [5], ["5"]),
        ({"depth": 0, "goal": 1, "dynamic": True}, 5, "5"),
    ],
)
def test_value_of_an_edge_is_appended_to_the_list_of_a_gathering_port(facts, value, appended):
    found = edge_converter(str, gather=True, **facts)(value)
    assert isinstance(found, SingleValue)
    assert found.value == appended


def test_list_of_an_edge_joins_the_list_of_a_gathering_port():
    assert edge_converter(str, 1, 1, gather=True)([5]) == ["5"]
    assert edge_converter(str, 0, 1, dynamic=True, gather=True)([5]) == ["5"]


def test_value_that_fits_its_port_needs_no_converter():
    assert edge_converter(None, 1, 1) is None
    assert edge_converter(None, 2, 1) is None
    assert edge_converter(None, 0, 1) is not None


@pytest.mark.parametrize(
    ("value", "depth", "is_text", "is_any"),
    [
        ("a", 0, True, True),
        (5, 0, False, True),
        (["a"], 1, True, True),
        ([], 1, True, True),
        (["a", 5], 1, False, True),
        ("a", 1, False, False),
        ([["a"], ["b", 5]], 2, False, True),
        ([["a"], "b"], 2, False, False),
        ([["a"], []], 2, True, True),
    ],
)
def test_value_fits_lists_of_its_type_as_deep_as_its_port(value, depth, is_text, is_any):
    assert fits(value, depth, TEXT) is is_text
    assert fits(value, depth, ANY) is is_any


def test_skipped_items_are_left_out_at_every_depth():
    assert without_skipped(["a", SKIP, [SKIP, "b"], [SKIP]]) == ["a", ["b"], []]
    assert without_skipped("a") == "a"
    assert without_skipped(SKIP) is SKIP
