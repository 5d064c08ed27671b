"""From xAI's answers to `ProviderError`s."""

from impasto_nodes.providers.errors import (
    BadRequest,
    MissingPermission,
    Moderated,
    NoCredit,
    ProviderError,
    UnknownModel,
    WrongCredential,
)
from impasto_nodes.providers.http_errors import retry_after, status_error
from impasto_nodes.providers.jobs.api import Answer, ErrorOf

PROVIDER = "xai"
_NO_CREDIT = ("credit", "spending limit", "balance")
_WRONG_KEY = ("api key",)
_MODERATED = ("moderat", "usage guidelines", "content policy", "content violates", "safety", "csam")


def error_of(model: str) -> ErrorOf:
    """Return the function that says what is wrong with an answer about a model."""

    def judge(answer: Answer) -> ProviderError | None:
        return None if answer.status < 400 else _error(answer, model)

    return judge


def is_moderated(text: str) -> bool:
    """Return whether a reason of xAI's names its content rules."""
    return any(word in text.casefold() for word in _MODERATED)


def _error(answer: Answer, model: str) -> ProviderError:
    said = f"{answer.body.get('code', '')} {answer.body.get('error', '')}".casefold()
    if answer.status in {400, 403} and is_moderated(said):
        return Moderated(PROVIDER, answer.detail)
    if answer.status in {400, 401, 403} and any(word in said for word in _WRONG_KEY):
        return WrongCredential(PROVIDER, answer.detail)  # xAI answers 400 to a wrong key
    if answer.status in {403, 429} and any(word in said for word in _NO_CREDIT):
        return NoCredit(PROVIDER, answer.detail)
    if answer.status == 403:
        return MissingPermission(PROVIDER, answer.detail)
    if answer.status == 404:
        return UnknownModel(PROVIDER, model, answer.detail)
    if answer.status == 422:
        return BadRequest(PROVIDER, answer.detail)
    return status_error(answer.status, PROVIDER, model, answer.detail, retry_after(answer.headers))
