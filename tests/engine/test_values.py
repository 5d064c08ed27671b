"""Copies of values, and how values of edges become lists."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto.values import SingleValue, concatenated, deep_copied

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
