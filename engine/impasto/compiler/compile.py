"""Compiles a flow into a plan, or reports all of its problems at once.

The compiler expands subflows, sorts the nodes topologically and checks each node once, when the types of its
sources are known. It takes linear time in nodes and edges.
"""

import typing as t
from collections.abc import Iterable, Mapping
from contextlib import closing

from impasto.compiler.bindings import Bindings
from impasto.compiler.build_step import StepBuilder
from impasto.compiler.catalog import Catalog
from impasto.compiler.graph import ancestors, cycles
from impasto.compiler.incremental import fingerprint_of, recompiled, remember
from impasto.compiler.plan import Plan, Shape
from impasto.compiler.step import Feed, ResultPort, Step
from impasto.compiler.subflows.expansion import Expansion, FlowLoader, shown_ports
from impasto.compiler.subflows.levels import Draft, Level
from impasto.compiler.variables import VariableBinder
from impasto.document.flow import Flow
from impasto.errors import FlowInvalid, Problem
from impasto.garbage_collection import gc_paused
from impasto.sdk.node_type import NodeType


def compile(  # noqa: A001 - its name in the language of flows
    flow: Flow | Mapping[str, t.Any] | str,
    catalog: Catalog,
    *,
    targets: Iterable[str] | None = None,
    flows: FlowLoader | None = None,
    flow_id: str | None = None,
    configured: frozenset[str] | None = None,
    checks: bool = True,
) -> Plan:
    """Compile a flow, given as a Flow, plain data or JSON text.

    Args:
        flow: The flow.
        catalog: The node types. It keeps the latest plans, to compile faster after an edit of settings.
        targets: Node ids: the plan contains only these nodes and what they need, and only these have to be
            free of problems.
        flows: Returns the document of a flow that a node refers to by id; None if there is none.
        flow_id: This flow's own id, to detect a flow that contains itself.
        configured: The ids of the providers that the user has a key for, for checks and estimates; None if
            unknown. Those of the catalog's own configuration are added.
        checks: Call the node types' own checks of settings. A program that compiles a flow which has
            passed them leaves them out: their time depends on the settings. Such a plan is not kept.

    Raises:
        FlowInvalid: With all problems, in document order.
    """
    with gc_paused():
        parsed = Flow.of(flow)
        variables = VariableBinder(catalog)
        bound = variables.bind(parsed)
        is_kept = targets is None and checks and not variables.problems
        fingerprint = fingerprint_of(bound, configured) if is_kept else None
        plan = recompiled(parsed, bound, fingerprint, catalog, configured) if fingerprint else None
        if plan is not None:
            return plan
        with closing(Expansion(catalog, flows, variables)) as expansion:
            compiler = _Compiler(parsed, catalog, expansion.expand(bound, flow_id), configured, checks)
            plan = compiler.compile(targets)
        if fingerprint is not None and compiler.alone:
            remember(catalog, fingerprint, plan, expansion.problems)
        return plan


