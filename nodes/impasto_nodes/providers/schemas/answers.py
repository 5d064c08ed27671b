"""Answers held against the JSON Schema that the model was asked for.

Schemas are written by users: their patterns run on an engine of linear time (the `regex` crate, through
jsonschema-rs), nothing that they refer to is ever fetched, and their size and the work of a check are
bounded.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import orjson

from impasto import NodeError
from impasto_nodes.providers.errors import CorruptOutput
from impasto_nodes.providers.protocols import TextResult
from impasto_nodes.providers.schemas.cost import REFERENCES, cost_error, resolve_pointer

if TYPE_CHECKING:
    import jsonschema_rs

MAX_SCHEMA_VALUES = 10_000  # objects, lists, texts, numbers and so on, in all
MAX_SCHEMA_DEPTH = 64
MAX_SCHEMA_PATTERNS = 300  # each is compiled again for every answer
_MAX_PATTERN_BYTES = 2**16  # compiled
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class BadSchema(NodeError):
    """The schema is not a JSON Schema."""

    def __init__(self, why: str) -> None:
        sentence = "The schema is not a valid JSON Schema. Correct it and run again."
        super().__init__(sentence, code="bad_schema", detail=why)


class NotInShape(CorruptOutput):
    """The answer does not follow the schema; `why` says how, for the model that corrects it."""

    code = "not_in_shape"

    def __init__(self, provider: str, why: str, text: str) -> None:
        self.why = why
        super().__init__(provider, "data", f"{why}\n{text}")


def parse_answer(result: TextResult, schema: Mapping[str, Any]) -> Any:
    """Return the answer as data. Raises NotInShape if it is not JSON or does not follow the schema."""
    text = result.text
    try:
        data = json.loads(_without_fence(text), parse_constant=_refuse_constant)
        orjson.dumps(data)  # refuses lone surrogates and integers beyond 64 bits, which cannot be stored
    except (ValueError, TypeError, RecursionError) as error:
        why = "the answer was cut off" if result.is_truncated else str(error)
        raise NotInShape(result.provider, f"This is not valid JSON: {why}", text) from None
    why = first_error(data, schema)
    if why:
        raise NotInShape(result.provider, why, text)
    return data


def _without_fence(text: str) -> str:
    """Return the text inside a Markdown code fence, or the text itself if there is none."""
    stripped = text.strip()
    if not (stripped.startswith("```") and stripped.endswith("```")):
        return text
    return stripped[3:-3].removeprefix("json")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def require_schema(schema: Mapping[str, Any]) -> None:
    """Raise BadSchema if this is not a JSON Schema that stands by itself."""
    why = schema_error(schema)
    if why:
        raise BadSchema(why)


def schema_problems(schema: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the problems of a `schema` setting, before a run; their `setting` is the path of the part."""
    fault = _schema_fault(schema)
    if fault:
        yield {
            "code": "bad_schema",
            "message": f"The schema is not a valid JSON Schema: {fault}.",
            "setting": f"schema{_path_text(fault.at)}",
            "hint": "Correct the schema.",
            "severity": "error",
        }
        return
    for path, name in _fields_without_choices(schema):
        yield {
            "code": "bad_schema",
            "message": f"The field '{name}' has no choices, so that no value is valid.",
            "setting": f"schema{_path_text(path)}",
            "hint": "Add a choice, or change the type.",
            "severity": "warning",
        }


