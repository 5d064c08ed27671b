"""The few ways in which one type becomes another when an edge joins them."""

from collections.abc import Callable, Iterable
from typing import Any as Anything

import orjson

from impasto.errors import ConversionFailed
from impasto.types import (
    ANY,
    AUDIO,
    BOOLEAN,
    BRAND,
    FILE,
    IMAGE,
    INTEGER,
    JSON,
    NUMBER,
    TEXT,
    VIDEO,
    Audio,
    File,
    Image,
    ValueType,
    Video,
    to_json,
)

Convert = Callable[[Anything], Anything]


def same(value: Anything) -> Anything:
    """Nothing to do: the value already is one of the wider type."""
    return value


def _number_text(value: float) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _boolean_text(value: bool) -> str:
    return "true" if value else "false"


def _json_text(value: Anything) -> str:
    return value if isinstance(value, str) else orjson.dumps(to_json(value)).decode()


def _text_json(value: str) -> Anything:
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError as error:
        raise ConversionFailed("value", f"the text is not JSON ({error})") from error


def _file(value: Image | Video | Audio) -> File:
    return File(value.asset_id, value.media_type, value.bytes, value.sha256, value.name)


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
}


def find(source: ValueType, target: ValueType) -> Convert | None:
    """The conversion from one base type to another, `same` where none is needed, None where there is none."""
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
    def convert(value: Anything) -> Anything:
        if target.holds(value):
            return value
        for (source, goal), step in CONVERSIONS.items():
            if goal is target and source is not JSON and source.holds(value):
                return step(value)
        raise ConversionFailed("value", f"{target.name} expected, {type(value).__name__} came")

    return convert


def describe(types: Iterable[ValueType]) -> list[dict[str, str]]:
    """Every pair of different types that an edge may join, as data."""
    kinds = list(types)
    pairs = ((source, target) for source in kinds for target in kinds if source is not target)
    return [{"from": a.name, "to": b.name} for a, b in pairs if find(a, b) is not None]


def advice(source: ValueType, target: ValueType) -> str:
    """What would mend a connection between two types that do not fit."""
    goals = sorted({goal.name for start, goal in CONVERSIONS if start is source})
    starts = sorted({start.name for start, goal in CONVERSIONS if goal is target})
    can = f"{source.name} can become {', '.join(goals)}" if goals else f"{source.name} becomes nothing else"
    takes = f"; {target.name} can be made from {', '.join(starts)}" if starts else ""
    return f"{can}{takes}. Put a node between them that takes {source.name} and gives {target.name}."
