"""Compression of long responses in JSON."""

import json
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from tests.server.http.asgi import Exchange, echo

from impasto_server.http.compression import MIN_BYTES, CompressionMiddleware

pytestmark = pytest.mark.anyio

LONG = {"text": "Late August, a frosted can. " * (MIN_BYTES // 20)}
SHORT = {"text": "Late August"}


async def respond(request: Request) -> Response:
    kind = request.query_params["kind"]
    if kind == "stream":
        pieces = [json.dumps(LONG)[:100].encode(), json.dumps(LONG)[100:].encode()]

        async def stream() -> Any:
            for piece in pieces:
                yield piece

        return StreamingResponse(stream(), media_type="application/json")
    if kind == "text":
        return Response(json.dumps(LONG), media_type="text/plain")
    headers = {"ETag": '"7"'} if kind == "etag" else {"Vary": "Origin"}
    status = 404 if kind == "missing" else 200
    return JSONResponse(SHORT if kind == "short" else LONG, status, headers)


@pytest.fixture
async def client() -> Any:
    app = CompressionMiddleware(Starlette(routes=[Route("/", respond, methods=["GET", "POST"])]))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as made:
        yield made


async def test_long_json_is_compressed_for_clients_that_accept_it(client: httpx.AsyncClient) -> None:
    response = await client.get("/?kind=long", headers={"Accept-Encoding": "br, gzip"})
    assert response.json() == LONG
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["vary"] == "Origin, Accept-Encoding"
    assert int(response.headers["content-length"]) < MIN_BYTES / 10


@pytest.mark.parametrize("accepted", ["identity", "br", "gzip;q=0"])
async def test_json_is_plain_for_other_clients(client: httpx.AsyncClient, accepted: str) -> None:
    response = await client.get("/?kind=long", headers={"Accept-Encoding": accepted})
    assert response.json() == LONG
    assert "content-encoding" not in response.headers


@pytest.mark.parametrize("kind", ["short", "stream", "text", "etag", "missing"])
async def test_other_responses_are_sent_as_they_are(client: httpx.AsyncClient, kind: str) -> None:
    response = await client.get(f"/?kind={kind}", headers={"Accept-Encoding": "gzip"})
    assert response.json() == (SHORT if kind == "short" else LONG)
    assert "content-encoding" not in response.headers


async def test_response_to_a_change_is_not_compressed(client: httpx.AsyncClient) -> None:
    response = await client.post("/?kind=long", headers={"Accept-Encoding": "gzip"})
    assert response.json() == LONG
    assert "content-encoding" not in response.headers


def exactly(size: int, **about: Any) -> Any:
    """Return an endpoint that answers with so many bytes of JSON."""
    body = b'"' + b"a" * (size - 2) + b'"'
    headers = about.pop("headers", {})

    async def endpoint(scope: Any, receive: Any, send: Any) -> None:
        await Response(body, media_type="application/json", headers=headers, **about)(scope, receive, send)

    return endpoint


@pytest.mark.parametrize(
    ("app", "is_compressed"),
    [
        (exactly(MIN_BYTES), True),
        (exactly(MIN_BYTES - 1), False),
        (exactly(MIN_BYTES, headers={"Content-Encoding": "br"}), False),
        (exactly(MIN_BYTES, headers={"ETag": '"7"'}), False),
        (exactly(MIN_BYTES, headers={"Content-Type": "application/json; charset=utf-8"}), True),
        (exactly(MIN_BYTES, headers={"Content-Type": "application/problem+json"}), False),
        (exactly(MIN_BYTES, status_code=201), False),
    ],
)
async def test_json_of_16_kib_is_compressed_unless_it_is_named_or_encoded(
    app: Any, is_compressed: bool
) -> None:
    exchange = await Exchange(headers={"Accept-Encoding": "gzip"}).run(CompressionMiddleware(app))
    assert (exchange.answer_headers.get("content-encoding") == "gzip") is is_compressed
    assert int(exchange.answer_headers["content-length"]) == len(exchange.body)
    if is_compressed:
        assert exchange.body[4:8] == bytes(4), "the same body is the same bytes at any time"
    assert [message["type"] for message in exchange.sent] == ["http.response.start", "http.response.body"]


async def test_connection_that_is_no_request_is_passed_on() -> None:
    found = await Exchange().run(CompressionMiddleware(echo), type="websocket")
    assert found.sent == [{"type": "websocket.passed"}]
