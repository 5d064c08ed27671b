"""Pick: a list of texts out of data."""

from __future__ import annotations

from typing import Annotated

import orjson

from impasto import Json, NodeError, Setting, Text, node


@node(
    id="pick",
    title="Pick from data",
    category="transform_assets",
    keywords=("loop", "split", "for each", "extract", "jsonpath", "field", "list", "get", "map"),
)
async def pick(
    data: Json,
    *,
    path: Annotated[
        str,
        Setting(
            title="Path", placeholder="shots.*.scene", help="Names and numbers; * takes every one.", main=True
        ),
    ] = "",
    most: Annotated[int, Setting(title="At most", ge=1, le=100, advanced=True)] = 20,
) -> list[Text]:
    """Read texts out of data: `headlines`, `shots.*.scene`, `rows.0.name`.

    Each can be a step of its own further on.
    """
    found = _found([data], [step for step in path.split(".") if step])
    if not found:
        raise NodeError(f"There is nothing at '{path}' in the data.", code="nothing_there")
    return [value if isinstance(value, str) else orjson.dumps(value).decode() for value in found[:most]]


def _found(here: list[object], steps: list[str]) -> list[object]:
    for step in steps:
        here = [value for one in here for value in _inside(one, step)]
    return [value for one in here for value in (one if isinstance(one, list) else [one]) if value is not None]


def _inside(value: object, step: str) -> list[object]:
    if step == "*":
        return (
            list(value.values())
            if isinstance(value, dict)
            else list(value)
            if isinstance(value, list)
            else []
        )
    if isinstance(value, dict):
        return [value[step]] if step in value else []
    if isinstance(value, list) and is_position(step, value):
        return [value[int(step)]]
    return []


def is_position(step: str, items: list[object]) -> bool:
    """Return whether a step of a path is the position of an item."""
    # No list has so many items, and longer numbers cannot be read.
    return step.isdecimal() and len(step) < 10 and int(step) < len(items)
