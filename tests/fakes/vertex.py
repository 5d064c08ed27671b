"""Google Vertex AI: Gemini's protocol behind Google Cloud's tokens, with project and location in the path."""

import json
from functools import cache
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes import gemini
from tests.fakes.parameters import gemini_problem
from tests.fakes.state import REPLY

router = APIRouter()
TOKEN, PROJECT, LOCATION = "a-token-of-google-cloud", "acme-project", "europe-west4"
MODELS = {"gemini-3.8-flash"}


@cache
def _private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    return key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain).decode()


def service_account(url: str) -> str:
    """The JSON of a service account whose tokens are made here."""
    account = {
        "type": "service_account",
        "project_id": PROJECT,
        "private_key_id": "1",
        "private_key": _private_key(),
        "client_email": "impasto@acme-project.iam.gserviceaccount.com",
        "client_id": "1",
        "token_uri": f"{url}/vertex/token",
    }
    return json.dumps(account)


@router.post("/vertex/token")
async def token() -> Response:
    return JSONResponse({"access_token": TOKEN, "expires_in": 3600, "token_type": "Bearer"})


def _error(status: int, name: str, message: str) -> JSONResponse:
    return JSONResponse({"error": {"code": status, "message": message, "status": name}}, status)


@router.post("/v1/projects/{path:path}")
async def generate(path: str, request: Request) -> Response:
    place, _, call = path.rpartition("/")
    model, _, verb = call.partition(":")
    state: Any = request.app.state.fakes
    if request.headers.get("authorization") != f"Bearer {TOKEN}":
        return _error(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
    if place != f"{PROJECT}/locations/{LOCATION}/publishers/google/models":
        return _error(404, "NOT_FOUND", f"Requested entity was not found: {place}")
    if model not in MODELS or verb != "streamGenerateContent":
        return _error(
            404,
            "NOT_FOUND",
            f"Publisher Model `{path}` was not found.",
        )
    if problem := gemini_problem(await request.json()):
        return _error(400, "INVALID_ARGUMENT", problem)
    text = state.replies.popleft() if state.replies else REPLY
    fault = state.take(request.url.path, "disconnect", "truncated", "withheld", "moderation")
    return StreamingResponse(gemini.stream(text, fault.kind if fault else ""), media_type="text/event-stream")
