"""The context of a node: store, reports and addresses."""

import asyncio
import tempfile
from pathlib import Path

import httpx
import pytest

from impasto import (
    AssetNotFound,
    Audio,
    Configuration,
    Context,
    File,
    FolderStore,
    Image,
    Json,
    Mask,
    MemoryStore,
    Text,
    Video,
    execute,
    node,
)
from impasto.sdk.http_client import PrivateAddress, client
from impasto.sdk.options_context import OptionSource, options_context
from impasto.testing import add, plan_of, run_node, shout, words

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "folder"])
def store(request, tmp_path):
    return MemoryStore() if request.param == "memory" else FolderStore(tmp_path / "assets")


async def test_store_returns_the_class_for_the_media_type(store):
    async def stream():
        yield b"ab"
        yield b"c"

    seen = {}

    @node
    async def make(*, context: Context) -> Text:
        context.made_by(provider="local", model="m", prompt="p")
        file = context.temp_dir / "x.bin"
        file.write_bytes(b"abc")
        seen["image"] = await context.store(b"abc", "image/png", width=3, height=2)
        seen["video"] = await context.store(stream(), "video/mp4", seconds=1.5)
        seen["audio"] = await context.store(file, "audio/wav", seconds=2, name="a.wav")
        seen["file"] = await context.store(str(file), "application/pdf")
        assert await context.read(seen["video"]) == b"abc"
        async with context.open(seen["image"]) as path:
            assert path.read_bytes() == b"abc"
        return str(file)

    result = await execute(plan_of([make], {"m": "make"}), store=store)
    digest = seen["image"].sha256
    assert seen["image"] == Image(
        asset_id=seen["image"].asset_id, media_type="image/png", width=3, height=2, bytes=3, sha256=digest
    )
    assert isinstance(seen["video"], Video)
    assert seen["video"].seconds == 1.5
    assert seen["audio"] == Audio(
        asset_id=digest, media_type="audio/wav", seconds=2, bytes=3, sha256=digest, name="a.wav"
    )
    assert type(seen["file"]) is File
    assert not Path(result.outputs["m.output"]).parent.exists()
    assert result.events[-2].data["made_by"]["model"] == "m"


async def test_call_that_has_ended_gets_no_temporary_folder():
    contexts = []

    @node
    async def early(*, context: Context) -> Text:
        contexts.append(context)
        return str(context.temp_dir)

    @node
    async def late(*, context: Context) -> Text:
        contexts.append(context)
        return ""

    assert not Path((await run_node(early)).output).exists()
    await run_node(late)
    for context in contexts:
        with pytest.raises(asyncio.CancelledError, match="The step was abandoned"):
            _ = context.temp_dir


async def test_missing_asset_is_not_found(store):
    with pytest.raises(AssetNotFound, match="'gone'"):
        async with store.path("gone"):
            pass
    with pytest.raises(AssetNotFound):
        _ = [piece async for piece in store.open("../secret")]


async def test_failing_stream_leaves_no_file(tmp_path):
    async def broken():
        yield b"half"
        raise OSError("gone")

    store = FolderStore(tmp_path)
    with pytest.raises(OSError, match="gone"):
        await store.put(broken(), "text/plain")
    assert list(tmp_path.iterdir()) == []


async def test_stores_receive_the_provenance_of_an_asset():
    store = MemoryStore()

    @node
    async def take(image: Image, *, context: Context) -> Image:
        context.made_by(provider="x")
        return await context.store(b"new", "image/png", width=1, height=1)

    ran = await run_node(take, {"image": Image(asset_id="old")}, store=store, run_id="r")
    origin = store.origins[ran.output.asset_id]
    assert (origin.run_id, origin.step, origin.node_type, origin.inputs) == ("r", "node", "take", ("old",))
    assert origin.made_by["provider"] == "x"


async def test_sources_of_an_asset_include_masks_and_media_of_settings():
    store = MemoryStore()

    @node
    async def take(
        image: Image,
        more: list[Image],
        *,
        mask: Mask | None = None,
        logo: Image | None = None,
        context: Context,
    ) -> Image:
        return await context.store(b"new", "image/png")

    settings = {"mask": Mask(image=Image(asset_id="painted")), "logo": Image(asset_id="logo")}
    more = [Image(asset_id=name) for name in ("a", "old", "b")]
    ran = await run_node(take, {"image": Image(asset_id="old"), "more": more}, settings, store=store)
    found = store.origins[ran.output.asset_id].inputs
    assert sorted(found) == ["a", "b", "logo", "old", "painted"]
    assert {*found[:3]} == {"a", "b", "old"}


async def test_partial_outputs_previews_and_charges_are_events():
    @node
    async def work(*, context: Context) -> Text:
        context.partial("a")
        context.partial({"x": 1})
        context.preview(Image(asset_id="i"))
        context.progress(7, "beyond")
        context.charge(0.5, tokens=3)
        context.charge(0.25, tokens=4)
        assert context.step == "w"
        context.log.info("hello")
        return ""

    result = await execute(plan_of([work], {"w": "work"}))
    data = [event.data for event in result.events if event.type == "step.partial"]
    assert data[:2] == [{"port": "output", "delta": "a"}, {"port": "output", "value": {"x": 1}}]
    assert data[2]["value"]["$type"] == "Image"
    assert next(e.data["fraction"] for e in result.events if e.type == "step.progress") == 1
    assert result.events[-2].data["units"] == {"tokens": 7}
    assert (result.steps["w"].cost_usd, result.cost_usd) == (0.75, 0.75)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "[::1]", "192.168.1.1", "[::ffff:127.0.0.1]"],
)
async def test_private_addresses_are_refused(host):
    async with client() as http:
        with pytest.raises(PrivateAddress):
            await http.get(f"http://{host}:9/")


