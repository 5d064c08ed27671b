"""MiniMax's answers by its own codes, which most have beside the status 200."""

from typing import Any

import pytest

from impasto_nodes.providers.jobs.api import Answer
from impasto_nodes.providers.minimax.errors import code_of, error_of


def judged(status: int, body: dict[str, Any], detail: str = "why") -> str | None:
    error = error_of("hailuo")(Answer(status, {"retry-after": "3"}, body, detail))
    if error is None:
        return None
    assert (error.detail, error.provider) == (detail, "minimax")
    assert ("hailuo" in error.message) is (error.code in {"unknown_model", "text_too_long"})
    assert error.retry_after == (3 if error.code == "rate_limited" or status == 503 else None)
    return str(error.code)


def stated(code: Any) -> dict[str, Any]:
    return {"base_resp": {"status_code": code}}


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (0, None),
        (1026, "moderated"),
        (1027, "moderated"),
        (1004, "wrong_credential"),
        (2049, "wrong_credential"),
        (1008, "no_credit"),
        (2056, "no_credit"),
        (1002, "rate_limited"),
        (1041, "rate_limited"),
        (2045, "rate_limited"),
        (1001, "provider_timeout"),
        (1039, "text_too_long"),
        (2061, "missing_permission"),
        (2013, "bad_request"),
        (1042, "bad_request"),
        (20132, "bad_request"),
        (1000, "provider_unavailable"),
    ],
)
def test_code_of_minimaxs_own_has_its_error(number: int, code: str | None) -> None:
    assert judged(200, stated(number)) == code


def test_unknown_model_differs_from_another_wrong_setting_by_the_message() -> None:
    assert judged(200, stated(2013), "Unknown model 'x'") == "unknown_model"
    assert judged(200, stated(1042), "Unknown model 'x'") == "bad_request"


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (399, {}, None),
        (400, {}, "bad_request"),
        (503, {}, "provider_unavailable"),
        (400, stated(0), "bad_request"),
        (400, stated(1008), "no_credit"),
        (200, {"status": "Fail"} | stated(1026), None),
        (200, {"status": "Success"} | stated(1026), "moderated"),
    ],
)
def test_status_counts_where_no_code_is_stated(status: int, body: dict[str, Any], code: str | None) -> None:
    assert judged(status, body) == code


@pytest.mark.parametrize(
    ("body", "code"),
    [({}, 0), ({"base_resp": "odd"}, 0), (stated("1008"), 0), (stated(7), 7), (stated(None), 0)],
)
def test_code_is_a_number_or_none(body: dict[str, Any], code: int) -> None:
    assert code_of(body) == code
