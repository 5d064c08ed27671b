"""Amazon Bedrock's ConverseStream: bodies are checked against botocore's own model of the service."""

import json
import struct
import zlib
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import botocore.session
from botocore.validate import ParamValidator
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes.state import GOOD_KEY, POOR_KEY, REPLY

router = APIRouter()
MODELS = {"global.anthropic.claude-sonnet-5"}


@cache
def _input_shape() -> Any:
    service = botocore.session.Session().get_service_model("bedrock-runtime")
    return service.operation_model("ConverseStream").input_shape


def problem_of(model: str, body: dict[str, Any]) -> str:
    """Return the problem of a body of ConverseStream; empty if there is none."""
    return str(ParamValidator().validate(body | {"modelId": model}, _input_shape()).generate_report())


def _error(status: int, kind: str, message: str) -> JSONResponse:
    return JSONResponse({"message": message}, status, {"x-amzn-ErrorType": kind})


@router.post("/model/{model}/converse-stream")
async def converse(model: str, request: Request) -> Response:
    signed, state = request.headers.get("authorization", ""), request.app.state.fakes
    if signed.startswith(f"AWS4-HMAC-SHA256 Credential={POOR_KEY}/"):
        message = "INVALID_PAYMENT_INSTRUMENT:A valid payment instrument must be provided."
        return _error(403, "AccessDeniedException", f"Model access is denied due to {message}")
    if not signed.startswith(f"AWS4-HMAC-SHA256 Credential={GOOD_KEY}/"):
        message = "The security token included in the request is invalid."
        return _error(403, "UnrecognizedClientException", message)
    if "/eu-central-1/bedrock/aws4_request" not in signed:
        return _error(400, "ValidationException", "The provided region is wrong.")
    if model not in MODELS:
        return _error(404, "ResourceNotFoundException", "Could not resolve the foundation model.")
    if problem := problem_of(model, await request.json()):
        return _error(400, "ValidationException", problem)
    text = state.replies.popleft() if state.replies else REPLY
    fault = state.take(request.url.path, "disconnect", "truncated", "moderation")
    stream = _stream(text, fault.kind if fault else "")
    return StreamingResponse(stream, media_type="application/vnd.amazon.eventstream")


async def _stream(text: str, fault: str) -> AsyncIterator[bytes]:
    yield _event("messageStart", {"role": "assistant"})
    if fault == "moderation":
        yield _event("messageStop", {"stopReason": "guardrail_intervened"})
        return
    for at in range(0, len(text), 8):
        if fault and at >= 16:
            if fault == "disconnect":
                raise ConnectionError("dropped on demand")
            return
        yield _event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": text[at : at + 8]}})
    yield _event("contentBlockStop", {"contentBlockIndex": 0})
    yield _event("messageStop", {"stopReason": "end_turn"})
    usage = {"inputTokens": 12, "outputTokens": 20, "totalTokens": 32}
    yield _event("metadata", {"usage": usage, "metrics": {"latencyMs": 1}})


def _event(kind: str, payload: dict[str, Any]) -> bytes:
    """A message of Amazon's event stream: a prelude with a checksum, headers, the payload, a checksum."""
    fields = {":event-type": kind, ":content-type": "application/json", ":message-type": "event"}
    headers = b"".join(
        struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
        for name, value in fields.items()
    )
    body = json.dumps(payload).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(body), len(headers))
    message = prelude + struct.pack("!I", zlib.crc32(prelude)) + headers + body
    return message + struct.pack("!I", zlib.crc32(message))
