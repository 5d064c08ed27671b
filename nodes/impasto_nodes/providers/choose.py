"""Which provider and model a step uses: the one named, or with `auto` the best that is configured."""

from dataclasses import dataclass

from impasto import Context
from impasto_nodes.providers.credentials import is_configured, variable_of
from impasto_nodes.providers.errors import MissingCredential, Unsupported
from impasto_nodes.providers.known import NEED_ADDRESS, PROVIDERS, provider_title, providers_of
from impasto_nodes.providers.models import default_model, provider_with


@dataclass(frozen=True, slots=True)
class Choice:
    """A provider that can be called now, and one of its models."""

    provider: str
    model: str


async def choose(kind: str, provider: str, model: str, context: Context) -> Choice:
    """Settle `auto` and an empty model; raises where the provider cannot do this or has no key."""
    if provider == "auto":
        provider = await _best(kind, model, context)
    elif kind not in PROVIDERS[provider].makes:
        raise Unsupported(provider, f"make {kind}", f"Choose {_titles(kind)}.")
    if not await is_configured(provider, context):
        raise MissingCredential(provider, variable_of(provider))
    if not model and provider in NEED_ADDRESS:
        from impasto_nodes.providers.served import first_served_model

        model = await first_served_model(provider, context)
    return Choice(provider, model or default_model(kind, provider))


async def _best(kind: str, model: str, context: Context) -> str:
    named = provider_with(kind, model) if model else None
    if named:
        return named
    for provider in providers_of(kind):
        if await is_configured(provider, context):
            return provider
    raise MissingCredential(_first(kind), variable_of(_first(kind)))


def _first(kind: str) -> str:
    return providers_of(kind)[0]


def _titles(kind: str) -> str:
    names = [provider_title(provider) for provider in providers_of(kind)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
