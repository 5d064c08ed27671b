"""Answers of language models as data; one that does not follow its schema is corrected by the model once."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from impasto import Context
from impasto_nodes.providers.protocols import TextRequest, TextResult
from impasto_nodes.providers.registry import text_provider
from impasto_nodes.providers.schemas.answers import NotInShape, parse_answer


async def ask(request: TextRequest, provider: str, context: Context) -> TextResult:
    """Return the complete answer to a request, and charge it."""
    context.record_generation(provider=provider, model=request.model, prompt=request.prompt)
    async for part in text_provider(provider).stream(request, context):
        if isinstance(part, TextResult):
            account(part, request, context)
            return part
    raise AssertionError("a stream ends with its result")


def account(result: TextResult, request: TextRequest, context: Context) -> None:
    """Charge an answer, unless its adapter has, and record its author."""
    if not result.is_charged:
        context.charge(result.usd, **result.units)
    context.record_generation(provider=result.provider, model=result.model, prompt=request.prompt)


async def data_of(
    result: TextResult, request: TextRequest, schema: Mapping[str, Any], provider: str, context: Context
) -> Any:
    """Return an answer as data. If it does not follow the schema, the model gets the reason and one more try.

    Raises NotInShape if the second answer does not follow it either.
    """
    try:
        return await asyncio.to_thread(parse_answer, result, schema)
    except NotInShape as fault:
        context.progress(0.6, "Correcting the answer")
        said = f"{request.prompt}\n\nYour last answer was:\n{result.text}\n\nIt does not fit. {fault.why}"
        again = replace(request, prompt=f"{said}\nAnswer again with corrected JSON only.")
    return await asyncio.to_thread(parse_answer, await ask(again, provider, context), schema)
