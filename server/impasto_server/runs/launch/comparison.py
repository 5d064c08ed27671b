"""Comparing settings: one run in which a node of the draft runs once with each of several settings.

The run's document is the draft in which the node has a copy for each further variant, with the same inputs.
Everything before the node is in it once, so it is computed or reused once. The draft does not change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Catalog
from impasto.sdk.node_type import NodeType
from impasto_server.compiler.documents import Source
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.flows import access
from impasto_server.flows.errors import NotFlowOwner
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Problem
from impasto_server.flows.subflows import load_subflows
from impasto_server.http.schemas import money
from impasto_server.runs.errors import NotComparable
from impasto_server.runs.launch.inputs import resolve_known_inputs
from impasto_server.runs.launch.service import find_started, identify, load_launch, plan_launch, start_run
from impasto_server.runs.schemas import (
    ComparisonEstimate,
    ComparisonEstimateRequest,
    ComparisonRequest,
    Run,
    RunRequest,
    VariantEstimate,
)
from impasto_server.users.models import User

_LETTERS = "ABCDEF"
_INNER = "inputs."


@dataclass(frozen=True)
class Derived:
    """A document whose `steps` are the variants of the node `node`; the first has the draft's settings."""

    document: dict[str, Any]
    node: str
    steps: list[str]
    title: str


async def compare(
    app_state: AppState, user: User, flow_id: str, body: ComparisonRequest, key: str | None
) -> Run:
    """Start a comparison. A repeat with the same key returns the first run and uses no quota.

    Raises what a launch of the draft does, and `NotComparable`.
    """
    scoped_key, digest = identify(flow_id, body, key)
    existing = await find_started(app_state, user, scoped_key, digest)
    if existing is not None:
        return existing
    async with app_state.database.reading() as session:
        flow = await _own_flow(session, user, flow_id)
        derived = derive(flow.draft, app_state.catalog, body.node, [each.settings for each in body.variants])
        loaded = await load_launch(
            session, app_state, user, flow, None, derived.document, None, derived.steps
        )
    launch_plan = await plan_launch(app_state, user, loaded)
    request = RunRequest(
        inputs=_inputs_of(derived, body.inputs),
        targets=derived.steps,
        reuse="changed",
        budget_usd=body.budget_usd,
        allow_unpriced=body.allow_unpriced,
    )
    comparison = {"node": derived.node, "title": derived.title, "steps": derived.steps}
    return await start_run(app_state, user, launch_plan, request, scoped_key, digest, comparison)


async def estimate(
    app_state: AppState, user: User, flow_id: str, body: ComparisonEstimateRequest
) -> ComparisonEstimate:
    """Return what each variant of a comparison is expected to cost, and what keeps it from running.

    Starts nothing. Raises `FlowNotFound`, `NotFlowOwner`, `NotComparable` or `FlowTooLarge`.
    """
    async with app_state.database.reading() as session:
        flow = await _own_flow(session, user, flow_id)
        derived = derive(flow.draft, app_state.catalog, body.node, [each.settings for each in body.variants])
        subflows = await load_subflows(session, app_state, user, derived.document)
        configured = await credentials.providers_of(session, user.id)
        inputs = await resolve_known_inputs(session, user.id, _inputs_of(derived, body.inputs))
    source = Source(derived.document, subflows, flow_id=flow.id, targets=derived.steps, configured=configured)
    checked = await app_state.compiler.check(user.id, source)
    if not checked.can_run:
        return ComparisonEstimate(
            variants=[_refused(step, checked.problems) for step in derived.steps],
            problems=[each for each in checked.problems if _variant_of(each.node, derived.steps) is None],
            can_run=False,
        )
    found = await app_state.compiler.estimate(user.id, source, inputs)
    seconds = _seconds_by_node(orjson.loads(checked.step_estimates))
    costs = {each.node: each for each in found.steps}
    variants = []
    for step in derived.steps:
        cost = costs.get(step)
        variants.append(
            VariantEstimate(
                step=step,
                usd=cost.usd if cost else money(0),
                seconds=seconds.get(step),
                price_unknown=cost.price_unknown if cost else False,
                notices=[notice for notice in found.notices if _variant_of(notice.step, [step])],
                problems=[each for each in checked.problems if _variant_of(each.node, [step])],
            )
        )
    before = [each for each in found.steps if each.node not in derived.steps]
    return ComparisonEstimate(
        variants=variants,
        problems=[],
        can_run=True,
        usd=found.usd,
        price_unknown=found.price_unknown,
        before_usd=money(sum((Decimal(each.usd) for each in before), Decimal(0))),
    )


