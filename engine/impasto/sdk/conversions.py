"""Conversions that an edge applies between two value types."""

import json
from collections.abc import Callable, Iterable
from typing import Any as Anything

import orjson

from impasto.encoding import to_json
from impasto.errors import ConversionFailed, as_text
from impasto.serialization import read_json
from impasto.types import (
    ANY,
    AUDIO,
    BOOLEAN,
    BRAND,
    FILE,
    IMAGE,
    INTEGER,
    JSON,
    MASK,
    NUMBER,
    TEXT,
    VIDEO,
    Audio,
    File,
    Image,
    Mask,
    ValueType,
    Video,
)

Convert = Callable[[Anything], Anything]


def same(value: Anything) -> Anything:
    """Return the value: it already belongs to the target type."""
    return value


def _number_text(value: float) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _boolean_text(value: bool) -> str:
    return "true" if value else "false"


def _json_text(value: Anything) -> str:
    if isinstance(value, str):
        return value
    data = to_json(value)
    try:
        return orjson.dumps(data).decode()
    except TypeError:  # integers of more than 64 bits, and keys that are not text
        return as_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def _text_json(value: str) -> Anything:
    try:
        return read_json(value)
    except ValueError as error:
        raise ConversionFailed("value", f"the text is not JSON ({error})") from error


def _file(value: Image | Video | Audio) -> File:
    return File(
        asset_id=value.asset_id,
        media_type=value.media_type,
        bytes=value.bytes,
        sha256=value.sha256,
        name=value.name,
    )


def _mask(value: Image) -> Mask:
    return Mask(image=value)


def _mask_image(value: Mask) -> Image:
    return value.image


CONVERSIONS: dict[tuple[ValueType, ValueType], Convert] = {
    (INTEGER, NUMBER): float,
    (INTEGER, TEXT): str,
    (NUMBER, TEXT): _number_text,
    (BOOLEAN, TEXT): _boolean_text,
    (JSON, TEXT): _json_text,
    (TEXT, JSON): _text_json,
    (INTEGER, JSON): same,
    (NUMBER, JSON): same,
    (BOOLEAN, JSON): same,
    (BRAND, JSON): to_json,
    (IMAGE, FILE): _file,
    (VIDEO, FILE): _file,
    (AUDIO, FILE): _file,
    (IMAGE, MASK): _mask,
    (MASK, IMAGE): _mask_image,
}


def find(source: ValueType, target: ValueType) -> Convert | None:
    """Return the conversion from one type to another: `same` if none is needed, None if there is none."""
    if source is target or target is ANY:
        return same
    found = CONVERSIONS.get((source, target))
    if found is not None:
        return found
    if source is ANY:
        return _checked(target)
    parent = source.parent
    while parent is not None:
        if parent is target:
            return same
        parent = parent.parent
    return None


def _checked(target: ValueType) -> Convert:
    """Return the conversion of a value of unknown type, which fails at run time if it does not fit."""

    def convert(value: Anything) -> Anything:
        if target.holds(value):
            return value
        for (source, goal), step in CONVERSIONS.items():
            if goal is target and source is not JSON and source.holds(value):
                return step(value)
        raise ConversionFailed("value", f"expected {target}, got {type(value).__name__}")

    return convert


def describe(types: Iterable[ValueType]) -> list[dict[str, str]]:
    """Return every pair of different types that an edge may connect, as data."""
    kinds = list(types)
    pairs = ((source, target) for source in kinds for target in kinds if source is not target)
    return [
        {"from": source.id, "to": target.id} for source, target in pairs if find(source, target) is not None
    ]


def advice(source: ValueType, target: ValueType) -> str:
    """Return how to fix a connection between two types that do not fit."""
    goals = ", ".join(sorted(goal.id for start, goal in CONVERSIONS if start is source))
    starts = ", ".join(sorted(start.id for start, goal in CONVERSIONS if goal is target))
    converts = f" {source} converts to {goals}." if goals else ""
    accepts = f" {target} can be made from {starts}." if starts else ""
    between = f" Put a node between them that takes {source} and gives {target}."
    return f"No conversion exists.{converts}{accepts}{between}"
