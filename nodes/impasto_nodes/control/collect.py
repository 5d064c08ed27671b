"""Collect: single values and lists become one list."""

from collections.abc import Mapping, Sequence

from impasto import Any, node


def _expected(
    settings: Mapping[str, object], inputs: Mapping[str, Sequence[object] | None]
) -> dict[str, float]:
    return {"usd": 0.0, "items": len(inputs["items"] or ())}


@node(
    id="collect",
    title="Collect",
    category="transform_assets",
    keywords=("list", "array", "append", "combine", "gather", "join", "loop"),
    cost=_expected,
)
async def collect(*items: list[Any]) -> list[Any]:
    """One list of everything that is connected, in the order of the edges; lists are laid end to end.

    A branch that was closed adds nothing.
    """
    return [item for several in items for item in several]