def derive(
    document: Mapping[str, Any], catalog: Catalog, node_id: str, changed: Sequence[Mapping[str, Any]]
) -> Derived:
    """Return a document in which the node runs with its own settings and with each of `changed`.

    Raises `NotComparable` if the node cannot run alone, or if two variants have the same settings.
    """
    nodes = _list(document.get("nodes"))
    place, node = _find(nodes, node_id)
    type_id = node.get("type")
    node_type = catalog[type_id] if isinstance(type_id, str) and type_id in catalog else None
    _require_comparable(node, node_type)
    settings_of_node = node.get("settings")
    own = dict(settings_of_node) if isinstance(settings_of_node, dict) else {}
    edges = _list(document.get("edges"))
    ids = {str(each.get("id")) for each in nodes if isinstance(each, dict)}
    ports = _fed_ports(edges, node_id, ids)
    uses = _uses_of(node, document)
    bound = _with_values(own, uses)
    settings = [bound, *(_with_values(dict(each), uses, kept=True) for each in changed)]
    _require_different(settings, node_type, {port for port, _ in ports})
    title = str(node.get("title") or (node_type.title if node_type else ""))
    steps = [node_id]
    for number in range(2, len(settings) + 1):
        steps.append(_free_id(node_id, number, ids))
        ids.add(steps[-1])
    # What launchers may set does not matter here: each variant has the settings that it is compared with.
    bare = {key: value for key, value in node.items() if key not in ("exposed", "result")}
    variants = [
        {**bare, **each, "id": step, "title": f"{title} {letter}", "result": True}
        for step, letter, each in zip(
            steps, _LETTERS, ({}, *(_set(values, bound, node) for values in settings[1:])), strict=False
        )
    ]
    copies = [{**edge, "to": f"{step}.{port}"} for step in steps[1:] for port, edge in ports]
    return Derived(
        {
            **document,
            "nodes": [*nodes[:place], *variants, *nodes[place + 1 :]],
            "edges": [*edges, *copies],
        },
        node_id,
        steps,
        title,
    )


