"""Data from a very small model: every text of it is asked for by itself, as the one thing to write.

Such a model writes a fair line when shown two, and nonsense when it has to keep braces in mind. So the
shape is kept here, and each leaf is a question of its own, the best of a few tries.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from impasto_nodes.providers.local.examples import EXAMPLES, kin_of
from impasto_nodes.providers.local.sense import sense
from impasto_nodes.providers.local.tidy import whole_words

Write = Callable[[list[dict[str, str]], int], Awaitable[str]]
Constrain = Callable[[Mapping[str, Any]], Awaitable[Any]]

_TRIES, _ITEMS, _TAGS, _LONGEST = 3, 3, 6, 160
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
"""How a camera can move: the model chooses, since left alone it films ladies and gentlemen."""
_HASHTAG = re.compile(r"#\w+")
_TASKS = {
    "headline": "Write a headline of a few words.",
    "title": "Write a title of a few words.",
    "call_to_action": "Write a call to action of a few words.",
    "hashtag": "Write hashtags.",
    "scene": "Describe one picture.",
    "text": "Write one sentence.",
    "motion": "Say how the camera moves.",
}


def is_simple(schema: Mapping[str, Any]) -> bool:
    """Whether a schema has only the parts that can be asked for one by one."""
    if "enum" in schema:
        return True
    if schema.get("type") not in _SIMPLE or any(
        name in schema for name in ("$ref", "anyOf", "oneOf", "allOf")
    ):
        return False
    parts = schema.get("properties", {}).values() if schema["type"] == "object" else []
    return all(map(is_simple, parts)) and (schema["type"] != "array" or is_simple(schema.get("items", {})))


class FieldWriter:
    """Fills a simple schema for one brief: `write` continues a chat, `constrain` answers a small schema."""

    def __init__(self, brief: str, write: Write, constrain: Constrain) -> None:
        self.brief, self.write, self.constrain = brief, write, constrain
        self.said: list[str] = []

    async def fill(self, schema: Mapping[str, Any], name: str = "text") -> Any:
        """Data in the schema's shape."""
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
            tags = await self._hashtags(items, least, min(most, _TAGS))
            if len(tags) >= least:
                return tags
        return [await self.fill(items, name) for _ in range(min(max(_ITEMS, least), most))]

    async def _line(self, schema: Mapping[str, Any], name: str) -> str:
        longest = min(schema.get("maxLength", _LONGEST), _LONGEST)
        best, made = "", -1.0
        for attempt in range(_TRIES):
            line = _fitted(await self.write(self._messages(kin_of(name)), attempt + len(self.said)), longest)
            found = self._worth(line, schema.get("minLength", 1))
            if found > made:
                best, made = line, found
            if made >= 1.0:
                break
        self.said.append(best)
        return (
            best
            if len(best) >= schema.get("minLength", 1)
            else (await self.constrain(_only(name, schema)))[name]
        )

    async def _hashtags(self, items: Mapping[str, Any], least: int, most: int) -> list[str]:
        allowed = re.compile(items.get("pattern", "^#"))
        shown = set(_HASHTAG.findall(" ".join(" ".join(one.words["hashtag"]) for one in EXAMPLES)))
        tags: dict[str, None] = {}
        for attempt in range(_TRIES):
            found = _HASHTAG.findall(await self.write(self._messages("hashtag"), attempt))
            tags |= dict.fromkeys(tag for tag in found if allowed.search(tag) and tag not in shown)
        best = sorted(tags, key=lambda tag: -sense(tag, self.brief, hits=1))[:most]
        near = [tag for tag in best if sense(tag, self.brief, hits=1) > 0.5]
        return near if len(near) >= least else best[:least]

    def _messages(self, kin: str) -> list[dict[str, str]]:
        messages = []
        for example in EXAMPLES:
            answer = " ".join(example.words[kin]) if kin == "hashtag" else example.words[kin][0]
            messages += [_asked(kin, example.brief), {"role": "assistant", "content": answer}]
        return [*messages, _asked(kin, self.brief)]

    def _worth(self, line: str, shortest: int) -> float:
        new = line.casefold() not in {one.casefold() for one in self.said}
        return (sense(line, self.brief, hits=1) + (len(line) >= shortest)) / 2 if new and line else 0.0


def _asked(kin: str, brief: str) -> dict[str, str]:
    return {"role": "user", "content": f"{_TASKS[kin]}\nBrief: {brief}"}


def _only(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: schema}, "required": [name]}


def _moves(schema: Mapping[str, Any]) -> list[str]:
    least, most = schema.get("minLength", 0), schema.get("maxLength", _LONGEST)
    return [move for move in _MOVES if least <= len(move) <= most]


def _fitted(text: str, longest: int) -> str:
    line = text.strip().partition("\n")[0].strip("\"'“” ")
    return line if len(line) <= longest else whole_words(line[:longest].rpartition(" ")[0])
