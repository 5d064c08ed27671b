"""The JSON form of values: plain data as it is, other values as objects that name their type."""

import dataclasses
import enum
import typing as t

import msgspec

from impasto.types import BUILT_IN_TYPES, SKIP, Skip, ValueType, value_type_of


def encode(value: t.Any) -> t.Any:
    """Return the JSON form of an object that is not plain JSON: media, a brand, a plugin's value.

    The form names its type under `$type`: the bare name of a built-in type, `package.Name` of a plugin's.
    Raises TypeError for an object of no value type.
    """
    found = value_type_of(type(value))
    if found is None or found.cls is None:
        if isinstance(value, Skip):
            return {"$type": "Skip"}
        if isinstance(value, enum.Enum):
            return value.value
        raise TypeError(f"{type(value).__name__} is neither JSON data nor a value type")
    data = {"$type": found.id}
    data.update((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
    return data


def to_json(value: t.Any) -> t.Any:
    """Return the JSON form of a value: plain data as it is, other values as objects with a `$type`.

    Raises TypeError for a value of no value type.
    """
    kind = type(value)
    if kind in (str, int, float, bool, type(None)):
        return value
    if kind is dict:
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return to_json(encode(value)) if not isinstance(value, str | int | float | dict) else value


def from_json(data: t.Any, types: t.Mapping[str, ValueType] | None = None) -> t.Any:
    """Return the value that `to_json` wrote; `types` are the catalog's types, to read those of plugins.

    Data with a `$type` that is unknown or does not fit the type's fields stays plain data.
    """
    kind = type(data)
    if kind is list:
        return [from_json(item, types) for item in data]
    if kind is not dict:
        return data
    tag = data.get("$type")
    if not isinstance(tag, str):
        return {key: from_json(item, types) for key, item in data.items()}
    if tag == "Skip":
        return SKIP
    found = BUILT_IN_TYPES.get(tag) or (types.get(tag) if types is not None else None)
    if found is None or found.cls is None:
        return data
    try:
        return msgspec.convert({key: item for key, item in data.items() if key != "$type"}, found.cls)
    except msgspec.ValidationError:
        return data
