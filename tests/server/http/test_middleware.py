"""What every request passes through: headers, paths, limits of the body, and the request's id."""

import json
import re
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from anyio.lowlevel import checkpoint
from prometheus_client import REGISTRY
from tests.server.http.asgi import Exchange, Stalled, echo

from impasto_server.http import middleware
from impasto_server.http.errors import TooLarge
from impasto_server.http.middleware import (
    AuthenticateBeforeBody,
    BodyLimitMiddleware,
    RejectNullBytes,
    RequestIdMiddleware,
    SecurityHeadersMiddleware,
    TrailingSlashMiddleware,
)
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
KIB, MIB = 2**10, 2**20
SETTINGS = Settings(
    _env_file=None, json_body_bytes=KIB, upload_bytes=2 * KIB, body_seconds=0.05, upload_min_rate=1_000_000
)
FORM = {"Content-Type": "multipart/form-data; boundary=x"}
ASSETS = "/api/v1/assets"


@pytest.mark.parametrize(
    "app",
    [
        SecurityHeadersMiddleware(echo, https=True),
        RejectNullBytes(echo),
        TrailingSlashMiddleware(echo, prefix="/api/v1", collections=frozenset()),
        RequestIdMiddleware(echo),
        BodyLimitMiddleware(echo, settings=SETTINGS),
        AuthenticateBeforeBody(echo),
    ],
    ids=lambda app: type(app).__name__,
)
async def test_connections_that_are_no_requests_are_passed_on(app: Any) -> None:
    assert (await Exchange().run(app, type="websocket")).sent == [{"type": "websocket.passed"}]


@pytest.mark.parametrize("https", [True, False])
async def test_browsers_must_use_https_if_the_server_does(https: bool) -> None:
    found = (await Exchange().run(SecurityHeadersMiddleware(echo, https=https))).answer_headers
    expected = {"strict-transport-security": "max-age=31536000; includeSubDomains"} if https else {}
    own = {"pieces", "path", "method", "content-security-policy"}
    assert {name: value for name, value in found.items() if name not in own} == {
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
        "x-frame-options": "DENY",
        **expected,
    }


async def test_answers_of_the_api_are_not_stored_and_the_documentation_loads_its_script() -> None:
    app = SecurityHeadersMiddleware(echo, https=False)
    found = {
        path: (await Exchange(path=path).run(app)).answer_headers for path in ("/api/v1/x", "/docs", "/")
    }
    assert [each.get("cache-control") for each in found.values()] == ["no-store", None, None]
    policies = [each["content-security-policy"] for each in found.values()]
    assert policies[0] == policies[2]
    assert "https://cdn.jsdelivr.net" in policies[1]


