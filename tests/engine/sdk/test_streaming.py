"""Streaming nodes: whole values, deltas, and values that are neither."""

from collections.abc import AsyncIterator
from typing import NamedTuple, Union

import pytest

from impasto import SKIP, Delta, Integer, NodeError, Text, node
from impasto.sdk.node_type import node_type_of
from impasto.sdk.streaming import StreamedOutput
from impasto.testing import run_node
from impasto.types import Image

pytestmark = pytest.mark.anyio


@node
async def spell(text: Text) -> AsyncIterator[Delta]:
    for letter in text:
        yield Delta(letter)


@node
async def introduce(text: Text) -> AsyncIterator[Text | Delta]:
    yield "Hello"
    yield Delta(", ")
    yield Delta(text)
    yield Delta("")


@node
async def correct(text: Text) -> AsyncIterator[Text | Delta]:
    yield Delta("wrong")
    yield text


class Both(NamedTuple):
    left: Text
    right: Text


@node
async def two(text: Text) -> AsyncIterator[Both | Delta]:
    yield Delta(text)


@node
async def paint(text: Text) -> AsyncIterator[Image | Delta]:
    yield Delta(text)


@node
async def bytewise(text: Text) -> AsyncIterator[Text]:
    yield text.encode()


def partials(ran):
    return [event.data for event in ran.events if event.type == "step.partial"]


async def test_deltas_add_up_to_the_result_and_are_shown():
    ran = await run_node(spell, {"text": "abc"})
    assert ran.output == "abc"
    assert partials(ran) == [{"port": "output", "delta": letter} for letter in "abc"]


async def test_deltas_append_to_a_whole_value():
    ran = await run_node(introduce, {"text": "you"})
    assert ran.output == "Hello, you"
    assert [data["delta"] for data in partials(ran)] == ["Hello", ", ", "you"]


async def test_whole_value_replaces_the_deltas_before_it():
    ran = await run_node(correct, {"text": "right"})
    assert ran.output == "right"
    assert partials(ran) == [{"port": "output", "delta": "wrong"}, {"port": "output", "value": "right"}]


async def test_fanned_out_stream_collects_each_item():
    ran = await run_node(spell, {"text": ["ab", "c"]})
    assert ran.output == ["ab", "c"]


@pytest.mark.parametrize(
    "items",
    [Delta, Text | Delta, Union[Delta, Text], Text],  # noqa: UP007
    ids=["deltas", "texts or deltas", "deltas or texts", "texts"],
)
def test_stream_of_texts_or_deltas_gives_text(items):
    async def made() -> AsyncIterator[items]:
        yield ""

    (output,) = node_type_of(node(made)).outputs
    assert (str(output.type), output.optional) == ("Text", False)


@pytest.mark.parametrize("function", [two, paint])
async def test_delta_for_an_output_that_is_not_a_single_text_is_refused_with_the_fix(function):
    with pytest.raises(NodeError) as raised:
        await run_node(function, {"text": "x"})
    assert raised.value.code == "bad_output"
    assert "Yield the whole value instead" in raised.value.detail


async def test_value_that_is_neither_a_delta_nor_of_the_outputs_type_is_refused_with_the_fix():
    with pytest.raises(NodeError) as raised:
        await run_node(bytewise, {"text": "x"})
    assert "it yielded bytes. Yield the whole Text so far, or Delta(text)" in raised.value.detail


@node
async def sketch(text: Text) -> AsyncIterator[Image | None]:
    yield None if text == "nothing" else text


@node
async def pause(text: Text) -> AsyncIterator[Text]:
    yield None
    yield text


async def test_a_stream_whose_value_is_refused_is_closed_before_its_step_fails():
    closed = []

    @node
    async def connected(text: Text) -> AsyncIterator[Text]:
        try:
            yield text.encode()
        finally:
            closed.append(text)

    with pytest.raises(NodeError):
        await run_node(connected, {"text": "x"})
    assert closed == ["x"]


async def test_optional_output_may_yield_no_value():
    assert (await run_node(sketch, {"text": "nothing"})).outputs == {}


@pytest.mark.parametrize(("function", "found"), [(sketch, "str"), (pause, "NoneType")])
async def test_only_an_optional_output_yields_none_and_no_output_another_type(function, found):
    with pytest.raises(NodeError) as raised:
        await run_node(function, {"text": "x"})
    assert f"it yielded {found}." in raised.value.detail


def test_delta_takes_text():
    with pytest.raises(TypeError, match="Delta\\(\\) takes a str, got bytes"):
        Delta(b"x")


def shown(function, *values):
    """Return what is shown of the values that a stream yields, and its result."""
    output = StreamedOutput(node_type_of(node(function)))
    return [output.add(value) for value in values], output.result


def whole(value):
    return {"port": "output", "value": value}


def delta(text):
    return {"port": "output", "delta": text}


def test_text_that_goes_on_is_shown_as_what_is_new():
    async def write() -> AsyncIterator[Text]:
        yield ""

    assert shown(write, "He", "Hello", "Hello", "Help", "") == (
        [delta("He"), delta("llo"), None, whole("Help"), whole("")],
        "",
    )
    assert shown(write, Delta("He"), "Hello", Delta("!"), Delta("")) == (
        [delta("He"), delta("llo"), delta("!"), None],
        "Hello!",
    )
    assert shown(write, SKIP, "He", SKIP, Delta("a")) == ([None, delta("He"), None, delta("a")], "a")
    assert shown(write) == ([], SKIP)


def test_lists_and_other_values_are_shown_whole():
    async def write() -> AsyncIterator[list[Text] | None]:
        yield []

    async def count() -> AsyncIterator[Integer]:
        yield 1

    assert shown(write, ["a"], ("b",), None) == ([whole(["a"]), whole(("b",)), whole(None)], None)
    assert shown(count, 1, 2) == ([whole(1), whole(2)], 2)
    for function, value, fix in (
        (
            write,
            "a",
            "it yielded str. Yield the whole list[Text] so far, or Delta(text) with the text to append.",
        ),
        (count, "1", "it yielded str. Yield the whole Integer so far."),
        (count, None, "it yielded NoneType. Yield the whole Integer so far."),
    ):
        with pytest.raises(NodeError) as raised:
            shown(function, value)
        assert raised.value.detail.endswith(f"for output 'output': {fix}")


def test_several_outputs_are_not_shown_on_the_way():
    async def write() -> AsyncIterator[Both]:
        yield Both("a", "b")

    assert shown(write, Both("a", "b"), "c") == ([None, None], "c")
    with pytest.raises(NodeError) as raised:
        shown(write, Delta("a"))
    assert raised.value.detail == (
        "Node type 'write' returned a wrong value for output 'left, right': it yielded a Delta, which only a "
        "single Text output takes. Yield the whole value instead, and show text on the way with "
        "context.partial()."
    )


def test_list_of_texts_takes_no_delta():
    async def write() -> AsyncIterator[list[Text]]:
        yield []

    with pytest.raises(NodeError) as raised:
        shown(write, Delta("a"))
    assert "which only a single Text output takes" in raised.value.detail
