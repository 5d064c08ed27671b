"""What the client makes of a server's answers."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from tests.fakes.serving import redirecting

from impasto_nodes.providers.comfyui import client as client_module
from impasto_nodes.providers.comfyui.client import ComfyUI, connected, read_checkpoints
from impasto_nodes.providers.errors import ProviderError

ADDRESS = "http://comfyui.example"


def client(status: int, content: bytes = b"{}") -> ComfyUI:
    """Return a client of a server that answers everything alike."""
    transport = httpx.MockTransport(lambda _: httpx.Response(status, content=content))
    return ComfyUI(httpx.AsyncClient(base_url=ADDRESS, transport=transport), ADDRESS)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (300, "provider_unavailable"),
        (302, "provider_unavailable"),
        (400, "bad_request"),
        (401, "wrong_credential"),
        (404, "provider_unavailable"),
        (429, "rate_limited"),
        (503, "provider_unavailable"),
    ],
)
async def test_status_of_an_answer_has_its_code(status: int, code: str) -> None:
    with pytest.raises(ProviderError) as raised:
        await client(status).queue()
    assert (raised.value.code, raised.value.provider) == (code, "comfyui")
    assert ("redirects" in (raised.value.detail or "")) == (status < 400)


@pytest.mark.anyio
async def test_redirect_to_another_host_is_not_followed() -> None:
    async with redirecting("/elsewhere") as (address, asked), connected(address) as comfyui:
        with pytest.raises(ProviderError):
            await comfyui.queue()
    assert asked == ["/queue"]


@pytest.mark.anyio
async def test_server_that_does_not_answer_in_time_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    monkeypatch.setattr(client_module, "_TIMEOUT", httpx.Timeout(0.1))
    server = await asyncio.start_server(wait, "127.0.0.1", 0)
    async with server, connected(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as comfyui:
        with pytest.raises(ProviderError) as raised:
            await comfyui.queue()
    assert raised.value.code == "provider_timeout"


@pytest.mark.anyio
@pytest.mark.parametrize("content", [b"", b"[]", b"<html>"])
async def test_answer_that_is_no_json_object_is_unavailable(content: bytes) -> None:
    with pytest.raises(ProviderError, match="ComfyUI") as raised:
        await client(200, content).queue()
    assert raised.value.code == "provider_unavailable"


@pytest.mark.anyio
async def test_jobs_that_wait_are_ordered_by_their_numbers() -> None:
    waiting: list[Any] = [[7, "a", {}, {}], [3, "c", {}, {}], [3, "b", {}, {}], "damaged"]
    content = orjson.dumps({"queue_running": [], "queue_pending": waiting})
    _, pending = await client(200, content).queue()
    assert [entry[1] for entry in pending] == ["c", "b", "a"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "value", "code"),
    [
        ("value_not_in_list", "sdxl.safetensors", "unknown_model"),
        ("value_not_in_list", "euler_fast", "bad_workflow"),
        ("value_bigger_than_max", "sdxl.safetensors", "bad_workflow"),
    ],
)
async def test_only_a_file_that_is_not_offered_is_a_missing_model(kind: str, value: str, code: str) -> None:
    fault = {"type": kind, "message": "Not valid", "details": "", "extra_info": {"received_value": value}}
    content = orjson.dumps({"error": {"message": "invalid"}, "node_errors": {"4": {"errors": [fault]}}})
    with pytest.raises(ProviderError) as raised:
        await client(400, content).submit({"4": {"class_type": "KSampler"}}, "order", "client")
    assert raised.value.code == code


def answering(answers: dict[str, Any], asked: list[httpx.Request] | None = None) -> ComfyUI:
    """Return a client of a server with an answer for each path."""

    def answer(request: httpx.Request) -> httpx.Response:
        if asked is not None:
            asked.append(request)
        found = answers[request.url.path]
        return found if isinstance(found, httpx.Response) else httpx.Response(200, json=found)

    transport = httpx.MockTransport(answer)
    return ComfyUI(httpx.AsyncClient(base_url=ADDRESS, transport=transport), ADDRESS)


@pytest.mark.anyio
async def test_workflow_is_submitted_with_the_ids_of_this_client() -> None:
    asked: list[httpx.Request] = []
    server = answering({"/prompt": {"prompt_id": "theirs"}}, asked)
    assert await server.submit({"1": {}}, "order", "client") == "theirs"
    assert orjson.loads(asked[0].content) == {
        "prompt": {"1": {}},
        "client_id": "client",
        "prompt_id": "order",
        "extra_data": {"impasto_order": "order"},
    }


@pytest.mark.anyio
@pytest.mark.parametrize(("status", "code"), [(401, "wrong_credential"), (503, "provider_unavailable")])
async def test_refused_request_has_the_error_of_its_status(status: int, code: str) -> None:
    with pytest.raises(ProviderError) as raised:
        await client(status, b'{"prompt_id": "theirs"}').submit({}, "order", "client")
    assert raised.value.code == code


@pytest.mark.anyio
@pytest.mark.parametrize("answer", [{}, {"prompt_id": 7}, ["id"]])
async def test_answer_without_a_prompt_id_cannot_be_read(answer: Any) -> None:
    with pytest.raises(ProviderError) as raised:
        await answering({"/prompt": answer}).submit({}, "order", "client")
    assert (raised.value.code, raised.value.provider) == ("corrupt_output", "comfyui")
    assert raised.value.detail == "POST /prompt returned no prompt_id"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ({"name": "a.png"}, "a.png"),
        ({"name": "a.png", "subfolder": ""}, "a.png"),
        ({"name": "a.png", "subfolder": "mine"}, "mine/a.png"),
        ({"name": 5}, None),
        (["a.png"], None),
    ],
)
async def test_uploaded_file_is_named_as_the_server_says(
    tmp_path: Path, answer: Any, name: str | None
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"data")
    asked: list[httpx.Request] = []
    server = answering({"/upload/image": answer}, asked)
    if name is None:
        with pytest.raises(ProviderError, match=r"^ComfyUI returned an answer that cannot be read"):
            await server.upload(path, "impasto-1", "image/png")
    else:
        assert await server.upload(path, "impasto-1", "image/png") == name
    assert b'filename="impasto-1.png"' in asked[0].content
    assert b'name="overwrite"\r\n\r\ntrue\r\n' in asked[0].content
    assert b'name="type"\r\n\r\ninput\r\n' in asked[0].content
    await answering({"/upload/image": {"name": "x"}}, asked).upload(path, "odd.xyz", "application/x-odd")
    assert b'filename="odd.xyz.xyz"' in asked[1].content


@pytest.mark.anyio
async def test_upload_that_is_refused_has_the_error_of_its_status(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"data")
    with pytest.raises(ProviderError) as raised:
        await client(403, b'{"name": "a.png"}').upload(path, "impasto-1", "image/png")
    assert raised.value.code == "wrong_credential"
    assert raised.value.detail == "status 403 for /upload/image: {'name': 'a.png'}"


@pytest.mark.anyio
async def test_history_of_a_job_is_its_own_entry() -> None:
    assert await answering({"/history/a/b": {"a/b": {"x": 1}}}).history("a/b") == {"x": 1}
    assert await answering({"/history/a": {}}).history("a") is None
    assert await answering({"/history/a": {"a": "odd"}}).history("a") is None


@pytest.mark.anyio
async def test_server_without_a_list_of_checkpoints_has_none() -> None:
    path = "/object_info/CheckpointLoaderSimple"
    listed = {"CheckpointLoaderSimple": {"input": {"required": {"ckpt_name": [["a"]]}}}}
    assert await answering({path: listed}).checkpoints() == ["a"]
    assert await answering({path: {}}).checkpoints() == []


@pytest.mark.anyio
async def test_jobs_are_deleted_and_interrupted_by_their_ids() -> None:
    asked: list[httpx.Request] = []
    server = answering({"/queue": {}, "/interrupt": httpx.Response(200)}, asked)
    await server.delete("a")
    await server.interrupt("b")
    assert [(request.method, orjson.loads(request.content)) for request in asked] == [
        ("POST", {"delete": ["a"]}),
        ("POST", {"prompt_id": "b"}),
    ]
    for call in (client(403).delete, client(403).interrupt):
        with pytest.raises(ProviderError):
            await call("a")


@pytest.mark.anyio
@pytest.mark.parametrize("entry", [[1, "a", {}], ["1", "a", {}, {}], "damaged", None])
async def test_damaged_entries_of_the_queue_are_left_out(entry: Any) -> None:
    good = [1.5, "a", {}, {}]
    queue = {"queue_running": [entry, good], "queue_pending": "damaged"}
    assert await answering({"/queue": queue}).queue() == ([good], [])


@pytest.mark.anyio
async def test_output_is_downloaded_by_its_name_folder_and_type(tmp_path: Path) -> None:
    asked: list[httpx.Request] = []
    server = answering({"/view": httpx.Response(200, content=b"data")}, asked)
    path = await server.download({"filename": "a b.png", "type": "output"}, tmp_path / "out")
    assert path.read_bytes() == b"data"
    assert dict(asked[0].url.params) == {"filename": "a b.png", "subfolder": "", "type": "output"}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("status", "code", "detail"),
    [
        (404, "corrupt_output", "a.png was deleted on the server"),
        (403, "wrong_credential", "status 403 for /view: None"),
        (302, "provider_unavailable", "status 302 for /view: the server redirects"),
    ],
)
async def test_output_that_cannot_be_downloaded_has_its_error(
    tmp_path: Path, status: int, code: str, detail: str
) -> None:
    with pytest.raises(ProviderError) as raised:
        await client(status).download({"filename": "a.png"}, tmp_path / "out")
    assert (raised.value.code, raised.value.detail) == (code, detail)
    assert raised.value.provider == "comfyui"


@pytest.mark.anyio
async def test_largest_answer_is_read_and_a_larger_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "_MAX_ANSWER_BYTES", 10)
    assert await client(200, b"{}".ljust(10)).latest() == {}
    with pytest.raises(ProviderError) as raised:
        await client(200, b"{}".ljust(11)).latest()
    assert (raised.value.code, raised.value.provider) == ("output_too_large", "comfyui")


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ([["a", 5, "b"]], ["a", "b"]),
        ([[]], []),
        (["COMBO", {"options": "many"}], None),
        (["COMBO", {}], None),
        (["COMBO"], None),
        ([], None),
    ],
)
def test_checkpoints_are_the_texts_of_the_choices(given: Any, names: list[str] | None) -> None:
    answer = {"CheckpointLoaderSimple": {"input": {"required": {"ckpt_name": given}}}}
    assert read_checkpoints(answer) == names
