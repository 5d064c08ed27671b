"""Equal image nodes, drawn on this computer: each makes a picture of its own, unless a seed is set."""

from typing import Any

import pytest
from tests.fakes.running import installed

from impasto import MemoryCache, MemoryStore, compile, execute
from impasto.testing import flow_of

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("small_images")]
_SUBJECT = ("user_prompt", {"text": "A red bicycle"})


async def _images(cache: MemoryCache, store: MemoryStore, **settings: Any) -> list[str]:
    image = ("image_generation", {"provider": "local", **settings})
    nodes = {"p": _SUBJECT, "a": image, "b": image}
    flow = flow_of(nodes, [("p.output", "a.prompt"), ("p.output", "b.prompt")])
    result = await execute(compile(flow, installed()), cache=cache, store=store)
    assert result.status == "finished", result
    return [each.sha256 for step in "ab" for each in result.outputs[f"{step}.output"]]


async def test_two_equal_image_nodes_make_two_images_that_a_later_run_reuses() -> None:
    cache, store = MemoryCache(), MemoryStore()
    first = await _images(cache, store)
    assert len(set(first)) == 2
    assert await _images(cache, store) == first


async def test_two_equal_image_nodes_with_a_seed_show_the_same_image() -> None:
    assert len(set(await _images(MemoryCache(), MemoryStore(), seed=7))) == 1
