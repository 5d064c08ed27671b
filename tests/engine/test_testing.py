"""What `run_node` passes, returns and raises. `sdk/test_fake_context.py` is about the fake context."""

from collections.abc import AsyncIterator

import pytest

from impasto import Context, DefinitionError, Delta, Image, Json, MemoryStore, NodeError, Text, node
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


async def test_node_is_run_with_values_for_inputs_settings_and_variables():
    @node(variables="template")
    async def fill(
        texts: list[Text], *, template: str, size: int | str = 1, variables: dict[str, Text]
    ) -> Json:
        return [texts, template, size, variables]

    ran = await run_node(
        fill, {"texts": ["a", "b"], "name": "Lumo", "size": 2}, {"template": "{{name}} {{other}}"}, run_id="r"
    )
    template = "{{name}} {{other}}"
    assert ran.output == [["a", "b"], template, 2, {"name": "Lumo", "other": ""}]
    assert ran.outputs == {"output": ran.output}
    assert (ran.result.run_id, ran.result.status) == ("r", "finished")
    assert {event.step for event in ran.events} == {"node"}
    one = await run_node(fill, {"texts": "a"}, {"template": ""})
    assert one.output == [["a"], "", 1, {}]


async def test_lists_in_lists_are_passed_as_deep_as_they_are():
    @node
    async def flat(rows: list[list[Text]]) -> Json:
        return rows

    @node
    async def trim(text: Text) -> Text:
        return text.strip()

    for rows in ([["a"], ["b", "c"]], [["a"]], [[]]):
        assert (await run_node(flat, {"rows": rows})).output == rows
    assert (await run_node(trim, {"text": [[" a"], ["b ", "c"]]})).output == [["a"], ["b", "c"]]
    assert (await run_node(trim, {"text": []})).output == []


async def test_node_runs_with_a_store_and_a_catalog_of_its_own():
    store = MemoryStore()

    @node
    async def keep(*, context: Context) -> Image:
        return await context.store(b"cup", "image/png")

    ran = await run_node(keep, store=store)
    assert ran.store is store
    assert store.assets[ran.output.asset_id] == b"cup"
    with pytest.raises(DefinitionError, match="is not a node: put @node above the function"):
        await run_node(lambda: None)
