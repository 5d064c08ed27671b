"""The OpenAI protocol: chat completions, images, speech, transcripts.

Bodies are checked against the parameter types of OpenAI's own SDK. As at the service, an unknown field is
refused.
"""

import base64
import json
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from PIL import Image
from starlette.datastructures import FormData, UploadFile
from tests.fakes.media import mp3, png
from tests.fakes.openai_parameters import (
    EDIT_FIELDS,
    OPENROUTER_FIELDS,
    TRANSCRIPTION_FIELDS,
    Chat,
    Generation,
    Speech,
    StreamedChat,
    problem_of,
    unknown_field,
)
from tests.fakes.state import GOOD_KEY, POOR_KEY, REPLY, State

router = APIRouter()
CHAT_MODELS = {"gpt-5-mini", "gpt-4o-mini", "local", "openai/gpt-oss-120b"}
OF_OTHERS = {"grok-4.7", "deepseek-v4-flash", "openai/gpt-5-mini"}
"""Models of xAI, DeepSeek and OpenRouter, which speak this protocol."""
IMAGE_MODELS = {"gpt-image-2"}
SPEECH_MODELS = {"gpt-4o-mini-tts", "tts-1"}
VOICES = {"alloy", "ash", "coral", "echo", "marin"}
_ANSWERS = ("refusal", "tools_only", "no_text")


def _error(status: int, message: str, code: str | None, kind: str = "invalid_request_error") -> JSONResponse:
    return JSONResponse({"error": {"message": message, "type": kind, "param": None, "code": code}}, status)


def _refused(request: Request, model: str, models: set[str]) -> Response | None:
    state: State = request.app.state.fakes
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if key == POOR_KEY:
        return _error(429, "You exceeded your current quota, please check your plan.", "insufficient_quota")
    if key != GOOD_KEY:
        return _error(401, f"Incorrect API key provided: {key}.", "invalid_api_key")
    if model not in models:
        return _error(404, f"The model `{model}` does not exist", "model_not_found")
    if state.take(request.url.path, "moderation"):
        return _error(400, "Your request was rejected by our safety system.", "content_policy_violation")
    if state.take(request.url.path, "mask"):
        return _error(400, "Invalid mask image format - mask size does not match image size", None)
    if state.take(request.url.path, "reject"):
        return _error(400, "Invalid value for 'temperature'.", "invalid_value")
    return None


def _malformed(problem: str) -> Response | None:
    return _error(400, problem, "unknown_parameter") if problem else None


@router.get("/v1/models/user")
@router.get("/v1/models")
async def models(request: Request) -> Response:
    listed = [{"id": name, "object": "model"} for name in sorted(CHAT_MODELS)]
    return _refused(request, listed[0]["id"], CHAT_MODELS) or JSONResponse({"object": "list", "data": listed})


@router.post("/v1/chat/completions")
async def chat(request: Request) -> Response:
    body, state = await request.json(), request.app.state.fakes
    refused = _refused(request, body["model"], CHAT_MODELS | OF_OTHERS) or _malformed(
        problem_of(
            {name: value for name, value in body.items() if name not in OPENROUTER_FIELDS},
            StreamedChat if body.get("stream") else Chat,
        )
    )
    if refused is not None:
        return refused
    text = state.replies.popleft() if state.replies else REPLY
    if not body.get("stream"):
        choice = body.get("tool_choice")
        forced = choice["function"]["name"] if isinstance(choice, dict) else ""
        return JSONResponse(_completion(body["model"], text, forced))
    fault = state.take(request.url.path, "disconnect", "truncated", "broken_event", *_ANSWERS)
    return StreamingResponse(stream(body, text, fault.kind if fault else ""), media_type="text/event-stream")