class _Compiler:
    def __init__(
        self,
        flow: Flow,
        catalog: Catalog,
        expansion: Expansion,
        configured: frozenset[str] | None,
        checks: bool,
    ) -> None:
        self.flow = flow
        self.catalog = catalog
        self.expansion = expansion
        self.drafts = self.expansion.drafts
        self.wanted: set[int] | None = None
        # The ids of the subflows that are wanted, also if what is wrong with them leaves no draft.
        self._wanted_levels: set[str] = set()
        self.builder = StepBuilder(self.expansion, catalog, configured, checks)
        # Whether there are no subflows, which could change although this flow stays the same.
        self.alone = len(self.expansion.levels) == 1

    def compile(self, targets: Iterable[str] | None) -> Plan:
        order = self._order()
        if targets is not None:
            self.wanted = self._wanted(list(targets))
        elif any(draft.cut for draft in self.drafts) or any(level.cut for level in self.expansion.levels):
            self.wanted = self._used()
        if self.wanted is not None:
            order = [index for index in order if index in self.wanted]
        steps: list[Step | None] = [None] * len(self.drafts)
        bindings = Bindings(self.expansion, steps)
        for index in order:
            steps[index] = self.builder.step(self.drafts[index])
            bindings.bind(self.drafts[index])
        successors = bindings.successors()
        return self._plan(steps, successors, order)

    def _order(self) -> list[int]:
        """Return the drafts in topological order; drafts in cycles come last, and the cycles are noted."""
        drafts = self.drafts
        missing = [draft.missing for draft in drafts]
        order = [index for index, count in enumerate(missing) if not count]
        for index in order:  # grows during the loop
            for follower in drafts[index].after:
                missing[follower] -= 1
                if not missing[follower]:
                    order.append(follower)
        if len(order) < len(drafts):
            rest = [index for index, count in enumerate(missing) if count]
            self._note_cycles(rest)
            order.extend(rest)
        return order

    def _note_cycles(self, rest: list[int]) -> None:
        inside = set(rest)
        edges = [(index, each) for index in rest for each in self.drafts[index].after if each in inside]
        for ring in cycles(rest, edges):
            names = [self.drafts[index].id for index in ring]
            message = f"These nodes wait for each other: {' → '.join((*names, names[0]))}."
            self.expansion.problem(
                ring[0], "cycle", message, names[0], hint="Remove one of the edges between them."
            )

    def _wanted(self, targets: list[str]) -> set[int]:
        """Return the indices of the targets' drafts and of everything that feeds them."""
        found: set[int] = set()
        by_id: dict[str, Draft | Level] = {draft.id: draft for draft in self.drafts}
        by_id |= {level.prefix[:-1]: level for level in self.expansion.levels[1:]}
        for name in targets:
            member = by_id.get(name)
            if member is None:
                raise FlowInvalid(
                    [
                        Problem(
                            code="unknown_node",
                            message=f"This flow has no node '{name}' to run up to.",
                            node=name,
                        )
                    ]
                )
            if isinstance(member, Level):
                self._wanted_levels.add(name)
                found |= {draft.index for draft, _ in member.results.values()}
            else:
                found.add(member.index)
        # A draft of an unknown type gives no result, although its node may.
        unknown = (draft for draft in self.drafts if draft.type is None)
        found |= {draft.index for draft in unknown if _is_inside(draft.id, self._wanted_levels)}
        return self._needed(found)

    def _used(self) -> set[int]:
        """Return the indices of all drafts but those whose values only a node with a stand-in would take."""
        unused: set[Level] = set()
        for level in self.expansion.levels[1:]:
            is_shown = level.node is not None and level.node.result
            if level.parent in unused or (level.cut and not level.feeds and not is_shown):
                unused.add(level)
            elif not level.feeds or is_shown:
                self._wanted_levels.add(level.prefix[:-1])
        members = self.expansion.levels[0].members.values()
        found = {draft.index for member in members for draft, _ in shown_ports(member).values()}
        for draft in self.drafts:
            if (not (draft.after or draft.cut) or draft.node.result) and draft.level not in unused:
                found.add(draft.index)
        return self._needed(found)

    def _needed(self, found: set[int]) -> set[int]:
        edges = ((draft.index, after) for draft in self.drafts for after in draft.after)
        return ancestors(found, edges)

    def _plan(self, found: list[Step | None], successors: list[list[int]], order: list[int]) -> Plan:
        problems = [problem for order, problem in sorted(self.expansion.problems, key=lambda item: item[0])]
        if self.wanted is not None:
            problems = self._of_wanted(problems)
        if any(problem.severity == "error" for problem in problems):
            raise FlowInvalid(problems)
        shown = self._shown(found)
        steps = t.cast("list[Step]", found)
        if self.wanted is not None:
            steps, successors, order, shown = _compacted(steps, successors, order, shown)
        groups = {
            level.prefix[:-1]: [draft.id for draft, _ in level.results.values()]
            for level in self.expansion.levels[1:]
        }
        shape = Shape(steps, successors, order, shown, groups)
        return Plan(self.flow, steps, shape, self.catalog.value_types, self.expansion.flows, problems)

    def _of_wanted(self, problems: list[Problem]) -> list[Problem]:
        """Return the problems of what is wanted, and of what should feed it but cannot."""
        found = self.wanted or set()
        ids = {self.drafts[index].id for index in found}
        wanted: set[str | None] = {None, *ids, *(path[: path.rindex("/")] for path in ids if "/" in path)}
        wanted |= {node for goal, node in self.expansion.lacking if goal in found}
        return [
            problem
            for problem in problems
            if problem.node in wanted or _is_inside(problem.node or "", self._wanted_levels)
        ]

    def _shown(self, steps: list[Step | None]) -> list[ResultPort]:
        return [
            _result_port(member, draft, name, steps[draft.index])
            for member in self.expansion.levels[0].members.values()
            for draft, name in shown_ports(member).values()
        ]


def _is_inside(node: str, levels: set[str]) -> bool:
    """Return whether a node is one of these subflows, or inside of one at any depth."""
    cut = len(node)
    while cut > 0:
        if node[:cut] in levels:
            return True
        cut = node.rfind("/", 0, cut)
    return False


def _result_port(member: Draft | Level, draft: Draft, name: str, step: Step | None) -> ResultPort:
    found = t.cast("NodeType", draft.type)
    port = found.outputs[found.output_names[name]]
    title = member.title if isinstance(member, Level) else draft.node.title
    label = title or draft.node.title or found.title
    full = f"{label}: {port.title_for(draft.settings)}" if len(found.outputs) > 1 else label
    depth = port.type.depth + (step.fan_out if step is not None else 0)
    return ResultPort(draft.id, name, port.type.base.id, depth > 0, full, draft.index)


def _compacted(
    steps: list[Step], successors: list[list[int]], order: list[int], shown: list[ResultPort]
) -> tuple[list[Step], list[list[int]], list[int], list[ResultPort]]:
    """Return the wanted steps alone, with new indices."""
    kept = sorted(order)
    number = {old: new for new, old in enumerate(kept)}
    for old in kept:
        step = steps[old]
        step.index = number[old]
        renumber = Renumber(number)
        step.inputs = tuple(renumber(binding) if binding else None for binding in step.inputs)
        step.dynamic = tuple((spec, renumber(binding)) for spec, binding in step.dynamic)
        step.sources = tuple(number[source] for source in step.sources)
        if step.feeds is not None:
            step.feeds = tuple(_renumbered(feed, number) for feed in step.feeds)
    return (
        [steps[old] for old in kept],
        [[number[after] for after in successors[old] if after in number] for old in kept],
        [number[old] for old in order],
        [port._replace(step=number[port.step]) for port in shown if port.step in number],
    )


def _renumbered(feed: Feed, number: Mapping[int, int]) -> Feed:
    many = feed.many and tuple(source._replace(step=number[source.step]) for source in feed.many)
    return feed._replace(step=number.get(feed.step, -1), many=many)


class Renumber:
    """Replaces the step indices in the sources of bindings."""

    def __init__(self, number: Mapping[int, int]) -> None:
        self.number = number

    def __call__(self, binding: t.Any) -> t.Any:
        """Return the binding with new indices."""
        sources = tuple(source._replace(step=self.number[source.step]) for source in binding.sources)
        return binding._replace(sources=sources)
