"""The fake context for calling nodes directly: the methods of the real one, which record their calls."""

import asyncio
import inspect
import math
from hashlib import sha256

import pytest

from impasto import AssetNotFound, Context, Image, node
from impasto.testing import FakeContext

pytestmark = pytest.mark.anyio
METHODS = [name for name, each in vars(Context).items() if callable(each) and not name.startswith("_")]


@pytest.mark.parametrize("name", METHODS)
def test_fake_method_takes_the_parameters_of_the_real_one(name):
    fake, real = (inspect.signature(getattr(cls, name)).parameters for cls in (FakeContext, Context))
    assert [(each.name, each.kind, each.default) for each in fake.values()] == [
        (each.name, each.kind, each.default) for each in real.values()
    ]


def test_fake_has_every_property_of_the_real_one():
    names = [name for name, each in vars(Context).items() if isinstance(each, property)]
    context = FakeContext()
    assert [name for name in names if not hasattr(context, name)] == []
    context.close()


async def test_fake_context_begins_as_the_first_attempt_of_a_step_that_has_spent_nothing():
    context = FakeContext()
    facts = (
        context.step,
        context.item,
        context.run_id,
        context.attempt,
        context.idempotency_key,
        context.seed,
    )
    assert facts == ("node", None, "test", 1, "test-node", 1)
    assert (context.spent, context.calls, context.memory, context.assets.assets) == (0.0, [], {}, {})
    assert (context.abandoned, context.fingerprint, context.http, context.kept("port")) == (
        False,
        None,
        None,
        None,
    )
    assert (await context.credential("shop"), await context.recall("k")) == (None, None)
    assert dict(context.configuration) == {}
    given = FakeContext(configuration={"PAINT_MODE": "oil"}, seed=7)
    given.earlier = ["kept", None]
    assert (given.configuration.text("PAINT_MODE"), given.seed, given.kept()) == ("oil", 7, ["kept", None])


async def test_fake_context_stores_bytes_files_and_streams_with_their_size_and_name(tmp_path):
    async def stream():
        yield b"a "
        yield b"cup"

    (tmp_path / "cup").write_bytes(b"a cup")
    context = FakeContext()
    facts = {"name": "cup.png", "width": 3, "height": 2}
    for data in (b"a cup", tmp_path / "cup", str(tmp_path / "cup"), stream()):
        image = await context.store(data, "image/png", **facts, seconds=1.0)
        digest = sha256(b"a cup").hexdigest()
        assert image == Image(
            asset_id=digest, media_type="image/png", bytes=5, sha256=digest, name="cup.png", width=3, height=2
        )
        assert await context.read(image) == b"a cup"


async def test_asset_that_is_not_stored_is_an_error_as_in_a_run():
    context, deleted = FakeContext(), Image(asset_id="deleted")
    with pytest.raises(AssetNotFound, match="deleted"):
        await context.read(deleted)
    with pytest.raises(AssetNotFound, match="deleted"):
        async with context.open(deleted):
            pass


async def test_unknown_keyword_is_refused():
    context = FakeContext()
    with pytest.raises(TypeError, match="colour"):
        await context.store(b"x", "image/png", colour="red")
    with pytest.raises(TypeError, match="provder"):
        context.record_generation(provder="openai")


async def test_fake_context_records_what_a_node_reports():
    context = FakeContext(credentials={"a": "b"})
    context.progress(0.5)
    context.charge(1)
    await context.remember("k", [1])
    image = await context.store(b"x", "image/png")
    assert (await context.read(image), await context.recall("k"), context.spent) == (b"x", [1], 1)
    assert await context.credential("a") == "b"
    folder = context.temp_dir
    context.close()
    assert not folder.exists()


async def test_def_node_is_called_directly_with_the_sync_side_of_a_fake_context():
    @node
    def copy(image: Image, *, context: Context) -> Image:
        with context.sync.open(image) as path:
            context.sync.remember("size", path.stat().st_size)
            context.sync.progress(1.0)
            return context.sync.store(path, "image/png")

    context = FakeContext()
    image = await context.store(b"abc", "image/png")
    assert (copy(image, context=context), context.memory) == (image, {"size": 3})
    assert context.calls == [("progress", (1.0, ""))]


@pytest.mark.parametrize(("reserved", "spent"), [(0.4, 0.4), (None, 0.0)])
async def test_fake_context_counts_a_call_of_unknown_outcome_as_spent(reserved, spent):
    context = FakeContext()
    async with context.reserve(reserved, at_least=0.1, name="job") as call:
        call.assume_spent()
    assert context.spent == spent
    async with context.reserve(reserved) as call:
        call.charge(0.25, images=2)
    assert context.spent == spent + 0.25
    assert context.calls == [("reserve", (reserved, 0.1, "job")), ("reserve", (reserved, None, ""))]


async def test_fake_context_refuses_what_a_run_would():
    context = FakeContext()
    for usd, units in ((-1, {}), (math.nan, {}), (1, {"tokens": math.inf})):
        with pytest.raises(ValueError, match="finite number of dollars"):
            context.charge(usd, **units)
    for usd in (-1, math.inf):
        with pytest.raises(ValueError, match="finite number of dollars"):
            async with context.reserve(usd):
                pass
    for key, value, why in (
        (5, 1, "key must be a str, got 5"),
        ("a", [math.nan], "a number that is not finite"),
    ):
        with pytest.raises(TypeError, match=why):
            await context.remember(key, value)
    assert (context.spent, context.calls, context.memory) == (0, [], {})


async def test_fake_context_lists_the_calls_of_a_node_in_order():
    context = FakeContext()
    image = await context.store(b"x", "image/png", name="cup.png")
    context.calls.clear()
    context.partial("Hel")
    context.partial("one", "captions", 2)
    context.preview(image)
    context.preview(image, "images", 0)
    context.record_generation(provider="shop", model="m", prompt="a cup", seed=7, settings={"size": 1})
    context.record_generation(provider="shop", model="m", method="edited")
    first, second = (values[0] for name, values in context.calls[4:] if name == "record_generation")
    assert context.calls[:4] == [
        ("partial", ("Hel", None)),
        ("partial", ("one", "captions", 2)),
        ("preview", (image, None)),
        ("preview", (image, "images", 0)),
    ]
    assert first == {
        "provider": "shop", "model": "m", "prompt": "a cup", "seed": 7, "settings": {"size": 1},
    }  # fmt: skip
    assert second == {
        "provider": "shop", "model": "m", "prompt": None, "seed": None, "settings": None, "method": "edited",
    }  # fmt: skip


async def test_fake_context_gives_files_and_a_callback_that_nothing_requests():
    context = FakeContext()
    image = await context.store(b"x", "image/png")
    async with context.open(image) as path:
        assert path.read_bytes() == b"x"
    async with context.callback("done") as callback:
        assert callback.address("secret") == ""
        assert await callback.wait(0) is False
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await callback.wait(60)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await callback.wait(60)


def test_temporary_folder_of_a_fake_context_is_deleted_with_it():
    context = FakeContext()
    folder = context.temp_dir
    (folder / "draft.txt").write_text("x")
    assert context.temp_dir == folder
    del context
    assert not folder.exists()


def test_temporary_folder_that_is_gone_is_closed_and_made_again():
    context = FakeContext()
    context.close()
    folder = context.temp_dir
    folder.rmdir()
    context.close()
    assert context.temp_dir != folder
    assert context.temp_dir.is_dir()
    context.close()
