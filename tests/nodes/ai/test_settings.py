"""The settings of nodes that call a model: saved flows rely on their defaults, forms on their limits."""

from typing import Any

from tests.nodes.declared import places_of, settings_of, types_of

import impasto_nodes.ai as nodes

EXAMPLE = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "points": {"type": "array", "items": {"type": "string"}}},
    "required": ["title", "points"],
    "additionalProperties": False,
}
LIMITS = ("ge", "le", "step", "min_length", "max_length", "order", "shown_if")
# For each setting: the default, and what is declared of its limits, its place and its condition.
SETTINGS: dict[str, dict[str, tuple[Any, dict[str, Any]]]] = {
    "language_model": {
        "provider": ("auto", {}),
        "model": ("", {}),
        "system_prompt": ("", {}),
        "output_schema_preset": ("none", {}),
        "schema": (None, {"shown_if": {"output_schema_preset": "custom"}}),
        "temperature": (None, {"ge": 0, "le": 2, "step": 0.1}),
        "max_tokens": (None, {"ge": 1, "le": 32000}),
        "language": ("as the brief", {}),
        "reads_as": ("text", {}),
    },
    "image_generation": {
        "provider": ("auto", {}),
        "model": ("", {}),
        "n_images": (1, {"ge": 1, "le": 8}),
        "aspect_ratio": ("1:1", {}),
        "negative_prompt": ("", {}),
        "seed": (None, {"ge": 0, "le": 2147483647}),
        "more": (None, {}),
    },
    "video_generation": {
        "provider": ("auto", {}),
        "model": ("", {}),
        "duration": (5, {"ge": 1, "le": 30, "step": 1}),
        "aspect_ratio": ("16:9", {}),
        "seed": (None, {"ge": 0, "le": 2147483647}),
        "more": (None, {}),
    },
    "text_to_speech": {
        "provider": ("auto", {}),
        "model": ("", {}),
        "voice": ("Rachel", {"min_length": 1}),
        "stability": (0.5, {"ge": 0, "le": 1, "step": 0.05}),
        "similarity_boost": (0.75, {"ge": 0, "le": 1, "step": 0.05}),
        "style": (0.0, {"ge": 0, "le": 1, "step": 0.05}),
        "speed": (1.0, {"ge": 0.5, "le": 2, "step": 0.05}),
    },
    "structured_data": {
        "provider": ("auto", {}),
        "model": ("", {}),
        "instructions": ("", {}),
        "schema": (EXAMPLE, {}),
        "temperature": (None, {"ge": 0, "le": 2, "step": 0.1}),
        "max_tokens": (None, {"ge": 1, "le": 32000}),
    },
    "agent": {
        "flow": ("", {}),
        "version": (None, {"ge": 1}),
        "inputs": (None, {}),
    },
    "image_edit": {
        "mask": (None, {}),
        "provider": ("auto", {}),
        "model": ("", {}),
        "seed": (None, {"ge": 0, "le": 2147483647}),
        "more": (None, {}),
    },
    "brand_check": {
        "palette_distance": (12.0, {"ge": 0, "le": 100, "step": 1}),
        "contrast": (3.0, {"ge": 1, "le": 21, "step": 0.5}),
        "logo": (False, {}),
        "clear_space": (0.25, {"ge": 0, "le": 3, "step": 0.05}),
        "check_tone": (True, {}),
        "provider": ("auto", {}),
        "model": ("", {}),
    },
    "captions": {
        "provider": ("auto", {}),
        "model": ("", {}),
        "language": ("", {"max_length": 8}),
    },
    "dialogue": {
        "provider": ("auto", {}),
        "model": ("", {}),
        "voices": (None, {}),
        "stability": (0.5, {"ge": 0, "le": 1, "step": 0.5}),
        "seed": (None, {"ge": 0, "le": 2147483647}),
    },
    "music_generation": {
        "provider": ("auto", {}),
        "model": ("", {}),
        "seconds": (30.0, {"ge": 3, "le": 600, "step": 1}),
        "instrumental": (True, {}),
    },
    "sound_effects": {
        "provider": ("auto", {}),
        "model": ("", {}),
        "seconds": (None, {"ge": 0.5, "le": 30, "step": 0.5}),
        "loop": (False, {}),
        "prompt_influence": (0.3, {"ge": 0, "le": 1, "step": 0.05}),
    },
    "comfyui_workflow": {
        "workflow": (None, {}),
        "new_seed": (True, {}),
    },
}
# No launch replaces a setting; those that stand on the node; those behind "Advanced".
INPUT: dict[str, list[str]] = {}
MAIN = {
    "agent": ["flow"],
    "image_edit": ["mask"],
    "music_generation": ["seconds"],
    "comfyui_workflow": ["workflow"],
}
ADVANCED = {
    "language_model": ["temperature", "max_tokens", "reads_as"],
    "image_generation": ["negative_prompt", "seed", "more"],
    "video_generation": ["seed", "more"],
    "structured_data": ["temperature", "max_tokens"],
    "agent": ["version", "inputs"],
    "image_edit": ["seed", "more"],
    "brand_check": ["clear_space", "provider", "model"],
    "captions": ["language"],
    "dialogue": ["seed"],
    "sound_effects": ["prompt_influence"],
}
# How often a failed call is repeated, and the seconds that a step may take.
CALLS = {
    "language_model": (2, 600),
    "image_generation": (2, 1200),
    "video_generation": (2, 1800),
    "text_to_speech": (2, 600),
    "structured_data": (2, 600),
    "image_edit": (2, 1200),
    "brand_check": (2, 300),
    "captions": (2, 3600),
    "dialogue": (2, 600),
    "music_generation": (2, 900),
    "sound_effects": (2, 300),
    "comfyui_workflow": (2, 3600),
}


TYPES = types_of(nodes.NODES)


def test_settings_of_a_node_have_their_defaults_and_limits() -> None:
    assert settings_of(TYPES, LIMITS) == SETTINGS


def test_most_important_settings_stand_on_the_node_and_rare_ones_behind_advanced() -> None:
    assert places_of(TYPES) == {"input": INPUT, "main": MAIN, "advanced": ADVANCED}


def test_a_failed_call_is_repeated_and_ends_in_time() -> None:
    found = {name: (kind.retries, kind.timeout) for name, kind in TYPES.items() if name != "agent"}
    assert found == CALLS


def test_nodes_that_make_something_new_are_generative() -> None:
    assert [name for name, kind in TYPES.items() if not kind.generative] == [
        "agent",
        "brand_check",
        "captions",
    ]
    assert [name for name, kind in TYPES.items() if kind.deprecated or kind.beta] == []
