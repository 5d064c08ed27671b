"""Inputs of a subflow: the values that its node has for them, and those that its node offers in turn.

An inner flow's inputs are its input nodes and the settings that its nodes expose. A node that runs it may
expose any of them in turn, so that a setting reaches the launchers of the outermost flow from any depth.
"""

import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import replace

from impasto.compiler.catalog import Catalog
from impasto.compiler.exposed import limited
from impasto.compiler.subflows.levels import Draft, Level, Promotion
from impasto.document.flow import Flow
from impasto.document.model import FlowNode
from impasto.sdk.settings import SettingInvalid

_NO_VALUES: Mapping[str, t.Any] = {}


def promotions(draft: Draft, name: str) -> list[Promotion]:
    """Return who offers a setting of a node, from the node itself to the outermost flow that does."""
    node = draft.node
    limits = node.exposed.get(name)
    own = [] if limits is None else [Promotion(draft.level, draft.id, node.id, node.title, name, limits)]
    return [*own, *(draft.promoted or {}).get(name, ())]


def promote(level: Level, inner: Level) -> Iterator[str]:
    """Offer inputs of an inner flow as inputs of the one around it; yield the names that it does not have."""
    node = t.cast("FlowNode", inner.node)
    for name, limits in node.exposed.items():
        found = inner.inputs.get(name)
        if found is None:
            yield name
            continue
        draft, setting = found
        title = node.title or inner.flow.name or None
        promotion = Promotion(level, inner.prefix[:-1], node.id, title, name, limits)
        if draft.promoted is None:
            draft.promoted = {}
        draft.promoted.setdefault(setting, []).append(promotion)
        level.inputs[f"{node.id}.{name}"] = found


def refused_values(
    flow: Flow, given: Mapping[str, t.Any], catalog: Catalog
) -> Iterator[tuple[str, SettingInvalid]]:
    """Yield the values of the outer node that the limits of the flow's nodes do not allow, by input."""
    for node in flow.nodes:
        found = catalog.get(node.type)
        for name, limits in node.exposed.items():
            spec = found.setting_names.get(name) if found is not None else None
            key = f"{node.id}.{name}"
            if spec is None or key not in given:
                continue
            try:
                limited(spec, limits).decode(given[key])
            except SettingInvalid as error:
                yield key, error


def with_inputs(flow: Flow, given: Mapping[str, t.Any], catalog: Catalog) -> Flow:
    """Return the flow with the values that the outer node has for its unconnected inputs."""
    nodes = []
    for node in flow.nodes:
        found = catalog.get(node.type)
        changed = {name: given[f"{node.id}.{name}"] for name in node.exposed if f"{node.id}.{name}" in given}
        if found is not None and found.subflow and changed:
            kept = node.settings.get("inputs")
            changed = {"inputs": {**(kept if isinstance(kept, dict) else _NO_VALUES), **changed}}
        if found is not None and found.input and node.id in given:
            changed[found.input] = given[node.id]
        if changed:
            settings = {**node.settings, **changed}
            uses = {name: used for name, used in node.variables.items() if name not in changed}
            nodes.append(replace(node, settings=settings, variables=uses, position=None, extra={}))
        else:
            nodes.append(node)
    return Flow(name=flow.name, nodes=nodes, edges=flow.edges)
