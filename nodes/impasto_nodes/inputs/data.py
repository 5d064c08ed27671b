"""Data: a structured value as input."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from impasto import Json, NodeError, Port, Setting, node


def find_problems(settings: Mapping[str, Any], configured: frozenset[str] | None) -> Iterator[dict[str, str]]:
    """Yield the problems of the settings that are known before a run."""
    from impasto_nodes.providers.schemas.answers import schema_problems

    yield from schema_problems(settings.get("schema") or {})


@node(
    id="data",
    title="Data",
    category="inputs",
    keywords=("json", "object", "record", "fields", "schema", "structured", "form"),
    check=find_problems,
)
async def data(
    *,
    value: Annotated[
        Any, Setting(title="Value", widget="json", help="JSON of any shape.", input=True, main=True)
    ] = None,
    schema: Annotated[
        dict[str, Any],
        Setting(title="Fields", widget="schema", help="The shape of the value. Empty: any shape."),
    ] = {},  # noqa: B006
) -> Annotated[Json, Port(title="Data")]:
    """A structured value. With fields, a launch has a form for it; a value of another shape is refused."""
    if schema:
        from impasto_nodes.providers.schemas.answers import first_error, require_schema

        await asyncio.to_thread(require_schema, schema)  # may take half a second
        why = await asyncio.to_thread(first_error, value, schema)
        if why and value is None:
            raise NodeError("There is no value for its fields. Fill them in.", code="not_in_shape")
        if why:
            raise NodeError(f"The value does not fit its fields. {why}", code="not_in_shape")
    return value
