"""fal's answers: types of the model's own errors, words, and statuses."""

from typing import Any

import httpx
import pytest

from impasto_nodes.providers.fal.errors import answer_error

KEY = "abcd-key"


def answer(status: int, body: Any = None, **headers: str) -> httpx.Response:
    request = httpx.Request("GET", "https://queue.fal.run/fal-ai/flux")
    if isinstance(body, str):
        return httpx.Response(status, text=body, headers=headers, request=request)
    return httpx.Response(status, json=body or {}, headers=headers, request=request)


def typed(*types: str) -> dict[str, Any]:
    return {"detail": [{"type": name, "msg": "It failed."} for name in types]}


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (429, typed("nsfw"), "rate_limited"),
        (422, typed("content_policy_violation"), "moderated"),
        (400, {"detail": "The Safety checker refused."}, "moderated"),
        (500, {"detail": "The safety checker failed."}, "provider_unavailable"),
        (499, {"detail": "safety"}, "moderated"),
        (403, {"detail": "User is locked. Reason: Exhausted balance."}, "no_credit"),
        (401, {"detail": "Exhausted balance."}, "wrong_credential"),
        (403, {"detail": "Forbidden"}, "wrong_credential"),
        (422, typed("other", "image_too_large"), "request_too_large"),
        (422, {"error_type": "file_too_large"}, "request_too_large"),
        (422, typed("other"), "bad_request"),
        (500, typed("other"), "generation_failed"),
        (500, {"error_type": "runner_failed"}, "generation_failed"),
        (500, {"detail": [{"msg": "no type"}, "odd"]}, "provider_unavailable"),
        (502, "<html>", "provider_unavailable"),
        (503, "[1]", "provider_unavailable"),
        (404, {"detail": "Not found"}, "unknown_model"),
    ],
)
def test_answer_has_its_code(status: int, body: Any, code: str) -> None:
    found = answer_error(answer(status, body), "flux-9", KEY)
    assert (found.code, found.provider) == (code, "fal")
    assert ("flux-9" in found.message) is (code in {"generation_failed", "unknown_model"})
    assert str(found.detail).startswith(f"status {status} for /fal-ai/flux: ")


@pytest.mark.parametrize(
    ("status", "code"), [(502, "stream_dropped"), (504, "stream_dropped"), (503, "provider_unavailable")]
)
def test_gateway_does_not_say_whether_a_submission_has_arrived(status: int, code: str) -> None:
    found = answer_error(answer(status), "m", KEY, is_submission=True)
    assert (found.code, found.provider) == (code, "fal")
    assert found.detail == f"status {status} for /fal-ai/flux:  {{}}"


def test_detail_has_the_path_the_types_and_the_text_without_the_key() -> None:
    found = answer_error(answer(422, {"error_type": "odd", "detail": f"with {KEY}"}), "m", KEY)
    assert found.detail == "status 422 for /fal-ai/flux: odd with …"
    long = answer_error(answer(503, "x" * 501), "m", KEY)
    assert long.detail == f"status 503 for /fal-ai/flux:  {'x' * 500}"


@pytest.mark.parametrize("status", [429, 503])
def test_time_to_wait_is_kept(status: int) -> None:
    found = answer_error(answer(status, None, **{"Retry-After": "3"}), "m", KEY)
    assert found.retry_after == 3
