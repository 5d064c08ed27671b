"""The settings of each input node: saved flows rely on their defaults, and forms on their limits."""

from typing import Any

from tests.nodes.declared import places_of, settings_of, types_of

import impasto_nodes.inputs as nodes

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


TYPES = types_of(nodes.NODES)


def test_settings_of_a_node_have_their_defaults_and_limits() -> None:
    assert settings_of(TYPES, LIMITS) == SETTINGS


def test_most_important_settings_stand_on_the_node_and_rare_ones_behind_advanced() -> None:
    assert places_of(TYPES) == {"input": INPUT, "main": MAIN, "advanced": ADVANCED}


def test_inputs_are_repeatable_and_free() -> None:
    assert [name for name, kind in TYPES.items() if kind.generative or kind.deprecated or kind.cost] == []
    assert {kind.category for kind in TYPES.values()} == {"inputs"}
