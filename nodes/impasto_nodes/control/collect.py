"""Collect: concatenates single values and lists into one list."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Annotated, Literal, cast

from impasto import Any, Port, Setting, node

How = Literal["flatten", "zip", "group"]
_HOLE = object()


def _expected(
    settings: Mapping[str, object], inputs: Mapping[str, Sequence[object] | None]
) -> dict[str, float]:
    return {"usd": 0.0, "items": len(inputs["items"] or ())}


# The levels of lists below that of the edges, which the type of `items` declares.
_LEVELS = 7


def _innermost(values: Iterable[object]) -> Iterable[object]:
    for _ in range(_LEVELS):
        values = chain.from_iterable(cast("Iterable[Iterable[object]]", values))
    return values


@node(
    id="collect",
    title="Collect",
    category="transform_assets",
    keywords=("list", "array", "append", "combine", "gather", "join", "loop", "flatten"),
    cost=_expected,
)
async def collect(
    *items: Annotated[
        list[list[list[list[list[list[list[list[Any]]]]]]]],
        Port(title="Items", help="Values, lists, and lists of lists, up to eight deep."),
    ],
    how: Annotated[
        How,
        Setting(
            title="How",
            widget="segmented",
            help="Flatten: one after the other. Zip: the first of each, the second of each. Group: lists.",
        ),
    ] = "flatten",
) -> list[Any]:
    """One list of everything that is connected, in the order of the edges.

    Lists are laid end to end, also lists of lists. A branch that was closed adds nothing.
    """
    parts = [list(_innermost(several)) for several in items]
    if how == "group":
        return [*parts]
    if how == "zip":
        return [item for row in zip_longest(*parts, fillvalue=_HOLE) for item in row if item is not _HOLE]
    return list(chain.from_iterable(parts))
