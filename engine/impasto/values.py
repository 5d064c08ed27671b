"""Lists as values, several levels deep: conversion along an edge, copying, and skipped items."""

import typing as t
from collections.abc import Callable
from copy import deepcopy

from impasto.types import ANY, SKIP, Audio, Brand, File, Image, Mask, Skip, ValueType, Video

Convert = Callable[[t.Any], t.Any]


def edge_converter(
    convert: Convert | None, depth: int, goal: int, dynamic: bool = False, gather: bool = False
) -> Convert | None:
    """Return what an edge does to a value, or None if it passes values on unchanged.

    The value is `depth` lists deep and its port `goal` lists deep; `convert` applies to the innermost
    values. With `dynamic` a value may turn out to be a list at run time (Any, Json) and is then wrapped
    less. With `gather` the port itself makes the outermost list, from the values of several edges.
    """
    wrap = max(0, goal - depth)
    if convert is None and not wrap:
        return None

    def prepare(value: t.Any) -> t.Any:
        levels, missing = depth, wrap
        while dynamic and missing and isinstance(_first_at(value, levels), list):
            levels, missing = levels + 1, missing - 1
        if convert is not None:
            value = _map_at(value, levels, convert)
        for _ in range(missing - 1 if gather and missing else missing):
            value = [value]
        return SingleValue(value) if gather and missing else value

    return prepare


class SingleValue:
    """A value that a gathering port appends to its list, where a list would be concatenated."""

    __slots__ = ("value",)

    def __init__(self, value: t.Any) -> None:
        self.value = value


def _first_at(value: t.Any, depth: int) -> t.Any:
    """Return the first value `depth` lists down; None if there is none."""
    for _ in range(depth):
        if not isinstance(value, list) or not value:
            return None
        value = value[0]
    return value


def _map_at(value: t.Any, depth: int, change: Convert) -> t.Any:
    """Return the same lists with every value `depth` levels down changed; skipped items stay skipped."""
    if value is SKIP:
        return value
    if not depth:
        return change(value)
    return [_map_at(item, depth - 1, change) for item in value]


def fits(value: t.Any, depth: int, base: ValueType) -> bool:
    """Return whether a value is `depth` lists of values of the type."""
    level = [value]
    for _ in range(depth):
        if not all(isinstance(item, list) for item in level):
            return False
        level = [inner for item in level for inner in item]
    return base is ANY or all(base.holds(item) for item in level)


def without_skipped(value: t.Any) -> t.Any:
    """Return the value without the skipped items in its lists: as a node or a user sees it."""
    if type(value) is not list:
        return value
    return [without_skipped(item) for item in value if item is not SKIP]


_IMMUTABLE = frozenset((str, int, float, bool, type(None), Image, Video, Audio, File, Brand, Mask, Skip))
MUTABLE: t.Final = frozenset((list, dict, set, tuple))


def deep_copied(value: t.Any) -> t.Any:
    """Return a copy that shares nothing mutable with the value; an immutable value is returned itself."""
    kind = type(value)
    if kind is list:
        return value.copy() if _IMMUTABLE.issuperset(map(type, value)) else [_copied(item) for item in value]
    if kind is dict:
        if _IMMUTABLE.issuperset(map(type, value.values())):
            return value.copy()
        return {key: _copied(item) for key, item in value.items()}
    return deepcopy(value) if kind in MUTABLE else value


def _copied(item: t.Any) -> t.Any:
    kind = type(item)
    if kind in _IMMUTABLE:
        return item
    return deep_copied(item) if kind is list or kind is dict else deepcopy(item)


def concatenated(values: t.Iterable[t.Any]) -> list[t.Any]:
    """Return the values of several edges as one list: single values appended, lists concatenated."""
    found: list[t.Any] = []
    for value in values:
        if isinstance(value, SingleValue):
            found.append(value.value)
        else:
            found.extend(value)
    return found