def _uses_of(node: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the variables that set settings of a node, by setting."""
    values = {
        each["name"]: each.get("value")
        for each in _list(document.get("variables"))
        if isinstance(each, dict) and isinstance(each.get("name"), str)
    }
    uses = node.get("variables")
    found = uses.items() if isinstance(uses, dict) else ()
    return {setting: values[name] for setting, name in found if isinstance(name, str) and name in values}


def _with_values(
    settings: Mapping[str, Any], values: Mapping[str, Any], *, kept: bool = False
) -> dict[str, Any]:
    """Return settings with the values of variables; with `kept`, only where they have none."""
    result = dict(settings)
    inner = result.get("inputs")
    inputs = dict(inner) if isinstance(inner, dict) else {}
    for setting, value in values.items():
        name = setting.removeprefix(_INNER)
        target, key = (result, setting) if name == setting else (inputs, name)
        if not (kept and key in target):
            target[key] = value
    return {**result, "inputs": inputs} if inputs else result


def _set(values: Mapping[str, Any], bound: Mapping[str, Any], node: Mapping[str, Any]) -> dict[str, Any]:
    """Return a variant's settings; variables go on setting those that are as in the draft."""
    uses = node.get("variables")
    found = uses.items() if isinstance(uses, dict) else ()
    kept = {name: used for name, used in found if _value_at(values, name) == _value_at(bound, name)}
    return {"settings": dict(values), "variables": kept}


def _value_at(settings: Mapping[str, Any], name: str) -> Any:
    inner = name.removeprefix(_INNER)
    inputs = settings.get("inputs")
    return settings.get(name) if inner == name else (inputs.get(inner) if isinstance(inputs, dict) else None)


async def _own_flow(session: AsyncSession, user: User, flow_id: str) -> FlowRow:
    flow = await access.get_visible(session, user, flow_id)
    if not access.is_owner(flow, user):
        raise NotFlowOwner
    return flow


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _find(nodes: Sequence[Any], node_id: str) -> tuple[int, dict[str, Any]]:
    for place, node in enumerate(nodes):
        if isinstance(node, dict) and node.get("id") == node_id:
            return place, node
    raise NotComparable("This node is not in the saved draft. Save the agent, then compare again.")


def _require_comparable(node: Mapping[str, Any], node_type: NodeType | None) -> None:
    if node_type is None:
        raise NotComparable("The type of this node is not installed, so it cannot run.")
    if node_type.input is not None:
        raise NotComparable("An input takes its value from the launch, so it has no results to compare.")
    if not node_type.settings:
        raise NotComparable("This node has no settings to compare.")
    if node.get("mode") == "disabled":
        raise NotComparable("This node is disabled. Enable it to compare its settings.")
    if node.get("mode") == "bypassed":
        raise NotComparable("This node is bypassed. Stop bypassing it to compare its settings.")
    if node.get("pin") is not None:
        raise NotComparable("The result of this node is pinned. Unpin it to compare its settings.")


def _require_different(
    settings: Sequence[Mapping[str, Any]], node_type: NodeType | None, fed: set[str]
) -> None:
    """Refuse variants with the same settings, and values for settings that an edge sets."""
    specs = {spec.name: spec for spec in node_type.settings} if node_type else {}
    defaults = {name: spec.default for name, spec in specs.items() if not spec.required}
    seen: dict[bytes, str] = {}
    for letter, values in zip(_LETTERS, settings, strict=False):
        full = {**defaults, **values}
        for name in fed & specs.keys():
            if values.get(name) != settings[0].get(name):
                raise NotComparable(
                    f"An edge sets '{specs[name].ui.title or name}', so variants cannot change it."
                )
        body = orjson.dumps(full, default=repr, option=orjson.OPT_SORT_KEYS)
        if body in seen:
            raise NotComparable(f"Variants {seen[body]} and {letter} have the same settings. Change one.")
        seen[body] = letter


def _fed_ports(edges: Sequence[Any], node_id: str, ids: set[str]) -> list[tuple[str, dict[str, Any]]]:
    """Return the node's inputs and settings that edges lead to, with the edges, in their order."""
    found = []
    others = ids - {node_id}
    for edge in edges:
        end = edge.get("to") if isinstance(edge, dict) else None
        if not isinstance(end, str) or not end.startswith(f"{node_id}."):
            continue
        # Ids and ports may both hold dots: the engine reads the longest id first.
        if end.rpartition(".")[0] not in others:
            found.append((end[len(node_id) + 1 :], edge))
    return found


def _free_id(node_id: str, number: int, taken: set[str]) -> str:
    while f"{node_id}_{number}" in taken:
        number += 1
    return f"{node_id}_{number}"


def _inputs_of(derived: Derived, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs of a launch without values for settings of the compared node."""
    prefix = f"{derived.node}."
    return {name: value for name, value in inputs.items() if not name.startswith(prefix)}


def _refused(step: str, problems: Sequence[Problem]) -> VariantEstimate:
    own = [each for each in problems if _variant_of(each.node, [step])]
    return VariantEstimate(step=step, problems=own)


def _variant_of(step: str | None, steps: Sequence[str]) -> str | None:
    """Return which of the variants a step is, or is inside of; None if it is no part of one."""
    node = (step or "").partition("/")[0]
    return node if node in steps else None


def _seconds_by_node(estimates: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Return the seconds of each node; the steps of an agent count one after another."""
    found: dict[str, float] = {}
    for step, each in estimates.items():
        if each.get("seconds"):
            node = step.partition("/")[0]
            found[node] = found.get(node, 0.0) + float(each["seconds"])
    return found
