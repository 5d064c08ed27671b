"""The errors of providers, one class for each cause.

NodeError
└── ProviderError             a call of a provider failed
    ├── MissingCredential     a key or an address is not set        missing_credential
    ├── WrongCredential       the provider rejected the key         wrong_credential
    ├── NoCredit              the account is out of credit          no_credit
    ├── MissingPermission     the key may not do this               missing_permission
    ├── UnverifiedAccount     the account must be verified first    unverified_account
    ├── RegionUnsupported     not offered in the server's country   region_unsupported
    ├── Moderated             the content rules rejected the prompt moderated
    ├── Refused               the model declined to answer          refused
    ├── EmptyAnswer           the answer holds no text              empty_answer          retryable once
    ├── BudgetCut             the budget cut the answer off         budget_exceeded
    ├── UnknownModel          the provider has no such model        unknown_model
    ├── UnknownVoice          the provider has no such voice        unknown_voice
    ├── UnsupportedRatio      the model cannot make this shape      unsupported_ratio
    ├── UnsupportedDuration   the model cannot make this length     unsupported_duration
    ├── Unsupported           the provider lacks the feature        unsupported
    ├── BadRequest            the provider rejected the settings    bad_request
    ├── MaskRefused           the provider rejected the mask        mask_refused
    ├── TextTooLong           the text exceeds the model's limit    text_too_long
    ├── RequestTooLarge       the request exceeds the limit         request_too_large
    ├── RateLimited           too many calls                        rate_limited          retryable
    ├── Unavailable           the provider failed                   provider_unavailable  retryable
    ├── TimedOut              no answer in time                     provider_timeout      retryable
    ├── StreamDropped         the connection closed mid-answer      stream_dropped        retryable
    ├── GenerationFailed      the model failed                      generation_failed
    ├── CorruptOutput         the result cannot be read             corrupt_output
    └── OutputTooLarge        the result exceeds the size limit     output_too_large

Each class takes facts and writes the message. `detail` is for the agent's builder, without secrets.
"""

from collections.abc import Collection, Sequence

from impasto import NodeError
from impasto_nodes.providers.redact import redact
from impasto_nodes.providers.registry import either, listed, provider_title, specs

KEYS_PAGE = "Account > Provider keys"


