"""A model's answer held against the JSON Schema that it was asked for."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import orjson

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
        data = json.loads(fenced.group(1) if fenced else text, parse_constant=_no_number)
        orjson.dumps(data)  # half a surrogate pair, or a number beyond 64 bits, could not be kept
    except (ValueError, TypeError, RecursionError) as error:
        why = "the answer was cut off" if result.cut else str(error)
        raise NotInShape(result.provider, f"This is not valid JSON: {why}", text) from None
    why = first_fault(data, schema)
    if why:
        raise NotInShape(result.provider, why, text)
    return data


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


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
    return f"it refers to {outside}, outside of itself" if outside else _lost_reference(schema)


def _lost_reference(schema: Mapping[str, Any]) -> str:
    """The first reference to a part that is not there: it would only be found when an answer was paid for."""
    names = {f"#{name}" for key in ("$anchor", "$dynamicAnchor") for name in _values(schema, key)}
    if any(_values(part, "$id") for part in schema.values()):
        return ""  # parts with names of their own begin their pointers at themselves
    for found in _references(schema):
        if found not in names | {"#"} and not _leads_somewhere(schema, found):
            return f"it refers to {found}, which is not in it"
    return ""


def _leads_somewhere(here: Any, pointer: str) -> bool:
    for step in unquote(pointer).removeprefix("#").split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(here, Mapping) and name in here:
            here = here[name]
        elif isinstance(here, list) and name.isdigit() and int(name) < len(here):
            here = here[int(name)]
        else:
            return False
    return pointer.startswith("#/")


def _values(part: Any, key: str) -> list[str]:
    """Every text that stands under a name, anywhere inside."""
    if isinstance(part, list):
        return [found for item in part for found in _values(item, key)]
    if not isinstance(part, Mapping):
        return []
    own = [part[key]] if isinstance(part.get(key), str) else []
    return own + [found for value in part.values() for found in _values(value, key)]


def _references(schema: Mapping[str, Any]) -> list[str]:
    return [found for name in _REFERENCES for found in _values(schema, name)]
