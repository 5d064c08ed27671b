"""The Replicate protocol: models, predictions, output files."""

import asyncio
import base64
import hmac
import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes.media import mp4, png
from tests.fakes.parameters import replicate_problem
from tests.fakes.state import GOOD_KEY, POOR_KEY, WEBHOOK_SECRET, Prediction, State

router = APIRouter()
MODELS = {
    "black-forest-labs/flux-1.1-pro",
    "black-forest-labs/flux-fill-pro",
    "kwaivgi/kling-v2.1",
    "bytedance/seedance-1-lite",
    "bytedance/unlisted-model",
}
_IMAGE_INPUT: dict[str, Any] = {
    "type": "object",
    "required": ["prompt"],
    "properties": {
        "prompt": {"type": "string"},
        "aspect_ratio": {"allOf": [{"$ref": "#/components/schemas/aspect_ratio"}], "default": "1:1"},
        "seed": {"type": "integer"},
        "image_prompt": {"type": "string", "format": "uri"},
        "output_quality": {"type": "integer", "minimum": 0, "maximum": 100, "default": 80},
    },
}
_FILL_INPUT: dict[str, Any] = {
    "type": "object",
    "required": ["prompt", "image"],
    "properties": {
        "prompt": {"type": "string"},
        "image": {"type": "string", "format": "uri"},
        "mask": {"type": "string", "format": "uri"},
        "seed": {"type": "integer"},
    },
}
_VIDEO_INPUT: dict[str, Any] = {
    "type": "object",
    "required": ["prompt", "start_image"],
    "properties": {
        "prompt": {"type": "string"},
        "start_image": {"type": "string", "format": "uri"},
        "duration": {"enum": [5, 10], "type": "integer"},
        "mode": {"enum": ["standard", "pro"], "type": "string"},
    },
}
_HELD_SECONDS = 60.0
_RATIO = {"enum": ["1:1", "16:9", "9:16", "4:5"], "type": "string"}


def _problem(status: int, title: str, detail: str) -> JSONResponse:
    return JSONResponse({"title": title, "detail": detail, "status": status}, status)


def _refused(request: Request) -> Response | None:
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if key == POOR_KEY:
        return _problem(402, "Insufficient credit", "You have insufficient credit to run this model.")
    if key != GOOD_KEY:
        return _problem(401, "Unauthenticated", f"You did not pass a valid token: {key}")
    return None


@router.get("/v1/models/{owner}/{name}")
async def model(owner: str, name: str, request: Request) -> Response:
    if refused := _refused(request):
        return refused
    if f"{owner}/{name}" not in MODELS:
        return _problem(404, "Not found", "The requested resource could not be found.")
    taken = _input_of(name, request.app.state.fakes)
    schema = {"components": {"schemas": {"Input": taken, "aspect_ratio": _RATIO}}}
    version = {"id": "v1", "created_at": "2026-01-01T00:00:00Z", "cog_version": "1", "openapi_schema": schema}
    about = {
        "url": "",
        "owner": owner,
        "name": name,
        "visibility": "public",
        "run_count": 1,
        "latest_version": version,
    }
    return JSONResponse(about)


def _input_of(name: str, state: State) -> dict[str, Any]:
    if "fill" in name:
        return _FILL_INPUT
    return state.model_input or (_IMAGE_INPUT if "flux" in name else _VIDEO_INPUT)


@router.post("/v1/models/{owner}/{name}/predictions")
async def create(owner: str, name: str, request: Request) -> Response:
    if refused := _refused(request):
        return refused
    state, body = request.app.state.fakes, await request.json()
    if state.take(request.url.path, "moderation"):
        return _problem(422, "Input flagged", "The input was flagged as sensitive. (E005)")
    if state.take(request.url.path, "mask"):
        return _problem(422, "Input validation failed", "- input.mask: must be the size of the image")
    if state.take(request.url.path, "reject"):
        return _problem(422, "Input validation failed", "- input.prompt: required")
    if problem := replicate_problem(body, _input_of(name, state), {"aspect_ratio": _RATIO}):
        return _problem(422, "Input validation failed", problem)
    made = Prediction(uuid.uuid4().hex, f"{owner}/{name}", body["input"], state.polls)
    made.webhook = body.get("webhook", "")
    state.predictions[made.id] = made
    if held := state.take(request.url.path, "held"):
        await asyncio.to_thread(held.over.wait, _HELD_SECONDS)
    if state.take(request.url.path, "lost"):  # made, but the answer does not get through
        return StreamingResponse(_served(json.dumps(_shown(made)).encode(), "disconnect"), 201)
    return JSONResponse(_shown(made), 201)


