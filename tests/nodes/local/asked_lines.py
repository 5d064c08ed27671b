"""Lines that fields of one kind ask for, one after the other."""

from impasto_nodes.providers.local.writing.arrange import line_for
from impasto_nodes.providers.local.writing.brief import Brief


def lines_for(kind: str, brief: Brief, count: int, min_length: int = 4, max_length: int = 60) -> list[str]:
    """Return a line for each of `count` fields; none of them is said again if there are others."""
    said: list[str] = []
    for _ in range(count):
        said.append(line_for(kind, brief, min_length, max_length, said))
    return said
