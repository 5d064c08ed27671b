"""What differs between two flows, as data: nodes and edges added, removed, changed setting by setting."""

import typing as t
from collections import Counter
from collections.abc import Iterator

from impasto.document.model import FlowEdge, FlowNode

Change = dict[str, t.Any]


class Graph(t.Protocol):
    """What has nodes and edges: a flow."""

    nodes: list[FlowNode]
    edges: list[FlowEdge]


def diff(before: Graph, after: Graph) -> dict[str, t.Any]:
    """The difference; positions and canvas furniture are none."""
    old = {node.id: node for node in before.nodes}
    new = {node.id: node for node in after.nodes}
    changes = (_changed(old[node_id], new[node_id]) for node_id in new if node_id in old)
    return {
        "nodes": {
            "added": [node_id for node_id in new if node_id not in old],
            "removed": [node_id for node_id in old if node_id not in new],
            "changed": [change for change in changes if change is not None],
        },
        "edges": {"added": _edges(after, before), "removed": _edges(before, after)},
    }


def _edges(of: Graph, without: Graph) -> list[dict[str, str]]:
    """The edges of one flow that the other does not have, as often as it has them more."""
    left = Counter((edge.source, edge.target) for edge in without.edges)
    found = []
    for edge in of.edges:
        pair = (edge.source, edge.target)
        if left[pair]:
            left[pair] -= 1
        else:
            found.append({"from": edge.source, "to": edge.target})
    return found


def _changed(old: FlowNode, new: FlowNode) -> Change | None:
    change: Change = {"id": new.id, "settings": list(_settings(old.settings, new.settings, ""))}
    for name in ("type", "version", "title", "result"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            change[name] = {"before": before, "after": after}
    return change if change["settings"] or len(change) > 2 else None


def _settings(old: t.Any, new: t.Any, path: str) -> Iterator[Change]:
    """Each leaf that differs, by its path; what is in one alone stands against None."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            yield from _settings(old.get(name), new.get(name), f"{path}.{name}" if path else name)
    elif old != new or type(old) is not type(new):
        yield {"path": path, "before": old, "after": new}
