"""Lists are spread over items, and the items' outputs are put into lists again."""

import pytest

from impasto import SKIP, NodeError, Text, execute, node
from impasto.cache.keys import content_hash
from impasto.runtime.fan_out import assemble, items_error, spread
from impasto.runtime.inputs.resolver import PortInput
from impasto.runtime.step_output import StepOutput
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("inputs", "depth", "shape", "items"),
    [
        ([("x", 0)], 0, None, [((), ["x"])]),
        ([([1, 2], 1), ("x", 0)], 1, [None, None], [((0,), [1, "x"]), ((1,), [2, "x"])]),
        ([([1, 2], 1), (["a", "b"], 1)], 1, [None, None], [((0,), [1, "a"]), ((1,), [2, "b"])]),
        ([([1, SKIP], 1), (SKIP, 0)], 1, [None, None], [((0,), [1, SKIP]), ((1,), [SKIP, SKIP])]),
        ([([], 1)], 1, [], []),
        (
            [([[1, 2], [3]], 2), ([7, 8], 1)],
            2,
            [[None, None], [None]],
            [((0, 0), [1, 7]), ((0, 1), [2, 7]), ((1, 0), [3, 8])],
        ),
        ([([[1], SKIP], 2)], 2, [[None], None], [((0, 0), [1]), ((1, 0), [SKIP])]),
        ([(SKIP, 1), ("x", 0)], 1, None, [((0,), [SKIP, "x"])]),
        ([(SKIP, 2), ([1, 2], 1)], 2, [None, None], [((0, 0), [SKIP, 1]), ((1, 0), [SKIP, 2])]),
    ],
    ids=["single", "repeated", "zipped", "hole", "empty", "nested", "nested hole", "closed", "outer list"],
)
def test_each_item_gets_its_values_and_its_path(inputs, depth, shape, items):
    given = [PortInput(name, *each) for name, each in zip("abc", inputs, strict=False)]
    assert spread(given, depth) == (shape, items)


@pytest.mark.parametrize(
    ("lists", "depth"), [(([1], [1, 2]), 1), (([[5], [1]], [[5], [1, 2]]), 2)], ids=["flat", "nested"]
)
def test_lists_that_cannot_be_paired_are_named_with_their_lengths(lists, depth):
    left, right = lists
    with pytest.raises(NodeError) as raised:
        spread([PortInput("left", left, depth), PortInput("right", right, depth)], depth)
    assert raised.value.code == "length_mismatch"
    assert raised.value.message == (
        "The lists for 'left' and 'right' do not have the same length (1 and 2), "
        "so their items cannot be paired."
    )


def output(*values):
    """The output of an item with JSON numbers; None is a closed port."""
    blobs = tuple(None if value is None else b"%d" % value for value in values)
    return StepOutput.hashed(blobs, tuple(SKIP if value is None else value for value in values))


HOLE = b'{"$type":"Skip"}'