async def test_header_that_an_endpoint_sets_is_kept() -> None:
    async def endpoint(_scope: object, _receive: object, send: Any) -> None:
        headers = [(b"x-frame-options", b"SAMEORIGIN")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    found = (await Exchange().run(SecurityHeadersMiddleware(endpoint, https=False))).answer_headers
    assert (found["x-frame-options"], found["x-content-type-options"]) == ("SAMEORIGIN", "nosniff")


@pytest.mark.parametrize(
    ("path", "query", "status"), [("/a", b"b=1", 200), ("/a\0", b"", 404), ("/a", b"b=%00", 404)]
)
async def test_url_with_nul_is_not_found(path: str, query: bytes, status: int) -> None:
    answer = await Exchange(path=path, query=query).run(RejectNullBytes(echo))
    assert answer.status == status
    if status == 404:
        assert json.loads(answer.body)["detail"] == "There is no page."


async def test_head_is_measured_by_the_route_that_answers_it() -> None:
    async def endpoint(scope: Any, _receive: object, _send: object) -> None:
        scope["route"] = "the route"

    async def app(scope: Any, receive: Any, send: Any) -> None:
        slashes = TrailingSlashMiddleware(endpoint, prefix="/api", collections=frozenset())
        await slashes(scope, receive, send)
        routes.append(scope.get("route"))

    routes: list[Any] = []
    for path in ("/api/x", "/x"):
        await Exchange("HEAD", path).run(app)
    assert routes == ["the route", "the route"]


@pytest.mark.parametrize(
    ("method", "path", "routed"),
    [
        ("GET", "/api/v1/flows", ("GET", "/api/v1/flows/")),
        ("GET", "/api/v1/flows/", ("GET", "/api/v1/flows/")),
        ("POST", "/api/v1/flows/one/", ("POST", "/api/v1/flows/one")),
        ("HEAD", "/api/v1/flows/one//", ("GET", "/api/v1/flows/one")),
        ("HEAD", "/api/v1/runs/one/events", ("HEAD", "/api/v1/runs/one/events")),
        ("HEAD", "/api/v1/assets/one/content", ("HEAD", "/api/v1/assets/one/content")),
        ("HEAD", "/page/", ("HEAD", "/page/")),
    ],
)
async def test_path_of_the_api_is_found_with_or_without_its_slash(
    method: str, path: str, routed: tuple[str, str]
) -> None:
    app = TrailingSlashMiddleware(echo, prefix="/api/v1", collections=frozenset({"/api/v1/flows/"}))
    found = await Exchange(method, path, pieces=[b"body"]).run(app)
    assert (found.answer_headers["method"], found.answer_headers["path"]) == routed
    assert found.body == (b"" if method == "HEAD" and routed[0] == "GET" else b"body")


@pytest.mark.parametrize(
    ("offered", "is_kept"),
    [
        ("trace-01", True), ("x" * 64, True), ("a.B_c-123", True),
        ("trace-1", False), ("x" * 65, False), ("trace 01", False), (None, False),
    ],
)  # fmt: skip
async def test_request_id_of_the_client_is_kept_if_it_is_plain(offered: str | None, is_kept: bool) -> None:
    headers = {} if offered is None else {"X-Request-ID": offered}
    answer = await Exchange(headers=headers).run(RequestIdMiddleware(echo))
    found = answer.answer_headers["x-request-id"]
    assert found == offered if is_kept else re.fullmatch("[0-9a-f]{16}", found)


async def test_error_after_the_start_of_an_answer_sends_no_second_one() -> None:
    logged: list[tuple[dict[str, Any], str]] = []

    async def endpoint(scope: Any, _receive: object, send: Any) -> None:
        logged.append((structlog.contextvars.get_contextvars(), scope["state"]["request_id"]))
        if scope["path"] == "/late":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError

    structlog.contextvars.bind_contextvars(user_id="of an earlier request")
    late = await Exchange(path="/late").run(RequestIdMiddleware(endpoint))
    early = await Exchange(path="/early").run(RequestIdMiddleware(endpoint))
    assert [message["type"] for message in late.sent] == ["http.response.start"]
    assert (early.status, json.loads(early.body)["code"]) == (500, "internal_error")
    assert [context for context, _ in logged] == [{"request_id": request_id} for _, request_id in logged]
    assert len(logged) == 2


async def test_requests_are_measured_by_method_route_and_status() -> None:
    def counts(unit: str = "count") -> list[float]:
        name = f"impasto_request_seconds_{unit}"
        return [
            REGISTRY.get_sample_value(name, {"method": method, "route": route, "status": "200"}) or 0.0
            for method, route in (("PUT", "/things/{thing_id}"), ("other", "other"))
        ]

    before, seconds = counts(), counts("sum")
    for method, route in (("PUT", SimpleNamespace(path="/things/{thing_id}")), ("BREW", None)):
        await Exchange(method, "/things/7").run(RequestIdMiddleware(echo), route=route)
    assert [after - earlier for after, earlier in zip(counts(), before, strict=True)] == [1, 1]
    assert all(0 < after - earlier < 60 for after, earlier in zip(counts("sum"), seconds, strict=True))


async def limited(
    *pieces: bytes, path: str = "/api/v1/x", headers: dict[str, str] | None = None
) -> tuple[int, str]:
    exchange = Exchange("POST", path, headers=headers or {}, pieces=pieces)
    await exchange.run(BodyLimitMiddleware(echo, settings=SETTINGS))
    return exchange.status, exchange.body.decode()


@pytest.mark.parametrize(
    ("size", "path", "headers", "status"),
    [
        (1024, "/api/v1/x", {}, 200), (1025, "/api/v1/x", {}, 413),
        (1025, "/api/v1/x", FORM, 413), (1025, ASSETS, {}, 413),
        (1025, ASSETS, FORM, 200), (2048 + MIB, ASSETS, FORM, 200), (2049 + MIB, ASSETS, FORM, 413),
    ],
)  # fmt: skip
async def test_body_has_at_most_the_allowed_bytes(
    size: int, path: str, headers: dict[str, str], status: int
) -> None:
    body = bytes(size)
    assert (await limited(body, path=path, headers=headers))[0] == status
    assert (await limited(body[:1], body[1:], path=path, headers=headers))[0] == status
    declared = {**headers, "Content-Length": f"{size}"}
    assert (await limited(b"", path=path, headers=declared))[0] == status


async def test_refusal_names_the_limit_of_a_file_without_its_form() -> None:
    _, body = await limited(bytes(2049 + MIB), path=ASSETS, headers=FORM)
    assert json.loads(body)["detail"] == "This is too large: the limit is 2 KiB."


@pytest.mark.parametrize(("coding", "status"), [("identity", 200), ("IDENTITY", 200), ("gzip", 415)])
async def test_compressed_body_is_refused(coding: str, status: int) -> None:
    found, body = await limited(b"", headers={"Content-Encoding": coding})
    assert found == status
    if status == 415:
        assert json.loads(body)["detail"] == "Send the body uncompressed, without Content-Encoding."


async def test_refused_upload_is_read_to_its_end_and_other_bodies_are_not() -> None:
    app = BodyLimitMiddleware(echo, settings=SETTINGS)
    for path, read in ((ASSETS, 3), ("/api/v1/x", 0)):
        headers = {**FORM, "Content-Length": f"{30 * MIB}"}
        exchange = Exchange("POST", path, headers=headers, pieces=[b"a", b"b", b"c"])
        await exchange.run(app)
        assert (exchange.status, exchange.taken) == (413, read)


@pytest.mark.parametrize(("path", "headers"), [("/api/v1/x", {}), (ASSETS, FORM)])
async def test_body_that_stops_arriving_is_refused(path: str, headers: dict[str, str]) -> None:
    for pieces in ([], [b"a"]):
        exchange = Stalled("POST", path, headers=headers, pieces=pieces)
        await exchange.run(BodyLimitMiddleware(echo, settings=SETTINGS))
        assert (exchange.status, exchange.answer_headers["connection"]) == (408, "close")
        assert json.loads(exchange.body) == {
            "type": "about:blank",
            "title": "Request timeout",
            "status": 408,
            "detail": "The request did not arrive in time. Please try again.",
            "code": "too_slow",
        }


@pytest.mark.parametrize(("path", "headers", "pieces"), [("/api/v1/x", {}, 3), (ASSETS, FORM, 5)])
async def test_body_has_50_seconds_and_a_file_one_more_for_every_1000_bytes(
    path: str, headers: dict[str, str], pieces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    class Slow(Exchange):
        async def receive(self) -> dict[str, Any]:
            nonlocal now
            for _ in range(3):
                await checkpoint()
            now += 20
            return await super().receive()

    monkeypatch.setattr(middleware, "time", SimpleNamespace(monotonic=lambda: now))
    settings = Settings(_env_file=None, body_seconds=50, upload_min_rate=1000)
    exchange = Slow("POST", path, headers=headers, pieces=[bytes(10_000)] * 9)
    await exchange.run(BodyLimitMiddleware(echo, settings=settings))
    assert (exchange.status, exchange.taken) == (408, pieces)


async def test_refused_upload_that_stops_arriving_gets_its_answer() -> None:
    exchange = Stalled("POST", ASSETS, headers={**FORM, "Content-Length": f"{30 * MIB}"}, pieces=[b"a"])
    await exchange.run(BodyLimitMiddleware(echo, settings=SETTINGS))
    assert exchange.status == 413


async def test_refused_upload_of_a_client_that_has_left_is_not_awaited() -> None:
    calls = []

    class Gone(Exchange):
        async def receive(self) -> dict[str, Any]:
            calls.append(await super().receive())
            await checkpoint()
            return calls[-1]

    exchange = Gone("POST", ASSETS, headers={**FORM, "Content-Length": f"{30 * MIB}"}, pieces=[])
    await exchange.run(BodyLimitMiddleware(echo, settings=SETTINGS))
    assert calls == [{"type": "http.disconnect"}]


async def test_limit_of_an_endpoint_is_answered() -> None:
    async def endpoint(*_: object) -> None:
        raise TooLarge(7 * KIB)

    exchange = await Exchange("POST").run(BodyLimitMiddleware(endpoint, settings=SETTINGS))
    assert (exchange.status, json.loads(exchange.body)["detail"]) == (
        413,
        "This is too large: the limit is 7 KiB.",
    )


async def test_answer_that_an_endpoint_makes_of_a_refusal_is_not_sent() -> None:
    async def endpoint(_scope: object, receive: Any, send: Any) -> None:
        with suppress(TooLarge):
            await receive()
        await send({"type": "http.response.start", "status": 400, "headers": []})

    async def answered_before(scope: object, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await receive()

    exchange = Exchange("POST", pieces=[bytes(1025)])
    await exchange.run(BodyLimitMiddleware(endpoint, settings=SETTINGS))
    assert exchange.status == 413
    exchange = Exchange("POST", pieces=[bytes(1025)])
    await exchange.run(BodyLimitMiddleware(answered_before, settings=SETTINGS))
    assert [message["type"] for message in exchange.sent] == ["http.response.start"]


async def test_disconnect_after_the_body_has_no_deadline() -> None:
    received = []

    async def endpoint(_scope: object, receive: Any, _send: object) -> None:
        received.extend([(await receive())["type"] for _ in range(2)])

    class Slow(Exchange):
        async def receive(self) -> dict[str, Any]:
            for _ in range(5 if self.taken else 0):
                await checkpoint()
            message = await super().receive()
            message.pop("more_body", None)  # as servers may leave it out
            return message

    app = BodyLimitMiddleware(endpoint, settings=SETTINGS)
    app.seconds = 0.0
    await Slow("POST", pieces=[b"a"]).run(app)
    assert received == ["http.request", "http.disconnect"]
