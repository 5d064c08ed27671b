"""Lists: flatten, pair, filter, sort, take."""

from collections.abc import Mapping
from itertools import product
from typing import Annotated, Literal, NamedTuple, TypedDict
from typing import Any as Value

from impasto import Any, NodeError, Port, Setting, node
from impasto_nodes.control.choose import How, as_text, meets, number_in


class Expected(TypedDict, total=False):
    """The estimate of a list node: it is free, and how many items it returns, if that is known."""

    usd: float
    items: int


def _expect_flattened(settings: Mapping[str, Value], inputs: Mapping[str, Value]) -> Expected:
    lists = inputs["lists"]
    return {"usd": 0.0} if lists is None else {"usd": 0.0, "items": sum(len(each) for each in lists)}


def _expect_pairs(settings: Mapping[str, Value], inputs: Mapping[str, Value]) -> Expected:
    first, second = inputs["first"], inputs["second"]
    if first is None or second is None:
        return {"usd": 0.0}
    one, other = len(first), len(second)
    return {"usd": 0.0, "items": min(one, other) if settings["how"] == "in order" else one * other}


def _expect_all(settings: Mapping[str, Value], inputs: Mapping[str, Value]) -> Expected:
    """Return the number of items: a filter may keep all of them."""
    return {"usd": 0.0} if inputs["items"] is None else {"usd": 0.0, "items": len(inputs["items"])}


def _expect_taken(settings: Mapping[str, Value], inputs: Mapping[str, Value]) -> Expected:
    if inputs["items"] is None:
        return {"usd": 0.0}
    rest = max(0, len(inputs["items"]) - settings["skip"])
    return {"usd": 0.0, "items": min(settings["count"], rest)}


@node(
    id="flatten",
    title="Flatten",
    category="transform_assets",
    keywords=("nested lists", "unnest", "concat", "one list"),
    cost=_expect_flattened,
)
async def flatten(lists: Annotated[list[list[Any]], Port(title="Lists")]) -> list[Any]:
    """One list of the items of several lists."""
    return [item for each in lists for item in each]


class Pairs(NamedTuple):
    """Two lists of the same length, whose items belong together."""

    first: Annotated[list[Any], Port(title="First")]
    second: Annotated[list[Any], Port(title="Second")]


@node(
    id="pair",
    title="Pair",
    category="transform_assets",
    keywords=("zip", "combine", "cross", "product", "combinations", "every", "loop"),
    cost=_expect_pairs,
)
async def pair(
    first: Annotated[list[Any], Port(title="First")],
    second: Annotated[list[Any], Port(title="Second")],
    *,
    how: Annotated[
        Literal["in order", "every combination"],
        Setting(title="Pairs", widget="segmented", help="In order ends with the shorter list.", main=True),
    ] = "in order",
) -> Pairs:
    """Two lists of the same length, for a node that takes one item of each.

    *In order* pairs the first with the first; *every combination* each with each.
    """
    pairs = list(zip(first, second, strict=False) if how == "in order" else product(first, second))
    return Pairs([one for one, _ in pairs], [other for _, other in pairs])


@node(
    id="filter",
    title="Filter",
    category="transform_assets",
    keywords=("where", "keep", "remove", "if", "condition", "select", "drop"),
    cost=_expect_all,
)
async def filter_list(
    items: Annotated[list[Any], Port(title="Items")],
    by: Annotated[
        list[Any] | None, Port(title="By", help="What decides, one for each item. Unconnected: the items.")
    ] = None,
    *,
    match: Annotated[How, Setting(title="Keep what", widget="select", main=True)] = "contains",
    value: Annotated[str, Setting(title="Value", main=True)] = "",
    invert: Annotated[bool, Setting(title="Keep the others instead", advanced=True)] = False,
    same_case: Annotated[bool, Setting(title="Capitals count", advanced=True)] = False,
) -> list[Any]:
    """The items that fit a condition, in their order."""
    keys = _keys(items, by)
    return [
        item
        for item, key in zip(items, keys, strict=True)
        if meets(as_text(key), value, match, same_case) != invert
    ]


@node(
    id="sort",
    title="Sort",
    category="transform_assets",
    keywords=("order", "rank", "best first", "ascending", "descending", "reverse"),
    cost=_expect_all,
)
async def sort(
    items: Annotated[list[Any], Port(title="Items")],
    by: Annotated[
        list[Any] | None, Port(title="By", help="What decides, one for each item. Unconnected: the items.")
    ] = None,
    *,
    order: Annotated[
        Literal["ascending", "descending"], Setting(title="Order", widget="segmented", main=True)
    ] = "ascending",
) -> list[Any]:
    """The items by number or by text; equal ones keep their order."""
    ranked = [(_rank(key), item) for item, key in zip(items, _keys(items, by), strict=True)]
    ranked.sort(key=lambda each: each[0], reverse=order == "descending")
    return [item for _, item in ranked]


@node(
    id="take",
    title="Take",
    category="transform_assets",
    keywords=("first", "last", "limit", "slice", "top", "split", "head", "one of"),
    cost=_expect_taken,
)
async def take(
    items: Annotated[list[Any], Port(title="Items")],
    *,
    count: Annotated[int, Setting(title="Number of items", ge=0, le=10_000, main=True)] = 1,
    side: Annotated[
        Literal["start", "end"], Setting(title="From the", widget="segmented", main=True)
    ] = "start",
    skip: Annotated[int, Setting(title="Skip first", ge=0, le=10_000, advanced=True)] = 0,
) -> list[Any]:
    """Some items of a list, from its start or its end."""
    if side == "start":
        return list(items[skip : skip + count])
    end = max(0, len(items) - skip)
    return list(items[max(0, end - count) : end])


def _keys(items: list[object], by: list[object] | None) -> list[object]:
    keys = items if by is None else by
    if len(keys) != len(items):
        raise NodeError(
            f"'By' has {len(keys)} values for {len(items)} items. Connect a list with one for each item.",
            code="length_mismatch",
        )
    return keys


def _rank(key: object) -> tuple[int, float, str]:
    """Return the sort key of an item: numbers by value, then texts without regard to case."""
    text = as_text(key)
    number = number_in(text)
    return (1, 0.0, text.casefold()) if number is None else (0, number, "")
