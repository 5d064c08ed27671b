"""fal's protocol: the queue, the storage of files, the list of models. Inputs follow the models' schemas."""

import json
import uuid
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes.media import mp4, png
from tests.fakes.outputs import served
from tests.fakes.parameters import fal_problem
from tests.fakes.state import GOOD_KEY, POOR_KEY, Prediction, State

router = APIRouter()
_SIZE = {"type": "object", "properties": {"width": {"type": "integer"}, "height": {"type": "integer"}}}
_PRESETS = ["square_hd", "square", "portrait_4_3", "portrait_16_9", "landscape_4_3", "landscape_16_9"]
_FLUX: dict[str, Any] = {
    "prompt": {"type": "string"},
    "image_size": {
        "anyOf": [{"$ref": "#/components/schemas/ImageSize"}, {"enum": _PRESETS, "type": "string"}],
        "default": "landscape_4_3",
    },
    "num_images": {"type": "integer", "minimum": 1, "maximum": 4, "default": 1},
    "seed": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "num_inference_steps": {"type": "integer", "minimum": 1, "maximum": 12, "title": "Steps"},
    "enable_safety_checker": {"type": "boolean", "default": True},
}
_RATIOS = ["21:9", "16:9", "4:3", "3:2", "1:1", "2:3", "3:4", "9:16"]
_KONTEXT: dict[str, Any] = {
    "prompt": {"type": "string"},
    "image_url": {"type": "string"},
    "aspect_ratio": {"enum": _RATIOS, "type": "string"},
    "seed": {"type": "integer"},
    "num_images": {"type": "integer", "minimum": 1, "maximum": 4},
}
_FILL: dict[str, Any] = {
    "prompt": {"type": "string"},
    "image_url": {"type": "string"},
    "mask_url": {"type": "string"},
    "seed": {"type": "integer"},
    "num_images": {"type": "integer", "minimum": 1, "maximum": 4},
}
_VEO: dict[str, Any] = {
    "prompt": {"type": "string"},
    "aspect_ratio": {"enum": ["16:9", "9:16"], "type": "string", "default": "16:9"},
    "duration": {"enum": ["4s", "6s", "8s"], "type": "string", "default": "8s"},
    "seed": {"type": "integer"},
    "negative_prompt": {"type": "string"},
    "generate_audio": {"type": "boolean", "default": True},
}
_KLING: dict[str, Any] = {
    "prompt": {"type": "string"},
    "duration": {"enum": [str(seconds) for seconds in range(3, 31)], "type": "string", "default": "5"},
    "aspect_ratio": {"enum": ["16:9", "9:16", "1:1"], "type": "string"},
    "resolution": {"enum": ["720p", "1080p", "4k"], "type": "string", "default": "1080p"},
}
_BANANA: dict[str, Any] = {
    "prompt": {"type": "string"},
    "aspect_ratio": {"enum": _RATIOS, "type": "string"},
    "resolution": {"enum": ["1K", "2K", "4K"], "type": "string", "default": "1K"},
    "num_images": {"type": "integer"},
}
BILLED_UNITS = {"acme/billed-by-size": {"1K": 1.0, "2K": 1.0, "4K": 2.0}}
MODELS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "fal-ai/flux/schnell": ("text-to-image", _FLUX, ["prompt"]),
    "fal-ai/flux/dev": ("text-to-image", _FLUX, ["prompt"]),
    "fal-ai/flux-2-pro": ("text-to-image", _FLUX, ["prompt"]),
    "fal-ai/flux-pro/kontext": ("image-to-image", _KONTEXT, ["prompt", "image_url"]),
    "fal-ai/flux-pro/v1/fill": ("image-to-image", _FILL, ["prompt", "image_url", "mask_url"]),
    "fal-ai/veo3.1/fast": ("text-to-video", _VEO, ["prompt"]),
    "fal-ai/veo3.1/fast/image-to-video": (
        "image-to-video",
        _VEO | {"image_url": {"type": "string"}},
        ["prompt", "image_url"],
    ),
    "kling/v4/text-to-video": ("text-to-video", _KLING, ["prompt"]),
    "acme/unlisted": ("text-to-image", _FLUX, ["prompt"]),
    "acme/by-the-second": ("text-to-image", _FLUX, ["prompt"]),
    "acme/billed-by-size": ("text-to-image", _BANANA, ["prompt"]),
}
PRICES: dict[str, tuple[float, str]] = {
    "fal-ai/flux/schnell": (0.003, "megapixels"),
    "fal-ai/flux-2-pro": (0.05, "megapixels"),
    "fal-ai/flux-pro/v1/fill": (0.05, "images"),
    "fal-ai/veo3.1/fast": (0.15, "seconds"),
    "acme/unlisted": (0.02, "images"),
    "acme/billed-by-size": (0.15, "images"),
    "acme/by-the-second": (0.001, "compute seconds"),
}


