"""Upgrades of flow documents from older formats, one format at a time."""

import typing as t
from collections.abc import Callable

from impasto.errors import FlowInvalid, Problem

FORMAT = 2
PLAIN_FORMAT = 1  # of a document without variables, which older versions read, too
Document = dict[str, t.Any]


def _from_0(data: Document) -> Document:
    """Upgrade format 0, which had nodes as a mapping from id and edges as pairs."""
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
    return {**data, "nodes": nodes, "edges": edges}


def _from_1(data: Document) -> Document:
    """Upgrade format 1, which is format 2 without variables."""
    return data


UPGRADES: dict[int, Callable[[Document], Document]] = {0: _from_0, 1: _from_1}


def upgraded(data: Document) -> Document:
    """Return the document in the current format. Raises FlowInvalid for a newer or a malformed one."""
    number = data.get("format", FORMAT)
    if type(number) is not int or number < 0:
        raise FlowInvalid(
            [Problem(code="bad_document", message=f"The flow's format must be a number, not {number!r}.")]
        )
    if number > FORMAT:
        message = (
            f"This flow has format {number}, which is newer than this version of Impasto can read "
            f"(up to {FORMAT}). Update Impasto to open it."
        )
        raise FlowInvalid([Problem(code="bad_version", message=message)])
    while number < FORMAT:
        data = UPGRADES[number](data)
        number += 1
    return data
