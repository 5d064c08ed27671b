"""What is sent to fal, and what is read of its answers."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from tests.fakes import fal as fake
from tests.fakes.reports import seen_by
from tests.fakes.running import access_to
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.fal import connection as module
from impasto_nodes.providers.fal.connection import connected

pytestmark = pytest.mark.anyio
MODEL = "fal-ai/flux/schnell"
ASKED = {"prompt": "A can", "image_size": "square_hd", "num_images": 1}


async def finished(connection: Any) -> str:
    """The id of a request that is completed."""
    request_id: str = await connection.submit(ASKED)
    await connection.status(request_id)
    return request_id


@pytest.mark.parametrize(
    ("stated", "units"),
    [("2.5", 2.5), ("0", 0.0), ("-1", None), ("nan", None), ("inf", None), ("many", None), ("", None)],
)
async def test_units_that_fal_bills_are_those_of_the_result(
    fakes: State, monkeypatch: pytest.MonkeyPatch, stated: str, units: float | None
) -> None:
    monkeypatch.setitem(fake.BILLED_UNITS, MODEL, {"1K": stated})
    async with connected(access_to("fal", fakes), MODEL, seen_by(FakeContext())) as connection:
        request_id = await finished(connection)
        await connection.result(request_id)
        assert connection.billed_units(request_id) == units
        assert connection.billed_units("another") is None


async def test_request_is_that_of_the_model_with_the_key(fakes: State) -> None:
    async with connected(access_to("fal", fakes), MODEL, seen_by(FakeContext())) as connection:
        request_id = await finished(connection)
        await connection.cancel(await connection.submit(ASKED))
    assert [(one.method, one.path, one.body) for one in fakes.seen][:1] == [
        ("POST", f"/fal/{MODEL}", ASKED),
    ]
    assert {one.headers["authorization"] for one in fakes.seen} == {f"Key {GOOD_KEY}"}
    assert {one.headers["host"] for one in fakes.seen} == {fakes.url.removeprefix("http://")}
    assert fakes.requests("/status", "GET")[0].path.endswith(f"/requests/{request_id}/status")
    assert len(fakes.requests("/cancel", "PUT")) == 1


async def test_largest_answer_is_read_and_a_larger_one_is_refused(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps({"images": [{"url": "http://x/1"}], "prompt": "a" * 500})
    async with connected(access_to("fal", fakes), MODEL, seen_by(FakeContext())) as connection:
        request_id = await finished(connection)
        monkeypatch.setattr(module, "_MAX_ANSWER_BYTES", len(text))
        fakes.misbehave("answer", on="/requests/", after=1, status=200, body=text)
        assert await connection.result(request_id) == json.loads(text)
        fakes.misbehave("answer", on="/requests/", after=1, status=200, body=text + " ")
        with pytest.raises(ProviderError) as raised:
            await connection.result(request_id)
    assert (raised.value.code, raised.value.provider) == ("output_too_large", "fal")


@pytest.mark.parametrize("body", ["[]", "<html>", '"text"'])
async def test_result_that_is_no_object_is_a_damaged_answer(fakes: State, body: str) -> None:
    async with connected(access_to("fal", fakes), MODEL, seen_by(FakeContext())) as connection:
        request_id = await finished(connection)
        fakes.misbehave("answer", on="/requests/", after=1, status=200, body=body)
        with pytest.raises(ProviderError) as raised:
            await connection.result(request_id)
    assert (raised.value.code, raised.value.provider) == ("corrupt_output", "fal")


@pytest.mark.parametrize("status", [400, 500])
async def test_status_of_an_error_is_raised_with_the_model(fakes: State, status: int) -> None:
    async with connected(access_to("fal", fakes), MODEL, seen_by(FakeContext())) as connection:
        fakes.misbehave("answer", on=f"/fal/{MODEL}", status=status, body='{"detail": "No."}')
        with pytest.raises(ProviderError) as raised:
            await connection.submit(ASKED)
    assert raised.value.detail == f"status {status} for /fal/{MODEL}:  No."
    assert raised.value.provider == "fal"


@pytest.mark.parametrize("status", [502, 504])
async def test_request_may_exist_only_if_a_gateway_lost_its_submission(fakes: State, status: int) -> None:
    async def code_of(asking: Any) -> str:
        fakes.misbehave("answer", times=1, on="/fal/", status=status, body="<html>")
        with pytest.raises(ProviderError) as raised:
            await asking
        return raised.value.code

    async with connected(access_to("fal", fakes), MODEL, seen_by(FakeContext())) as connection:
        assert await code_of(connection.submit(ASKED)) == "stream_dropped"
        request_id = await connection.submit(ASKED)
        assert await code_of(connection.status(request_id)) == "provider_unavailable"
        assert await code_of(connection.upload(b"pixels", "image/png")) == "provider_unavailable"


async def test_file_on_another_host_goes_through_the_runs_client_without_the_key(fakes: State) -> None:
    sent: list[httpx.Request] = []

    async def nothing() -> AsyncIterator[bytes]:
        yield b""

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, content=nothing())

    place = {"upload_url": "https://files.test/up?signature=1", "file_url": "https://files.test/in.png"}
    fakes.misbehave("answer", on="/storage/upload/initiate", status=200, body=json.dumps(place))
    context = FakeContext()
    context.http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    async with connected(access_to("fal", fakes), MODEL, seen_by(context)) as connection:
        assert await connection.upload(b"pixels", "image/png") == "https://files.test/in.png"
    await context.http.aclose()
    (put,) = sent
    assert (put.method, str(put.url), put.content) == ("PUT", "https://files.test/up?signature=1", b"pixels")
    assert "authorization" not in put.headers
    assert put.extensions["timeout"] == {"connect": 10.0, "read": 60.0, "write": 60.0, "pool": 60.0}
    (initiated,) = fakes.requests("/storage/upload/initiate", "POST")
    assert (initiated.body["file_name"], initiated.body["content_type"]) == ("input.png", "image/png")
    assert initiated.query
    lifecycle = json.loads(initiated.headers["x-fal-object-lifecycle-preference"])
    assert lifecycle["expiration_duration_seconds"] == 86_400


async def test_file_at_fals_public_address_goes_through_the_runs_client(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    place = {"upload_url": "https://files.test/up", "file_url": "https://files.test/in.png"}

    async def body(text: str) -> AsyncIterator[bytes]:
        yield text.encode()

    async def initiate(transport: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url.host))
        return httpx.Response(200, content=body(json.dumps(place)))

    def store(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(200, content=body(""))

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", initiate)
    context = FakeContext()
    async with (
        httpx.AsyncClient(transport=httpx.MockTransport(store)) as context.http,
        connected(Access(provider="fal", key="k"), MODEL, seen_by(context)) as connection,
    ):
        assert await connection.upload(b"pixels", "image/png") == "https://files.test/in.png"
    assert asked == ["rest.fal.ai", "https://files.test/up"]
