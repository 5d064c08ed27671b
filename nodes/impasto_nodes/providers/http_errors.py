"""What an HTTP status says, whoever sent it."""

from impasto_nodes.providers.errors import (
    BadRequest,
    NoCredit,
    ProviderError,
    RateLimited,
    TimedOut,
    Unavailable,
    UnknownModel,
    WrongCredential,
)


def error_for(
    status: int, provider: str, model: str, detail: str, wait: float | None = None
) -> ProviderError:
    """The error that a status of 400 and above stands for; `wait` is what Retry-After asked."""
    if status == 402:
        return NoCredit(provider, detail)
    if status in {401, 403}:
        return WrongCredential(provider, detail)
    if status == 404:
        return UnknownModel(provider, model, detail)
    if status == 408:
        return TimedOut(provider, detail)
    if status == 429:
        return RateLimited(provider, detail, wait)
    return BadRequest(provider, detail) if status < 500 else Unavailable(provider, detail, wait)
