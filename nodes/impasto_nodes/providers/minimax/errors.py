"""From MiniMax's answers to `ProviderError`s: most have the status 200, and a code of MiniMax's own."""

from collections.abc import Mapping
from typing import Any

from impasto_nodes.providers.errors import (
    BadRequest,
    MissingPermission,
    Moderated,
    NoCredit,
    ProviderError,
    RateLimited,
    TextTooLong,
    TimedOut,
    Unavailable,
    UnknownModel,
    WrongCredential,
)
from impasto_nodes.providers.http_errors import retry_after, status_error
from impasto_nodes.providers.jobs.api import Answer, ErrorOf

PROVIDER = "minimax"
MODERATED = frozenset({1026, 1027})
"""The codes of a prompt, or a clip, that the content rules reject."""
_TIMED_OUT, _TEXT_TOO_LONG, _INVALID, _NOT_IN_THE_PLAN = 1001, 1039, 2013, 2061
_RATE_LIMITED = frozenset({1002, 1041, 2045})
_WRONG_KEY = frozenset({1004, 2049})
_NO_CREDIT = frozenset({1008, 2056})
_REFUSED = frozenset({1042, _INVALID, 2037, 2038, 2039, 20132})
_UNKNOWN_MODEL = ("unknown model", "model not", "invalid model", "does not exist")


def error_of(model: str) -> ErrorOf:
    """Return the function that says what is wrong with an answer about a model."""

    def judge(answer: Answer) -> ProviderError | None:
        if answer.body.get("status") == "Fail":  # the end of a task: its code is not that of the request
            return None
        if code := code_of(answer.body):
            return _error(code, answer, model)
        if answer.status < 400:
            return None
        return status_error(answer.status, PROVIDER, model, answer.detail, retry_after(answer.headers))

    return judge


def code_of(body: Mapping[str, Any]) -> int:
    """Return MiniMax's code for what is wrong; 0 if nothing is."""
    stated = body.get("base_resp")
    code = stated.get("status_code") if isinstance(stated, Mapping) else 0
    return code if isinstance(code, int) else 0


def _error(code: int, answer: Answer, model: str) -> ProviderError:
    detail = answer.detail
    if code in MODERATED:
        return Moderated(PROVIDER, detail)
    if code in _WRONG_KEY:
        return WrongCredential(PROVIDER, detail)
    if code in _NO_CREDIT:
        return NoCredit(PROVIDER, detail)
    if code in _RATE_LIMITED:
        return RateLimited(PROVIDER, detail, retry_after(answer.headers))
    if code == _TIMED_OUT:
        return TimedOut(PROVIDER, detail)
    if code == _TEXT_TOO_LONG:
        return TextTooLong(PROVIDER, model, detail)
    if code == _NOT_IN_THE_PLAN:
        return MissingPermission(PROVIDER, detail)
    if code == _INVALID and any(word in detail.casefold() for word in _UNKNOWN_MODEL):
        return UnknownModel(PROVIDER, model, detail)
    return BadRequest(PROVIDER, detail) if code in _REFUSED else Unavailable(PROVIDER, detail)
