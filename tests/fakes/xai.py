"""xAI's API of video: jobs of Grok Imagine. Its text follows OpenAI's protocol.

Bodies have the fields of the published reference, and of the requests of xAI's own SDK.
"""

import base64
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes.outputs import clip_response, served
from tests.fakes.state import GOOD_KEY, POOR_KEY, Prediction, State

router = APIRouter()
_FIELDS: dict[str, type] = {
    "model": str,
    "prompt": str,
    "image": dict,
    "duration": int,
    "aspect_ratio": str,
    "resolution": str,
    "generate_audio": bool,
    "reference_images": list,
    "reference_audios": list,
    "last_frame": dict,
    "keyframes": list,
    "storage_options": dict,
    "output": dict,
    "size": str,
    "user": str,
}
_RATIOS = {"1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3"}
_USD = {
    "grok-imagine-video": {"480p": 0.05, "720p": 0.07},
    "grok-imagine-video-1.5": {"480p": 0.08, "720p": 0.14, "1080p": 0.25},
}
_IMAGE_USD = {"grok-imagine-video": 0.002, "grok-imagine-video-1.5": 0.01}
_INVALID = "Client specified an invalid argument"


def _error(status: int, code: str, message: str) -> JSONResponse:
    return JSONResponse({"code": code, "error": message}, status)


def _refused(request: Request) -> Response | None:
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if key == POOR_KEY:
        message = "Your team has used all available credits. Purchase more credits at https://console.x.ai."
        return _error(403, "The caller does not have permission to execute the specified operation", message)
    if key != GOOD_KEY:
        return _error(400, _INVALID, f"Incorrect API key provided: {key}.")
    return None


def problem_of(body: dict[str, Any]) -> str:
    """Return the problem of the body of a job; empty if there is none."""
    for name, value in body.items():
        if name not in _FIELDS:
            return f"{name}: unknown field `{name}`"
        if type(value) is not _FIELDS[name]:
            return f"{name}: invalid type"
    if "prompt" not in body:
        return "missing field `prompt`"
    if not 1 <= body.get("duration", 8) <= 15:
        return "duration: must be from 1 to 15"
    if body.get("aspect_ratio", "16:9") not in _RATIOS:
        return "aspect_ratio: unknown variant"
    if body.get("resolution", "480p") not in _USD[body["model"]]:
        return "resolution: unknown variant"
    if "generate_audio" in body and body["model"] == "grok-imagine-video":
        return "generate_audio: not supported by this model"
    return _image_problem(body["image"]) if "image" in body else ""


def _image_problem(image: dict[str, Any]) -> str:
    if set(image) != {"url"}:
        return "image: missing field `url`"
    head, _, data = image["url"].partition(";base64,")
    if head not in {"data:image/png", "data:image/jpeg", "data:image/webp"}:
        return "image.url: unsupported image"
    return "" if base64.b64decode(data, validate=True) else "image.url: an empty image"


@router.post("/v1/videos/generations")
async def create(request: Request) -> Response:
    state: State = request.app.state.fakes
    if refused := _refused(request):
        return refused
    body = await request.json()
    if body.get("model") not in _USD:
        message = f"The model {body.get('model')} does not exist or your team does not have access to it."
        return _error(404, "Some requested entity was not found", message)
    if problem := problem_of(body):
        return _error(422, "Failed to deserialize the JSON body into the target type", problem)
    if state.take(request.url.path, "moderation"):
        return _error(400, _INVALID, "The prompt violates xAI's usage guidelines: SAFETY_CHECK_TYPE_BIO.")
    job = Prediction(f"job-{len(state.predictions)}", body["model"], body, state.polls)
    state.predictions[job.id] = job
    await state.hold(request.url.path)
    if state.take(request.url.path, "lost"):  # the job exists, but the answer does not get through
        return StreamingResponse(served(b'{"request_id": "' + job.id.encode(), "disconnect"))
    return JSONResponse({"request_id": job.id})


@router.get("/v1/videos/{job_id}")
async def look(job_id: str, request: Request) -> Response:
    state: State = request.app.state.fakes
    if refused := _refused(request):
        return refused
    job = state.predictions.get(job_id)
    if job is None:
        return _error(404, "Some requested entity was not found", "No such request.")
    if job.take_poll():
        return JSONResponse({"status": "pending", "progress": 40}, 202)
    if state.fails_with:
        return JSONResponse({"status": "failed", "error": {"code": state.fails_with, "message": "failed"}})
    is_withheld = state.take(request.url.path, "withheld") is not None
    url = "" if is_withheld else f"{state.url}/xai/outputs/{job_id}.mp4"
    video = {"url": url, "duration": job.input.get("duration", 8), "respect_moderation": not is_withheld}
    usage = {"cost_in_usd_ticks": round(usd_of(job.input) * 1e10)}
    return JSONResponse({"status": "done", "video": video, "model": job.model, "usage": usage})


@router.get("/outputs/{name}")
async def output(name: str, request: Request) -> Response:
    return clip_response(request)


def usd_of(body: dict[str, Any]) -> float:
    """Return xAI's price of a job."""
    each = _USD[body["model"]][body.get("resolution", "480p")]
    return body.get("duration", 8) * each + (_IMAGE_USD[body["model"]] if "image" in body else 0.0)