@router.get("/v1/account")
async def account(request: Request) -> Response:
    return _refused(request) or JSONResponse({"type": "user", "username": "acme"})


@router.get("/v1/predictions")
async def latest(request: Request) -> Response:
    """All of the account's, the newest first."""
    state: State = request.app.state.fakes
    unlisted = state.take(request.url.path, "unlisted")  # as what is still on its way to their list
    found = () if unlisted else reversed(state.predictions.values())
    page = {"previous": None, "next": None, "results": [_shown(one) for one in found]}
    return _refused(request) or JSONResponse(page)


@router.get("/v1/webhooks/default/secret")
async def webhook_secret(request: Request) -> Response:
    return _refused(request) or JSONResponse({"key": WEBHOOK_SECRET})


def webhook_call(found: Prediction, now: float, secret: str = WEBHOOK_SECRET) -> tuple[dict[str, str], bytes]:
    """The headers and the body with which Replicate tells that a prediction has ended."""
    body = json.dumps(_shown(found)).encode()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.digest(key, f"msg_1.{int(now)}.".encode() + body, "sha256")
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(int(now)),
        "webhook-signature": f"v1,bm90IHRoaXMgb25l v1,{base64.b64encode(signed).decode()}",
    }
    return headers, body


@router.get("/v1/predictions/{prediction_id}")
async def look(prediction_id: str, request: Request) -> Response:
    if refused := _refused(request):
        return refused
    state: State = request.app.state.fakes
    if prediction_id not in state.predictions:
        return _problem(404, "Not found", "No such prediction.")
    found = state.predictions[prediction_id]
    _advance(found, state)
    return JSONResponse(_shown(found))


@router.post("/v1/predictions/{prediction_id}/cancel")
async def cancel(prediction_id: str, request: Request) -> Response:
    found = request.app.state.fakes.predictions[prediction_id]
    found.status = "canceled"
    return JSONResponse(_shown(found))


def _advance(found: Prediction, state: State) -> None:
    if found.status in {"succeeded", "failed", "canceled", "aborted"} or state.polls is None:
        return
    found.status = "processing"
    found.polls = (found.polls or 0) - 1
    if found.polls <= 0:
        found.status, found.error = ("failed", state.fails_with) if state.fails_with else ("succeeded", None)
        name = "out.png" if "flux" in found.model else "out.mp4"
        address = f"{state.url}/replicate/v1/outputs/{found.id}/{name}"
        found.output = None if state.fails_with else [address] if "flux" in found.model else address
        if state.output_shape is not None:
            found.output = json.loads(state.output_shape.replace("URL", address))


def _shown(found: Prediction) -> dict[str, Any]:
    shown = {
        "id": found.id,
        "model": found.model,
        "version": "v1",
        "status": found.status,
        "input": found.input,
    }
    return shown | {
        "output": found.output,
        "error": found.error,
        "logs": "",
        "metrics": {"predict_time": 4.2} if found.status == "succeeded" else None,
        "created_at": found.made,
    }


@router.get("/v1/outputs/{prediction_id}/{name}")
async def output(prediction_id: str, name: str, request: Request) -> Response:
    fault = request.app.state.fakes.take(request.url.path, "corrupt", "disconnect", "huge", "empty")
    kind = fault.kind if fault else ""
    data = mp4() if name.endswith("mp4") else png()
    if kind in {"corrupt", "empty"}:
        return Response(b"neither image nor clip" if kind == "corrupt" else b"")
    return StreamingResponse(_served(data, kind))


async def _served(data: bytes, kind: str) -> AsyncIterator[bytes]:
    half = len(data) // 2
    yield data[:half]
    await asyncio.sleep(0)
    if kind == "disconnect":
        raise ConnectionError("dropped on demand")
    yield data[half:]
    for _ in range(64 if kind == "huge" else 0):
        yield bytes(1 << 16)
