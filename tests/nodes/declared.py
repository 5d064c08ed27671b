"""What the node types of a package declare of their settings."""

from collections.abc import Collection, Iterable
from typing import Any

from impasto import NodeType
from impasto.sdk.node_type import node_type_of


def types_of(nodes: Iterable[Any]) -> dict[str, NodeType]:
    """Return the node types of functions by id."""
    return {found.id: found for node in nodes if (found := node_type_of(node)) is not None}


def settings_of(types: dict[str, NodeType], limits: Collection[str]) -> dict[str, Any]:
    """Return the default of each setting, and what is declared of these limits, by node type."""
    return {
        name: {
            each.name: (
                each.default,
                {limit: value for limit in limits if (value := getattr(each.ui, limit)) is not None},
            )
            for each in kind.settings
        }
        for name, kind in types.items()
        if kind.settings
    }


def places_of(types: dict[str, NodeType]) -> dict[str, dict[str, list[str]]]:
    """Return the settings that are inputs, stand on the node, and are behind "Advanced", by node type."""
    return {
        place: {
            name: found
            for name, kind in types.items()
            if (found := [each.name for each in kind.settings if getattr(each.ui, place)])
        }
        for place in ("input", "main", "advanced")
    }
