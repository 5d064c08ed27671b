"""What the span of a request says of it, and spans of a process by themselves."""

import asyncio
from contextlib import nullcontext
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from tests.server.http.asgi import Exchange
from tests.server.observability.otlp_receiver import *  # noqa: F403
from tests.server.observability.otlp_receiver import Receiver, Span

from impasto.errors import NodeError
from impasto_server.observability import tracing
from impasto_server.observability.tracing import Tracing, TracingMiddleware
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio


class Route:
    """A route as the router leaves it in the scope."""

    path = "/things/{thing_id}"


async def spans_of(receiver: Receiver, *scopes: dict[str, Any], status: int | None = 200) -> list[Span]:
    """Return the spans of requests that are answered with a status, or with an error without one."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if status is None:
            raise LookupError("a secret")
        scope["route"] = Route if scope.get("has_route") else None
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    made = Tracing(Settings(_env_file=None, otel_endpoint=receiver.url))
    for scope in scopes:
        exchange = Exchange(path="/api/v1/x")
        with nullcontext() if status else pytest.raises(LookupError):
            await exchange.run(TracingMiddleware(app, made), **scope)
        assert status is None or exchange.status == status
    await made.close()
    return receiver.spans


async def test_span_names_method_route_status_and_request(receiver: Receiver) -> None:
    scope = {"method": "POST", "has_route": True, "state": {"request_id": "r1"}}
    (span,) = await spans_of(receiver, scope, status=201)
    assert (span.name, span.kind, span.is_error) == ("POST /things/{thing_id}", 2, False)
    assert span.attributes == {
        "http.request.method": "POST",
        "impasto.request_id": "r1",
        "http.route": "/things/{thing_id}",
        "http.response.status_code": "201",
    }


@pytest.mark.parametrize(("status", "is_error"), [(404, False), (499, False), (500, True), (503, True)])
async def test_errors_of_the_server_mark_the_span(receiver: Receiver, status: int, is_error: bool) -> None:
    (span,) = await spans_of(receiver, {"method": "BREW"}, status=status)
    assert (span.name, span.is_error) == ("_OTHER", is_error)
    assert span.attributes.get("error.type") == (str(status) if is_error else None)


async def test_exception_marks_the_span_by_its_class_alone(receiver: Receiver) -> None:
    (span,) = await spans_of(receiver, {}, status=None)
    assert (span.is_error, span.attributes["error.type"]) == (True, "LookupError")
    assert "a secret" not in str(receiver.bodies)


async def test_only_requests_of_the_api_have_a_span(receiver: Receiver) -> None:
    others = ({"path": "/index.html"}, {"type": "websocket"}, {"path": "/api"})
    assert await spans_of(receiver, *others) == []


async def test_share_of_0_sends_no_trace(receiver: Receiver) -> None:
    made = Tracing(Settings(_env_file=None, otel_endpoint=receiver.url, otel_ratio=0))
    with made.span("launch", {}) as span:
        assert not span.is_recording()
    await made.close()
    assert receiver.spans == []


async def test_span_of_another_process_is_continued_at_its_own_time(receiver: Receiver) -> None:
    made = Tracing(Settings(_env_file=None, otel_endpoint=receiver.url))
    with tracing.traced(made, "launch", {"n": 1}):
        parent = tracing.current_traceparent(made)
    assert parent is not None
    step = made.start_span("step", tracing.context_of(parent), {}, 1_800_000_000.5)
    call = made.start_span("call", tracing.context_in(step), {}, 1_800_000_001, is_provider_call=True)
    tracing.end_span(call, 1_800_000_001.25)
    tracing.end_span(step, 1_800_000_002)
    await made.close()
    launch, step_sent, call_sent = (receiver.one(name) for name in ("launch", "step", "call"))
    assert (step_sent.parent, call_sent.parent) == (launch.id, step_sent.id)
    assert {launch.trace, step_sent.trace, call_sent.trace} == {tracing.trace_id_of(step)}
    assert parent.startswith(f"00-{launch.trace}-{launch.id}-")
    assert (launch.kind, step_sent.kind, call_sent.kind) == (1, 1, 3)
    assert (step_sent.seconds, call_sent.seconds) == pytest.approx((1.5, 0.25), abs=1e-6)


def test_without_tracing_there_is_no_span() -> None:
    assert tracing.open_tracing(Settings(_env_file=None)) is None
    with tracing.traced(None, "launch", {}) as span:
        assert span is None
    assert tracing.current_traceparent(None) is None
    assert dict(tracing.context_of(None)) == {}


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (asyncio.CancelledError(), "cancelled"),
        (NodeError("Refused.", code="moderated"), "moderated"),
        (ValueError("words"), "node_failed"),
    ],
    ids=["cancelled", "error of a node", "other exception"],
)
def test_error_of_a_step_is_named_by_its_code(error: BaseException, kind: str) -> None:
    assert tracing.error_type(error) == kind
