"""Differences between two flow documents, by node and setting."""

from collections.abc import Iterator, Mapping
from typing import Any

from impasto_server.versions.schemas import (
    Change,
    EdgeEnds,
    EdgesDiff,
    FlowDiff,
    NodeChange,
    NodesDiff,
    SettingChange,
    VariableChange,
    VariablesDiff,
)

_ABSENT = object()
# Each change below an object repeats its path: a change whose path is longer is that of the whole object.
_MAX_PATH = 300


def diff_documents(before: Mapping[str, Any], after: Mapping[str, Any]) -> FlowDiff:
    """Compare two documents. Positions, sizes, notes and groups are ignored."""
    old_variables, new_variables = _variables(before), _variables(after)
    old, new = _nodes(before), _nodes(after)
    old_edges, new_edges = _edges(before), _edges(after)
    changes = (_node_change(name, old[name], node) for name, node in new.items() if name in old)
    return FlowDiff(
        nodes=NodesDiff(
            added=[name for name in new if name not in old],
            removed=[name for name in old if name not in new],
            changed=[change for change in changes if change.settings or change.type or change.title],
        ),
        edges=EdgesDiff(
            added=[_ends(edge) for edge in new_edges if edge not in old_edges],
            removed=[_ends(edge) for edge in old_edges if edge not in new_edges],
        ),
        variables=VariablesDiff(
            added=[name for name in new_variables if name not in old_variables],
            removed=[name for name in old_variables if name not in new_variables],
            changed=[
                VariableChange(name=name, before=old_variables[name], after=variable)
                for name, variable in new_variables.items()
                if name in old_variables and variable != old_variables[name]
            ],
        ),
    )


def _variables(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    variables = document.get("variables")
    found = variables if isinstance(variables, list) else []
    return {str(each.get("name")): each for each in found if isinstance(each, dict)}


def _nodes(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    nodes = document.get("nodes") or []
    return {str(node.get("id")): node for node in nodes if isinstance(node, dict)}


def _edges(document: Mapping[str, Any]) -> dict[tuple[str, str], None]:
    edges = document.get("edges") or []
    return {(str(edge.get("from")), str(edge.get("to"))): None for edge in edges if isinstance(edge, dict)}


def _ends(edge: tuple[str, str]) -> EdgeEnds:
    return EdgeEnds.model_validate({"from": edge[0], "to": edge[1]})


def _node_change(name: str, old: dict[str, Any], new: dict[str, Any]) -> NodeChange:
    settings = list(_setting_changes(old.get("settings") or {}, new.get("settings") or {}, ""))
    settings.extend(
        SettingChange(path=key, before=old.get(key), after=new.get(key))
        for key in ("variables", "exposed", "result", "mode", "pin")
        if old.get(key) != new.get(key)
    )
    return NodeChange(
        id=name, settings=settings, type=_change(old, new, "type"), title=_change(old, new, "title")
    )


def _change(old: dict[str, Any], new: dict[str, Any], key: str) -> Change | None:
    before, after = old.get(key), new.get(key)
    return None if before == after else Change(before=_as_text(before), after=_as_text(after))


def _as_text(value: Any) -> str | None:
    return None if value is None else str(value)


def _setting_changes(old: Any, new: Any, path: str) -> Iterator[SettingChange]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict) and len(path) <= _MAX_PATH:
        for key in [*old, *(key for key in new if key not in old)]:
            inner = f"{path}.{key}" if path else str(key)
            yield from _setting_changes(old.get(key, _ABSENT), new.get(key, _ABSENT), inner)
        return
    yield SettingChange(path=path, before=_null_if_absent(old), after=_null_if_absent(new))


def _null_if_absent(value: Any) -> Any:
    return None if value is _ABSENT else value
