"""Collect: single values and lists become one list."""

from impasto import Any, node


@node(
    id="collect",
    title="Collect",
    category="transform_assets",
    keywords=("list", "array", "append", "combine", "gather", "join", "loop"),
)
async def collect(*items: list[Any]) -> list[Any]:
    """One list of everything that is connected, in the order of the edges; lists are laid end to end.

    A branch that was closed adds nothing.
    """
    return [item for several in items for item in several]
