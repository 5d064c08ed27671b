"""Merge: passes on the first branch that is not closed."""

from impasto import SKIP, Any, node


@node(
    id="merge",
    title="Merge",
    category="transform_assets",
    keywords=("else", "join branches", "fallback", "coalesce", "first"),
)
async def merge(first: Any = SKIP, second: Any = SKIP, third: Any = SKIP, fourth: Any = SKIP) -> Any:
    """The first of its inputs whose branch was not closed. With all of them closed it is closed itself."""
    return next((value for value in (first, second, third, fourth) if value is not SKIP), SKIP)
