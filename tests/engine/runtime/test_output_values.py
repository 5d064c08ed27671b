"""Outputs as values and as JSON: what is kept of what a function returns, and what is refused."""

import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import pytest

from impasto import SKIP, BadOutput, Image, Json, Number, Port, Text, node
from impasto.cache.keys import content_hash
from impasto.hashing import canonical_json
from impasto.runtime.step_output import (
    PARSE_ON_READ,
    StepOutput,
    closed_output,
    output_from_json,
    output_from_value,
)
from impasto.sdk.node_type import NodeType, node_type_of
from impasto.types import value_type_of

CUP = Image(asset_id="a", sha256="s", media_type="image/png", width=3, height=2)
SAME_CUP = Image(asset_id="b", sha256="s", media_type="image/png", width=3, height=2)


@dataclass(frozen=True)
class Film:
    poster: Image
    scores: tuple[float, ...] = ()


@node
async def give() -> Json:
    return None


@node
async def texts() -> list[Text]:
    return []


@node
async def films() -> list[Film]:
    return []


class Several(NamedTuple):
    text: Text
    image: Annotated[Image | None, Port(title="Picture")] = None
    data: Json = None


@node
async def several() -> Several:
    return Several("a")


GIVE, TEXTS, FILMS, SEVERAL = map(node_type_of, (give, texts, films, several))
TYPES = {found.id: found for found in map(value_type_of, (Image, Film))}


