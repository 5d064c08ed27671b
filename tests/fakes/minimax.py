"""MiniMax's API of video: tasks and their files. Bodies are checked against its published reference.

Most errors have the status 200, and a code in `base_resp`.
"""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes.media import mp4
from tests.fakes.outputs import clip_response, served
from tests.fakes.state import GOOD_KEY, POOR_KEY, Prediction, State

router = APIRouter()
_STATES = ("Preparing", "Queueing", "Processing")
_FIELDS: dict[str, type | tuple[type, ...]] = {
    "model": str,
    "prompt": str,
    "prompt_optimizer": bool,
    "fast_pretreatment": bool,
    "duration": int,
    "resolution": str,
    "callback_url": str,
    "aigc_watermark": bool,
    "first_frame_image": str,
    "last_frame_image": str,
}
_LENGTHS = {"512P": (6, 10), "768P": (6, 10), "1080P": (6,)}
_RESOLUTIONS = {
    "MiniMax-Hailuo-2.3": ("768P", "1080P"),
    "MiniMax-Hailuo-2.3-Fast": ("768P", "1080P"),
    "MiniMax-Hailuo-02": ("512P", "768P", "1080P"),
}


def _said(code: int, message: str, **more: Any) -> JSONResponse:
    return JSONResponse({**more, "base_resp": {"status_code": code, "status_msg": message}})


def _refused(request: Request) -> Response | None:
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if key == POOR_KEY:
        return _said(1008, "insufficient balance")
    return None if key == GOOD_KEY else _said(1004, f"login fail: the API secret key {key} is wrong")


def problem_of(body: dict[str, Any]) -> str:
    """Return the problem of the body of a task; empty if there is none."""
    for name, value in body.items():
        if name not in _FIELDS:
            return f"invalid params, unknown field {name}"
        if type(value) is not _FIELDS[name]:
            return f"invalid params, {name} has the wrong type"
    if body.get("model") not in _RESOLUTIONS:
        return f"invalid params, unknown model {body.get('model')}"
    resolution, frame = body.get("resolution", "768P"), body.get("first_frame_image", "")
    if resolution not in _RESOLUTIONS[body["model"]]:
        return "invalid params, resolution"
    if body.get("duration", 6) not in _LENGTHS[resolution]:
        return f"invalid params, duration is not made at {resolution}"
    if frame and not frame.startswith(("data:image/jpeg;", "data:image/png;", "data:image/webp;", "https:")):
        return "invalid params, first_frame_image"
    if not frame and (body["model"].endswith("-Fast") or resolution == "512P"):
        return "invalid params, first_frame_image is required"
    if not frame and not body.get("prompt"):
        return "invalid params, prompt is required"
    return "invalid params, prompt is too long" if len(body.get("prompt", "")) > 2000 else ""


@router.post("/v1/video_generation")
async def create(request: Request) -> Response:
    state: State = request.app.state.fakes
    if refused := _refused(request):
        return refused
    body = await request.json()
    if problem := problem_of(body):
        return _said(2013, problem, task_id="")
    if state.take(request.url.path, "moderation"):
        return _said(1026, "input new_sensitive", task_id="")
    task = Prediction(f"{106916112212032 + len(state.predictions)}", body["model"], body, state.polls)
    state.predictions[task.id] = task
    await state.hold(request.url.path)
    answer = _said(0, "success", task_id=task.id)
    if state.take(request.url.path, "lost"):  # the task exists, but the answer does not get through
        return StreamingResponse(served(bytes(answer.body), "disconnect"))
    return answer


@router.get("/v1/query/video_generation")
async def query(task_id: str, request: Request) -> Response:
    state: State = request.app.state.fakes
    if refused := _refused(request):
        return refused
    task = state.predictions.get(task_id)
    if task is None:
        return _said(2013, "invalid params, task_id")
    about: dict[str, Any] = {"task_id": task_id, "file_id": "", "video_width": 0, "video_height": 0}
    if task.take_poll():
        at = len(state.requests(request.url.path)) - 1
        return _said(0, "success", **about | {"status": _STATES[min(at, 2)]})
    if state.take(request.url.path, "withheld"):
        return _said(1027, "output new_sensitive", **about | {"status": "Fail"})
    if state.fails_with:
        return _said(1013, state.fails_with, **about | {"status": "Fail"})
    made = {"status": "Success", "file_id": int(task_id) + 1, "video_width": 1366, "video_height": 768}
    return _said(0, "success", **about | made)


@router.get("/v1/files/retrieve")
async def retrieve(file_id: int, request: Request) -> Response:
    state: State = request.app.state.fakes
    if refused := _refused(request):
        return refused
    if str(file_id - 1) not in state.predictions:
        return _said(2013, "invalid params, file_id")
    file = {
        "file_id": file_id,
        "bytes": len(mp4()),
        "created_at": 1764000000,
        "filename": "output.mp4",
        "purpose": "video_generation",
        "download_url": f"{state.url}/minimax/outputs/{file_id}.mp4",
    }
    return _said(0, "success", file=file)


@router.get("/outputs/{name}")
async def output(name: str, request: Request) -> Response:
    return clip_response(request)
