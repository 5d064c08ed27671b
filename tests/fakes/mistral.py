"""The Mistral protocol: OpenAI's chat, with errors of its own."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes import openai
from tests.fakes.parameters import MISTRAL_FIELDS, unknown_names
from tests.fakes.state import GOOD_KEY, POOR_KEY, REPLY, State

router = APIRouter()
MODELS = {"mistral-large-latest", "mistral-medium-latest", "mistral-small-latest"}


def _error(status: int, message: str, kind: str, code: str) -> JSONResponse:
    return JSONResponse(
        {"object": "error", "message": message, "type": kind, "param": None, "code": code}, status
    )


def _refused(request: Request, model: str) -> Response | None:
    state: State = request.app.state.fakes
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if key == POOR_KEY:
        return _error(402, "Payment required: your workspace has no credit left.", "payment", "1900")
    if key != GOOD_KEY:
        return JSONResponse({"detail": "Unauthorized"}, 401)
    if model not in MODELS:
        return _error(400, f"Invalid model: {model}", "invalid_model", "1500")
    if state.take(request.url.path, "moderation"):
        return _error(403, "The request was blocked by the moderation guardrail.", "guardrail", "3020")
    if state.take(request.url.path, "reject"):
        return _error(422, "Input should be less than or equal to 1.5", "invalid_request", "1200")
    return None


@router.get("/v1/models")
async def models(request: Request) -> Response:
    listed = [{"id": name, "object": "model"} for name in sorted(MODELS)]
    return _refused(request, listed[0]["id"]) or JSONResponse({"object": "list", "data": listed})


@router.post("/v1/chat/completions")
async def chat(request: Request) -> Response:
    body, state = await request.json(), request.app.state.fakes
    if refused := _refused(request, body["model"]):
        return refused
    if unknown := unknown_names(body, MISTRAL_FIELDS):
        return _error(422, f"Extra inputs are not permitted: {unknown}", "invalid_request_error", "1210")
    text = state.replies.popleft() if state.replies else REPLY
    fault = state.take(request.url.path, "disconnect", "truncated", "broken_event")
    events = openai.stream(body, text, fault.kind if fault else "")
    return StreamingResponse(events, media_type="text/event-stream")
