"""The difference between two flows, as data: nodes, edges and variables added, removed and changed."""

import typing as t
from collections import Counter
from collections.abc import Iterator

from impasto.document.model import FlowEdge, FlowNode
from impasto.document.variables import FlowVariable

Change = dict[str, t.Any]


class Graph(t.Protocol):
    """The part of a `Flow` that is compared."""

    nodes: list[FlowNode]
    edges: list[FlowEdge]
    variables: list[FlowVariable]


def diff(before: Graph, after: Graph) -> dict[str, t.Any]:
    """Return what `after` changes in `before`.

    Nodes are matched by id and compared setting by setting, variables by name. Positions and everything under
    `canvas` are ignored.
    """
    old = {node.id: node for node in before.nodes}
    new = {node.id: node for node in after.nodes}
    changes = (_changed(old[node_id], new[node_id]) for node_id in new if node_id in old)
    return {
        "nodes": {
            "added": [node_id for node_id in new if node_id not in old],
            "removed": [node_id for node_id in old if node_id not in new],
            "changed": [change for change in changes if change is not None],
        },
        "edges": {"added": _edges_only_in(after, before), "removed": _edges_only_in(before, after)},
        "variables": _variables(before.variables, after.variables),
    }


def _variables(before: list[FlowVariable], after: list[FlowVariable]) -> dict[str, t.Any]:
    old, new = ({each.name: each.to_dict() for each in variables} for variables in (before, after))
    return {
        "added": [name for name in new if name not in old],
        "removed": [name for name in old if name not in new],
        "changed": [
            {"name": name, "before": old[name], "after": new[name]}
            for name in new
            if name in old and not _is_same(old[name], new[name])
        ],
    }


def _is_same(old: t.Any, new: t.Any) -> bool:
    """Return whether two values are the same in a document, where 1, 1.0 and true are three values."""
    if type(old) is not type(new) or old != new:
        return False
    if isinstance(old, dict):
        return all(_is_same(value, new[key]) for key, value in old.items())
    return not isinstance(old, list) or all(map(_is_same, old, new))


def _edges_only_in(flow: Graph, other: Graph) -> list[dict[str, str]]:
    """Return the edges of one flow that the other lacks, counting duplicates."""
    unmatched = Counter((edge.source, edge.target) for edge in other.edges)
    found = []
    for edge in flow.edges:
        pair = (edge.source, edge.target)
        if unmatched[pair]:
            unmatched[pair] -= 1
        else:
            found.append({"from": edge.source, "to": edge.target})
    return found


def _changed(old: FlowNode, new: FlowNode) -> Change | None:
    change: Change = {"id": new.id, "settings": list(_settings(old.settings, new.settings, ""))}
    for name in ("type", "version", "title", "variables", "exposed", "result", "mode", "pin"):
        before, after = getattr(old, name), getattr(new, name)
        if not _is_same(before, after):
            change[name] = {"before": before, "after": after}
    return change if change["settings"] or len(change) > 2 else None


def _settings(old: t.Any, new: t.Any, path: str) -> Iterator[Change]:
    """Yield each leaf that differs, with its path; a leaf that one side lacks is None there."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            yield from _settings(old.get(name), new.get(name), f"{path}.{name}" if path else name)
    elif not _is_same(old, new):
        yield {"path": path, "before": old, "after": new}