def _completion(model: str, text: str, forced: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if forced:
        call = {"id": "t1", "type": "function", "function": {"name": forced, "arguments": text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 12, "completion_tokens": 9, "total_tokens": 21}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [choice],
        "usage": usage,
        "service_tier": "default",
    }


async def stream(body: dict[str, Any], text: str, fault: str) -> AsyncIterator[str]:
    """The answer as events, a token for each 8 characters, and no more tokens than the body allows."""
    limit = body.get("max_completion_tokens") or body.get("max_tokens") or len(text)
    pieces = [text[at : at + 8] for at in range(0, len(text), 8)]
    is_long, pieces = len(pieces) > limit, pieces[:limit]
    if fault in _ANSWERS:
        for event in _without_text(body["model"], fault):
            yield event
        return
    for index, piece in enumerate(pieces):
        if fault and index == 2:
            if fault == "disconnect":
                raise ConnectionError("dropped on demand")
            if fault == "broken_event":
                yield 'data: {"id": "c1", "choices": [\n\n'
            return
        yield _event(body["model"], {"content": piece, "role": "assistant"}, None)
    yield _event(body["model"], {}, "length" if is_long else "stop")
    count = len(pieces)
    usage: dict[str, Any] = {"prompt_tokens": 12, "completion_tokens": count, "total_tokens": 12 + count}
    usage |= {"cost": 0.00042} if body.get("usage") else {}  # asked for at OpenRouter only
    yield _event(body["model"], None, None, usage)
    yield "data: [DONE]\n\n"


def _without_text(model: str, fault: str) -> Iterator[str]:
    """An answer that is paid for and holds no text."""
    called = {"index": 0, "id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    if fault == "refusal":
        yield _event(model, {"role": "assistant", "refusal": "I can't help "}, None)
        yield _event(model, {"refusal": "with that."}, None)
    elif fault == "tools_only":
        yield _event(model, {"role": "assistant", "tool_calls": [called]}, None)
    yield _event(model, {}, "tool_calls" if fault == "tools_only" else "stop")
    yield _event(model, None, None, {"prompt_tokens": 12, "completion_tokens": 40, "total_tokens": 52})
    yield "data: [DONE]\n\n"


def _event(
    model: str, delta: dict[str, Any] | None, finish: str | None, usage: dict[str, Any] | None = None
) -> str:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    chunk = {"id": "c1", "object": "chat.completion.chunk", "created": int(time.time()), "model": model}
    return f"data: {json.dumps(chunk | {'choices': choices, 'usage': usage})}\n\n"


@router.post("/v1/images/generations")
async def generate(request: Request) -> Response:
    body = await request.json()
    refused = _refused(request, body["model"], IMAGE_MODELS) or _malformed(problem_of(body, Generation))
    return refused or JSONResponse(_images(request, body.get("n") or 1))


@router.post("/v1/images/edits")
async def edit(request: Request) -> Response:
    async with request.form() as form:
        model, number = str(form["model"]), int(str(form.get("n") or 1))
        malformed = _malformed(unknown_field(EDIT_FIELDS, form) or _wrong_mask(form))
    return _refused(request, model, IMAGE_MODELS) or malformed or JSONResponse(_images(request, number))


def _wrong_mask(form: FormData) -> str:
    """The service's sentence about a mask, empty if it is right or there is none.

    A mask is a PNG of the image's size with see-through pixels.
    """
    mask, image = form.get("mask"), form.get("image") or form.get("image[]")
    if not isinstance(mask, UploadFile) or not isinstance(image, UploadFile):
        return ""
    with Image.open(mask.file) as painted, Image.open(image.file) as whole:
        if painted.format != "PNG" or "A" not in painted.mode or painted.size != whole.size:
            return "Invalid mask: a PNG with an alpha channel, of the size of the image."
    return ""


def _images(request: Request, number: int) -> dict[str, Any]:
    data = b"this is no image" if request.app.state.fakes.take(request.url.path, "corrupt") else png()
    if request.app.state.fakes.take(request.url.path, "empty"):
        return {"created": 1, "data": []}
    return {
        "created": 1,
        "data": [{"b64_json": base64.b64encode(data).decode()} for _ in range(number)],
        **request.app.state.fakes.image_usage,
    }


@router.post("/v1/audio/speech")
async def speak(request: Request) -> Response:
    body = await request.json()
    refused = _refused(request, body["model"], SPEECH_MODELS) or _malformed(problem_of(body, Speech))
    if refused is not None:
        return refused
    if body["voice"] not in VOICES or not 0 < len(body["input"]) <= 4096:
        return _error(400, "Invalid value: voice or input", "invalid_value")
    if state_fault := request.app.state.fakes.take(request.url.path, "corrupt", "empty", "disconnect"):
        return StreamingResponse(_audio(state_fault.kind), media_type="audio/mpeg")
    return Response(mp3(), media_type="audio/mpeg")


async def _audio(fault: str) -> AsyncIterator[bytes]:
    yield b"" if fault == "empty" else b"this is no audio" if fault == "corrupt" else mp3()[:2000]
    if fault == "disconnect":
        raise ConnectionError("dropped on demand")


@router.post("/v1/audio/transcriptions")
async def transcribe(request: Request) -> Response:
    async with request.form() as form:
        refused = _refused(request, str(form["model"]), {"whisper-1"})
        refused = refused or _malformed(unknown_field(TRANSCRIPTION_FIELDS, form))
    words = ["Cold", "brew,", "warm", "light.", "Pour", "a", "glass."]
    return refused or JSONResponse(
        {"text": " ".join(words), "language": "en", "duration": 3.5, "words": list(_timed(words))}
    )


def _timed(words: list[str]) -> Iterator[dict[str, Any]]:
    for index, word in enumerate(words):
        yield {"word": word, "start": index * 0.5, "end": index * 0.5 + 0.4}
