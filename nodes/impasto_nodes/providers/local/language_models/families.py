"""Families of models: chat template, sampling, and whether they follow instructions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Models with the same prompt format.

    `marks` are the parts of a file's name by which a family is recognized. llama.cpp applies the chat
    template that is in the file; `template` are further arguments of it. `sampling` is what the family's
    makers recommend. `takes_system`: the template has a place for a system prompt.
    `follows_instructions`: without it, the model gets examples, and its texts are not used as they are.
    """

    id: str
    marks: tuple[str, ...]
    sampling: Mapping[str, float]
    template: Mapping[str, Any] = field(default_factory=dict)
    takes_system: bool = True
    follows_instructions: bool = True


_GENERAL = Family(id="general", marks=(), sampling={"temperature": 0.6, "top_p": 0.9, "min_p": 0.05})
FAMILIES = (
    Family(
        id="qwen3",
        marks=("qwen3",),
        sampling={"temperature": 0.7, "top_p": 0.8, "top_k": 20, "presence_penalty": 0.5},
        template={"enable_thinking": False},
    ),
    Family(
        id="qwen2.5",
        marks=("qwen2",),
        sampling={"temperature": 0.7, "top_p": 0.8, "top_k": 20, "repeat_penalty": 1.05},
    ),
    Family(
        id="llama3",
        marks=("llama-3", "llama3"),
        sampling={"temperature": 0.6, "top_p": 0.9},
    ),
    Family(
        id="mistral",
        marks=("mistral", "ministral"),
        sampling={"temperature": 0.5, "top_p": 0.9},
        takes_system=False,
    ),
    Family(
        id="phi3",
        marks=("phi-3", "phi3", "phi-4"),
        sampling={"temperature": 0.5, "top_p": 0.9},
    ),
    Family(
        id="smollm2-135m",
        marks=("smollm2-135m", "smollm2-360m"),
        sampling={"temperature": 0.2, "top_p": 0.9, "min_p": 0.08},
        follows_instructions=False,
    ),
    Family(
        id="smollm2",
        marks=("smollm2",),
        sampling={"temperature": 0.2, "top_p": 0.9},
    ),
    _GENERAL,
)


def family_of(name: str) -> Family:
    """Return the family of a model by its name or its file's; the general one if it is not known."""
    plain = name.casefold()
    return next((one for one in FAMILIES if any(mark in plain for mark in one.marks)), _GENERAL)
