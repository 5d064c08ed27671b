"""Image edit: the models that are offered."""

import pytest
from tests.fakes.running import options_of

from impasto_nodes.providers.registry import find_model


@pytest.mark.anyio
async def test_only_models_that_take_an_image_are_offered_for_an_edit() -> None:
    async def offered(node_type: str) -> set[tuple[str, str]]:
        return {(one["provider"], one["value"]) for one in await options_of(node_type, "model", "", key=None)}

    made, edited = await offered("image_generation"), await offered("image_edit")
    taking = {one for one in made if (model := find_model("image", *one)) is not None and model.takes_image}
    assert taking
    assert made - taking
    assert edited >= taking
    assert not edited & (made - taking)
