"""Collect: single values and lists become one list."""

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from typing import Annotated, Literal

from impasto import Any, Port, Setting, node

How = Literal["flatten", "zip", "group"]
_HOLE = object()


def _expected(
    settings: Mapping[str, object], inputs: Mapping[str, Sequence[object] | None]
) -> dict[str, float]:
    return {"usd": 0.0, "items": len(inputs["items"] or ())}


@node(
    id="collect",
    title="Collect",
    category="transform_assets",
    keywords=("list", "array", "append", "combine", "gather", "join", "loop", "flatten"),
    cost=_expected,
)
async def collect(
    *items: Annotated[list[list[list[Any]]], Port(title="Items", help="Values, lists, and lists of lists.")],
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
    parts = [list(chain.from_iterable(chain.from_iterable(several))) for several in items]
    if how == "group":
        return [*parts]
    if how == "zip":
        return [item for row in zip_longest(*parts, fillvalue=_HOLE) for item in row if item is not _HOLE]
    return list(chain.from_iterable(parts))
