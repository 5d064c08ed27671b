"""Paid calls of providers: what they may cost, and what counts as spent if they fail."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from impasto import Context, PaidCall
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.registry import find_model, specs

MAY_BE_BILLED = frozenset({"provider_timeout", "stream_dropped", "corrupt_output", "output_too_large"})
"""Codes of errors after which the provider may have done the work."""


def is_free(provider: str) -> bool:
    """Return whether no call of the provider costs anything: it is this machine, or the operator's server."""
    spec = specs()[provider]
    return spec.address == "required" or not spec.credentials


def priced_model(kind: Kind, provider: str, name: str) -> Model | None:
    """Return a model with its price; None if the price is not known."""
    listed = find_model(kind, provider, name)
    if listed is not None and listed.is_priced:
        return listed
    if provider not in specs():
        return None
    find_unlisted = specs()[provider].find_unlisted
    found = find_unlisted(kind, name) if find_unlisted is not None else None
    return found or (Model(kind=kind, name=name, title=name) if is_free(provider) else None)


@asynccontextmanager
async def free_call() -> AsyncIterator[PaidCall]:
    """Yield a call that is neither limited nor recorded."""
    yield PaidCall(None, lambda usd, units, is_assumed: None)


@asynccontextmanager
async def paid_call(
    context: Context, usd: float | None, *, at_least: float | None = None, name: str = ""
) -> AsyncIterator[PaidCall]:
    """Reserve what a call may cost, as `Context.reserve` does.

    A call that fails without a charge is free if the provider refused it, and counts as spent if the provider
    may have done the work.
    """
    async with context.reserve(usd, at_least=at_least, name=name) as call:
        try:
            yield call
        except ProviderError as error:
            if not call.is_settled and error.code in MAY_BE_BILLED:
                call.assume_spent()
            raise
