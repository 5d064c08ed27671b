"""The settings of each input node: saved flows rely on their defaults, and forms on their limits."""

from typing import Any

import impasto_nodes.inputs as nodes
from impasto.sdk.node_type import node_type_of

LIMITS = ("ge", "le", "step", "min_length", "max_length", "order", "shown_if")
# For each setting: the default, and what is declared of its limits, its place and its condition.
SETTINGS: dict[str, dict[str, tuple[Any, dict[str, Any]]]] = {
    "user_prompt": {
        "text": ("", {"max_length": 20000}),
        "may_be_empty": (False, {}),
    },
    "picture": {
        "picture": (None, {}),
    },
    "brand_system": {
        "brand_name": ("", {"max_length": 80}),
        "description": ("", {"max_length": 4000}),
        "palette": ([], {}),
        "fonts": ([], {}),
        "logo": (None, {}),
        "tone": ("", {"max_length": 500}),
        "banned_words": ([], {}),
        "example_lines": ([], {}),
        "brand": (None, {"order": -1}),
    },
    "choice": {
        "value": ("", {}),
        "options": ([], {}),
    },
    "number": {
        "value": (0.0, {}),
        "lowest": (None, {}),
        "highest": (None, {}),
    },
    "whole_number": {
        "value": (1, {"step": 1}),
        "lowest": (None, {}),
        "highest": (None, {}),
    },
    "table": {
        "rows": ([], {}),
    },
    "data": {
        "value": (None, {}),
        "schema": ({}, {}),
    },
    "video_input": {
        "video": (None, {}),
    },
    "audio_input": {
        "audio": (None, {}),
    },
    "mask": {
        "mask": (None, {}),
    },
}
# The setting that a launch replaces; those that stand on the node; those behind "Advanced".
INPUT = {
    "user_prompt": ["text"],
    "picture": ["picture"],
    "brand_system": ["brand"],
    "choice": ["value"],
    "number": ["value"],
    "whole_number": ["value"],
    "table": ["rows"],
    "data": ["value"],
    "video_input": ["video"],
    "audio_input": ["audio"],
    "mask": ["mask"],
}
MAIN = {
    "user_prompt": ["text"],
    "picture": ["picture"],
    "brand_system": ["brand_name", "palette"],
    "choice": ["value"],
    "number": ["value"],
    "whole_number": ["value"],
    "table": ["rows"],
    "data": ["value"],
    "video_input": ["video"],
    "audio_input": ["audio"],
    "mask": ["mask"],
}
ADVANCED = {"user_prompt": ["may_be_empty"]}


TYPES = {found.id: found for node in nodes.NODES if (found := node_type_of(node)) is not None}


def test_settings_of_a_node_have_their_defaults_and_limits() -> None:
    found = {
        name: {
            each.name: (
                each.default,
                {limit: value for limit in LIMITS if (value := getattr(each.ui, limit)) is not None},
            )
            for each in kind.settings
        }
        for name, kind in TYPES.items()
        if kind.settings
    }
    assert found == SETTINGS


def test_most_important_settings_stand_on_the_node_and_rare_ones_behind_advanced() -> None:
    shown = {
        place: {
            name: found
            for name, kind in TYPES.items()
            if (found := [each.name for each in kind.settings if getattr(each.ui, place)])
        }
        for place in ("input", "main", "advanced")
    }
    assert shown == {"input": INPUT, "main": MAIN, "advanced": ADVANCED}


def test_inputs_are_repeatable_and_free() -> None:
    assert [name for name, kind in TYPES.items() if kind.generative or kind.deprecated or kind.cost] == []
    assert {kind.category for kind in TYPES.values()} == {"inputs"}