def _problem(status: int, detail: Any, **headers: str) -> JSONResponse:
    return JSONResponse({"detail": detail}, status, headers)


def _typed(kind: str, message: str, field: str = "prompt") -> list[dict[str, Any]]:
    return [
        {"loc": ["body", field], "msg": message, "type": kind, "url": f"https://docs.fal.ai/errors#{kind}"}
    ]


def _refused(request: Request) -> Response | None:
    key = request.headers.get("authorization", "").removeprefix("Key ")
    if key in {GOOD_KEY, POOR_KEY}:
        return None
    return _problem(401, f"Cannot access application: the key {key} is not known")


def schema_of(name: str) -> dict[str, Any]:
    """The OpenAPI document that fal publishes for a model."""
    _, properties, required = MODELS[name]
    shape = {"type": "object", "properties": properties, "required": required}
    reference = {"$ref": "#/components/schemas/Input"}
    post = {"requestBody": {"content": {"application/json": {"schema": reference}}}}
    paths = {f"/{name}/requests/{{request_id}}/status": {"get": {}}, f"/{name}": {"post": post}}
    return {
        "openapi": "3.0.4",
        "paths": paths,
        "components": {"schemas": {"Input": shape, "ImageSize": _SIZE}},
    }


@router.get("/v1/models")
async def models(request: Request) -> Response:
    if refused := _refused(request):
        return refused
    asked = request.query_params
    if "endpoint_id" in asked:
        names = [name for name in MODELS if name == asked["endpoint_id"]]
    else:
        names = [name for name, (category, *_) in MODELS.items() if category == asked["category"]]
    expanded = asked.get("expand") == "openapi-3.0"
    found = [
        {
            "endpoint_id": name,
            "metadata": {"display_name": name, "category": MODELS[name][0], "status": "active"},
        }
        | ({"openapi": schema_of(name)} if expanded else {})
        for name in names
    ]
    return JSONResponse({"models": found, "next_cursor": None, "has_more": False})


@router.get("/v1/models/pricing")
async def pricing(request: Request) -> Response:
    if refused := _refused(request):
        return refused
    names = request.query_params["endpoint_id"].split(",")
    found = [
        {"endpoint_id": name, "unit_price": usd, "unit": unit, "currency": "USD"}
        for name, (usd, unit) in PRICES.items()
        if name in names
    ]
    return JSONResponse({"prices": found, "next_cursor": None, "has_more": False})


@router.post("/storage/upload/initiate")
async def initiate(request: Request) -> Response:
    if refused := _refused(request):
        return refused
    body, state = await request.json(), request.app.state.fakes
    if set(body) != {"file_name", "content_type"} or request.query_params["storage_type"] != "gcs":
        return _problem(422, "file_name and content_type are required")
    name = f"{uuid.uuid4().hex}_{body['file_name']}"
    url = f"{state.url}/fal/uploads/{name}"
    return JSONResponse({"upload_url": url, "file_url": url})


@router.put("/uploads/{name}")
async def upload(name: str, request: Request) -> Response:
    return Response(status_code=400 if "authorization" in request.headers else 200)


