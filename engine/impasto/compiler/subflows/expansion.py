"""Expands subflows: the first stage of the compiler.

A node whose type declares `subflow` is replaced by the nodes of the flow that its setting contains or refers
to; their ids become paths (`teaser/speak`). An edge to one of its ports continues to the inner input node, an
edge from one starts at the inner result. The code is iterative, because flows may be nested deeply.
"""

import typing as t
from collections.abc import Callable, Mapping

from impasto.compiler.catalog import Catalog
from impasto.compiler.stand_ins import NOTES, PinInvalid, stand_in
from impasto.compiler.subflows.holders import flow_id_of, holder_of, unknown_flow
from impasto.compiler.subflows.levels import Draft, Level, Wire
from impasto.compiler.subflows.promoted import promote, refused_values, with_inputs
from impasto.compiler.suggestions import listed
from impasto.compiler.variables import VariableBinder
from impasto.document.flow import Flow
from impasto.document.model import FlowEdge, FlowNode
from impasto.errors import FlowInvalid, Problem
from impasto.sdk.node_type import NodeType

# Problems are sorted in document order, where every node comes before every edge.
_AFTER_NODES = 1_000_000_000
# Calling a NamedTuple's own constructor costs more than creating its content.
_new: Callable[..., t.Any] = tuple.__new__
# Nesting can double the steps with each level, so a few small documents could expand without bound.
# The document's own nodes are not counted.
MAX_EXPANDED_STEPS = 100_000
FlowLoader = Callable[[str], "Flow | Mapping[str, t.Any] | None"]


