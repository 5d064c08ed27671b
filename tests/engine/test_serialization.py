"""Whether a value can be written as JSON and read back, and why not."""

import math
from typing import Any

import pytest

from impasto import Image
from impasto.serialization import json_data, json_error, read_json


def nested(levels: int, inside: Any) -> Any:
    for _ in range(levels):
        inside = [inside]
    return inside


class Odd:
    """A value of no type."""


@pytest.mark.parametrize(
    "value",
    [None, [None, "null"], {"a": (1, None)}, Image(asset_id="a"), nested(200, None), 2**63, -0.5, "é"],
    ids=["none", "nulls", "tuple", "image", "deep", "large", "number", "text"],
)
def test_json_data_and_values_of_types_can_be_written(value: Any) -> None:
    assert json_error(value) is None


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (math.nan, "it holds a number that is not finite"),
        ({"a": [None, -math.inf]}, "it holds a number that is not finite"),
        (2**64, "it holds an integer of more than 64 bits"),
        ([Odd()], "it holds something that is not JSON"),
        ({1}, "it holds something that is not JSON"),
        ("\ud800", "it holds text with a lone surrogate (half a character)"),
        ({1: 2}, "it holds an object whose keys are not text"),
        (nested(300, 1), "it is nested too deeply"),
        (nested(5000, 1), "it is nested too deeply"),
    ],
    ids=["nan", "infinity", "integer", "object", "set", "surrogate", "keys", "deep", "very deep"],
)
def test_value_that_cannot_be_written_says_why(value: Any, why: str) -> None:
    assert json_error(value) == why


@pytest.mark.parametrize(
    ("value", "data"),
    [((1, [2]), [1, [2]]), ({"a": None}, {"a": None}), (math.nan, None), ("a", "a")],
    ids=["tuple", "object", "nan", "text"],
)
def test_value_is_returned_as_plain_data(value: Any, data: Any) -> None:
    assert json_data(value) == data


def test_plain_data_of_a_value_is_its_own() -> None:
    image = json_data(Image(asset_id="a"))
    assert (image["$type"], image["asset_id"]) == ("Image", "a")
    given: dict[str, Any] = {"list": []}
    json_data(given)["list"].append(1)
    assert given == {"list": []}
    with pytest.raises(TypeError, match="Odd is neither JSON data nor a value type"):
        json_data(Odd())


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"b": 1, "a": [null, "é"]}', {"b": 1, "a": [None, "é"]}),
        ("1180591620717411303424", 2**70),
        (
            '["1180591620717411303424", 0.1234567890123456789]',
            ["1180591620717411303424", 0.12345678901234568],
        ),
        (b"[-9223372036854775809]", [-(2**63) - 1]),
    ],
    ids=["plain", "large", "digits", "bytes"],
)
def test_json_text_is_read_with_exact_numbers(text: str | bytes, data: Any) -> None:
    assert read_json(text) == data


@pytest.mark.parametrize(
    "text",
    ["", "{", "[NaN, 1180591620717411303424]", "\ud800", b"\xff", "[" * 1000 + "1" * 20 + "]" * 1000],
    ids=["empty", "open", "nan", "surrogate", "bytes", "deep"],
)
def test_text_that_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each parser has words of its own
        read_json(text)