async def test_private_addresses_are_reachable_if_allowed():
    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    @node
    async def fetch(*, context: Context) -> Text:
        return (await context.http.get(f"http://127.0.0.1:{port}/")).text

    plan = plan_of([fetch], {"f": "fetch"})
    allowed = await execute(plan, allow_private_hosts=True)
    refused = await execute(plan)
    server.close()
    await server.wait_closed()
    assert allowed.outputs["f.output"] == "ok"
    assert refused.steps["f"].error.code == "private_address"


async def test_client_follows_redirects_without_the_proxies_of_the_environment():
    for is_open in (False, True):
        async with client(is_open) as http:
            assert (http.follow_redirects, http.trust_env) == (True, False)
            assert http.timeout == httpx.Timeout(60.0, connect=10.0, read=300.0)


async def test_options_functions_get_a_context():
    async def credential(provider):
        return provider.upper()

    async with options_context(credential=credential) as context:
        assert await context.credential("x") == "X"
        client = context.http
        assert isinstance(client, httpx.AsyncClient)
        assert context.http is client
        sources = [OptionSource("a", "A", "available"), OptionSource("b", "B", "failed", "No key.")]
        for source in sources:
            context.report_source(source)
        assert context.sources == sources
        assert sources[0].message == ""
        assert not client.is_closed
    assert client.is_closed
    async with options_context(configuration=Configuration({"PAINT_KEY": "k"})) as context:
        assert await context.credential("x") is None
        assert context.configuration.text("PAINT_KEY") == "k"


@pytest.mark.parametrize(("credentials", "found"), [(None, None), ({}, None), ({"shop": "k"}, "k")])
async def test_key_of_the_user_is_given_to_the_node(credentials, found):
    async def look_up(provider):
        return credentials.get(provider)

    @node
    async def buy(*, context: Context) -> Json:
        return await context.credential("shop")

    ran = await run_node(buy, credentials=look_up if credentials is not None else None)
    assert ran.output == found


async def test_run_that_cannot_be_reached_has_a_callback_without_an_address():
    @node
    async def work(*, context: Context) -> Json:
        async with context.callback("job") as callback:
            return [callback.address("whsec_a"), await callback.wait(0)]

    assert (await run_node(work)).output == ["", False]


async def test_function_in_a_thread_reports_and_waits_through_the_same_names():
    @node
    def work(*, context: Context) -> Json:
        sync = context.sync
        sync.progress(0.5, "half")
        sync.charge(0.25, tokens=3)
        image = sync.store(b"pixels", "image/png", name="cup.png")
        sync.remember("size", 6)
        with sync.open(image) as path:
            content = path.read_text()
        facts = [context.sync is sync, path.exists(), sync.step]
        return [content, sync.read(image).decode(), sync.recall("size"), *facts]

    ran = await run_node(work)
    assert ran.output == ["pixels", "pixels", 6, True, False, "node"]
    assert [event.data for event in ran.events if event.type == "step.progress"] == [
        {"fraction": 0.5, "message": "half"}
    ]
    assert (ran.events[-1].data["cost_usd"], ran.events[-1].data["units"]) == (0.25, {"tokens": 3})


async def test_temporary_folder_of_a_call_that_has_ended_is_refused_and_not_left_behind(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    contexts = []

    @node
    async def work(*, context: Context) -> Text:
        contexts.append(context)
        (context.temp_dir / "draft").write_text("x")
        return str(context.temp_dir == context.temp_dir)

    store = MemoryStore()
    assert (await run_node(work, store=store)).output == "True"
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(asyncio.CancelledError):
        _ = contexts[0].temp_dir
    assert list(tmp_path.iterdir()) == []


async def test_run_node_runs_sample_nodes():
    assert (await run_node(words, settings={"text": "a"})).output == "a"
    ran = await run_node(shout, {"text": "a"}, {"times": 2})
    assert (ran.output, ran.events[-1].type) == ("A!!", "step.finished")
    assert (await run_node(add, {"numbers": [1, 2]}, {"to": 3})).output == 6


@node
async def greet() -> Text:
    return Text("Hi")


@node
async def context_before_the_inputs(context: Context, text: Text) -> Text:
    return Text(f"{text} {context.step}")


@node
async def context_after_the_inputs(text: Text, context: Context) -> Text:
    return Text(f"{text} {context.step}")


@node
async def context_by_name(text: Text, /, *, context: Context) -> Text:
    return Text(f"{text} {context.step}")


@pytest.mark.parametrize("kind", [context_before_the_inputs, context_after_the_inputs, context_by_name])
async def test_context_is_given_where_the_signature_has_it(kind):
    plan = plan_of([greet, kind], {"m": "greet", "c": kind.__name__}, [("m.output", "c.text")])
    assert (await execute(plan)).outputs["c.output"] == "Hi c"
