"""A model's answer held against the JSON Schema that it was asked for."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from impasto import NodeError
from impasto_nodes.providers.errors import CorruptOutput
from impasto_nodes.providers.text import TextResult

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_FENCE = re.compile(r"^\s*```(?:json)?\s*(.*?)\s*```\s*$", re.DOTALL)


class BadSchema(NodeError):
    """The schema is not a JSON Schema."""

    def __init__(self, why: str) -> None:
        sentence = "The schema is not a valid JSON Schema. Mend it and run again."
        super().__init__(sentence, code="bad_schema", detail=why)


class NotInShape(CorruptOutput):
    """The answer does not follow the schema; `why` is for whoever repairs it."""

    code = "not_in_shape"

    def __init__(self, provider: str, why: str, text: str) -> None:
        self.why = why
        super().__init__(provider, "data", f"{why}\n{text}")


def parsed(result: TextResult, schema: Mapping[str, Any]) -> Any:
    """The answer as data; raises NotInShape where it is no JSON or does not follow the schema."""
    text = result.text
    fenced = _FENCE.match(text)
    try:
        data = json.loads(fenced.group(1) if fenced else text)
    except ValueError as error:
        why = "the answer was cut off" if result.cut else str(error)
        raise NotInShape(result.provider, f"This is not valid JSON: {why}", text) from None
    why = first_fault(data, schema)
    if why:
        raise NotInShape(result.provider, why, text)
    return data


def require_schema(schema: Mapping[str, Any]) -> None:
    """Raise BadSchema for what is no JSON Schema, or reaches outside of itself: nothing is ever fetched."""
    why = fault_of_schema(schema)
    if why:
        raise BadSchema(why)


def problems_of(schema: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The same as problems of a `schema` setting, before a run."""
    why = fault_of_schema(schema)
    if why:
        yield {
            "code": "bad_schema",
            "message": f"The schema is not a valid JSON Schema: {why}.",
            "setting": "schema",
            "hint": "Mend the schema.",
            "severity": "error",
        }


def first_fault(data: Any, schema: Mapping[str, Any]) -> str:
    """The most telling way in which `data` does not follow `schema`, or nothing."""
    import jsonschema

    fault = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(data))
    return f"At {fault.json_path}: {fault.message}" if fault else ""


def fault_of_schema(schema: Mapping[str, Any]) -> str:
    """Why this is no JSON Schema, or nothing."""
    import jsonschema

    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        return f"at {error.json_path}: {error.message}"
    outside = next((found for found in _references(schema) if not found.startswith("#")), None)
    return f"it refers to {outside}, outside of itself" if outside else ""


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for item in part:
            yield from _references(item)
    elif isinstance(part, Mapping):
        yield from (part[name] for name in _REFERENCES if isinstance(part.get(name), str))
        for value in part.values():
            yield from _references(value)
