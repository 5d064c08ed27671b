"""Presets for the schema of a language model's answer, and each answer as plain text."""

import json
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]


def _text(max_length: int, min_length: int, note: str = "") -> dict[str, Any]:
    return {
        "type": "string",
        "minLength": min_length,
        "maxLength": max_length,
        **({"description": note} if note else {}),
    }


def _object(**properties: Schema) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(of: Schema, min_items: int, max_items: int) -> dict[str, Any]:
    return {"type": "array", "items": of, "minItems": min_items, "maxItems": max_items}


_HASHTAG = {"type": "string", "pattern": "^#[^#]+$", "maxLength": 30}
_SHOT = _object(
    scene=_text(160, 12, "What the camera sees"),
    motion=_text(60, 3, "How the camera moves"),
    seconds={"type": "integer", "minimum": 2, "maximum": 10},
)

PRESETS: Mapping[str, Schema] = {
    "ad_copy": _object(headline=_text(60, 8), body=_text(200, 30), call_to_action=_text(30, 4)),
    "ad_set": _object(
        offer=_text(90, 3, "What the customer gets, in one line"),
        calls_to_action=_list(_text(30, 4), 4, 4),
        headlines=_list(_text(60, 8), 4, 4),
    ),
    "social_post": _object(caption=_text(220, 30), hashtags=_list(_HASHTAG, 1, 6)),
    "shot_list": _object(title=_text(60, 4), shots=_list(_SHOT, 3, 6)),
    "hashtags": _object(hashtags=_list(_HASHTAG, 1, 10)),
    "headlines": _object(headlines=_list(_text(70, 8), 3, 6)),
    "voice_over": _object(script=_text(400, 40)),
    "image_prompts": _object(prompts=_list(_text(240, 20), 3, 4)),
}
NAMES = ("none", *PRESETS, "custom")
_MEANINGS = {"ad_copy": "ad", "social_post": "post", "shot_list": "shot_list", "hashtags": "hashtags"}


def meaning_of(settings: Mapping[str, Any]) -> str | None:
    """Return the kind of an answer's data, which results use to show it; None for any other shape."""
    return _MEANINGS.get(str(settings.get("output_schema_preset")))


def schema_for(preset: str, custom: Schema | None) -> Schema | None:
    """Return the JSON Schema of a preset: the user's own for `custom`, None for plain text."""
    if preset == "custom":
        return custom or {"type": "object"}
    return PRESETS.get(preset)


def as_text(data: Any) -> str:
    """Return structured data as plain lines in order; deeper levels as JSON."""
    if isinstance(data, str):
        return data
    if isinstance(data, int | float):
        return str(data)
    if isinstance(data, list):
        return _list_as_text(data)
    if isinstance(data, dict) and all(_is_flat(value) for value in data.values()):
        return "\n\n".join(as_text(value) for value in data.values())
    return json.dumps(data, ensure_ascii=False, indent=2)


def _list_as_text(items: list[Any]) -> str:
    if all(isinstance(item, str) for item in items):
        return (" " if all(item.startswith("#") for item in items) else "\n").join(items)
    return json.dumps(items, ensure_ascii=False, indent=2)


def _is_flat(value: Any) -> bool:
    return isinstance(value, str | int | float) or (
        isinstance(value, list) and all(isinstance(i, str) for i in value)
    )
