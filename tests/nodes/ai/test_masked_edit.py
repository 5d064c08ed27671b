"""Image edit with a mask, through every kind of provider."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow
from tests.fakes.media import png as png_file
from tests.fakes.running import error_of, run
from tests.fakes.state import State

from impasto import Image, Mask, MemoryStore

pytestmark = pytest.mark.anyio
SIZE = (90, 61)
BOX = (20, 10, 60, 40)


def bitmap(file: bytes) -> np.ndarray:
    with Pillow.open(io.BytesIO(file)) as opened:
        return np.asarray(opened.convert("RGB"), int)


async def stored(store: MemoryStore, image: Pillow.Image) -> Image:
    out = io.BytesIO()
    image.save(out, "PNG")
    kept = await store.put(out.getvalue(), "image/png")
    return Image(asset_id=kept.asset_id, width=image.width, height=image.height)


async def edit(store: MemoryStore, *, box: Any = BOX, size: Any = SIZE, **settings: Any) -> tuple[Any, Image]:
    noise = np.random.default_rng(1).integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8)
    picture = await stored(store, Pillow.fromarray(noise))
    painted = Pillow.new("L", size, 0)
    painted.paste(255, box)
    mask = Mask(image=await stored(store, painted))
    inputs = {"picture": picture, "mask": mask, "prompt": "A teapot instead"}
    return await run("image_edit", inputs, store=store, **settings), picture


def changed(store: MemoryStore, result: Any, picture: Image) -> np.ndarray:
    """Where the result differs from the picture, after checking that it has its size."""
    image = result.outputs["it.output"]
    assert (image.width, image.height, image.media_type) == (*SIZE, "image/png")
    difference = bitmap(store.assets[image.asset_id]) - bitmap(store.assets[picture.asset_id])
    return np.abs(difference).max(axis=2) > 0


PROVIDERS = {
    "openai": {"provider": "openai"},
    "gemini": {"provider": "gemini"},
    "fal with a mask": {"provider": "fal", "model": "fal-ai/flux-pro/v1/fill"},
    "fal without": {"provider": "fal", "model": "fal-ai/flux-pro/kontext"},
    "replicate with a mask": {"provider": "replicate", "model": "black-forest-labs/flux-fill-pro"},
}


@pytest.mark.parametrize("settings", PROVIDERS.values(), ids=PROVIDERS.keys())
async def test_only_what_the_mask_covers_changes(fakes: State, settings: dict[str, Any]) -> None:
    store = MemoryStore()
    result, picture = await edit(store, **settings)
    assert result.status == "finished", result.steps["it"].error
    where = changed(store, result, picture)
    assert where[10:40, 20:60].mean() > 0.9
    where[10:40, 20:60] = False
    assert not where.any()


async def test_the_local_fill_takes_its_colours_from_around_the_mask() -> None:
    store = MemoryStore()
    result, picture = await edit(store, key=None, provider="local")
    where = changed(store, result, picture)
    assert where[10:40, 20:60].mean() > 0.9
    (done,) = [event for event in result.events if event.type == "step.finished" and event.step == "it"]
    assert "surroundings" in done.data["made_by"]["model"]


async def test_each_model_gets_the_mask_as_it_takes_masks(fakes: State) -> None:
    for settings in PROVIDERS.values():
        result, _ = await edit(MemoryStore(), **settings)
        assert result.status == "finished", result.steps["it"].error
    assert b'name="mask"; filename="mask.png"' in fakes.requests("edits")[0].body
    (fill, kontext) = (seen.body for seen in fakes.requests("fal-ai/flux-pro", "POST"))
    assert "mask_url" in fill
    assert "mask_url" not in kontext
    sent = [prediction.input for prediction in fakes.predictions.values() if "mask" in prediction.input]
    assert sent[0]["mask"].startswith("data:image/png;base64,")


async def test_a_mask_that_cannot_be_used_is_refused_before_anything_is_paid(fakes: State) -> None:
    nothing, _ = await edit(MemoryStore(), box=(0, 0, 0, 0), provider="openai")
    assert error_of(nothing).code == "empty_mask"
    other, _ = await edit(MemoryStore(), size=(61, 90), provider="openai")
    assert error_of(other).code == "mask_mismatch"
    gone = Mask(image=Image(asset_id="0" * 64))
    store = MemoryStore()
    kept = await store.put(png_file(), "image/png")
    inputs = {"picture": Image(asset_id=kept.asset_id), "prompt": "A teapot", "mask": gone}
    assert (await run("image_edit", inputs, store=store, provider="openai")).status == "failed"
    assert not fakes.requests("edits")


async def test_a_failed_answer_is_asked_again_and_paid_once(fakes: State) -> None:
    fakes.misbehave("unavailable", on="edits")
    store = MemoryStore()
    result, picture = await edit(store, provider="openai")
    assert result.status == "finished", result.steps["it"].error
    assert changed(store, result, picture).any()
    once, _ = await edit(MemoryStore(), provider="openai")
    assert result.steps["it"].cost_usd == pytest.approx(once.steps["it"].cost_usd)


@pytest.mark.parametrize("provider", ["fal", "replicate"])
async def test_without_a_model_one_that_takes_masks_is_used(fakes: State, provider: str) -> None:
    result, _ = await edit(MemoryStore(), provider=provider)
    assert result.status == "finished", result.steps["it"].error
    (done,) = [event for event in result.events if event.type == "step.finished" and event.step == "it"]
    assert "fill" in done.data["made_by"]["model"]


async def test_a_model_that_needs_a_mask_says_so_before_anything_is_paid(fakes: State) -> None:
    store = MemoryStore()
    kept = await store.put(png_file(), "image/png")
    inputs = {"picture": Image(asset_id=kept.asset_id), "prompt": "A teapot"}
    result = await run("image_edit", inputs, store=store, provider="fal", model="fal-ai/flux-pro/v1/fill")
    assert "without a mask" in error_of(result).message
    assert not fakes.requests("fal-ai/flux-pro", "POST")


async def test_the_local_fill_is_no_work_of_a_model() -> None:
    result, _ = await edit(MemoryStore(), key=None, provider="local")
    (done,) = [event for event in result.events if event.type == "step.finished" and event.step == "it"]
    assert done.data["made_by"]["method"] == "enhanced"
