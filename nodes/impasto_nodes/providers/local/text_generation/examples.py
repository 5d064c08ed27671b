"""Few-shot examples for a very small model, as text or as data that follows a schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """A brief and the text written for it; `words` are values for common property names of schemas."""

    task: str
    brief: str
    text: str
    words: Mapping[str, tuple[str, ...]]

    def data(self, schema: Mapping[str, Any]) -> Any:
        """Return the same example as data that follows a schema."""
        return _filled(schema, "text", self.words, 0)


EXAMPLES = (
    Example(
        "Write a short product description.",
        "A merino running sock that stays dry.",
        "Long miles, dry feet. Our merino running sock wicks away sweat, cushions every stride and stays"
        " fresh from the first step to the last.",
        {
            "title": ("Long miles, dry feet",),
            "headline": ("Long miles, dry feet", "Rain can wait outside", "Run through the puddles"),
            "call_to_action": ("Try a pair today",),
            "hashtag": ("#DryFeet", "#RunningSocks", "#LongMiles", "#RainyRuns", "#MerinoSocks"),
            "motion": ("Slow push in", "Pan from left to right", "Held still"),
            "scene": (
                "A runner crosses a wet bridge at dawn",
                "Rain on a running shoe, seen from the ground",
                "Two dry socks on a warm stove",
            ),
            "text": (
                "Our merino running sock wicks away sweat and cushions every stride.",
                "It stays fresh from the first step to the last.",
            ),
        },
    ),
    Example(
        "Write for social media in a calm voice.",
        "New mint tea for warm evenings.",
        "Warm evenings call for something cool. Meet our new mint tea: bright, gentle and ready in three"
        " minutes.",
        {
            "title": ("Mint tea, warm evenings",),
            "headline": ("Cool down slowly", "Three minutes to mint", "An evening in a glass"),
            "call_to_action": ("Pour a glass tonight",),
            "hashtag": ("#MintTea", "#WarmEvenings", "#SlowTea", "#TeaTime", "#FreshMint"),
            "motion": ("Drift upwards", "Slow turn around the glass", "Held still"),
            "scene": (
                "A glass of mint tea on a stone step at dusk",
                "Steam over fresh mint leaves, close up",
                "A garden table with two empty glasses",
            ),
            "text": (
                "Warm evenings call for something cool: our new mint tea.",
                "Bright, gentle and ready in three minutes.",
            ),
        },
    ),
)

_KINDS = {
    "scene": ("scene", "shot", "picture", "image", "prompt", "visual", "description_of_picture"),
    "offer": ("offer",),
    "headline": ("headline", "hook", "slogan", "subject"),
    "title": ("title", "name"),
    "call_to_action": ("call_to_action", "calls_to_action", "cta", "button"),
    "hashtag": ("hashtag", "tag", "keyword"),
    "caption": ("caption",),
    "motion": ("motion", "camera", "movement"),
}


def _filled(schema: Mapping[str, Any], name: str, words: Mapping[str, tuple[str, ...]], at: int) -> Any:
    if "enum" in schema:
        return schema["enum"][at % len(schema["enum"])]
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        parts = schema.get("properties", {}).items()
        return {key: _filled(part, key, words, at + _repeats(parts, key)) for key, part in parts}
    if kind == "array":
        number = max(schema.get("minItems", 1), min(2, schema.get("maxItems", 2)))
        return [_filled(schema.get("items", {}), name, words, at + index) for index in range(number)]
    if kind in {"integer", "number"}:
        number = max(3 + at, schema.get("minimum", 3))
        return min(number, schema.get("maximum", number))
    return at % 2 == 0 if kind == "boolean" else _words_for(name, words, at, schema.get("maxLength"))


def _repeats(parts: Any, name: str) -> int:
    """Return how many earlier properties use the same words, to continue after theirs."""
    before = [key for key, _ in parts]
    return sum(kind_of(key) == kind_of(name) for key in before[: before.index(name)])


def _words_for(name: str, words: Mapping[str, tuple[str, ...]], at: int, longest: int | None) -> str:
    choices = words.get(kind_of(name), words["text"])
    return choices[at % len(choices)][:longest]


def kind_of(name: str) -> str:
    """Return the kind of text that a property name asks for: a headline, a scene, plain text."""
    plain = name.casefold().removesuffix("s")
    return next((kind for kind, names in _KINDS.items() if any(plain.endswith(one) for one in names)), "text")