@router.post("/{model:path}")
async def submit(model: str, request: Request) -> Response:
    if refused := _refused(request):
        return refused
    state: State = request.app.state.fakes
    if request.headers["authorization"] == f"Key {POOR_KEY}":
        return _problem(403, "User is locked. Reason: Exhausted balance. Top up your balance at fal.ai.")
    if model not in MODELS:
        return _problem(404, f"Application '{model}' not found")
    made = Prediction(uuid.uuid4().hex, model, await request.json(), state.polls, "IN_QUEUE")
    state.predictions[made.id] = made
    await state.hold(request.url.path)
    base = f"https://queue.fal.run/{_app(model)}/requests/{made.id}"
    answer = {
        "request_id": made.id,
        "response_url": base,
        "status_url": f"{base}/status",
        "cancel_url": f"{base}/cancel",
        "queue_position": 0,
    }
    if state.take(request.url.path, "lost"):  # in the queue, but the answer does not get through
        return StreamingResponse(served(json.dumps(answer).encode(), "disconnect"))
    return JSONResponse(answer)


@router.get("/{owner}/{app}/requests/{request_id}/status")
async def status(owner: str, app: str, request_id: str, request: Request) -> Response:
    state: State = request.app.state.fakes
    found = state.predictions.get(request_id)
    if refused := _refused(request):
        return refused
    if found is None or _app(found.model) != f"{owner}/{app}":
        return _problem(404, "Request not found")
    if state.polls is not None and found.status not in {"COMPLETED", "CANCELLED"}:
        found.polls = (found.polls or 0) - 1
        found.status = "COMPLETED" if found.polls <= 0 else "IN_PROGRESS"
    shown: dict[str, Any] = {"status": found.status, "request_id": request_id, "logs": None}
    if found.status == "IN_QUEUE":
        return JSONResponse(shown | {"queue_position": 2}, 202)
    if found.status == "COMPLETED":
        shown |= {"metrics": {"inference_time": 4.0}}
    return JSONResponse(shown, 200 if found.status == "COMPLETED" else 202)


@router.get("/{owner}/{app}/requests/{request_id}")
async def result(owner: str, app: str, request_id: str, request: Request) -> Response:
    state: State = request.app.state.fakes
    found = state.predictions[request_id]
    if refused := _refused(request):
        return refused
    if found.status != "COMPLETED":
        return _problem(400, "Request is still in progress")
    if state.take(request.url.path, "moderation"):
        return _problem(422, _typed("content_policy_violation", "flagged by a content checker"))
    if state.take(request.url.path, "mask"):
        return _problem(422, _typed("value_error", "The mask is empty", "mask_url"))
    if problem := fal_problem(found.input, schema_of(found.model)):
        return _problem(422, _typed("value_error", problem))
    if state.fails_with:
        return _problem(500, _typed(state.fails_with, "The model failed"))
    if state.output_shape is not None:
        return JSONResponse(json.loads(state.output_shape))
    name = "out.mp4" if "video" in MODELS[found.model][0] else "out.png"
    file = {"url": f"{state.url}/fal/files/{_app(found.model)}/{request_id}/{name}"}
    if name.endswith("mp4"):
        return JSONResponse({"video": file})
    units = BILLED_UNITS.get(found.model, {}).get(found.input.get("resolution", "1K"))
    headers = {} if units is None else {"x-fal-billable-units": str(units)}
    answer = {"images": [file], "seed": 1, "has_nsfw_concepts": [False], "prompt": "a can"}
    return JSONResponse(answer, headers=headers)


@router.put("/{owner}/{app}/requests/{request_id}/cancel")
async def cancel(owner: str, app: str, request_id: str, request: Request) -> Response:
    found = request.app.state.fakes.predictions[request_id]
    if found.status == "COMPLETED":
        return JSONResponse({"status": "ALREADY_COMPLETED"}, 400)
    found.status = "CANCELLED"
    return JSONResponse({"status": "CANCELLATION_REQUESTED"}, 202)


@router.get("/files/{path:path}")
async def output(path: str, request: Request) -> Response:
    fault = request.app.state.fakes.take(request.url.path, "corrupt", "disconnect", "huge", "empty")
    kind = fault.kind if fault else ""
    if kind in {"corrupt", "empty"}:
        return Response(b"neither image nor clip" if kind == "corrupt" else b"")
    return StreamingResponse(served(mp4() if path.endswith("mp4") else png(), kind))


def _app(model: str) -> str:
    return "/".join(model.split("/")[:2])
