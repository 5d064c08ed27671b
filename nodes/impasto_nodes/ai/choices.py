"""What the nodes that ask a model offer for their settings, and check of them before a run."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Annotated, Any

from impasto import Context, Setting
from impasto_nodes.providers.model_settings import own_settings
from impasto_nodes.providers.models import model_options
from impasto_nodes.providers.validation import Problem, problems_with

Offer = Callable[[str, Context | None], Awaitable[list[dict[str, Any]]]]
Check = Callable[[Mapping[str, Any], frozenset[str] | None], Iterable[Problem]]


def models_for(kind: str) -> Offer:
    """The options of a `model` setting: every listed model of the kind."""

    async def offer(query: str = "", context: Context | None = None) -> list[dict[str, Any]]:
        return list(model_options(kind, query))

    return offer


def check_for(kind: str) -> Check:
    """A node's check: the provider's key, and what the model can make."""

    def check(settings: Mapping[str, Any], configured: frozenset[str] | None) -> Iterable[Problem]:
        return problems_with(kind, settings, configured)

    return check


async def offer_own_settings(query: str = "", context: Context | None = None) -> list[dict[str, Any]]:
    """The settings that only the model named by `query` has."""
    return await own_settings(query, context)


Seed = Annotated[int | None, Setting(ge=0, le=2**31 - 1, advanced=True)]
"""The same number again makes the same again, where the model can."""

OwnSettings = Annotated[
    dict[str, Any] | None,
    Setting(widget="json", advanced=True, title="Model's own settings", options=offer_own_settings),
]
"""What only the chosen model knows, passed on as it is."""
