"""Exceptions of ElevenLabs' SDK by their code and status."""

from dataclasses import replace
from typing import Any

import httpx
import pytest
from tests.fakes.running import access_to
from tests.fakes.serving import redirecting
from tests.fakes.state import State

from impasto_nodes.providers.elevenlabs.audio import even_or_lively
from impasto_nodes.providers.elevenlabs.connection import connected, map_exception


class ApiError(Exception):
    """An error of the SDK: its answer's status, body and headers."""

    def __init__(self, status_code: Any, body: Any = None, headers: dict[str, str] | None = None) -> None:
        super().__init__("no")
        self.status_code, self.body, self.headers = status_code, body, headers


def stated(name: str, field: str = "status") -> dict[str, Any]:
    return {"detail": {field: name, "message": "No."}}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("quota_exceeded", "no_credit"),
        ("insufficient_credits", "no_credit"),
        ("payment_required", "no_credit"),
        ("missing_permissions", "missing_permission"),
        ("max_character_limit_exceeded", "text_too_long"),
        ("text_too_long", "text_too_long"),
        ("voice_not_found", "unknown_voice"),
        ("invalid_voice_id", "unknown_voice"),
        ("model_not_found", "unknown_model"),
        ("invalid_model_id", "unknown_model"),
        ("model_does_not_exist", "unknown_model"),
        ("detected_moderation", "moderated"),
        ("content_policy_violation", "moderated"),
        ("harmful_content", "moderated"),
        ("other", "bad_request"),
        ("", "bad_request"),
    ],
)
@pytest.mark.parametrize("field", ["status", "code"])
def test_code_of_the_answer_has_its_error(field: str, name: str, code: str) -> None:
    error = map_exception(ApiError(400, stated(name, field)), "m", "v")
    assert (error.code, error.provider) == (code, "elevenlabs")


@pytest.mark.parametrize(
    ("error", "code", "detail"),
    [
        (httpx.ReadTimeout("late"), "provider_timeout", "ReadTimeout: late"),
        (KeyError("x"), "corrupt_output", "KeyError: 'x'"),
        (ApiError(None), "corrupt_output", "ApiError: no"),
        (ApiError(399, "odd"), "corrupt_output", "399: odd"),
        (ApiError("400", "odd"), "corrupt_output", "400: odd"),
        (ApiError(400, "odd"), "bad_request", "400: odd"),
        (ApiError(401, {"detail": "text"}), "wrong_credential", "401: {'detail': 'text'}"),
        (ApiError(404, {}), "unknown_model", "404: {}"),
        (ApiError(503, None), "provider_unavailable", "503: None"),
    ],
)
def test_error_without_a_code_is_read_by_its_status(error: Exception, code: str, detail: str) -> None:
    found = map_exception(error, "m", "v")
    assert (found.code, found.detail, found.provider) == (code, detail, "elevenlabs")


def test_messages_name_the_voice_and_the_model_and_no_key() -> None:
    assert "m-1" in map_exception(ApiError(400, stated("text_too_long")), "m-1", "Bob").message
    assert "'m-1'" in map_exception(ApiError(404, {}), "m-1", "Bob").message
    assert "'Bob'" in map_exception(ApiError(400, stated("voice_not_found")), "m", "Bob").message
    assert "'m-1'" in map_exception(ApiError(400, stated("model_not_found")), "m-1", "Bob").message
    assert map_exception(ApiError(400, "abcd-key"), "m", "v", "abcd-key").detail == "400: …"


def test_wait_is_that_of_the_headers() -> None:
    assert map_exception(ApiError(429, None, {"Retry-After": "3"}), "m", "v").retry_after == 3
    assert map_exception(ApiError(429), "m", "v").retry_after is None


@pytest.mark.parametrize(
    ("stability", "known"), [(-1, 0), (0.2, 0), (0.3, 0.5), (0.7, 0.5), (0.8, 1), (2, 1)]
)
def test_stability_is_one_that_eleven_v3_knows(stability: float, known: float) -> None:
    assert even_or_lively(stability) == known


@pytest.mark.anyio
async def test_redirect_of_the_service_is_followed(fakes: State) -> None:
    access = access_to("elevenlabs", fakes)
    async with (
        redirecting(access.address, 307) as (address, asked),
        connected(replace(access, address=address)) as client,
    ):
        assert await client.models.list()
    assert asked == ["/v1/models"]
    assert len(fakes.requests("/v1/models", "GET")) == 1