class ProviderError(NodeError):
    """A call of a provider failed."""

    code = "provider_error"
    retryable = False

    def __init__(
        self, message: str, provider: str, detail: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(
            message,
            code=type(self).code,
            detail=redact(detail) or message,
            retryable=type(self).retryable,
            retry_after=retry_after,
            provider=provider,
        )


def missing_requirement(provider: str, missing: Collection[str] | None = None) -> str:
    """Return what a provider lacks and how to add it; a message begins with the provider's title.

    `missing` are the variables without a value, or all that it requires.
    """
    spec = specs()[provider]
    required = [one.variable for one in spec.credentials if one.is_required]
    if missing is None:
        missing = {*required, spec.address_variable}
    if spec.address == "required" and spec.address_variable in missing:
        return f"has no address. The server's operator sets {spec.required_variable}."
    needed = [name for name in required if name in missing]
    if spec.key is None:
        return f"needs credentials. The server's operator sets {listed(needed)}."
    if spec.key.variable not in needed:
        return f"is not set up. The server's operator sets {listed(needed)}."
    others = [name for name in needed if name != spec.key.variable]
    also = f" The server's operator also sets {listed(others)}." if others else ""
    return f"needs a key. Add it under {KEYS_PAGE}, or set {spec.key.variable} on the server.{also}"


class _TemplateError(ProviderError):
    """An error whose message differs only in the provider's title: `{name}` in `template`."""

    template = "{name} failed."

    def __init__(self, provider: str, detail: str = "", retry_after: float | None = None) -> None:
        message = self.template.format(name=provider_title(provider))
        super().__init__(message, provider, detail, retry_after)


class MissingCredential(ProviderError):
    """A key or an address that the provider needs is not set."""

    code = "missing_credential"

    def __init__(self, provider: str, missing: Collection[str] | None = None) -> None:
        self.requirement = missing_requirement(provider, missing)
        super().__init__(f"{provider_title(provider)} {self.requirement}", provider)


class WrongCredential(_TemplateError):
    """The provider rejected the key."""

    code = "wrong_credential"
    template = f"{{name}} did not accept the key. Check it under {KEYS_PAGE}."


class NoCredit(_TemplateError):
    """The account at the provider is out of credit."""

    code = "no_credit"
    template = "Your {name} account has no credit left. Top it up at {name}, then run again."


class MissingPermission(_TemplateError):
    """The key is valid, but may not do this."""

    code = "missing_permission"
    template = "This {name} key lacks a permission. Allow it for the key at {name}, or use another key."


class UnverifiedAccount(_TemplateError):
    """The provider offers this model to verified organisations only."""

    code = "unverified_account"
    template = (
        "{name} offers this model to verified organisations only. Verify yours, or choose another model."
    )


class RegionUnsupported(_TemplateError):
    """The provider does not serve the country that the request came from."""

    code = "region_unsupported"
    template = "{name} is not offered in the country of this server. Choose another provider."


class Moderated(_TemplateError):
    """The provider's content rules rejected the prompt or the result."""

    code = "moderated"
    template = "{name} declined this under its content rules. Rephrase the prompt and run again."


class Refused(ProviderError):
    """The model declined to answer."""

    code = "refused"

    def __init__(self, provider: str, model: str, detail: str = "") -> None:
        super().__init__(f"{model} refused to answer. Rephrase the prompt and run again.", provider, detail)


class EmptyAnswer(ProviderError):
    """The answer holds no text. Retried once, unless the model reached its limit of tokens."""

    code = "empty_answer"
    max_retries = 1

    def __init__(self, provider: str, model: str, detail: str = "", *, is_truncated: bool = False) -> None:
        remedy = (
            "It reached its limit of tokens before it wrote anything. Raise the limit and run again."
            if is_truncated
            else "Run again, or change the prompt."
        )
        super().__init__(f"{model} gave an empty answer. {remedy}", provider, detail)
        self.retryable = not is_truncated


class BudgetCut(ProviderError):
    """The answer ended where the budget did."""

    code = "budget_exceeded"

    def __init__(self, provider: str, tokens: int) -> None:
        message = f"The budget ended the answer after {tokens:,} tokens. Raise the budget and run again."
        super().__init__(message, provider)


class UnknownModel(ProviderError):
    """The provider has no such model, or the key may not use it."""

    code = "unknown_model"

    def __init__(self, provider: str, model: str, detail: str = "") -> None:
        name = provider_title(provider)
        super().__init__(f"{name} has no model named '{model}'. Choose another model.", provider, detail)


class UnknownVoice(ProviderError):
    """The provider, or the account, has no voice of that name."""

    code = "unknown_voice"

    def __init__(self, provider: str, voice: str, detail: str = "") -> None:
        name = provider_title(provider)
        super().__init__(f"{name} has no voice named '{voice}'. Choose another voice.", provider, detail)


class UnsupportedRatio(ProviderError):
    """The model does not make this aspect ratio."""

    code = "unsupported_ratio"

    def __init__(self, provider: str, model: str, ratio: str, allowed: Sequence[str]) -> None:
        super().__init__(
            f"{model} does not make {ratio}. Choose {either(allowed) or 'a listed one'}, or another model.",
            provider,
            f"allowed: {list(allowed)}",
        )


class UnsupportedDuration(ProviderError):
    """The model does not make clips of this length."""

    code = "unsupported_duration"

    def __init__(self, provider: str, model: str, seconds: float, allowed: Sequence[float]) -> None:
        choices = f"{either([f'{value:g}' for value in allowed])} s" if allowed else "a listed length"
        super().__init__(
            f"{model} does not make clips of {seconds:g} s. Choose {choices}, or another model.",
            provider,
            f"allowed: {list(allowed)}",
        )


class Unsupported(ProviderError):
    """The provider lacks the feature."""

    code = "unsupported"

    def __init__(self, provider: str, what: str, remedy: str) -> None:
        super().__init__(f"{provider_title(provider)} cannot {what}. {remedy}", provider)


class BadRequest(_TemplateError):
    """The provider rejected the settings."""

    code = "bad_request"
    template = "{name} did not accept these settings. Change them and run again."


class MaskRefused(_TemplateError):
    """The provider rejected the mask of an edit."""

    code = "mask_refused"
    template = "{name} did not accept the mask. Paint it again, or choose another model, then run again."


class TextTooLong(ProviderError):
    """The text is longer than the model takes."""

    code = "text_too_long"

    def __init__(self, provider: str, model: str, detail: str = "") -> None:
        super().__init__(
            f"The text is too long for {model}. Shorten it, or choose another model.", provider, detail
        )


class RequestTooLarge(_TemplateError):
    """The request is larger than the provider accepts."""

    code = "request_too_large"
    template = "This is more than {name} accepts at once. Use smaller or fewer files, or a shorter text."


class RateLimited(_TemplateError):
    """The provider received too many calls."""

    code = "rate_limited"
    retryable = True
    template = "{name} is getting too many requests. Try again in a minute."


class Unavailable(_TemplateError):
    """The provider failed, or could not be reached."""

    code = "provider_unavailable"
    retryable = True
    template = "{name} is not available right now. Try again in a few minutes."


class TimedOut(_TemplateError):
    """No answer in time."""

    code = "provider_timeout"
    retryable = True
    template = "{name} took too long to answer. Try again."


class StreamDropped(_TemplateError):
    """The connection closed before the answer was complete."""

    code = "stream_dropped"
    retryable = True
    template = "The connection to {name} was interrupted. Try again."


class GenerationFailed(ProviderError):
    """The model failed."""

    code = "generation_failed"

    def __init__(self, provider: str, model: str, detail: str = "") -> None:
        super().__init__(
            f"{model} could not finish this. Change the prompt or the settings, then run again.",
            provider,
            detail,
        )


class CorruptOutput(ProviderError):
    """The result cannot be read as what it should be."""

    code = "corrupt_output"

    def __init__(self, provider: str, what: str, detail: str = "") -> None:
        super().__init__(
            f"{provider_title(provider)} returned {what} that cannot be read. Run again.",
            provider,
            detail,
        )


class OutputTooLarge(ProviderError):
    """The result exceeds the size limit."""

    code = "output_too_large"

    def __init__(self, provider: str, limit_bytes: int) -> None:
        limit = f"{limit_bytes / 1_000_000:.0f} MB"
        super().__init__(
            f"{provider_title(provider)} returned more than {limit}, the limit for one file.", provider
        )
