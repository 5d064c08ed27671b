"""Values that are lists, several levels deep: converting, wrapping, copying, and holes that SKIP leaves."""

import typing as t
from collections.abc import Callable
from copy import deepcopy

from impasto.types import SKIP, Audio, Brand, File, Image, Skip, Video

Convert = Callable[[t.Any], t.Any]


def converting(
    convert: Convert | None, depth: int, goal: int, loose: bool = False, gather: bool = False
) -> Convert | None:
    """What an edge does to a value `depth` lists deep on its way to a port `goal` lists deep.

    `loose` values may turn out to be lists when they come; `gather` leaves the outermost list to
    the port, which puts the values of several edges into it.
    """
    wrap = max(0, goal - depth)
    if convert is None and not wrap:
        return None

    def prepare(value: t.Any) -> t.Any:
        levels, missing = depth, wrap
        while loose and missing and isinstance(at_depth(value, levels), list):
            levels, missing = levels + 1, missing - 1
        if convert is not None:
            value = mapped(value, levels, convert)
        for _ in range(missing - 1 if gather and missing else missing):
            value = [value]
        return Single(value) if gather and missing else value

    return prepare


class Single:
    """A value that a gathering port appends instead of joining it on."""

    __slots__ = ("value",)

    def __init__(self, value: t.Any) -> None:
        self.value = value


def at_depth(value: t.Any, depth: int) -> t.Any:
    """The first value `depth` lists down, or the list itself where there is none."""
    for _ in range(depth):
        if not isinstance(value, list) or not value:
            return None
        value = value[0]
    return value


def mapped(value: t.Any, depth: int, change: Convert) -> t.Any:
    """The same lists with every value `depth` levels down changed; holes stay holes."""
    if value is SKIP:
        return value
    if not depth:
        return change(value)
    return [mapped(item, depth - 1, change) for item in value]


def without_holes(value: t.Any) -> t.Any:
    """The value as a node or a user sees it: what was skipped is not in its list."""
    if type(value) is not list:
        return value
    return [without_holes(item) for item in value if item is not SKIP]


_STEADY = frozenset((str, int, float, bool, type(None), Image, Video, Audio, File, Brand, Skip))
OPEN: t.Final = frozenset((list, dict, set, tuple))


def owned(value: t.Any) -> t.Any:
    """A value that may be changed: what has an inside that could be, is copied."""
    kind = type(value)
    if kind is list:
        return value.copy() if _STEADY.issuperset(map(type, value)) else [_owned(item) for item in value]
    if kind is dict:
        if _STEADY.issuperset(map(type, value.values())):
            return value.copy()
        return {key: _owned(item) for key, item in value.items()}
    return deepcopy(value) if kind in OPEN else value


def _owned(item: t.Any) -> t.Any:
    kind = type(item)
    if kind in _STEADY:
        return item
    return owned(item) if kind is list or kind is dict else deepcopy(item)


def gathered(values: t.Iterable[t.Any]) -> list[t.Any]:
    """The values of several edges as one list: single ones appended, lists joined on."""
    found: list[t.Any] = []
    for value in values:
        if isinstance(value, Single):
            found.append(value.value)
        else:
            found.extend(value)
    return found
