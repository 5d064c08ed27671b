"""The settings of nodes for lists and branches: saved flows rely on their defaults."""

from typing import Any

from tests.nodes.declared import places_of, settings_of, types_of

import impasto_nodes.control as nodes

LIMITS = ("ge", "le", "step", "min_length", "max_length", "order", "shown_if")
# For each setting: the default, and what is declared of its limits, its place and its condition.
SETTINGS: dict[str, dict[str, tuple[Any, dict[str, Any]]]] = {
    "condition": {
        "cases": ([], {}),
    },
    "choose": {
        "cases": ([], {}),
        "match": ("equals", {}),
        "same_case": (False, {}),
    },
    "collect": {
        "how": ("flatten", {}),
    },
    "pair": {
        "how": ("in order", {}),
    },
    "filter": {
        "match": ("contains", {}),
        "value": ("", {}),
        "invert": (False, {}),
        "same_case": (False, {}),
    },
    "sort": {
        "order": ("ascending", {}),
    },
    "take": {
        "count": (1, {"ge": 0, "le": 10000}),
        "side": ("start", {}),
        "skip": (0, {"ge": 0, "le": 10000}),
    },
}
# No launch replaces a setting; those that stand on the node; those behind "Advanced".
INPUT: dict[str, list[str]] = {}
MAIN = {
    "condition": ["cases"],
    "choose": ["cases"],
    "pair": ["how"],
    "filter": ["match", "value"],
    "sort": ["order"],
    "take": ["count", "side"],
}
ADVANCED = {"choose": ["same_case"], "filter": ["invert", "same_case"], "take": ["skip"]}


TYPES = types_of(nodes.NODES)


def test_settings_of_a_node_have_their_defaults_and_limits() -> None:
    assert settings_of(TYPES, LIMITS) == SETTINGS


def test_most_important_settings_stand_on_the_node_and_rare_ones_behind_advanced() -> None:
    assert places_of(TYPES) == {"input": INPUT, "main": MAIN, "advanced": ADVANCED}


def test_choose_gives_way_to_condition() -> None:
    replaced = {name: kind.replaced_by for name, kind in TYPES.items() if kind.deprecated}
    assert replaced == {"choose": "condition"}
    assert [name for name, kind in TYPES.items() if kind.generative] == []
