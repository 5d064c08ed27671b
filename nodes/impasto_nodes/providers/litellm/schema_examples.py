"""Examples in JSON Schemas, as models read them."""

import json
from collections.abc import Mapping
from typing import Any

_SCHEMA = ("items", "additionalProperties", "not", "contains")
_SCHEMAS_BY_NAME = ("properties", "$defs", "definitions", "patternProperties")
_SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")


def describe_examples(schema: Any) -> Any:
    """Return the schema with its examples in the descriptions: strict schemas have no `examples`."""
    if not isinstance(schema, Mapping):
        return schema
    part = dict(schema)
    examples = part.pop("examples", None)
    if isinstance(examples, list) and examples:
        listed = ", ".join(_text(example) for example in examples)
        part["description"] = f"{part.get('description') or ''} For example: {listed}.".strip()
    for name in _SCHEMA:
        if name in part:
            part[name] = describe_examples(part[name])
    for name in _SCHEMAS_BY_NAME:
        if isinstance(part.get(name), Mapping):
            part[name] = {key: describe_examples(each) for key, each in part[name].items()}
    for name in _SCHEMA_LISTS:
        if isinstance(part.get(name), list):
            part[name] = [describe_examples(each) for each in part[name]]
    return part


def _text(example: Any) -> str:
    return example if isinstance(example, str) else json.dumps(example, ensure_ascii=False)
