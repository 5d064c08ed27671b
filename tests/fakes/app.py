"""The one application: every protocol under its own prefix, faults before anything else."""

import json
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.fakes import (
    anthropic,
    azure,
    bedrock,
    elevenlabs,
    fal,
    gemini,
    minimax,
    mistral,
    ollama,
    openai,
    replicate,
    runwayml,
    vertex,
    xai,
)
from tests.fakes.state import Fault, Seen, State

_PLAIN = ("rate_limit", "server_error", "unavailable", "slow", "hang_up", "bad_json", "answer")


def create_app(state: State) -> ASGIApp:
    app = FastAPI(openapi_url=None)
    app.state.fakes = state
    modules = (
        anthropic,
        azure,
        bedrock,
        elevenlabs,
        fal,
        gemini,
        minimax,
        mistral,
        ollama,
        openai,
        replicate,
        runwayml,
        xai,
    )
    for module in modules:
        app.include_router(module.router, prefix=f"/{module.__name__.rpartition('.')[2]}")
    app.include_router(openai.router, prefix="/xai")  # xAI's text has OpenAI's protocol
    app.include_router(vertex.router)  # Google's paths begin at the host
    return _Watch(app, state)


class _Watch:
    """Writes every request down, and misbehaves where that needs no protocol."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self.app, self.state = app, state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        raw, query = await request.body(), dict(request.query_params)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.state.seen.append(Seen(scope["method"], scope["path"], headers, _decoded(raw), query))
        fault = self.state.take(scope["path"], *_PLAIN)
        if fault and fault.kind == "slow":
            await receive()  # nothing until they hang up
        if fault and fault.kind == "hang_up":
            await _hang_up(send)
        await (_misbehaved(fault) if fault else self.app)(scope, _again(raw, receive), send)


async def _hang_up(send: Send) -> None:
    """Close the connection within the answer."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"999")]})
    await send({"type": "http.response.body", "body": b"{", "more_body": True})
    raise ConnectionError("hung up on demand")


def _again(raw: bytes, receive: Receive) -> Receive:
    left = [{"type": "http.request", "body": raw, "more_body": False}]

    async def replay() -> Message:
        return left.pop() if left else await receive()

    return replay


def _misbehaved(fault: Fault) -> Response:
    headers = {} if fault.retry_after is None else {"Retry-After": f"{fault.retry_after:g}"}
    if fault.kind == "answer":
        kind = "application/json" if fault.body.startswith("{") else "text/html"
        return Response(fault.body, fault.status, headers, kind)
    if fault.kind == "rate_limit":
        body = {"error": {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}}
        return JSONResponse(body | {"detail": "Request was throttled."}, 429, headers)
    if fault.kind == "bad_json":
        return Response('{"id": "broken", "choices": [', 200, headers, "application/json")
    status = 503 if fault.kind == "unavailable" else 500
    return JSONResponse({"error": {"message": "The server had an error"}, "detail": "oops"}, status, headers)


def _decoded(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return raw
