"""Documents of older formats, brought up to the present one step at a time."""

import typing as t
from collections.abc import Callable

from impasto.errors import FlowInvalid, Problem

FORMAT = 1
Document = dict[str, t.Any]


def _from_0(data: Document) -> Document:
    """Format 0 kept nodes as a mapping from id and edges as pairs."""
    nodes, edges = data.get("nodes", {}), data.get("edges", [])
    if isinstance(nodes, dict):
        nodes = [
            {"id": node_id, **node} if isinstance(node, dict) else node for node_id, node in nodes.items()
        ]
    if isinstance(edges, list):
        edges = [
            {"from": edge[0], "to": edge[1]} if isinstance(edge, list) and len(edge) == 2 else edge
            for edge in edges
        ]
    return {**data, "format": 1, "nodes": nodes, "edges": edges}


UPGRADES: dict[int, Callable[[Document], Document]] = {0: _from_0}


def upgraded(data: Document) -> Document:
    """The document in the present format; a newer one, or none at all, is refused."""
    number = data.get("format", FORMAT)
    if type(number) is not int or number < 0:
        raise FlowInvalid([Problem("bad_document", f"The flow's format must be a number, not {number!r}.")])
    if number > FORMAT:
        sentence = (
            f"This flow is of format {number}, which is newer than this version of Impasto can read "
            f"(format {FORMAT}). Update Impasto to open it."
        )
        raise FlowInvalid([Problem("bad_version", sentence)])
    while number < FORMAT:
        data = UPGRADES[number](data)
        number += 1
    return data
