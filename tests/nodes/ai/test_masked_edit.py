"""Image edit with a mask, through every kind of provider."""

import io
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageCms
from tests.fakes.media import png as png_file
from tests.fakes.running import error_of, run
from tests.fakes.state import State

from impasto import Image, Mask, MemoryStore
from impasto_nodes.ai.masked_edit import _finish, mask_refusals
from impasto_nodes.media.image.image_file import decode
from impasto_nodes.media.image.masking import Frame
from impasto_nodes.providers.errors import BadRequest, GenerationFailed, MaskRefused

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


@cache
def swapped_profile() -> bytes:
    """A colour profile in which the first channel is green and the second one red.

    Made once: a profile contains the second at which it was made.
    """
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    at = {bytes(data[i : i + 4]): i + 4 for i in range(132, 132 + 12 * int.from_bytes(data[128:132]), 12)}
    red, green = at[b"rXYZ"], at[b"gXYZ"]
    data[red : red + 8], data[green : green + 8] = data[green : green + 8], data[red : red + 8]
    return bytes(data)


def saved(image: Pillow.Image, file_format: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, file_format, **options)
    return out.getvalue()


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
    assert error_of(await run("image_edit", inputs, store=store, provider="openai")).code == "missing_mask"
    assert not fakes.requests("edits")


async def test_a_mask_of_another_size_and_the_same_shape_is_scaled_and_that_is_reported() -> None:
    def shown(result: Any) -> list[str]:
        return [
            one.data["message"] for one in result.events if one.type == "step.progress" and one.step == "it"
        ]

    store = MemoryStore()
    result, picture = await edit(store, box=(40, 20, 120, 80), size=(180, 122), key=None, provider="local")
    where = changed(store, result, picture)
    assert where[12:38, 22:58].mean() > 0.9
    where[9:41, 19:61] = False
    assert not where.any()
    message = "The mask has another size than the image: it is scaled to it."
    assert message in shown(result)
    assert result.outputs["it.output"].name == "edited.png"
    same, _ = await edit(MemoryStore(), key=None, provider="local")
    assert message not in shown(same)


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


def files() -> dict[str, bytes]:
    """One image in files of many kinds."""
    noise = np.random.default_rng(3).integers(0, 256, (61, 90, 4), np.uint8)
    whole = Pillow.fromarray(noise)
    plain, grey = whole.convert("RGB"), whole.convert("L")
    rotated = Pillow.Exif()
    rotated[0x0112] = 6
    deep = Pillow.fromarray(np.asarray(grey, np.uint16) * 257)
    return {
        "RGBA": saved(whole, "PNG"),
        "grey": saved(grey, "PNG"),
        "16 bits": saved(deep, "PNG"),
        "palette": saved(plain.quantize(32), "PNG"),
        "palette, see-through": saved(plain.quantize(32), "PNG", transparency=3),
        "CMYK": saved(plain.convert("CMYK"), "JPEG", quality=90),
        "rotated by EXIF": saved(plain.transpose(Pillow.Transpose.ROTATE_90), "JPEG", exif=rotated),
        "WebP": saved(plain, "WEBP"),
        "with a profile": saved(plain, "PNG", icc_profile=swapped_profile()),
    }


@pytest.mark.parametrize("kind", files())
async def test_pixels_of_every_kind_of_file_are_kept(kind: str) -> None:
    data, store = files()[kind], MemoryStore()
    kept = await store.put(data, "image/png")
    before = decode(data)
    assert before.size == SIZE
    mask = Pillow.new("L", SIZE, 0)
    mask.paste(255, BOX)
    inputs = {
        "picture": Image(asset_id=kept.asset_id),
        "mask": Mask(image=await stored(store, mask)),
        "prompt": "A teapot",
    }
    result = await run("image_edit", inputs, store=store, key=None, provider="local")
    after = decode(store.assets[result.outputs["it.output"].asset_id])
    assert (after.size, after.mode) == (before.size, before.mode)
    difference = np.abs(np.asarray(before, int) - np.asarray(after, int)).max(axis=2)
    assert difference[10:40, 20:60].any()
    difference[10:40, 20:60] = 0
    assert not difference.any()


def test_an_image_keeps_its_profile_and_its_values_in_it(tmp_path: Path) -> None:
    source, painted, answer, out = (tmp_path / name for name in ("source", "mask", "answer", "out.png"))
    noise = Pillow.fromarray(np.random.default_rng(4).integers(0, 256, (61, 90, 3), np.uint8))
    source.write_bytes(saved(noise, "PNG", icc_profile=swapped_profile()))
    mask = Pillow.new("L", SIZE, 0)
    mask.paste(255, BOX)
    painted.write_bytes(saved(mask, "PNG"))
    answer.write_bytes(saved(Pillow.new("RGB", (64, 64), (255, 0, 0)), "PNG"))
    assert _finish(source, painted, answer, Frame.around(SIZE, ""), out) == SIZE
    with Pillow.open(out) as edited:
        assert edited.info["icc_profile"] == swapped_profile()
        values = np.asarray(edited, int)
    assert tuple(values[25, 40]) == pytest.approx((0, 255, 0), abs=3)  # red, in this profile
    values[10:40, 20:60] = np.asarray(noise, int)[10:40, 20:60]
    assert (values == np.asarray(noise, int)).all()


@pytest.mark.parametrize(
    ("detail", "is_refused"),
    [
        ("Invalid mask", True),
        ("The MASKS differ in size", True),
        ("mask_url: missing", True),
        ("model acme/mask-fill is busy", False),
        ("acme-mask was not found", False),
        ("the prompt was unmasked", False),
        ("too many pixels", False),
    ],
)
@pytest.mark.parametrize(
    ("kind", "given"),
    [(BadRequest, ("openai",)), (GenerationFailed, ("openai", "gpt-image-2"))],
    ids=["refused", "failed"],
)
def test_what_a_provider_says_about_a_mask_refuses_the_mask(
    kind: Any, given: tuple[str, ...], detail: str, is_refused: bool
) -> None:
    with pytest.raises(MaskRefused if is_refused else kind) as caught, mask_refusals(masked=True):
        raise kind(*given, detail)
    assert (caught.value.provider, caught.value.detail) == ("openai", detail)
    with pytest.raises(kind), mask_refusals(masked=False):
        raise kind(*given, detail)
