"""The limits of settings: what each lets through, and declarations that contradict themselves."""

import math
from dataclasses import dataclass
from typing import Annotated

import msgspec
import pytest

from impasto import DefinitionError, Image, Integer, Json, Lazy, Setting, Text
from impasto.sdk.settings import REQUIRED, SettingDeclarationError, SettingInvalid, limits_of, setting_spec

BOUNDS, LENGTHS = "Use it with a number only.", "Use it with text, a list or an object only."
SMALLER, NUMBERS = (
    "Make the lower limit smaller than the upper one.",
    "Give numbers to ge, gt, le, lt and step.",
)
NO_PATTERN = "its pattern '(' is not a regular expression (missing ), unterminated subpattern at position 0)"


@dataclass(frozen=True)
class Size:
    width: int


def spec(kind, default=REQUIRED, **limits):
    return setting_spec("size", Annotated[kind, Setting(**limits)], default, 3)


@pytest.mark.parametrize(
    ("kind", "limits", "fits", "refused", "why"),
    [
        (int, {"ge": 2}, 2, 1, "must be at least 2"),
        (float, {"gt": 2}, 2.01, 2.0, "must be more than 2"),
        (int, {"le": 2}, 2, 3, "must be at most 2"),
        (float, {"lt": 2.5}, 2.4, 2.5, "must be less than 2.5"),
        (str, {"min_length": 2}, "ab", "a", "must have a length of at least 2"),
        (list[int], {"max_length": 2}, [1, 2], [1, 2, 3], "must have a length of at most 2"),
        (dict[str, int], {"min_length": 1}, {"a": 1}, {}, "must have a length of at least 1"),
        (str, {"pattern": "^a+$"}, "aa", "ab", "must match the pattern ^a+$"),
        (str, {"pattern": "b"}, "abc", "ac", "must match the pattern b"),
        (str, {"choices": ["a", "b"]}, "b", "c", "must be one of a, b"),
        (int, {"choices": [1, 2], "ge": 1}, 2, 3, "must be one of 1, 2"),
    ],
)
def test_limit_lets_values_through_up_to_its_bound(kind, limits, fits, refused, why):
    found = spec(kind, **limits)
    assert found.decode(fits) == fits
    with pytest.raises(SettingInvalid) as raised:
        found.decode(refused)
    assert (str(raised.value), raised.value.why, raised.value.path) == (why, why, "$")
    assert spec(kind | None, None, **limits).decode(None) is None


@pytest.mark.parametrize(
    ("kind", "limits", "fits", "refused"),
    [
        (int | str, {"ge": 2}, [2, "", "a"], [1]),
        (int | str, {"min_length": 2}, [1, "ab"], ["a"]),
        (int | str, {"pattern": "a"}, [1, "ab"], ["b"]),
        (int | str, {"choices": [1, "a"]}, [1, "a"], [2, "b"]),
        (float | list[int], {"lt": 2}, [1.5, [3]], [2.0]),
        (Json, {"le": 2, "max_length": 1}, [None, 2, "a", [5], {"a": 5}], [3, "ab", [1, 2]]),
        (Size, {"min_length": 1}, [Size(1)], []),
    ],
    ids=str,
)
def test_limit_applies_to_values_of_its_own_kind(kind, limits, fits, refused):
    found = spec(kind, **limits)
    data = [{"width": 1} if isinstance(value, Size) else value for value in fits]
    assert [found.decode(value) for value in data] == fits
    for value in refused:
        with pytest.raises(SettingInvalid):
            found.decode(value)


@pytest.mark.parametrize(
    ("kind", "value", "path"),
    [(int, "a", "$"), (list[int], [1, "a"], "$[1]"), (dict[str, list[int]], {"a": [None]}, "$[...][0]")],
    ids=["value", "item", "deep"],
)
def test_value_of_a_wrong_type_is_refused_with_its_path(kind, value, path):
    with pytest.raises(SettingInvalid) as raised:
        spec(kind).decode(value)
    assert raised.value.path == path
    assert str(raised.value) == raised.value.why + (f" at {path}" if path != "$" else "")


def test_keys_of_an_object_are_read_from_text():
    assert spec(dict[int, str]).decode({"1": "a"}) == spec(dict[int, str]).decode({1: "a"}) == {1: "a"}
    assert spec(dict[float, list[int]]).decode({"1.5": [2]}) == {1.5: [2]}
    assert spec(Json).decode({"1": {"2": "3"}}) == {"1": {"2": "3"}}
    for kind, value, path in (
        (dict[int, str], {"x": "a"}, "$"),
        (list[dict[int, str]], [{"x": "a"}], "$[0]"),
    ):
        with pytest.raises(SettingInvalid) as raised:
            spec(kind).decode(value)
        assert (raised.value.path, raised.value.why) == (path, "expected a whole number, got text")


def test_media_of_another_kind_is_refused_though_its_fields_fit():
    assert spec(Image).decode({"$type": "Image", "asset_id": "a"}) == Image(asset_id="a")
    assert spec(Image).decode({"asset_id": "a"}) == Image(asset_id="a")
    assert spec(Image).decode({"$type": "File", "asset_id": "a"}) == Image(asset_id="a")
    with pytest.raises(SettingInvalid) as raised:
        spec(Image).decode({"$type": "Video", "asset_id": "a"})
    assert raised.value.reason.to_dict() == {
        "code": "wrong_type",
        "text": "expected Image, got Video",
        "parameters": {"expected": "Image", "found": "Video"},
    }
    assert spec(dict[str, str]).decode({"$type": "Video"}) == {"$type": "Video"}


