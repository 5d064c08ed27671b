"""Prompts and sampling settings of language models on this machine.

A model of a few hundred million weights follows examples rather than instructions: it gets two examples and
a shortened question.
"""

import json
from collections.abc import Mapping
from typing import Any

from impasto_nodes.providers.local.language_models.families import Family
from impasto_nodes.providers.local.text_generation.examples import EXAMPLES

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


def sampling(family: Family, temperature: float | None, seed: int, attempt: int = 0) -> dict[str, Any]:
    """Return the sampling settings of a family; a later attempt is a little less predictable.

    `dry_*` prevents loops without penalizing the brief's own words.
    """
    chosen = dict(family.sampling) if temperature is None else {**family.sampling, "temperature": temperature}
    if temperature is None:
        chosen["temperature"] += 0.15 * attempt
    more: dict[str, Any] = {
        name: chosen.pop(name) for name in ("top_k", "min_p", "repeat_penalty") if name in chosen
    }
    more |= {"dry_multiplier": 0.8, "dry_allowed_length": 3, "cache_prompt": True}
    if family.template:
        more["chat_template_kwargs"] = dict(family.template)
    return {"frequency_penalty": 0.2, **chosen, "seed": (seed + attempt) % 2**31, "extra_body": more}


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
    return cut[: cut.rfind(". ") + 1] or cut.rpartition(" ")[0] or cut
