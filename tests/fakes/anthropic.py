"""The Anthropic protocol: messages, as events."""

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes.parameters import anthropic_problem
from tests.fakes.state import GOOD_KEY, POOR_KEY, REPLY, State

router = APIRouter()
MODELS = {"claude-sonnet-5", "claude-haiku-4-5"}
LOW = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade."


def _error(status: int, kind: str, message: str) -> JSONResponse:
    return JSONResponse({"type": "error", "error": {"type": kind, "message": message}}, status)


def _refused(request: Request, model: str) -> Response | None:
    state: State = request.app.state.fakes
    key = request.headers.get("x-api-key", "")
    if key == POOR_KEY:
        return _error(400, "invalid_request_error", LOW)
    if key != GOOD_KEY:
        return _error(401, "authentication_error", "invalid x-api-key")
    if model not in MODELS:
        return _error(404, "not_found_error", f"model: {model}")
    if state.take(request.url.path, "moderation"):
        return _error(400, "invalid_request_error", "Output blocked by content filtering policy")
    if state.take(request.url.path, "overloaded"):
        return _error(529, "overloaded_error", "Overloaded")
    if state.take(request.url.path, "reject"):
        return _error(400, "invalid_request_error", "temperature: range: 0..1")
    return None


@router.get("/v1/models")
async def models(request: Request) -> Response:
    listed = [{"type": "model", "id": name, "display_name": name} for name in sorted(MODELS)]
    return _refused(request, listed[0]["id"]) or JSONResponse({"data": listed, "has_more": False})


@router.post("/v1/messages")
async def messages(request: Request) -> Response:
    body, state = await request.json(), request.app.state.fakes
    if refused := _refused(request, body["model"]):
        return refused
    if problem := anthropic_problem(body, request.headers.get("anthropic-beta", "")):
        return _error(400, "invalid_request_error", problem)
    text = state.replies.popleft() if state.replies else REPLY
    fault = state.take(request.url.path, "disconnect", "truncated", "broken_event", "withheld", "error_event")
    return StreamingResponse(_stream(body, text, fault.kind if fault else ""), media_type="text/event-stream")


async def _stream(body: dict[str, Any], text: str, fault: str) -> AsyncIterator[str]:
    forced = body.get("tool_choice", {}).get("name")
    usage = {"input_tokens": 12, "output_tokens": 1}
    start = {"id": "m1", "type": "message", "role": "assistant", "model": body["model"], "content": []}
    yield _event("message_start", message=start | {"stop_reason": None, "usage": usage})
    tool = {"type": "tool_use", "id": "t1", "name": forced, "input": {}}
    yield _event(
        "content_block_start", index=0, content_block=tool if forced else {"type": "text", "text": ""}
    )
    pieces = [text[at : at + 8] for at in range(0, len(text), 8)]
    for number, piece in enumerate(pieces):
        if fault and fault != "withheld" and number == 2:
            for broken in _broken(fault):
                yield broken
            return
        kind, field = ("input_json_delta", "partial_json") if forced else ("text_delta", "text")
        yield _event("content_block_delta", index=0, delta={"type": kind, field: piece})
    yield _event("content_block_stop", index=0)
    reason = "refusal" if fault == "withheld" else "tool_use" if forced else "end_turn"
    yield _event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": len(pieces)})
    yield _event("message_stop")


def _broken(fault: str) -> list[str]:
    if fault == "disconnect":
        raise ConnectionError("dropped on demand")
    if fault == "broken_event":
        return ['event: content_block_delta\ndata: {"type": "content_block_del\n\n']
    if fault == "error_event":
        return [_event("error", error={"type": "overloaded_error", "message": "Overloaded"})]
    return []


def _event(kind: str, **data: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind} | data)}\n\n"