@pytest.mark.parametrize(
    ("shape", "depth", "outputs", "blobs", "values", "has_holes"),
    [
        ([None, None], 1, {(0,): output(1), (1,): output(2)}, (b"[1,2]",), ([1, 2],), False),
        ([[None], []], 2, {(0, 0): output(1)}, (b"[[1],[]]",), ([[1], []],), False),
        ([], 1, {}, (b"[]",), ([],), False),
        ([[], []], 2, {}, (b"[[],[]]",), ([[], []],), False),
        ([None, None], 1, {(1,): output(2)}, (b"[" + HOLE + b",2]",), ([SKIP, 2],), True),
        ([None], 1, {}, (None,), (SKIP,), False),
        (
            [None, None],
            1,
            {(0,): output(1, None), (1,): output(2, None)},
            (b"[1,2]", None),
            ([1, 2], SKIP),
            False,
        ),
        (
            [None, None],
            1,
            {(0,): output(1, None), (1,): output(2, 4)},
            (b"[1,2]", b"[" + HOLE + b",4]"),
            ([1, 2], [SKIP, 4]),
            True,
        ),
        (None, 2, {(0, 0): output(1)}, (b"[[1]]",), ([[1]],), False),
        ([None, [None]], 2, {(0, 0): output(1), (1, 0): output(2)}, (b"[[1],[2]]",), ([[1], [2]],), False),
        ([None, [None]], 2, {(1, 0): output(2)}, (b"[" + HOLE + b",[2]]",), ([SKIP, [2]],), True),
    ],
    ids=[
        "flat", "nested", "empty", "nested empty", "hole", "all holes", "closed port", "hole in a port",
        "one call", "one call inside", "hole inside",
    ],
)  # fmt: skip
def test_outputs_of_items_become_lists_of_each_port(shape, depth, outputs, blobs, values, has_holes):
    found = assemble(shape, depth, outputs, len(blobs))
    assert (found.blobs, found.values, found.has_skipped) == (blobs, values, has_holes)
    assert found.hashes == tuple(b"" if blob is None or has_holes else content_hash(blob) for blob in blobs)


def test_values_of_the_list_are_parsed_later_if_an_item_has_only_json():
    found = assemble([None, None], 1, {(0,): output(1), (1,): StepOutput.hashed((b"2",))}, 1)
    assert (found.blobs, found.values, found.value(0, {})) == ((b"[1,2]",), None, [1, 2])


def failed(*paths, **about):
    return {path: NodeError(f"No {path}.", **about) for path in paths}


@pytest.mark.parametrize(
    ("errors", "total", "message"),
    [
        (failed((1,)), 3, "Item 2 of 3 failed: No (1,)."),
        (failed((2,), (0,)), 3, "Items 1, 3 of 3 failed: No (0,)."),
        (failed((1, 0), (0, 2)), 9, "Items 1.3, 2.1 of 9 failed: No (0, 2)."),
        (
            failed(*((index,) for index in range(10))),
            10,
            "Items 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 of 10 failed: No (0,).",
        ),
        (
            failed(*((index,) for index in range(12))),
            20,
            "Items 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more of 20 failed: No (0,).",
        ),
    ],
    ids=["one", "two", "nested", "ten", "twelve"],
)
def test_error_of_the_step_names_the_items_that_failed(errors, total, message):
    assert items_error(errors, total).message == message


def test_error_of_the_step_has_what_the_first_items_says_and_every_items_error():
    errors = {
        (1,): NodeError("Busy.", code="busy", retryable=True, provider="slow"),
        (0,): NodeError("No.", code="refused", detail="why", provider="shop"),
    }
    assert items_error(errors, 3).to_dict() == {
        "code": "items_failed",
        "message": "Items 1, 2 of 3 failed: No.",
        "detail": "why",
        "retryable": True,
        "provider": "shop",
        "items": [
            {"index": 0, "path": [0], "error": errors[0,].to_dict()},
            {"index": 1, "path": [1], "error": errors[1,].to_dict()},
        ],
    }
    assert not items_error({(0,): errors[0,]}, 1).retryable


@node
async def closed() -> list[Text]:
    return SKIP


@node
async def say() -> Text:
    return "hi"


@node
async def join(one: Text, two: Text = "you") -> Text:
    return f"{one} {two}"


@node
async def shout(text: Text) -> Text:
    return text.upper()


async def test_step_whose_only_list_is_closed_gives_a_list_of_one():
    plan = plan_of(
        [closed, say, join, shout],
        {"c": "closed", "s": "say", "j": "join", "l": "shout"},
        [("s.output", "j.one"), ("c.output", "j.two"), ("j.output", "l.text")],
    )
    result = await execute(plan)
    assert result.outputs["j.output"] == ["hi you"]
    assert result.steps["j"].items == {(0,): {"output": "hi you"}}
    assert result.outputs["l.output"] == ["HI YOU"]
