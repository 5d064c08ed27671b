"""Google Vertex AI: Gemini's protocol behind Google Cloud's tokens, with project and location in the path."""

import base64
import json
from functools import cache
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes import gemini
from tests.fakes.parameters import gemini_problem
from tests.fakes.state import GOOD_KEY, POOR_KEY, REPLY

router = APIRouter()
PROJECT, LOCATION = "acme-project", "europe-west4"
TOKENS = {GOOD_KEY: "a-token-of-google-cloud", POOR_KEY: "a-token-without-billing"}
_ACCOUNTS = "@acme-project.iam.gserviceaccount.com"
MODELS = {"gemini-3.8-flash"}


@cache
def _private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    return key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain).decode()


def service_account(url: str, key: str = GOOD_KEY) -> str:
    """The JSON of a service account whose tokens are made here, if `key` is one that the fakes know."""
    account = {
        "type": "service_account",
        "project_id": PROJECT,
        "private_key_id": "1",
        "private_key": _private_key(),
        "client_email": f"{key}{_ACCOUNTS}",
        "client_id": "1",
        "token_uri": f"{url}/vertex/token",
    }
    return json.dumps(account)


@router.post("/vertex/token")
async def token(request: Request) -> Response:
    async with request.form() as form:
        claims = str(form["assertion"]).split(".")[1]
    account = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["iss"]
    found = TOKENS.get(account.removesuffix(_ACCOUNTS))
    if found is None:
        refusal = {"error": "invalid_grant", "error_description": "Invalid grant: account not found"}
        return JSONResponse(refusal, 400)
    return JSONResponse({"access_token": found, "expires_in": 3600, "token_type": "Bearer"})


def _error(status: int, name: str, message: str) -> JSONResponse:
    return JSONResponse({"error": {"code": status, "message": message, "status": name}}, status)


@router.post("/v1/projects/{path:path}")
async def generate(path: str, request: Request) -> Response:
    place, _, call = path.rpartition("/")
    model, _, verb = call.partition(":")
    state: Any = request.app.state.fakes
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token == TOKENS[POOR_KEY]:
        message = f"This API method requires billing to be enabled. Enable billing on project {PROJECT}."
        return _error(403, "PERMISSION_DENIED", message)
    if token not in TOKENS.values():
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
