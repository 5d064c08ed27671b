"""Hints name the most similar name, in bounded time, and lists of names stay short."""

import pytest

from impasto.compiler.suggestions import Suggestions, listed

NAMES = ["width", "height", "caption"]


@pytest.mark.parametrize(
    ("name", "closest"),
    [("widht", "width"), ("captions", "caption"), ("width", "width"), ("volume", None), ("", None)],
)
def test_the_most_similar_name_is_suggested_if_one_is_similar(name, closest):
    assert Suggestions().closest(name, NAMES) == closest


@pytest.mark.parametrize(("length", "is_compared"), [(40, True), (41, False)])
def test_names_that_are_too_long_are_not_compared(length, is_compared):
    name = "n" * length
    assert (Suggestions().closest(name, [name]) is not None) is is_compared


def test_a_compilation_compares_two_thousand_names():
    suggestions = Suggestions()
    many = [f"name{number}" for number in range(1000)]
    assert [suggestions.closest("name7", many) for _ in range(3)] == ["name7", "name7", None]
    assert suggestions.closest("name7", []) is None


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], "none"),
        (["a"], "a"),
        (["a"] * 30, ", ".join("a" * 30)),
        (["a"] * 31, ", ".join("a" * 30) + " and 1 more"),
        (["a"] * 1031, ", ".join("a" * 30) + " and 1,001 more"),
        (["n" * 100, "n" * 101], f"{'n' * 100}, {'n' * 100}…"),
    ],
)
def test_a_list_names_the_first_thirty_and_how_many_more(names, text):
    assert listed(iter(names)) == text
