"""Whether a text sounds like the brand, as a language model judges it."""

from typing import Any

from impasto import Brand, Context
from impasto_nodes.ai.answers import ask, data_of
from impasto_nodes.providers.discovery import choose
from impasto_nodes.providers.protocols import TextRequest

_VERDICT = {
    "type": "object",
    "properties": {"fits": {"type": "boolean"}, "why": {"type": "string", "maxLength": 200}},
    "required": ["fits", "why"],
    "additionalProperties": False,
}


async def check_tone(text: str, brand: Brand, provider: str, model: str, context: Context) -> dict[str, Any]:
    """Return a model's verdict with its reason; not checked if the only model is too small to judge."""
    if not (brand.tone or brand.example_lines):
        return {"checked": False, "why": "The brand has no tone of voice."}
    choice = await choose("text", provider, model, context)
    if provider == "auto" and choice.provider == "local":
        return {
            "checked": False,
            "why": "No language model with a key is set; the local one is too small to judge tone.",
        }
    request = TextRequest(
        model=choice.model, prompt=f"Text:\n{text}", system=_task(brand), schema=_VERDICT, temperature=0.0
    )
    result = await ask(request, choice.provider, context)
    verdict = await data_of(result, request, _VERDICT, choice.provider, context)
    # The model is paid, but what was checked goes on as it was.
    context.record_generation(provider=result.provider, model=result.model, method="enhanced")
    return {"checked": True, "passed": verdict["fits"], "why": verdict["why"], "model": result.model}


def _task(brand: Brand) -> str:
    task = f"Judge whether the text sounds like {brand.brand_name or 'the brand'}. Tone: {brand.tone}."
    return f"{task} Lines that do: {' / '.join(brand.example_lines)}"
