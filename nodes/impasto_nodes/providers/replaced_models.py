"""A model that its provider no longer serves, and the one that runs in its place."""

from dataclasses import dataclass

from impasto_nodes.providers.errors import UnknownModel
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.registry import find_model, provider_title, replacement_of

Notice = dict[str, str]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A model that is gone, and `model`, which runs in its place."""

    provider: str
    gone: Model
    model: Model


def replaced(kind: Kind, provider: str, name: str) -> Replaced | None:
    """Return what runs in place of a model; None for a model that is not known to be gone.

    Raises `UnknownModel` if the provider lists no other model.
    """
    try:
        model = replacement_of(kind, provider, name)
    except LookupError as error:
        raise UnknownModel(provider, name, str(error)) from None
    gone = find_model(kind, provider, name)
    return Replaced(provider, gone, model) if model is not None and gone is not None else None


def replacement_notice(change: Replaced) -> Notice:
    """Return the notice `model_replaced`: which model is gone since when, and which one runs instead."""
    title, day = provider_title(change.provider), change.gone.retires_on
    instead = change.model.title
    return {
        "code": "model_replaced",
        "message": f"{title} closed {change.gone.title} on {day}. {instead} runs in its place.",
        "hint": f"Choose {instead} or another model, so that the agent names the one that runs.",
    }
