"""Texts that are longer than a model takes are refused before they are paid."""

from impasto_nodes.providers.errors import TextTooLong
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.registry import find_model


def require_length(kind: Kind, provider: str, name: str, characters: int) -> None:
    """Raise `TextTooLong` if the catalog knows that a model takes fewer characters."""
    model = find_model(kind, provider, name)
    if model is not None and model.max_input is not None and characters > model.max_input:
        raise TextTooLong(provider, name, f"{characters:,} characters of {model.max_input:,}")
