"""Structured data from a very small model: texts are extracted from the brief, other values are generated.

Such a model invents facts and breaks JSON. This module therefore builds the structure, extracts each text
from the brief, and asks the model only for numbers, enumerated values and patterns, under a schema.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from impasto_nodes.providers.local.brief import Brief
from impasto_nodes.providers.local.examples import kin_of
from impasto_nodes.providers.local.extractive_text import hashtags_of, line_for

Constrain = Callable[[Mapping[str, Any]], Awaitable[Any]]

_ITEMS, _TAGS, _LONGEST = 3, 6, 240
_SIMPLE = {"object", "array", "string", "integer", "number", "boolean"}
_MOVES = (
    "Slow push in",
    "Pull back slowly",
    "Pan from left to right",
    "Pan from right to left",
    "Tilt up",
    "Drift down",
    "Slow turn around it",
    "Held still",
)
"""Camera movements for the model to choose from: its own suggestions are unusable."""


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

    async def fill(self, schema: Mapping[str, Any], name: str = "text") -> Any:
        """Return data that follows the schema."""
        kind = schema.get("type")
        if kind == "object" and "enum" not in schema:
            return {key: await self.fill(part, key) for key, part in schema.get("properties", {}).items()}
        if kind == "array" and "enum" not in schema:
            return await self._list(schema, name)
        if kind == "string" and "enum" not in schema and "pattern" not in schema:
            moves = _moves(schema) if kin_of(name) == "motion" else []
            if not moves:
                return await self._line(schema, name)
            schema = {"enum": [move for move in moves if move not in self.said] or moves}
        value = (await self.constrain(_only(name, schema)))[name]
        self.said += [value] if isinstance(value, str) else []
        return value

    async def _list(self, schema: Mapping[str, Any], name: str) -> list[Any]:
        items = schema.get("items", {"type": "string"})
        least, most = schema.get("minItems", 1), schema.get("maxItems", _ITEMS + 2)
        if kin_of(name) == "hashtag" and items.get("type") == "string":
            tags = self._hashtags(items, min(most, _TAGS))
            if len(tags) >= least:
                return tags
        return [await self.fill(items, name) for _ in range(min(max(_ITEMS, least), most))]

    async def _line(self, schema: Mapping[str, Any], name: str) -> str:
        least, most = schema.get("minLength", 1), min(schema.get("maxLength", _LONGEST), 400)
        line = line_for(kin_of(name), self.brief, least, most, self.said)
        if not line:
            line = str((await self.constrain(_only(name, schema)))[name])
        self.said.append(line)
        return line

    def _hashtags(self, items: Mapping[str, Any], most: int) -> list[str]:
        allowed = re.compile(items.get("pattern", "^#"))
        return [tag for tag in hashtags_of(self.brief, _TAGS * 2) if allowed.search(tag)][:most]


def _only(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: schema}, "required": [name]}


def _moves(schema: Mapping[str, Any]) -> list[str]:
    least, most = schema.get("minLength", 0), schema.get("maxLength", _LONGEST)
    return [move for move in _MOVES if least <= len(move) <= most]
