"""Azure OpenAI: OpenAI's protocol with a deployment in the path and a version in the query."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes import openai
from tests.fakes.openai_parameters import StreamedChat, problem_of
from tests.fakes.state import GOOD_KEY, POOR_KEY, REPLY

router = APIRouter()
DEPLOYMENTS = {"gpt-5-mini", "our-own-deployment"}
VERSION = "2024-10-21"


def _error(status: int, message: str, code: str | None) -> JSONResponse:
    return JSONResponse({"error": {"message": message, "type": None, "param": None, "code": code}}, status)


@router.post("/openai/deployments/{deployment}/chat/completions")
async def chat(deployment: str, request: Request) -> Response:
    key, state = request.headers.get("api-key", ""), request.app.state.fakes
    if request.query_params.get("api-version") != VERSION:
        return _error(404, "Resource not found", "404")
    if key == POOR_KEY:
        return _error(429, "You exceeded your current quota, please check your plan.", "insufficient_quota")
    if key != GOOD_KEY:
        return _error(401, "Access denied due to invalid subscription key or wrong API endpoint.", "401")
    if deployment not in DEPLOYMENTS:
        return _error(404, "The API deployment for this resource does not exist.", "DeploymentNotFound")
    if state.take(request.url.path, "moderation"):
        message = "The response was filtered due to the prompt triggering Azure OpenAI's content management"
        return _error(400, f"{message} policy. content filter", "content_filter")
    body = await request.json()
    if problem := problem_of(body, StreamedChat):
        return _error(400, problem, "unknown_parameter")
    text = state.replies.popleft() if state.replies else REPLY
    fault = state.take(request.url.path, "disconnect", "truncated", "broken_event")
    events = openai.stream(body, text, fault.kind if fault else "")
    return StreamingResponse(events, media_type="text/event-stream")
