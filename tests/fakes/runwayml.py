"""Runway's API: tasks of video. Bodies are checked against the fields that its reference lists."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from tests.fakes.media import mp4
from tests.fakes.state import GOOD_KEY, POOR_KEY, Prediction, State

router = APIRouter()
_COMMON = {"model", "promptText", "ratio", "duration", "seed", "contentModeration", "audio"}
_FIELDS = {"text_to_video": _COMMON, "image_to_video": _COMMON | {"promptImage"}}
_RATIOS = {"1280:720", "720:1280", "1104:832", "832:1104", "960:960", "1584:672"}


def _error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status)


def _refused(request: Request) -> Response | None:
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if key == POOR_KEY:
        return _error(402, "You do not have enough credits to run this task. payment required")
    if key != GOOD_KEY:
        return _error(401, "Unauthorized")
    if not request.headers.get("x-runway-version"):
        return _error(400, "The header X-Runway-Version is required")
    return None


def problem_of(endpoint: str, body: dict[str, Any]) -> str:
    """Return the problem of the body of a task; empty if there is none."""
    if unknown := sorted(set(body) - _FIELDS[endpoint]):
        return f"Validation of body failed: unrecognized key '{unknown[0]}'"
    if body.get("ratio") not in _RATIOS or not isinstance(body.get("duration"), int):
        return "Validation of body failed: ratio or duration"
    is_image = str(body.get("promptImage", "")).startswith("data:image/")
    return "" if is_image == (endpoint == "image_to_video") else "Validation of body failed: promptImage"


@router.post("/v1/{endpoint}")
async def create(endpoint: str, request: Request) -> Response:
    state: State = request.app.state.fakes
    if refused := _refused(request):
        return refused
    body = await request.json()
    if problem := problem_of(endpoint, body):
        return _error(400, problem)
    job = Prediction(f"task{len(state.predictions)}", body["model"], body, state.polls)
    state.predictions[job.id] = job
    if state.take(request.url.path, "moderation"):
        job.error = "SAFETY.INPUT.TEXT: the prompt did not pass moderation"
    return JSONResponse({"id": job.id})


@router.get("/v1/tasks/{task_id}")
async def task(task_id: str, request: Request) -> Response:
    state: State = request.app.state.fakes
    if refused := _refused(request):
        return refused
    job = state.predictions[task_id]
    about: dict[str, Any] = {"id": task_id, "createdAt": job.made}
    if job.take_poll():
        return JSONResponse(about | {"status": "RUNNING", "progress": 0.5})
    if failure := job.error or state.fails_with:
        return JSONResponse(about | {"status": "FAILED", "failure": failure, "failureCode": "INTERNAL"})
    output = [f"{state.url}/runwayml/outputs/{task_id}.mp4"]
    return JSONResponse(about | {"status": "SUCCEEDED", "output": output})


@router.get("/outputs/{name}")
async def output(name: str, request: Request) -> Response:
    fault = request.app.state.fakes.take(request.url.path, "corrupt")
    return Response(b"no clip" if fault else mp4(), media_type="video/mp4")
