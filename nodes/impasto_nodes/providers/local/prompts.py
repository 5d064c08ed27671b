"""Prompts and sampling settings for very small models.

A model of a few hundred million weights follows examples rather than instructions: it gets two examples and
a shortened question, and is sampled at a low temperature with a penalty for repetition.
"""

import json
from collections.abc import Mapping
from typing import Any

from impasto_nodes.providers.local.examples import EXAMPLES

TINY_BYTES = 300_000_000
"""Models with smaller files get examples; larger ones follow instructions."""

_ROLE = "You are a skilled copywriter. Answer with the finished text only: short, concrete, vivid."
_SYSTEM_CHARACTERS, _PROMPT_CHARACTERS = 180, 700


def ask_by_example(system: str, prompt: str, schema: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """Return chat messages for a tiny model: the role, the examples, the shortened question."""
    messages = [{"role": "system", "content": _ROLE}]
    for example in EXAMPLES:
        answer = example.text if schema is None else json.dumps(example.data(schema))
        messages += [_user(example.task, example.brief, schema), {"role": "assistant", "content": answer}]
    return [
        *messages,
        _user(shorten(system, _SYSTEM_CHARACTERS), shorten(prompt, _PROMPT_CHARACTERS), schema),
    ]


def cool_sampling(temperature: float | None, seed: int, attempt: int = 0) -> dict[str, Any]:
    """Return sampling settings; `dry_*` prevents loops without penalizing the brief's own words."""
    return {
        "temperature": 0.2 + 0.15 * attempt if temperature is None else temperature,
        "top_p": 0.9,
        "frequency_penalty": 0.2,
        "seed": (seed + attempt) % 2**31,
        "extra_body": {"min_p": 0.08, "dry_multiplier": 0.8, "dry_allowed_length": 3, "cache_prompt": True},
    }


def _user(task: str, brief: str, schema: Mapping[str, Any] | None) -> dict[str, str]:
    lines = [task or "Write a short text.", f"Brief: {brief}"]
    if schema is not None:
        lines.append(f"Answer with JSON: {', '.join(schema.get('properties', ()))}")
    return {"role": "user", "content": "\n".join(lines)}


def shorten(text: str, characters: int) -> str:
    """Return `text` on one line, cut at the end of a sentence or else of a word."""
    text = " ".join(text.split())
    if len(text) <= characters:
        return text
    cut = text[:characters]
    return cut[: cut.rfind(". ") + 1] or cut[: cut.rfind(" ")] or cut
