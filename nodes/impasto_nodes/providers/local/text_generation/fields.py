"""Structured data without a capable model: texts are arranged from the brief, other values are generated.

A very small model invents facts and breaks JSON. This module therefore builds the structure, arranges each
text from the brief, and asks the model only for numbers, enumerated values and patterns, under a schema.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from impasto_nodes.providers.local.errors import TextTooShort
from impasto_nodes.providers.local.text_generation.examples import kind_of
from impasto_nodes.providers.local.writing.arrange import line_for
from impasto_nodes.providers.local.writing.brief import Brief
from impasto_nodes.providers.local.writing.hashtags import hashtags_of

Constrain = Callable[[Mapping[str, Any]], Awaitable[Any]]

_ITEMS, _TAGS, _MAX_LENGTH = 3, 6, 240
_SHOT_SECONDS = 4
_SIMPLE = {"object", "array", "string", "integer", "number", "boolean"}


def is_simple(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema can be filled property by property: it has no references or alternatives."""
    if "enum" in schema:
        return True
    if schema.get("type") not in _SIMPLE or any(
        name in schema for name in ("$ref", "anyOf", "oneOf", "allOf")
    ):
        return False
    parts = schema.get("properties", {}).values() if schema["type"] == "object" else []
    return all(map(is_simple, parts)) and (schema["type"] != "array" or is_simple(schema.get("items", {})))


class FieldWriter:
    """Fills a simple schema for one brief; `constrain` generates data for a small schema."""

    def __init__(self, brief: Brief, constrain: Constrain) -> None:
        self.brief, self.constrain = brief, constrain
        self.said: list[str] = []
        self._items = 1

    async def fill(self, schema: Mapping[str, Any], name: str = "text") -> Any:
        """Return data that follows the schema. Raises `TextTooShort` if no text is as long as it must be."""
        kind = schema.get("type")
        if kind == "object" and "enum" not in schema:
            return {key: await self.fill(part, key) for key, part in schema.get("properties", {}).items()}
        if kind == "array" and "enum" not in schema:
            return await self._list(schema, name)
        if kind == "string" and "enum" not in schema and "pattern" not in schema:
            return self._line(schema, name)
        if kind in {"integer", "number"} and name in {"seconds", "duration"}:
            return self._seconds(schema)
        value = (await self.constrain(_only(name, schema)))[name]
        self.said += [value] if isinstance(value, str) else []
        return value

    async def _list(self, schema: Mapping[str, Any], name: str) -> list[Any]:
        items = schema.get("items", {"type": "string"})
        min_items, max_items = schema.get("minItems", 1), schema.get("maxItems", _ITEMS + 2)
        if kind_of(name) == "hashtag" and items.get("type") == "string":
            tags = self._hashtags(items, min(max_items, _TAGS))
            if len(tags) >= min_items:
                return tags
        self._items = min(max(_ITEMS, min_items), max_items)
        return [await self.fill(items, name) for _ in range(self._items)]

    def _line(self, schema: Mapping[str, Any], name: str) -> str:
        min_length = schema.get("minLength", 1)
        max_length = min(schema.get("maxLength", _MAX_LENGTH), 400)
        kind = kind_of(name)
        moves = [move for move in self.brief.grammar.moves if min_length <= len(move) <= max_length]
        if kind == "motion" and moves:
            line = next((move for move in moves if move not in self.said), moves[0])
        else:
            line = line_for(kind, self.brief, min_length, max_length, self.said)
        if not line:
            raise TextTooShort(name, min_length)
        self.said.append(line)
        return line

    def _seconds(self, schema: Mapping[str, Any]) -> int:
        """Return the length of one item: a share of the length that the brief names."""
        whole = self.brief.seconds / self._items if self.brief.seconds else _SHOT_SECONDS
        minimum, maximum = float(schema.get("minimum", 1)), float(schema.get("maximum", 60))
        return round(min(max(whole, minimum), maximum))

    def _hashtags(self, items: Mapping[str, Any], max_tags: int) -> list[str]:
        allowed = re.compile(items.get("pattern", "^#"))
        return [tag for tag in hashtags_of(self.brief, _TAGS * 2) if allowed.search(tag)][:max_tags]


def _only(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: schema}, "required": [name]}