@pytest.mark.parametrize(
    ("returned", "kept"),
    [
        ("a", "a"),
        (7, 7),
        (True, True),
        (None, None),
        (1.5, 1.5),
        ({"a": [1, "b"]}, {"a": [1, "b"]}),
        ({"a": None}, {"a": None}),
        ({2: (1, 2)}, {"2": [1, 2]}),
        ({"n": 2**80}, {"n": 2**80}),
        ({"n": 10**18}, {"n": 10**18}),
        ({"image": CUP}, {"image": CUP}),
        ([CUP, SAME_CUP], [CUP, SAME_CUP]),
        ({"$type": "other"}, {"$type": "other"}),
        (
            {"$type": "other", "none": None, "deep": [{"x": 0.5}]},
            {"$type": "other", "none": None, "deep": [{"x": 0.5}]},
        ),
        ("$type", "$type"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_output_is_the_same_from_the_function_and_from_its_json(returned, kept):
    fresh = output_from_value(GIVE, returned)
    reused = output_from_json(GIVE, fresh.to_json(GIVE))
    assert (fresh.blobs, fresh.hashes) == (reused.blobs, reused.hashes)
    assert fresh.hashes == (content_hash(canonical_json(returned)),)
    assert (fresh.has_skipped, reused.has_skipped) == (False, False)
    for output in (fresh, reused):
        for _ in range(2):
            assert output.value(0, TYPES) == kept
            assert output.values_by_port(GIVE, TYPES) == {"output": kept}
    assert output_from_value(GIVE, returned).event_data(GIVE) == reused.event_data(GIVE)


def test_small_json_is_parsed_when_it_is_read():
    assert output_from_value(GIVE, {"a": 1}).values is PARSE_ON_READ
    assert output_from_value(GIVE, {"a": None}).values == ({"a": None},)
    assert output_from_value(GIVE, {"n": 10**18}).values is None
    assert output_from_value(GIVE, "a").values == ("a",)


def test_each_reader_of_a_value_with_an_asset_gets_its_own_copy():
    for size in (10, 5000):
        output = output_from_value(GIVE, {"image": CUP, "text": "x" * size})
        first, second = output.value(0, TYPES), output.value(0, TYPES)
        assert first == second == {"image": CUP, "text": "x" * size}
        assert first is not second
        assert (output.values is None) is (size == 5000)


def test_output_is_kept_by_content_of_its_assets():
    assert output_from_value(GIVE, [CUP]).hashes == output_from_value(GIVE, [SAME_CUP]).hashes
    assert output_from_value(GIVE, [CUP]).blobs != output_from_value(GIVE, [SAME_CUP]).blobs


@pytest.mark.parametrize(
    ("kind", "returned", "detail"),
    [
        (TEXTS, ["a", 1], "'output': list[Text] was promised, not list ['a', 1]"),
        (TEXTS, "a" * 200, f"'output': list[Text] was promised, not str '{'a' * 79}"),
        (GIVE, {"a": math.nan}, "'output': it holds a number that is not finite"),
        (GIVE, [[(math.inf,)]], "'output': it holds a number that is not finite"),
        (FILMS, [Film(CUP, (math.nan,))], "'output': it holds a number that is not finite"),
        (GIVE, {"a": [SKIP]}, "'output': it holds SKIP, which only a whole output can be"),
        (
            GIVE,
            {"a": object},
            "'output': it cannot be written as JSON (type is neither JSON data nor a value type)",
        ),
        (SEVERAL, "a", "'text, image, data': a NamedTuple of 3 was promised, not str 'a'"),
        (SEVERAL, ("a",), "'text, image, data': a NamedTuple of 3 was promised, not tuple ('a',)"),
        (SEVERAL, Several("a", "b"), "'image': Image was promised, not str 'b'"),
        (SEVERAL, Several("a", None, [SKIP]), "'data': it holds SKIP, which only a whole output can be"),
        (SEVERAL, Several("a", None, {"a": math.nan}), "'data': it holds a number that is not finite"),
    ],
    ids=lambda value: value.id if isinstance(value, NodeType) else "",
)
def test_output_that_does_not_fit_is_refused_with_its_port(kind, returned, detail):
    with pytest.raises(BadOutput) as raised:
        output_from_value(kind, returned)
    assert raised.value.detail == f"Node type '{kind.id}' returned a wrong value for output {detail}"


def test_tuple_is_a_list_where_a_list_is_promised():
    output = output_from_value(TEXTS, ("a", "b"))
    assert (output.value(0, {}), output.blobs) == (["a", "b"], (b'["a","b"]',))


def test_value_types_inside_a_list_are_read_back():
    given = [Film(CUP, (0.5, 1.0)), Film(SAME_CUP)]
    output = output_from_value(FILMS, given)
    assert output.value(0, TYPES) == given
    assert output_from_json(FILMS, output.to_json(FILMS)).value(0, TYPES) == given


@pytest.mark.parametrize(
    ("returned", "json", "values"),
    [
        (Several("a", CUP, [1]), ["text", "image", "data"], {"text": "a", "image": CUP, "data": [1]}),
        (Several("a", None, None), ["text", "data"], {"text": "a", "data": None}),
        (Several(SKIP, SKIP, {"b": (1,)}), ["data"], {"data": {"b": [1]}}),
        (SKIP, [], {}),
    ],
    ids=["all", "optional", "closed", "skipped"],
)
def test_open_ports_of_several_are_written_and_read(returned, json, values):
    fresh = output_from_value(SEVERAL, returned)
    reused = output_from_json(SEVERAL, fresh.to_json(SEVERAL))
    assert (fresh.blobs, fresh.hashes) == (reused.blobs, reused.hashes)
    for output in (fresh, reused):
        assert [*output.event_data(SEVERAL)] == json
        assert output.values_by_port(SEVERAL, TYPES) == values
        closed = [port for port in ("text", "image", "data") if port not in values]
        assert [output.value(("text", "image", "data").index(port), TYPES) for port in closed] == [
            SKIP
        ] * len(closed)
        assert [bool(found) for found in output.hashes] == [
            port in values for port in ("text", "image", "data")
        ]


def test_output_that_closes_its_only_port_is_empty_json():
    output = output_from_value(GIVE, SKIP)
    assert (output.to_json(GIVE), output.event_data(GIVE)) == (b"{}", {})
    assert output.value(0, {}) is SKIP
    assert (closed_output(2).blobs, closed_output(2).hashes) == ((None, None), (b"", b""))
    assert output_from_json(GIVE, b"{}").value(0, {}) is SKIP


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"text"', b'{"text":"a","gone":1}', b'{"output":1}'], ids=repr
)
def test_json_that_does_not_fit_the_node_type_is_no_output(body):
    assert output_from_json(SEVERAL, body) is None


def test_skipped_items_are_left_out_for_users_and_give_no_hash():
    blob = b'[["a",{"$type":"Skip"}],{"$type":"Skip"},["b"]]'
    made = StepOutput.hashed((blob,), ([["a", SKIP], SKIP, ["b"]],), has_skipped=True)
    reused = output_from_json(TEXTS, b'{"output":' + blob + b"}")
    for output in (made, reused):
        assert (output.hashes, output.has_skipped) == ((b"",), True)
        assert output.event_data(TEXTS) == {"output": [["a"], ["b"]]}
        assert output.values_by_port(TEXTS, TYPES | {"Skip": value_type_of(type(SKIP))}) == {
            "output": [["a"], ["b"]]
        }


@pytest.mark.parametrize(
    ("positions", "found"),
    [({1}, ["a", None, "c"]), ({0, 2, 9}, [None, "b", None]), ({3}, None), ({2, 5}, ["a", "b", None])],
)
def test_list_without_some_positions_has_none_there(positions, found):
    output = output_from_value(TEXTS, ["a", "b", "c"])
    assert output.list_without(positions, 0, {}) == found
    assert output_from_value(GIVE, "abc").list_without(positions, 0, {}) is None


def test_number_output_takes_whole_numbers():
    @node
    async def number() -> Number:
        return 1

    output = output_from_value(node_type_of(number), 2)
    assert (output.value(0, {}), output.blobs) == (2, (b"2",))
