"""Prompts: templates rendered with their variables, and the brand's voice and look added."""

from collections.abc import Mapping

from impasto import Brand, NodeError, Placeholder, Template
from impasto_nodes.providers.registry import specs

LANGUAGES = (
    "as the brief",
    "English",
    "German",
    "French",
    "Spanish",
    "Portuguese",
    "Italian",
    "Dutch",
    "Polish",
    "Swedish",
    "Danish",
    "Turkish",
    "Japanese",
    "Korean",
    "Chinese",
    "Arabic",
    "Hindi",
)
"""The languages that a text can be asked for; the first leaves the choice to the model."""


class EmptyPrompt(NodeError):
    """A prompt has no words; the message says what to write."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="required_input")


def require_words(prompt: str, message: str) -> None:
    """Raise `EmptyPrompt` with that message if a prompt holds neither a letter nor a digit."""
    if not any(letter.isalnum() for letter in prompt):
        raise EmptyPrompt(message)


def in_language(system: str, language: str) -> str:
    """Return a system prompt that also states in which of `LANGUAGES` to write."""
    return system if language == LANGUAGES[0] else f"{system}\nWrite in {language}.".strip()


def render(template: str, variables: Mapping[str, str]) -> str:
    """Render `{{name}}` and `{{name|default}}` placeholders; a name without a value is left out.

    Paths with dots stay as they are: a prompt has no data to read them from.
    """

    def value_of(place: Placeholder) -> str:
        return variables.get(place.path) or place.default or "" if place.is_name else place.source

    return Template.parse(template).render(value_of).strip()


def with_brand_voice(system: str, brand: Brand | None) -> str:
    """Return a system prompt that also states the brand's voice."""
    if brand is None:
        return system
    lines = [
        f"You write for {brand.brand_name}." if brand.brand_name else "",
        brand.description,
        f"Tone: {brand.tone}." if brand.tone else "",
        f"Never use these words: {', '.join(brand.banned_words)}." if brand.banned_words else "",
        "Do: " + " / ".join(brand.dos) if brand.dos else "",
        "Do not: " + " / ".join(brand.donts) if brand.donts else "",
        "Lines in the brand's voice: " + " / ".join(brand.example_lines) if brand.example_lines else "",
    ]
    return "\n".join(line.strip() for line in (system, *lines) if line.strip())


def image_prompt(prompt: str, brand: Brand | None, provider: str) -> str:
    """Return the prompt for an image or video provider; the local renderer takes the brand separately."""
    return prompt if specs()[provider].reads_brand else with_brand_look(prompt, brand)


def with_brand_look(prompt: str, brand: Brand | None) -> str:
    """Return an image prompt that also states the brand's look."""
    if brand is None:
        return prompt
    lines = [
        f"Colours: {', '.join(brand.palette)}." if brand.palette else "",
        f"Mood: {brand.tone}." if brand.tone else "",
        f"For {brand.brand_name or 'a brand'}: {brand.description}" if brand.description else "",
    ]
    return "\n".join(line for line in (prompt, *lines) if line)
