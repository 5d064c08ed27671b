"""Declarations of settings, and what is refused at import."""

import datetime as dt
import decimal
import enum
import json
import math
import uuid
from typing import Annotated
from typing import Any as Anything

import pytest

from impasto import Catalog, DefinitionError, Image, Json, Lazy, MemoryCache, Setting, Text, execute, node
from impasto.encoding import to_json
from impasto.sdk.node_type import node_type_of
from impasto.testing import plan_of


def declare(annotation: Anything, **default: Anything) -> Anything:
    async def bad(*, size: Anything) -> Text: ...

    bad.__annotations__["size"] = annotation
    bad.__kwdefaults__ = {"size": default["default"]} if default else None
    return node(bad)


@pytest.mark.parametrize(
    ("kind", "said", "mend"),
    [
        (int, {"pattern": "x"}, "with text only"),
        (str, {"ge": 5}, "with a number only"),
        (list[str], {"step": 5}, "with a number only"),
        (int | None, {"min_length": 5}, "text, a list or an object only"),
        (int, {"ge": "5"}, "Give numbers"),
        (float, {"le": math.nan}, "Give numbers"),
        (int, {"ge": 5, "lt": 1}, "Make the lower limit smaller"),
        (str, {"min_length": 5, "max_length": 1}, "Make the lower limit smaller"),
        (str, {"choices": []}, "List some"),
        (float, {"step": 0}, "Give a step above 0"),
        (str, {"widget": "blink"}, "Choose one of text, long_text"),
    ],
    ids=str,
)
def test_limit_that_does_not_apply_names_the_parameter_and_the_fix(kind, said, mend):
    with pytest.raises(DefinitionError) as raised:
        declare(Annotated[kind, Setting(**said)])
    assert "parameter 'size' of node" in str(raised.value)
    assert mend in str(raised.value)


def test_setting_is_shown_for_values_of_another_setting():
    @node
    async def ask(
        *, preset: str = "none", fields: Annotated[str, Setting(shown_if={"preset": "custom"})] = ""
    ) -> Text: ...

    settings = Catalog([ask]).describe()["types"][0]["settings"]["properties"]
    assert settings["fields"]["x-ui"]["shown_if"] == {"preset": "custom"}
    assert "shown_if" not in settings["preset"]["x-ui"]


@pytest.mark.parametrize("other", ["preset", "size"])
def test_setting_that_is_shown_for_values_of_no_other_setting_is_refused(other):
    with pytest.raises(DefinitionError, match=f"shown_if names '{other}'.*not another of its settings"):
        declare(Annotated[str, Setting(shown_if={other: "custom"})])


@pytest.mark.parametrize("kind", [set[str], decimal.Decimal, dict[str, list[bytes]], Lazy[Text]])
def test_type_without_a_json_form_is_refused_as_setting(kind):
    with pytest.raises(DefinitionError, match="parameter 'size' of node"):
        declare(kind)


@pytest.mark.parametrize("default", [math.nan, math.inf])
def test_default_must_be_a_finite_number(default):
    with pytest.raises(DefinitionError, match="not a finite number"):
        declare(float, default=default)


@pytest.mark.parametrize(
    "words", [{"timeout": math.nan}, {"cost": -1}, {"migrations": [dict]}, {"id": "a\nb"}], ids=str
)
def test_decorator_argument_out_of_range_is_refused(words):
    async def bad() -> Text: ...

    with pytest.raises(DefinitionError, match="In node"):
        node(**words)(bad)


def test_default_of_a_list_port_must_be_a_list_of_its_type():
    async def bad(names: list[Text] = [1]) -> Text: ...  # noqa: B006

    with pytest.raises(DefinitionError, match=r"parameter 'names'.*Change the default"):
        node(bad)


class Mood(enum.Enum):
    CALM = "calm"
    LOUD = "loud"


DAY = dt.date(2026, 1, 2)
UUID = uuid.UUID(int=1)


@pytest.mark.parametrize(
    ("kind", "default", "data"),
    [
        (dt.date, DAY, "2026-01-02"),
        (uuid.UUID, UUID, "00000000-0000-0000-0000-000000000001"),
        (list[dt.date], [DAY], ["2026-01-02"]),
        (dict[int, str], {1: "a"}, {"1": "a"}),
        (dict[Mood, tuple[int, ...]], {Mood.CALM: (1, 2)}, {"calm": [1, 2]}),
        (Image, Image(asset_id="a"), to_json(Image(asset_id="a"))),
        (dict[str, int], {"b": 1, "a": 2}, {"b": 1, "a": 2}),
    ],
    ids=["date", "id", "dates", "whole numbers", "members", "image", "order"],
)
def test_default_is_described_as_a_document_has_it(kind, default, data):
    (described,) = Catalog([declare(kind, default=default)]).describe()["types"]
    found = described["settings"]["properties"]["size"]["default"]
    assert found == data
    assert json.dumps(found) == json.dumps(data)
    assert node_type_of(declare(kind, default=default)).settings[0].decode(data) == default


@pytest.mark.parametrize(
    ("kind", "default"),
    [(Json, {1}), (Json, {"a": object()}), (int, 2**70), (str, "\ud800")],
    ids=["set", "object", "large", "surrogate"],
)
def test_default_that_no_document_can_have_is_refused(kind, default):
    with pytest.raises(DefinitionError, match=r"parameter 'size'.*has no JSON form.*Change the default\.$"):
        declare(kind, default=default)


@node
async def say(
    other: Lazy[Text] | None = None, *, mood: Mood = Mood.CALM, moods: list[Mood] | None = None
) -> Text:
    assert other is None
    return f"{mood.name} {[each.name for each in moods or []]}"


@pytest.mark.anyio
async def test_enum_setting_offers_its_members():
    schema = Catalog([say]).describe()["types"][0]["settings"]["properties"]["mood"]
    assert (schema["enum"], schema["default"], schema["x-ui"]["widget"]) == (
        ["calm", "loud"],
        "calm",
        "select",
    )
    plan = plan_of([say], {"a": "say", "b": ("say", {"mood": "loud", "moods": ["calm"]})})
    cache = MemoryCache()
    for _ in range(2):
        result = await execute(plan, cache=cache)
        assert dict(result.outputs) == {"a.output": "CALM []", "b.output": "LOUD ['CALM']"}
