"""Ollama's own protocol: chat as lines of JSON; no key."""

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes.parameters import OLLAMA_FIELDS, unknown_names
from tests.fakes.state import REPLY

router = APIRouter()
MODELS = ("llama3.2", "llava")


@router.get("/v1/models")
async def models() -> Response:
    return JSONResponse({"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]})


@router.get("/api/tags")
async def tags() -> Response:
    return JSONResponse({"models": [{"name": name, "model": name} for name in MODELS]})


@router.post("/api/show")
async def show() -> Response:
    return JSONResponse({"template": "", "model_info": {}, "capabilities": ["completion", "vision"]})


@router.post("/api/chat")
async def chat(request: Request) -> Response:
    body, state = await request.json(), request.app.state.fakes
    if body["model"] not in MODELS:
        return JSONResponse({"error": f"model '{body['model']}' not found"}, 404)
    if unknown := unknown_names(body, OLLAMA_FIELDS):
        return JSONResponse({"error": f"json: unknown field {unknown!r}"}, 400)
    if state.take(request.url.path, "reject"):
        return JSONResponse({"error": "invalid format: expected a JSON schema"}, 400)
    text = state.replies.popleft() if state.replies else REPLY
    fault = state.take(request.url.path, "disconnect", "truncated", "broken_event", "error_event")
    lines = _lines(body["model"], text, fault.kind if fault else "")
    return StreamingResponse(lines, media_type="application/x-ndjson")


async def _lines(model: str, text: str, fault: str) -> AsyncIterator[str]:
    pieces = [text[at : at + 8] for at in range(0, len(text), 8)]
    for number, piece in enumerate(pieces):
        if fault and number == 2:
            if fault == "disconnect":
                raise ConnectionError("dropped on demand")
            if fault == "broken_event":
                yield '{"model": "llama3.2", "message": {\n'
            if fault == "error_event":
                yield json.dumps({"error": "an error was encountered while running the model"}) + "\n"
            return
        yield _line(model, piece)
    counts = {"prompt_eval_count": 12, "eval_count": len(pieces), "total_duration": 1, "eval_duration": 1}
    yield _line(model, "", done=True, done_reason="stop", **counts)


def _line(model: str, text: str, *, done: bool = False, **more: Any) -> str:
    line = {"model": model, "created_at": "2026-01-01T00:00:00.000000Z", "done": done}
    return json.dumps(line | {"message": {"role": "assistant", "content": text}} | more) + "\n"
