"""The structured data node."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from impasto import Context, Image, Json, Port, Setting, Text, node
from impasto_nodes.ai.answers import ask, data_of
from impasto_nodes.ai.language_model import estimate, list_models
from impasto_nodes.ai.vision import load_images
from impasto_nodes.providers.discovery import choose
from impasto_nodes.providers.protocols import TextRequest
from impasto_nodes.providers.registry import provider_choices
from impasto_nodes.providers.schemas.answers import require_schema, schema_problems
from impasto_nodes.providers.validation import problems_with

__all__ = ["list_models", "structured_data"]


EXAMPLE: dict[str, Any] = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "points": {"type": "array", "items": {"type": "string"}}},
    "required": ["title", "points"],
    "additionalProperties": False,
}


def find_problems(settings: Mapping[str, Any], configured: frozenset[str] | None) -> Iterator[dict[str, str]]:
    """Yield the problems of the settings that are known before a run."""
    yield from problems_with("text", settings, configured)
    yield from schema_problems(settings.get("schema") or {})


@node(
    id="structured_data",
    title="Structured data",
    category="advanced_models",
    keywords=("json", "extract", "parse", "table", "fields", "schema", "data", "classify"),
    generative=True,
    retries=2,
    timeout=600,
    check=find_problems,
    cost=estimate,
)
async def structured_data(
    prompt: Annotated[Text, Port(help="What to turn into data.")],
    pictures: Annotated[list[Image] | None, Port(title="Images", help="What the model looks at.")] = None,
    *,
    provider: Annotated[str, Setting(choices=provider_choices("text"), widget="select")] = "auto",
    model: Annotated[str, Setting(options="list_models", widget="select", placeholder="Best available")] = "",
    instructions: Annotated[str, Setting(widget="long_text", placeholder="What to find, and how.")] = "",
    schema: Annotated[dict[str, Any], Setting(widget="schema", help="The fields of the answer.")] = EXAMPLE,
    temperature: Annotated[float | None, Setting(ge=0, le=2, step=0.1, advanced=True)] = None,
    max_tokens: Annotated[
        int | None, Setting(ge=1, le=32_000, advanced=True, title="Longest answer", unit="tokens")
    ] = None,
    context: Context,
) -> Annotated[Json, Port(title="Data")]:
    """Answers with data of a given shape.

    The answer is checked against the schema. If it does not fit, the model gets the reason and one more try.
    """
    await asyncio.to_thread(require_schema, schema)  # may take half a second
    choice = await choose("text", provider, model, context)
    seen = await load_images(pictures or [], context)
    request = TextRequest(
        model=choice.model,
        prompt=prompt,
        system=instructions,
        images=seen,
        schema=schema,
        temperature=temperature,
        max_tokens=max_tokens,
    )
    result = await ask(request, choice.provider, context)
    return await data_of(result, request, schema, choice.provider, context)