class Expansion:
    """The drafts of a flow and of all its subflows, and the problems found so far."""

    def __init__(self, catalog: Catalog, flows: FlowLoader | None, variables: VariableBinder) -> None:
        self.catalog = catalog
        self.variables = variables
        self.load = flows
        self.drafts: list[Draft] = []
        self.levels: list[Level] = []
        self.flows: dict[str, t.Any] = {}
        self.problems = variables.problems
        self.edges = _AFTER_NODES
        self.suggestions = variables.suggestions
        # By the index of a draft: the node at which the problem of an edge is noted that does not reach it.
        self.lacking: list[tuple[int, str | None]] = []

    def expand(self, flow: Flow, flow_id: str | None) -> "Expansion":
        """Create the drafts and connect them. Raises FlowInvalid if there are too many."""
        todo = [Level(flow, "", None, None, (flow_id,) if flow_id else ())]
        while todo:
            level = todo.pop()
            self.levels.append(level)
            todo.extend(reversed(self._members(level)))
            if len(self.drafts) + len(self.levels) + len(todo) > MAX_EXPANDED_STEPS + len(flow.nodes):
                raise self._too_large(level)
        for level in reversed(self.levels):
            self._join(level)
            self._show(level)
        return self

    def close(self) -> None:
        """Break the reference cycles, so that memory is freed at once and not by the garbage collector."""
        for level in self.levels:
            level.members.clear()
            level.inputs.clear()
            level.results.clear()
        for draft in self.drafts:
            draft.fed = {}

    def _too_large(self, level: Level) -> FlowInvalid:
        message = f"The flows inside this one expand to more than {MAX_EXPANDED_STEPS:,} steps."
        hint = "Nest fewer flows, or pass a list to one of them: it then runs once for each item."
        found = Problem(code="too_large", message=message, node=level.prefix[:-1] or None, hint=hint)
        return FlowInvalid([*(problem for _, problem in self.problems), found])

    def problem(self, order: int, code: str, message: str, node: str | None, **more: t.Any) -> None:
        """Note a problem at a place in the document."""
        self.problems.append((order, Problem(code=code, message=message, node=node, **more)))

    def _members(self, level: Level) -> list[Level]:
        """Create the drafts of the level's nodes and return the levels of its subflows."""
        inner = []
        get, members, drafts, prefix = self.catalog.get, level.members, self.drafts, level.prefix
        for node in level.flow.nodes:
            node_id = prefix + node.id if prefix else node.id
            if node.id in members:
                message = f"Two nodes have the id '{node_id}'."
                self.problem(
                    len(drafts), "duplicate_id", message, node_id, hint="Give one of them another id."
                )
                continue
            found = get(node.type)
            has_stand_in = node.mode is not None or node.pin is not None
            stand = self._stand_in(level, node, found) if has_stand_in else None
            if stand is not None:
                draft = members[node.id] = Draft(len(drafts), node_id, node, stand, level)
                draft.stands_in = level.has_stand_ins = True
                drafts.append(draft)
            elif found is None or found.subflow is None:
                draft = members[node.id] = Draft(len(drafts), node_id, node, found, level)
                drafts.append(draft)
            else:
                sub = members[node.id] = self._sublevel(level, node, found)
                inner.append(sub)
        return inner

    def _stand_in(self, level: Level, node: FlowNode, found: NodeType | None) -> NodeType | None:
        node_id = level.prefix + node.id
        try:
            stand = stand_in(node, found, level.flow, self.catalog.value_types)
        except PinInvalid as error:
            message = f"The pinned result of node '{node_id}' {error}."
            hint = "Unpin it, or pin a result of a new run."
            self.problem(len(self.drafts), "bad_pin", message, node_id, hint=hint)
            return None
        if stand is not None:
            code, does, hint = NOTES[node.mode or "pinned"]
            message = f"Node '{node_id}' {does}."
            self.problem(len(self.drafts), code, message, node_id, hint=hint, severity="warning")
        elif found is not None:
            message = f"Node '{node_id}' runs another flow, so it cannot be bypassed."
            self.problem(len(self.drafts), "bad_mode", message, node_id, hint="Disable it instead.")
        return stand

    def _sublevel(self, level: Level, node: FlowNode, found: NodeType) -> Level:
        holder = holder_of(node.settings, t.cast("str", found.subflow))
        node_id, flow_ids = level.prefix + node.id, level.flow_ids
        flow = Flow()
        name = flow_id_of(holder) if isinstance(holder, str) else None
        if name is not None and name in flow_ids:
            circle = " → ".join((*flow_ids[flow_ids.index(name) :], name))
            message = f"The flow contains itself: {circle}."
            self._at_node(node_id, "self_containing", message, found.subflow, "Choose another flow here.")
        else:
            flow = self._inner_flow(holder, node_id, found.subflow) or flow
            flow = self.variables.bind(flow, node_id + "/", len(self.drafts))
            flow_ids = flow_ids if name is None else (*flow_ids, name)
        sub = Level(flow, node_id + "/", level, node, flow_ids)
        given = node.settings.get("inputs")
        if isinstance(given, dict):
            for key, error in refused_values(sub.flow, given, self.catalog):
                message = f"The input '{key}' of node '{node_id}' {error}."
                self._at_node(node_id, "bad_setting", message, "inputs", "Change it, or remove it.")
            sub.flow = with_inputs(sub.flow, given, self.catalog)
        return sub

    def _inner_flow(self, holder: t.Any, node_id: str, setting: str | None) -> Flow | None:
        hint = "Choose the flow that this node runs."
        if not holder:
            self._at_node(
                node_id, "bad_setting", f"Node '{node_id}' runs another flow: choose which.", setting, hint
            )
            return None
        if isinstance(holder, str) and holder in self.flows:
            return t.cast("Flow", self.flows[holder])
        try:
            document = (self.load(holder) if self.load else None) if isinstance(holder, str) else holder
            if document is None:
                message, hint = unknown_flow(holder)
                self._at_node(node_id, "bad_setting", message, setting, hint)
                return None
            flow = Flow.of(document)
        except FlowInvalid as error:
            self._at_node(
                node_id, "bad_setting", f"The flow inside '{node_id}' is damaged: {error}", setting, hint
            )
            return None
        if isinstance(holder, str):
            self.flows[holder] = flow
        return flow

    def _at_node(self, node_id: str, code: str, message: str, setting: str | None, hint: str) -> None:
        self.problem(len(self.drafts), code, message, node_id, setting=setting, hint=hint)

    def _join(self, level: Level) -> None:
        """Turn the level's edges into wires. Inner levels must be joined before outer ones."""
        members = level.members
        get, order = members.get, self.edges
        for edge in self._kept_edges(level) if level.has_stand_ins else level.flow.edges:
            order += 1
            text = edge.source
            source_id, _, port = text.rpartition(".")
            goal_id, _, name = edge.target.rpartition(".")
            draft, goal = get(source_id), get(goal_id)
            if type(draft) is not Draft or type(goal) is not Draft:
                ends = self._ends(level, edge, order)
                if ends is None:
                    continue
                draft, port, goal, name = ends
            draft.after.append(goal.index)
            goal.missing += 1
            wire = _new(Wire, (draft, port, order, text))
            if name in goal.fed:
                goal.fed[name].append(wire)
            else:
                goal.fed[name] = [wire]
        self.edges = order
        self._name_inputs(level)

    def _name_inputs(self, level: Level) -> None:
        """Name the inputs of a level: input nodes, exposed settings and exposed inputs of subflows."""
        for node_id, member in level.members.items():
            if isinstance(member, Draft) and member.type is not None:
                if member.type.input:
                    level.inputs[node_id] = member, member.type.input
                for name in member.node.exposed:
                    level.inputs.setdefault(f"{node_id}.{name}", (member, name))
            elif isinstance(member, Level):
                for name in promote(level, member):
                    self._not_promoted(member, name)

    def _not_promoted(self, level: Level, name: str) -> None:
        node_id = level.prefix[:-1]
        first = next((one.index for one in level.members.values() if isinstance(one, Draft)), 0)
        message = f"Node '{node_id}' cannot offer '{name}' to launchers: its flow has no such input."
        hint = "Hide it, or offer it in the inner flow again."
        self.problem(first, "bad_exposed", message, node_id, setting=name, hint=hint, severity="warning")

    def _kept_edges(self, level: Level) -> t.Iterator[FlowEdge]:
        """Yield the level's edges without those into inputs that a stand-in does not have."""
        for edge in level.flow.edges:
            goal_id, _, name = edge.target.rpartition(".")
            goal = level.members.get(goal_id)
            if not isinstance(goal, Draft) or not goal.stands_in or _takes(goal, name):
                yield edge
            elif goal.node.mode != "disabled":
                self._cut(level, edge.source)

    def _cut(self, level: Level, source: str) -> None:
        """Note that an edge from this output was left out."""
        node_id, _, port = source.rpartition(".")
        if node_id not in level.members:
            node_id, _, port = source.partition(".")
        member = level.members.get(node_id)
        if isinstance(member, Level):
            member.cut = True
            member, _ = member.results.get(port, (None, port))
        if member is not None:
            member.cut = True

    def _ends(self, level: Level, edge: FlowEdge, order: int) -> tuple[Draft, str, Draft, str] | None:
        """Return the ends of an edge that touches a subflow; None, with problems noted, if one is missing."""
        known = len(self.problems)
        source = self._end(level, edge.source, order, "from")
        faults = self.problems[known:]
        target = self._end(level, edge.target, order, "to")
        goal, name = (None, "") if target is None else self._goal(*target, order)
        if goal is None:
            return None
        if goal.stands_in and not _takes(goal, name):
            # As in `_kept_edges`, for a node inside a subflow whose setting the edge would set.
            if goal.node.mode != "disabled":
                self._cut(level, edge.source)
            return None
        known = len(self.problems)
        draft, port = (None, "") if source is None else self._origin(*source, order)
        faults += self.problems[known:]
        self.lacking += [(goal.index, problem.node) for _, problem in faults]
        return None if draft is None else (draft, port, goal, name)

    def _end(self, level: Level, text: str, order: int, side: str) -> tuple[Draft | Level, str] | None:
        node_id, _, port = text.rpartition(".")
        member = level.members.get(node_id)
        if member is None and "." in node_id:
            node_id, _, port = text.partition(".")
            member = level.members.get(node_id)
        if member is None and text in level.members:
            message = f"An edge goes {side} '{text}', which is a node without a port."
            hint = "Write edges as node.port."
            self.problem(order, "unknown_port", message, level.prefix + text, port="", hint=hint)
            return None
        if member is None:
            message = f"An edge goes {side} '{text}', but there is no node '{node_id or text}'."
            hint = "Write edges as node.port." if not node_id else "Remove the edge, or add the node."
            self.problem(order, "unknown_node", message, level.prefix + (node_id or text), hint=hint)
            return None
        return member, port

    def _origin(self, member: Draft | Level, port: str, order: int) -> tuple[Draft | None, str]:
        if isinstance(member, Draft):
            return member, port
        member.feeds = True
        found = member.results.get(port)
        if found is None:
            self._no_port(member, port, order, "result", member.results)
            return None, port
        return found

    def _goal(self, member: Draft | Level, port: str, order: int) -> tuple[Draft | None, str]:
        if isinstance(member, Draft):
            return member, port
        found = member.inputs.get(port)
        if found is None:
            self._no_port(member, port, order, "input", member.inputs)
            return None, port
        return found

    def _no_port(self, level: Level, port: str, order: int, what: str, names: t.Iterable[str]) -> None:
        node_id = level.prefix.rstrip("/")
        message = f"The flow inside '{node_id}' has no {what} '{port}'."
        self.problem(order, "unknown_port", message, node_id, port=port, hint=f"It has: {listed(names)}.")

    def _show(self, level: Level) -> None:
        """Name the results of an inner level, which are the output ports of its node."""
        if level.parent is None:
            return
        for member_id, member in level.members.items():
            shown = shown_ports(member)
            for name, origin in shown.items():
                level.results[member_id if len(shown) == 1 else f"{member_id}.{name}"] = origin


def _takes(stand_in: Draft, name: str) -> bool:
    """Whether a stand-in has an input of this name, as bypassed nodes do."""
    return stand_in.type is not None and name in stand_in.type.input_names


def shown_ports(member: Draft | Level) -> dict[str, tuple[Draft, str]]:
    """Return the outputs of a node or subflow that are results of the flow around it."""
    node = member.node
    if node is None or node.result is False:
        return {}
    if isinstance(member, Level):
        return dict(member.results) if node.result or not (member.feeds or member.cut) else {}
    if member.type is None or ((member.after or member.cut) and not node.result):
        return {}
    return {
        port.name: (member, port.name)
        for port in member.type.outputs
        if port.item_of is None or port.item_setting in member.fed or port.item_in(member.settings)
    }
