"""The words around a prompt: what a brand wants said, and `{{names}}` filled in."""

import re
from collections.abc import Mapping

from impasto import Brand

_NAME = re.compile(r"\{\{\s*([A-Za-z_]\w*)\s*(?:\|\s*([^{}]*?)\s*)?\}\}")


def filled(template: str, variables: Mapping[str, str]) -> str:
    """`template` with each `{{name}}` as its value, else as nothing or, of `{{name|words}}`, the words."""
    return _NAME.sub(lambda found: variables.get(found[1]) or found[2] or "", template).strip()


def with_brand_voice(system: str, brand: Brand | None) -> str:
    """A system prompt that also says how the brand speaks."""
    if brand is None:
        return system
    lines = [
        f"You write for {brand.brand_name}." if brand.brand_name else "",
        brand.description,
        f"Tone: {brand.tone}." if brand.tone else "",
        f"Never use these words: {', '.join(brand.banned_words)}." if brand.banned_words else "",
        "Lines in the brand's voice: " + " / ".join(brand.example_lines) if brand.example_lines else "",
    ]
    return "\n".join(line.strip() for line in (system, *lines) if line.strip())


def picture_prompt(prompt: str, brand: Brand | None, provider: str) -> str:
    """What a provider of pictures or clips is told: this machine's renderer takes the brand as it is."""
    return prompt if provider == "local" else with_brand_look(prompt, brand)


def with_brand_look(prompt: str, brand: Brand | None) -> str:
    """A picture prompt that also says how the brand looks."""
    if brand is None:
        return prompt
    lines = [
        f"Colours: {', '.join(brand.palette)}." if brand.palette else "",
        f"Mood: {brand.tone}." if brand.tone else "",
        f"For {brand.brand_name}: {brand.description}" if brand.description else "",
    ]
    return "\n".join(line for line in (prompt, *lines) if line)
