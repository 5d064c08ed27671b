"""xAI's answers by their status and their words."""

import pytest

from impasto_nodes.providers.jobs.api import Answer
from impasto_nodes.providers.xai.errors import error_of, is_moderated


def code_of(status: int, said: str, field: str = "error") -> str | None:
    error = error_of("grok")(Answer(status, {"retry-after": "3"}, {field: said}, "why"))
    if error is None:
        return None
    assert (error.detail, error.provider) == ("why", "xai")
    assert ("'grok'" in error.message) is (error.code == "unknown_model")
    assert error.retry_after == (3 if error.code in {"rate_limited", "provider_unavailable"} else None)
    return str(error.code)


@pytest.mark.parametrize(
    ("status", "said", "code"),
    [
        (200, "safety", None),
        (399, "api key", None),
        (400, "Rejected by content moderation", "moderated"),
        (403, "It violates our Usage Guidelines", "moderated"),
        (401, "safety", "wrong_credential"),
        (422, "safety", "bad_request"),
        (400, "Incorrect API key provided", "wrong_credential"),
        (401, "Incorrect API key provided", "wrong_credential"),
        (403, "Incorrect API key provided", "wrong_credential"),
        (404, "Incorrect API key provided", "unknown_model"),
        (403, "No credits left", "no_credit"),
        (429, "The spending limit is reached", "no_credit"),
        (400, "No credits left", "bad_request"),
        (403, "This team may not", "missing_permission"),
        (404, "none", "unknown_model"),
        (422, "odd", "bad_request"),
        (400, "odd", "bad_request"),
        (429, "too many", "rate_limited"),
        (503, "down", "provider_unavailable"),
    ],
)
def test_answer_has_its_code(status: int, said: str, code: str | None) -> None:
    assert code_of(status, said) == code


def test_code_of_the_answer_is_read_as_its_text_is() -> None:
    assert code_of(400, "content-moderation", "code") == "moderated"


def test_rules_are_named_in_any_case() -> None:
    assert is_moderated("Failed: SAFETY check")
    assert not is_moderated("Failed: out of memory")
