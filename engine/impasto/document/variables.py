"""The variables of a flow: named values that settings and templates of its nodes use."""

import math
import re
import typing as t
from dataclasses import dataclass, field

from impasto.document.model import copied, dump_json, extra_of, key_sorted
from impasto.errors import Problem
from impasto.types import BOOLEAN, INTEGER, JSON, NUMBER, TEXT, ValueType

MAX_VARIABLES: t.Final = 100
MAX_NAME_LENGTH: t.Final = 64
MAX_VALUE_LENGTH: t.Final = 20_000
MAX_DESCRIPTION_LENGTH: t.Final = 500
MAX_CHOICES: t.Final = 100
VARIABLE_TYPES: t.Final[dict[str, ValueType]] = {
    found.id: found for found in (TEXT, NUMBER, INTEGER, BOOLEAN, JSON)
}
_KEYS = frozenset(("name", "type", "value", "description", "choices", "widget", "extra"))
_NAME = re.compile(r"[A-Za-z_]\w*")
_MAX_DEPTH = 32
_MAX_INTEGER = 2**53
_WORDS: t.Final = {
    "Text": "text",
    "Number": "a number",
    "Integer": "a whole number",
    "Boolean": "true or false",
    "Json": "data",
}


@dataclass(slots=True, kw_only=True)
class FlowVariable:
    """A named value of a flow.

    A node uses it for a setting (`FlowNode.variables`) or as `{{name}}` in a template. `type` is one of
    `VARIABLE_TYPES`. `choices` are the allowed values of a Text variable. `widget` "colour" shows a Text
    variable as a colour.
    """

    name: str
    type: str
    value: t.Any
    description: str = ""
    choices: list[str] | None = None
    widget: str | None = None
    extra: dict[str, t.Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, t.Any]:
        """Return the variable as the canonical document has it."""
        value = key_sorted(self.value) if isinstance(self.value, dict | list) else self.value
        data: dict[str, t.Any] = {"name": self.name, "type": self.type, "value": value}
        if self.description:
            data["description"] = self.description
        if self.choices is not None:
            data["choices"] = list(self.choices)
        if self.widget is not None:
            data["widget"] = self.widget
        if self.extra:
            data["extra"] = key_sorted(self.extra)
        return data


def read_variables(items: t.Any, problems: list[Problem]) -> list[FlowVariable]:
    """Return a document's variables; add what is wrong with them to `problems`."""
    if not isinstance(items, list | tuple):
        problems.append(_bad("The flow's variables must be a list."))
        return []
    if len(items) > MAX_VARIABLES:
        problems.append(
            _bad(f"This flow has {len(items):,} variables; the limit is {MAX_VARIABLES}. Remove some.")
        )
        return []
    found: list[FlowVariable] = []
    for index, item in enumerate(items):
        try:
            found.append(_variable(item))
        except KeyError as error:
            problems.append(_bad(f"Variable {index + 1} of the flow has no {error}."))
        except ValueError as error:
            problems.append(_bad(f"Variable {index + 1} of the flow {error}."))
    return [*_unique(found, problems)]


def variable_problems(variables: t.Any) -> list[Problem]:
    """Return what a program has set to a value that no document has."""
    if not isinstance(variables, list) or not all(isinstance(each, FlowVariable) for each in variables):
        return [_bad("A flow's variables must be a list of FlowVariable.")]
    problems: list[Problem] = []
    if variables:
        read_variables([_plain(each) for each in variables], problems)
    return problems


def _plain(variable: FlowVariable) -> dict[str, t.Any]:
    found = {"name": variable.name, "type": variable.type, "value": variable.value}
    optional = {
        "description": variable.description,
        "choices": variable.choices,
        "widget": variable.widget,
    }
    return found | {key: value for key, value in optional.items() if value is not None}


def _unique(variables: list[FlowVariable], problems: list[Problem]) -> t.Iterator[FlowVariable]:
    seen: set[str] = set()
    for variable in variables:
        if variable.name in seen:
            problems.append(_bad(f"Two variables of the flow are called '{variable.name}'. Rename one."))
            continue
        seen.add(variable.name)
        yield variable


def _variable(item: t.Any) -> FlowVariable:
    if type(item) is not dict:
        raise ValueError("is not an object")
    name, kind, value = item["name"], item["type"], item["value"]
    if type(name) is not str or len(name) > MAX_NAME_LENGTH or _NAME.fullmatch(name) is None:
        raise ValueError(
            f"must have a name of letters, digits and underscores that starts with a letter from A to Z or "
            f"an underscore, at most {MAX_NAME_LENGTH} long"
        )
    if type(kind) is not str or kind not in VARIABLE_TYPES:
        raise ValueError(f"('{name}') has an unknown type (it may be {', '.join(VARIABLE_TYPES)})")
    _check_value(name, kind, value)
    description = item.get("description") or ""
    if type(description) is not str or len(description) > MAX_DESCRIPTION_LENGTH:
        raise ValueError(
            f"('{name}') must have text of at most {MAX_DESCRIPTION_LENGTH} characters as its description"
        )
    choices = item.get("choices")
    if choices is not None:
        _check_choices(name, kind, value, choices)
    widget = item.get("widget")
    if widget is not None and (widget != "colour" or kind != "Text"):
        raise ValueError(f"('{name}') has a widget that is not 'colour', or is not text")
    return FlowVariable(
        name=name,
        type=kind,
        value=copied(value) if isinstance(value, dict | list) else value,
        description=description,
        choices=None if choices is None else list(choices),
        widget=widget,
        extra=copied(extra_of(item, _KEYS)) or {},
    )


def _check_value(name: str, kind: str, value: t.Any) -> None:
    fits = VARIABLE_TYPES[kind].holds(value) and not (kind in ("Number", "Integer") and type(value) is bool)
    if isinstance(value, float) and not math.isfinite(value):
        fits = False
    if not fits:
        raise ValueError(f"('{name}') has a value that is not {_WORDS[kind]}")
    if type(value) is int and abs(value) > _MAX_INTEGER:
        raise ValueError(f"('{name}') has a number beyond 2^53")
    if kind == "Json":
        _check_data(name, value)
    if len(value if isinstance(value, str) else dump_json(value).decode()) > MAX_VALUE_LENGTH:
        raise ValueError(f"('{name}') has a value longer than {MAX_VALUE_LENGTH:,} characters")


def _check_data(name: str, value: t.Any) -> None:
    """Refuse references to files and brands: only the settings of nodes keep those alive."""
    todo = [(value, 0)]
    while todo:
        part, depth = todo.pop()
        if depth > _MAX_DEPTH:
            raise ValueError(f"('{name}') has a value nested deeper than {_MAX_DEPTH} levels")
        if isinstance(part, dict):
            if "$type" in part:
                raise ValueError(f"('{name}') holds a file or a brand, which a variable cannot")
            todo += [(each, depth + 1) for each in part.values()]
        elif isinstance(part, list):
            todo += [(each, depth + 1) for each in part]


def _check_choices(name: str, kind: str, value: t.Any, choices: t.Any) -> None:
    if kind != "Text":
        raise ValueError(f"('{name}') has choices, which only text has")
    if (
        type(choices) is not list
        or not 0 < len(choices) <= MAX_CHOICES
        or not all(type(choice) is str and len(choice) <= MAX_DESCRIPTION_LENGTH for choice in choices)
    ):
        raise ValueError(f"('{name}') must have a list of 1 to {MAX_CHOICES} texts as its choices")
    if value not in choices:
        raise ValueError(f"('{name}') has a value that is none of its choices")


def _bad(message: str) -> Problem:
    return Problem(code="bad_document", message=message)
