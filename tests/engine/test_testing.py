"""What `run_node` raises. `sdk/test_fake_context.py` is about the fake context."""

from collections.abc import AsyncIterator

import pytest

from impasto import Delta, Image, Json, NodeError, Text, node
from impasto.testing import run_node

pytestmark = pytest.mark.anyio


@node
async def number_as_image() -> Image:
    return 5


@node
async def delta_of_json() -> AsyncIterator[Json | Delta]:
    yield Delta("{")


@node
async def broken(text: Text) -> Text:
    raise ValueError(f"no colour is called {text}")


@node
async def refuse() -> Text:
    raise NodeError("Choose a shorter text.")


@pytest.mark.parametrize(
    ("function", "inputs", "note"),
    [
        (number_as_image, {}, "Image was promised, not int 5"),
        (delta_of_json, {}, "it yielded a Delta, which only a single Text output takes"),
        (broken, {"text": "tea"}, "ValueError: no colour is called tea"),
        (broken, {"text": ["tea", "rum"]}, "ValueError: no colour is called tea"),
    ],
    ids=["wrong type", "delta without text", "exception", "items"],
)
async def test_detail_of_the_error_is_a_note(function, inputs, note):
    with pytest.raises(NodeError) as caught:
        await run_node(function, inputs)
    assert caught.value.__notes__ == [caught.value.detail]
    assert note in caught.value.detail


async def test_error_without_detail_has_no_note():
    with pytest.raises(NodeError, match="shorter text") as caught:
        await run_node(refuse)
    assert not hasattr(caught.value, "__notes__")
