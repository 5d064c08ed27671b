"""Why a value does not fit a setting: a code and parameters, which an interface puts into words."""

import pickle
from typing import Annotated, Literal, TypedDict
from typing import Any as Anything

import pytest

from impasto import FlowInvalid, Setting, Text, node
from impasto.sdk.reasons import reason_of
from impasto.testing import plan_of


class Size(TypedDict):
    width: int


def compiled_with(kind: Anything, value: Anything):
    async def draw(*, size: Anything) -> Text:
        return Text("")

    draw.__annotations__["size"] = kind
    with pytest.raises(FlowInvalid) as raised:
        plan_of([node(draw)], {"a": ("draw", {"size": value})})
    (problem,) = raised.value.problems
    return problem


@pytest.mark.parametrize(
    ("kind", "value", "code", "parameters"),
    [
        (str, 3, "wrong_type", {"expected": "text", "found": "integer"}),
        (int, 1.5, "wrong_type", {"expected": "integer", "found": "number"}),
        (float, "x", "wrong_type", {"expected": "number", "found": "text"}),
        (bool, "x", "wrong_type", {"expected": "boolean", "found": "text"}),
        (list[str], {}, "wrong_type", {"expected": "list", "found": "object"}),
        (Size, [], "wrong_type", {"expected": "object", "found": "list"}),
        (int, None, "wrong_type", {"expected": "integer", "found": "nothing"}),
        (int | None, "x", "wrong_type", {"expected": "integer", "found": "text"}),
        (Annotated[int, Setting(ge=5)], 3, "too_small", {"limit": 5}),
        (Annotated[float, Setting(gt=0.5)], 0.5, "not_above", {"limit": 0.5}),
        (Annotated[float, Setting(le=-1.5)], 3, "too_large", {"limit": -1.5}),
        (Annotated[float, Setting(lt=1)], 3, "not_below", {"limit": 1}),
        (Annotated[str, Setting(min_length=1)], "", "too_short", {"count": 1}),
        (
            Annotated[list[str], Setting(max_length=2)],
            ["a", "b", "c"],
            "too_long",
            {"count": 2},
        ),
        (Annotated[str, Setting(pattern="^b$")], "a", "wrong_format", {}),
        (Literal["a", "b"], "c", "not_a_choice", {}),
        (Annotated[str, Setting(choices=["a", "b"])], "c", "not_a_choice", {}),
        (Size, {}, "missing_field", {"name": "width"}),
    ],
)
def test_problem_of_a_setting_has_its_reason_as_a_code_with_parameters(kind, value, code, parameters):
    problem = compiled_with(kind, value)
    assert (problem.code, problem.reason.code, problem.reason.parameters) == ("bad_setting", code, parameters)
    assert f" is wrong: {problem.reason.text} (at " in problem.message
    reason = {"code": code, "text": problem.reason.text, "parameters": parameters}
    assert problem.to_dict()["reason"] == reason
    assert pickle.loads(pickle.dumps(problem)) == problem


def test_reason_inside_a_value_is_that_of_the_inner_value():
    problem = compiled_with(Size, {"width": "wide"})
    assert problem.setting == "size.width"
    assert problem.reason.parameters == {"expected": "integer", "found": "text"}


def test_reason_of_a_sentence_without_a_code_is_the_sentence():
    reason = reason_of("Invalid RFC3339 encoded date")
    assert (reason.code, reason.text, reason.parameters) == ("other", "Invalid RFC3339 encoded date", {})


@pytest.mark.parametrize(
    ("sentence", "code", "text", "parameters"),
    [
        (
            "Object contains unknown field `c`",
            "unknown_field",
            "Object contains unknown field 'c'",
            {"name": "c"},
        ),
        (
            "Object missing required field `float`",
            "missing_field",
            "Object missing required field 'float'",
            {"name": "float"},
        ),
        (
            "Expected `int | str`, got `array`",
            "wrong_type",
            "expected a whole number or text, got a list",
            {"expected": "integer | text", "found": "list"},
        ),
        (
            "Expected `bool | null`, got `float`",
            "wrong_type",
            "expected true or false or nothing, got a number",
            {"expected": "boolean", "found": "number"},
        ),
        (
            "Expected `int | datetime`, got `null`",
            "wrong_type",
            "expected 'int | datetime', got nothing",
            {"expected": "integer | datetime", "found": "nothing"},
        ),
        ("Invalid enum value 'c'", "not_a_choice", "Invalid enum value 'c'", {}),
        (
            "Expected `str` of length >= 1",
            "other",
            "expected text of length >= 1",
            {},
        ),
    ],
)
def test_reason_of_other_sentences_has_a_code_and_words(sentence, code, text, parameters):
    reason = reason_of(sentence)
    assert (reason.code, reason.text, reason.parameters) == (code, text, parameters)


def test_problem_without_a_reason_has_no_key_for_it():
    with pytest.raises(FlowInvalid) as raised:
        plan_of([], {"a": "gone"})
    assert "reason" not in raised.value.problems[0].to_dict()
    assert len({*raised.value.problems, compiled_with(int, "x")}) == 2
