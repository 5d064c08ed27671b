"""What can go wrong at a provider, one type each.

NodeError
└── ProviderError             something at, or on the way to, a provider
    ├── MissingCredential     no key is set                         missing_credential
    ├── WrongCredential       the key was refused                   wrong_credential
    ├── NoCredit              the account is out of credit          no_credit
    ├── Moderated             the content rules refused the prompt  moderated
    ├── UnknownModel          there is no such model                unknown_model
    ├── UnsupportedRatio      the model cannot make this shape      unsupported_ratio
    ├── UnsupportedDuration   the model cannot make this length     unsupported_duration
    ├── Unsupported           the provider cannot do this at all    unsupported
    ├── BadRequest            the provider refused the settings     bad_request
    ├── RateLimited           too many calls; later is fine         rate_limited          retryable
    ├── Unavailable           the provider failed                   provider_unavailable  retryable
    ├── TimedOut              no answer in time                     provider_timeout      retryable
    ├── StreamDropped         the answer broke off                  stream_dropped        retryable
    ├── GenerationFailed      the model gave up                     generation_failed
    ├── CorruptOutput         the answer is not what it says        corrupt_output
    └── OutputTooLarge        the answer is beyond our limit        output_too_large

Each takes facts and writes its own sentence. `detail` is for the builder and never holds a secret.
"""

from collections.abc import Sequence

from impasto import NodeError
from impasto_nodes.providers.known import NEED_ADDRESS, provider_title
from impasto_nodes.providers.redact import redact

WHERE = "Account > Provider keys"


class ProviderError(NodeError):
    """Something at, or on the way to, a provider."""

    code = "provider_error"
    retryable = False

    def __init__(
        self, sentence: str, provider: str, detail: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(
            sentence,
            code=type(self).code,
            detail=redact(detail) or sentence,
            retryable=type(self).retryable,
            retry_after=retry_after,
            provider=provider,
        )


def lack_of(provider: str, variable: str) -> str:
    """What a provider lacks and where to put it, to be read after its name."""
    if provider in NEED_ADDRESS:
        return f"has no address. Whoever runs the server sets {variable}."
    return f"needs a key. Add it under {WHERE}, or set {variable} on the server."


class _OfTheProvider(ProviderError):
    """One that is told in the same words of every provider: `sentence`, with its `{name}`."""

    sentence = "{name} failed."

    def __init__(self, provider: str, detail: str = "", retry_after: float | None = None) -> None:
        said = self.sentence.format(name=provider_title(provider))
        super().__init__(said, provider, detail, retry_after)


class MissingCredential(ProviderError):
    """No key is set for a provider that needs one."""

    code = "missing_credential"

    def __init__(self, provider: str, variable: str) -> None:
        super().__init__(f"{provider_title(provider)} {lack_of(provider, variable)}", provider)


class WrongCredential(_OfTheProvider):
    """The provider refused the key."""

    code = "wrong_credential"
    sentence = f"{{name}} did not accept the key. Check it under {WHERE}."


class NoCredit(_OfTheProvider):
    """The account at the provider is out of credit."""

    code = "no_credit"
    sentence = "Your {name} account has no credit left. Top it up at {name}, then run again."


class Moderated(_OfTheProvider):
    """The provider's content rules refused the prompt or the result."""

    code = "moderated"
    sentence = "{name} declined this under its content rules. Rephrase the prompt and run again."


class UnknownModel(ProviderError):
    """The provider has no such model, or the key may not use it."""

    code = "unknown_model"

    def __init__(self, provider: str, model: str, detail: str = "") -> None:
        name = provider_title(provider)
        super().__init__(f"{name} has no model named '{model}'. Choose another model.", provider, detail)


class UnsupportedRatio(ProviderError):
    """The model cannot make pictures or clips of this shape."""

    code = "unsupported_ratio"

    def __init__(self, provider: str, model: str, ratio: str, allowed: Sequence[str]) -> None:
        super().__init__(
            f"{model} does not make {ratio}. Choose {_either(allowed)}, or another model.",
            provider,
            f"allowed: {list(allowed)}",
        )


class UnsupportedDuration(ProviderError):
    """The model cannot make clips of this length."""

    code = "unsupported_duration"

    def __init__(self, provider: str, model: str, seconds: float, allowed: Sequence[float]) -> None:
        choices = _either([f"{value:g}" for value in allowed])
        super().__init__(
            f"{model} does not make clips of {seconds:g} s. Choose {choices} s, or another model.",
            provider,
            f"allowed: {list(allowed)}",
        )


class Unsupported(ProviderError):
    """The provider cannot do this kind of work at all."""

    code = "unsupported"

    def __init__(self, provider: str, what: str, instead: str) -> None:
        super().__init__(f"{provider_title(provider)} cannot {what}. {instead}", provider)


class BadRequest(_OfTheProvider):
    """The provider refused the settings."""

    code = "bad_request"
    sentence = "{name} did not accept these settings. Change them and run again."


class RateLimited(_OfTheProvider):
    """Too many calls in too short a time."""

    code = "rate_limited"
    retryable = True
    sentence = "{name} is getting too many requests. Try again in a minute."


class Unavailable(_OfTheProvider):
    """The provider failed, or could not be reached."""

    code = "provider_unavailable"
    retryable = True
    sentence = "{name} is not answering properly right now. Try again in a few minutes."


class TimedOut(_OfTheProvider):
    """No answer in time."""

    code = "provider_timeout"
    retryable = True
    sentence = "{name} took too long to answer. Try again."


class StreamDropped(_OfTheProvider):
    """The answer broke off half-way."""

    code = "stream_dropped"
    retryable = True
    sentence = "The connection to {name} broke off half-way. Try again."


class GenerationFailed(ProviderError):
    """The model itself gave up."""

    code = "generation_failed"

    def __init__(self, provider: str, model: str, detail: str = "") -> None:
        super().__init__(
            f"{model} could not finish this. Change the prompt or the settings, then run again.",
            provider,
            detail,
        )


class CorruptOutput(ProviderError):
    """The answer is not what it claims to be."""

    code = "corrupt_output"

    def __init__(self, provider: str, what: str, detail: str = "") -> None:
        super().__init__(
            f"{provider_title(provider)} answered with {what} that cannot be read. Run again.",
            provider,
            detail,
        )


class OutputTooLarge(ProviderError):
    """The answer is beyond our limit."""

    code = "output_too_large"

    def __init__(self, provider: str, limit_bytes: int) -> None:
        limit = f"{limit_bytes / 1_000_000:.0f} MB"
        super().__init__(
            f"{provider_title(provider)} answered with more than {limit}, the limit here.", provider
        )


def _either(values: Sequence[str]) -> str:
    if not values:
        return "one that it makes"
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} or {values[-1]}"