def _fields_without_choices(
    schema: Mapping[str, Any], path: tuple[str, ...] = (), name: str = ""
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the path of each empty `enum` among the fields of a schema, with the name of its field."""
    if schema.get("enum") == [] and name:
        yield (*path, "enum"), name
    for field, part in schema.get("properties", {}).items():
        if isinstance(part, Mapping):
            yield from _fields_without_choices(part, (*path, "properties", field), field)
    items = schema.get("items")
    if isinstance(items, Mapping):
        yield from _fields_without_choices(items, (*path, "items"), name)


def first_error(data: Any, schema: Mapping[str, Any]) -> str:
    """Return where and how `data` does not follow `schema`, or an empty text."""
    error = next(iter(_validator(schema).iter_errors(data)), None)
    return f"At {_json_path(error.instance_path)}: {error.message}" if error else ""


def schema_error(schema: Mapping[str, Any]) -> str:
    """Return why this is not a JSON Schema that stands by itself, or an empty text."""
    fault = _schema_fault(schema)
    return str(fault) if fault else ""


class _Fault(NamedTuple):
    """What is wrong with a schema, and the path of the part, as far as it is known."""

    why: str
    at: Sequence[str | int] = ()

    def __str__(self) -> str:
        return f"at {_json_path(self.at)}: {self.why}" if self.at else self.why


def _schema_fault(schema: Mapping[str, Any]) -> _Fault | None:
    import jsonschema_rs

    # The size first: every other check walks the whole schema.
    too_large = _size_error(schema)
    if too_large:
        return _Fault(too_large)
    if _pattern_count(schema) > MAX_SCHEMA_PATTERNS:
        return _Fault(f"it has more than {MAX_SCHEMA_PATTERNS} patterns")
    outside = next((found for found in _references(schema) if not found.startswith("#")), None)
    if outside:
        return _Fault(f"it refers to {outside}, outside of itself")
    other = _missing_reference(schema) or cost_error(schema)
    if other:
        return _Fault(other)
    try:
        _validator(schema)
    except jsonschema_rs.ValidationError as error:
        return _Fault(error.message, tuple(error.instance_path))
    except ValueError as error:
        return _Fault(str(error))
    return None


def _validator(schema: Mapping[str, Any]) -> "jsonschema_rs.Draft202012Validator":
    import jsonschema_rs

    options = jsonschema_rs.RegexOptions(size_limit=_MAX_PATTERN_BYTES)
    return jsonschema_rs.Draft202012Validator(dict(schema), pattern_options=options, retriever=_refuse_fetch)


def _refuse_fetch(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is outside of the schema")


def _json_path(steps: Sequence[str | int]) -> str:
    return f"${_path_text(steps)}"


def _path_text(steps: Sequence[str | int]) -> str:
    """Return `.items[0]["full name"]`: names that are no identifiers are quoted."""
    plain = (isinstance(step, str) and _PLAIN_NAME.fullmatch(step) for step in steps)
    return "".join(
        f".{step}" if is_plain else f"[{json.dumps(step, ensure_ascii=False)}]"
        for step, is_plain in zip(steps, plain, strict=True)
    )


def _size_error(schema: Mapping[str, Any]) -> str:
    level: list[Any] = [schema]
    total = depth = 0
    while level:
        total += len(level)
        depth += 1
        if total > MAX_SCHEMA_VALUES:
            return f"it has more than {MAX_SCHEMA_VALUES:,} values"
        if depth > MAX_SCHEMA_DEPTH:
            return f"it is nested more than {MAX_SCHEMA_DEPTH} levels deep"
        level = [value for part in level for value in _parts(part)]
    return ""


def _pattern_count(schema: Mapping[str, Any]) -> int:
    count, pending = 0, [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            named = part.get("patternProperties")
            count += isinstance(part.get("pattern"), str) + (len(named) if isinstance(named, Mapping) else 0)
        pending.extend(_parts(part))
    return count


def _parts(part: Any) -> list[Any]:
    if isinstance(part, Mapping):
        return list(part.values())
    return part if isinstance(part, list) else []


def _missing_reference(schema: Mapping[str, Any]) -> str:
    """Return a reference to a part that is missing: it would only be found after an answer was paid for."""
    names = {f"#{name}" for key in ("$anchor", "$dynamicAnchor") for name in _texts(schema, key)}
    if any(_texts(part, "$id") for part in schema.values()):
        return ""  # a part with an $id is the base of the pointers inside it
    for found in _references(schema):
        if found not in names | {"#"} and resolve_pointer(schema, found) is None:
            return f"it refers to {found}, which is not in it"
    return ""


def _texts(part: Any, key: str) -> list[str]:
    """Return every text under the key, anywhere inside."""
    if isinstance(part, list):
        return [found for item in part for found in _texts(item, key)]
    if not isinstance(part, Mapping):
        return []
    own = [part[key]] if isinstance(part.get(key), str) else []
    return own + [found for value in part.values() for found in _texts(value, key)]


def _references(schema: Mapping[str, Any]) -> list[str]:
    return [found for name in REFERENCES for found in _texts(schema, name)]