@pytest.mark.parametrize(
    ("kind", "limits", "what", "fix"),
    [
        (str, {"ge": 1}, "ge does not apply to this type", BOUNDS),
        (str, {"step": 1}, "step does not apply to this type", BOUNDS),
        (int, {"pattern": "a"}, "pattern does not apply to this type", "Use it with text only."),
        (int, {"max_length": 1}, "max_length does not apply to this type", LENGTHS),
        (bool, {"lt": 1}, "lt does not apply to this type", BOUNDS),
        (int, {"ge": 3, "le": 2}, "its limits allow no value", SMALLER),
        (int, {"gt": 3, "lt": 2}, "its limits allow no value", SMALLER),
        (str, {"min_length": 3, "max_length": 2}, "its limits allow no value", SMALLER),
        (str, {"choices": []}, "its choices are empty", "List some, or leave them out."),
        (int, {"step": 0}, "its step is 0", "Give a step above 0, or leave it out."),
        (str, {"pattern": "("}, NO_PATTERN, "Correct the pattern."),
        (
            float,
            {"le": math.inf},
            "its limits [None, None, inf, None, None] are not all finite numbers",
            NUMBERS,
        ),
        # An annotation is the same object as an earlier one that is equal, and True equals 1.
        (
            int,
            {"ge": True, "le": 77},
            "its limits [True, None, 77, None, None] are not all finite numbers",
            NUMBERS,
        ),
    ],
)
def test_declaration_that_contradicts_itself_is_refused_with_its_fix(kind, limits, what, fix):
    with pytest.raises(SettingDeclarationError) as raised:
        spec(kind, **limits)
    assert (str(raised.value), raised.value.fix) == (what, fix)


def test_unknown_widget_is_refused_with_the_known_ones():
    with pytest.raises(SettingDeclarationError, match="there is no widget 'knob'") as raised:
        spec(str, widget="knob")
    assert raised.value.fix.startswith("Choose one of ")
    assert spec(str, widget="long_text").ui.widget == "long_text"


@pytest.mark.parametrize("limits", [{"ge": 2, "le": 2}, {"gt": 0, "le": 0.5, "step": 0.1}])
def test_limits_that_one_value_satisfies_are_taken(limits):
    assert spec(float, **limits).ui.step == limits.get("step")
    assert spec(str, min_length=2, max_length=2).decode("ab") == "ab"
    assert spec(str, max_length=0).decode("") == ""


@pytest.mark.parametrize(
    ("default", "what"),
    [
        (5, "its default 5 does not fit its annotation: must be at most 3"),
        ("a", "its default 'a' does not fit its annotation: "),
        (math.nan, "its default nan is not a finite number"),
    ],
)
def test_default_must_fit_its_setting(default, what):
    with pytest.raises(SettingDeclarationError) as raised:
        spec(float, default, le=3)
    assert str(raised.value).startswith(what)


@pytest.mark.parametrize(
    ("kind", "port"),
    [
        (Text, "Text"),
        (int | None, "Integer"),
        (list[Integer], "list[Integer]"),
        (dict[str, int], "Json"),
        (int | str, "None"),
    ],
    ids=["text", "optional", "list", "json", "union"],
)
def test_edge_into_a_setting_has_the_type_of_its_annotation(kind, port):
    found = spec(kind)
    assert (str(found.port), found.index, found.title, found.required) == (port, 3, "Size", True)
    assert spec(int, 1, title="Width").title == "Width"
    assert not spec(int, 1).required


@dataclass(frozen=True)
class Tags:
    names: frozenset[str]


UNION = "Type unions may not contain more than one array-like (list, set, tuple) type"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (set[int], "JSON has no Set"),
        (bytes, "JSON has no Bytes"),
        (list[frozenset[str]], "JSON has no FrozenSet"),
        (dict[str, set[int]], "JSON has no Set"),
        (tuple[int, set[int]], "JSON has no Set"),
        (Tags, "JSON has no FrozenSet"),
        (list[Tags], "JSON has no FrozenSet"),
        (Lazy[Text], "it has no JSON form"),
        (list[int] | tuple[int, int], f"{UNION} - type `list[int] | tuple[int, int]` is not supported"),
    ],
    ids=str,
)
def test_type_that_json_would_change_is_refused(kind, why):
    with pytest.raises(DefinitionError) as raised:
        spec(kind)
    assert str(raised.value) == f"{kind!r} cannot be a setting ({why})"


def test_limits_of_the_type_itself_hold_beside_those_of_the_setting():
    found = spec(Annotated[int, msgspec.Meta(ge=2)], le=5)
    assert found.decode(2) == 2
    for refused in (1, 6):
        with pytest.raises(SettingInvalid):
            found.decode(refused)


class Odd:
    """A class whose values have no JSON form."""


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (Odd, "it has no JSON form"),
        (dict[str, Odd], "it has no JSON form"),
        (set[int], "JSON has no Set"),
        (str | bytes, "Type unions may not contain more than one str-like type"),
    ],
    ids=["class", "inside", "set", "union"],
)
def test_type_that_cannot_be_a_setting_says_why(kind, why):
    with pytest.raises(DefinitionError) as raised:
        spec(kind)
    assert str(raised.value).startswith(f"{kind!r} cannot be a setting ({why}")
    assert "\n" not in str(raised.value)


def test_narrowed_limits_are_checked_again():
    (check,) = limits_of(Setting(le=3), int)
    assert check(3) is None
    assert check(4).to_dict() == {
        "code": "too_large",
        "text": "must be at most 3",
        "parameters": {"limit": 3},
    }
    with pytest.raises(SettingInvalid, match="only numbers have a smallest and a largest value"):
        limits_of(Setting(le=3), str)
    with pytest.raises(SettingInvalid, match="its limits allow no value"):
        limits_of(Setting(le=3, ge=4), int)
