"""Files to the server under the hash of their content, and the files of a chosen node."""

from dataclasses import replace
from typing import Any

import httpx
import pytest
from tests.fakes.media import mp3, mp4, png, stored_image
from tests.fakes.reports import seen_by

from impasto.testing import FakeContext
from impasto_nodes.providers.comfyui import files as module
from impasto_nodes.providers.comfyui.client import ComfyUI
from impasto_nodes.providers.comfyui.errors import NoOutput
from impasto_nodes.providers.comfyui.files import fetch, send
from impasto_nodes.providers.errors import RequestTooLarge

pytestmark = pytest.mark.anyio
CONTENT = {".png": png(), ".mp4": mp4(), ".mp3": mp3()}
NODES = {"9": {"class_type": "Save"}}


def server(asked: list[httpx.Request]) -> ComfyUI:
    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        if request.url.path == "/view":
            name = request.url.params["filename"].lower()
            return httpx.Response(200, content=CONTENT[name[-4:]])
        return httpx.Response(200, json={"name": "stored.png"})

    address = "http://comfyui.test"
    return ComfyUI(httpx.AsyncClient(base_url=address, transport=httpx.MockTransport(answer)), address)


def file(name: Any, folder: str = "") -> dict[str, Any]:
    return {"filename": name, "subfolder": folder, "type": "output"}


async def fetched(
    context: FakeContext, port: str, output: Any, asked: list[httpx.Request] | None = None
) -> Any:
    result: Any = {"port": port, "name": "Result", "node": "9"}
    found = await fetch(
        server([] if asked is None else asked), {"outputs": {"9": output}}, result, NODES, seen_by(context)
    )
    assert list(context.temp_dir.iterdir()) == []
    return found


@pytest.mark.parametrize(("sha256", "name"), [("a" * 64, "impasto-" + "a" * 32), (None, None)])
async def test_input_is_sent_under_the_hash_of_its_content(
    context: FakeContext, sha256: str | None, name: str | None
) -> None:
    asked: list[httpx.Request] = []
    image = replace(await stored_image(context.assets), sha256=sha256)
    assert await send(server(asked), image, seen_by(context)) == "stored.png"
    expected = name or f"impasto-{image.asset_id[:32]}"
    assert f'filename="{expected}.png"'.encode() in asked[0].content


async def test_largest_input_is_sent_and_a_larger_one_is_refused(
    context: FakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = await stored_image(context.assets)
    monkeypatch.setattr(module, "MAX_INPUT_BYTES", len(png()))
    await send(server([]), image, seen_by(context))
    monkeypatch.setattr(module, "MAX_INPUT_BYTES", len(png()) - 1)
    asked: list[httpx.Request] = []
    with pytest.raises(RequestTooLarge, match="than ComfyUI accepts at once"):
        await send(server(asked), image, seen_by(context))
    assert asked == []


async def test_images_of_the_node_are_a_list_in_their_order(context: FakeContext) -> None:
    asked: list[httpx.Request] = []
    output = {"images": [file("a.PNG", "sub"), file("skipped.txt"), file(5), "odd"], "gifs": [file("b.png")]}
    found = await fetched(context, "images_1", output | {"text": "odd"}, asked)
    assert [(each.name, each.width) for each in found] == [("a", 64), ("b", 64)]
    assert dict(asked[0].url.params) == {"filename": "a.PNG", "subfolder": "sub", "type": "output"}


async def test_first_video_or_audio_of_the_node_is_taken(context: FakeContext) -> None:
    asked: list[httpx.Request] = []
    output = {"images": [file("a.png")], "gifs": [file("a.mp4"), file("b.mp4")], "audio": [file("a.mp3")]}
    video = await fetched(context, "videos_1", output, asked)
    assert (video.name, video.media_type, len(asked)) == ("a", "video/mp4", 1)
    audio = await fetched(context, "audios_1", output)
    assert (audio.name, audio.media_type) == ("a", "audio/mpeg")


async def test_images_beyond_the_limit_are_left_out(
    context: FakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 2)
    output = {"images": [file("a.png"), file("b.png"), file("c.png")]}
    assert len(await fetched(context, "images_1", output)) == 2


async def test_long_name_is_cut(context: FakeContext) -> None:
    (image,) = await fetched(context, "images_1", {"images": [file(f"{'x' * 81}.png")]})
    assert image.name == "x" * 80


@pytest.mark.parametrize("output", [None, {}, {"images": []}, {"images": "odd"}, {"images": [file("a.mp4")]}])
async def test_node_without_a_file_of_the_kind_is_named(context: FakeContext, output: Any) -> None:
    with pytest.raises(NoOutput, match=r"'Save' \(node 9\) returned no image"):
        await fetched(context, "images_1", output)
    with pytest.raises(NoOutput):
        await fetch(server([]), {}, {"port": "images_1", "name": "R", "node": "9"}, NODES, seen_by(context))
