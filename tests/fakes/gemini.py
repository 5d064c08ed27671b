"""The Gemini protocol: text as a stream, images, speech and video."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes.media import mp4, png
from tests.fakes.parameters import gemini_problem, veo_problem
from tests.fakes.state import GOOD_KEY, POOR_KEY, REPLY, Prediction, State

router = APIRouter()
SPEECH_MODELS = {"gemini-3.8-flash-tts"}
MODELS = {"gemini-3.8-flash", "gemini-2.5-flash", "gemini-3.1-flash-image", "veo-3.1-fast-generate-001"}
MODELS |= SPEECH_MODELS
VOICES = {"Kore", "Puck"}
SPEECH = bytes(2 * 24_001)
"""A second of 16-bit samples at 24 kHz; their number may be odd."""
SPENT = "Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing."


def _error(status: int, name: str, message: str, *details: dict[str, Any]) -> JSONResponse:
    error = {"code": status, "message": message, "status": name, "details": list(details)}
    return JSONResponse({"error": error}, status)


def _refused(request: Request, model: str) -> Response | None:
    state: State = request.app.state.fakes
    key = request.headers.get("x-goog-api-key") or request.query_params.get("key", "")
    if key == POOR_KEY:
        return _error(429, "RESOURCE_EXHAUSTED", SPENT)
    if key != GOOD_KEY:
        reason = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
        return _error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", reason)
    if model not in MODELS:
        return _error(404, "NOT_FOUND", f"models/{model} is not found for API version v1beta")
    if fault := state.take(request.url.path, "quota"):
        again = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{fault.retry_after:g}s"}
        words = "You exceeded your current quota, please check your plan and billing details."
        return _error(429, "RESOURCE_EXHAUSTED", f"{words} Please retry in {fault.retry_after:g}s.", again)
    if state.take(request.url.path, "reject"):
        return _error(400, "INVALID_ARGUMENT", "Invalid value at 'generation_config.temperature'")
    return None


@router.get("/v1beta/models")
async def models(request: Request) -> Response:
    listed = [{"name": f"models/{name}"} for name in sorted(MODELS)]
    return _refused(request, min(MODELS)) or JSONResponse({"models": listed})


@router.post("/v1beta/models/{call}")
async def generate(call: str, request: Request) -> Response:
    model, _, verb = call.partition(":")
    state: State = request.app.state.fakes
    if refused := _refused(request, model):
        return refused
    if verb == "predictLongRunning":
        return await _video_job(model, request)
    if problem := gemini_problem(await request.json()):
        return _error(400, "INVALID_ARGUMENT", problem)
    if model in SPEECH_MODELS:
        return _speech(await request.json(), request)
    if verb == "generateContent":
        return JSONResponse(_image(request))
    text = state.replies.popleft() if state.replies else REPLY
    kinds = ("disconnect", "truncated", "broken_event", "withheld", "moderation")
    fault = state.take(request.url.path, *kinds)
    return StreamingResponse(stream(text, fault.kind if fault else ""), media_type="text/event-stream")


def _speech(body: dict[str, Any], request: Request) -> Response:
    config = body.get("generationConfig") or body.get("generation_config") or {}
    voice = (config.get("speechConfig") or {}).get("voiceConfig", {}).get("prebuiltVoiceConfig", {})
    if config.get("responseModalities") != ["AUDIO"] or voice.get("voiceName") not in VOICES:
        return _error(400, "INVALID_ARGUMENT", "Invalid value at 'generation_config.speech_config'")
    state: State = request.app.state.fakes
    if state.take(request.url.path, "moderation"):
        return JSONResponse({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": _usage(0)})
    if state.take(request.url.path, "empty"):
        return JSONResponse(
            {"candidates": [_candidate("I cannot speak.", "STOP")], "usageMetadata": _usage(4)}
        )
    if state.take(request.url.path, "disconnect"):
        return StreamingResponse(_dropped(), media_type="application/json")
    data = "%%%" if state.take(request.url.path, "corrupt") else base64.b64encode(SPEECH).decode()
    part = {"inlineData": {"mimeType": "audio/L16;codec=pcm;rate=24000", "data": data}}
    made = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return JSONResponse({"candidates": [made], "usageMetadata": _usage(25)})


async def _video_job(model: str, request: Request) -> Response:
    state: State = request.app.state.fakes
    body = await request.json()
    if problem := veo_problem(body):
        return _error(400, "INVALID_ARGUMENT", problem)
    if state.take(request.url.path, "moderation"):
        words = (
            "The prompt could not be submitted: it contains sensitive words that violate our content policy."
        )
        return _error(400, "INVALID_ARGUMENT", words)
    job = Prediction(f"job{len(state.predictions)}", model, body, state.polls)
    state.predictions[job.id] = job
    if held := state.take(request.url.path, "held"):
        await asyncio.to_thread(held.over.wait, 60)
    if state.take(request.url.path, "lost"):
        return StreamingResponse(_dropped(), media_type="application/json")
    return JSONResponse({"name": f"models/{model}/operations/{job.id}"})


async def _dropped() -> AsyncIterator[str]:
    yield '{"name": '
    raise ConnectionError("dropped on demand")


@router.get("/v1beta/models/{model}/operations/{job_id}")
async def operation(model: str, job_id: str, request: Request) -> Response:
    state: State = request.app.state.fakes
    if refused := _refused(request, model):
        return refused
    job, name = state.predictions[job_id], f"models/{model}/operations/{job_id}"
    if job.take_poll():
        return JSONResponse({"name": name, "done": False})
    if state.fails_with is not None:
        error = {"code": 13, "message": state.fails_with}
        return JSONResponse({"name": name, "done": True, "error": error})
    if state.output_shape is not None:
        made = json.loads(state.output_shape)
        return JSONResponse({"name": name, "done": True, "response": {"generateVideoResponse": made}})
    uri = f"{state.url}/gemini/v1beta/files/{job_id}:download?alt=media"
    made = {"generatedSamples": [{"video": {"uri": uri}}]}
    return JSONResponse({"name": name, "done": True, "response": {"generateVideoResponse": made}})


@router.get("/v1beta/files/{name}")
async def file(name: str, request: Request) -> Response:
    state: State = request.app.state.fakes
    if refused := _refused(request, min(MODELS)):
        return refused
    fault = state.take(request.url.path, "corrupt", "empty", "huge")
    kind = fault.kind if fault else ""
    if kind in {"corrupt", "empty"}:
        return Response(b"no clip" if kind == "corrupt" else b"")
    return Response(mp4() + bytes(1 << 20 if kind == "huge" else 0), media_type="video/mp4")


async def stream(text: str, fault: str) -> AsyncIterator[str]:
    if fault == "moderation":
        yield _event({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": _usage(0)})
        return
    pieces = [text[at : at + 8] for at in range(0, len(text), 8)]
    for number, piece in enumerate(pieces):
        if fault and fault != "withheld" and number == 2:
            if fault == "disconnect":
                raise ConnectionError("dropped on demand")
            if fault == "broken_event":
                yield 'data: {"candidates": [\n\n'
            return
        yield _event({"candidates": [_candidate(piece)], "usageMetadata": _usage(number)})
    last = _candidate("", "SAFETY" if fault == "withheld" else "STOP")
    yield _event({"candidates": [last], "usageMetadata": _usage(len(pieces))})


def _candidate(text: str, finish: str | None = None) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}] if text else []}
    return {"content": content, "index": 0} | ({"finishReason": finish} if finish else {})


def _usage(tokens: int) -> dict[str, int]:
    return {"promptTokenCount": 12, "candidatesTokenCount": tokens, "totalTokenCount": 12 + tokens}


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data)}\r\n\r\n"


def _image(request: Request) -> dict[str, Any]:
    state: State = request.app.state.fakes
    if state.take(request.url.path, "moderation"):
        return {"promptFeedback": {"blockReason": "IMAGE_SAFETY"}, "usageMetadata": _usage(0)}
    if state.take(request.url.path, "withheld"):
        return {"candidates": [{"content": {}, "finishReason": "IMAGE_SAFETY"}], "usageMetadata": _usage(0)}
    if state.take(request.url.path, "empty"):
        return {"candidates": [_candidate("I cannot draw.", "STOP")], "usageMetadata": _usage(4)}
    data = b"this is no image" if state.take(request.url.path, "corrupt") else png()
    part = {"inlineData": {"mimeType": "image/png", "data": base64.b64encode(data).decode()}}
    made = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return {"candidates": [made], "usageMetadata": _usage(1120)}
