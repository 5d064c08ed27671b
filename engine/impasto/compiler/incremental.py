"""A flow that was compiled before and has changed only in some settings: only those are looked at again.

The catalogue remembers what it compiled: each node's facts, as bytes that nobody can change meanwhile, and
the plan. A flow with the same nodes and edges shares that plan's shape and every step whose facts are the
same. It is as if the flow had been compiled afresh: what might not be (a check that a node type brings, a
setting that is a list or an object, which a node's function could have changed) is always done again.
"""

import marshal

from impasto.compiler.build_step import Builder
from impasto.compiler.catalog import Catalog
from impasto.compiler.plan import Plan
from impasto.compiler.step import Step
from impasto.compiler.subflows import Draft, Expansion, Level
from impasto.document.flow import Flow
from impasto.document.model import FlowNode
from impasto.errors import FlowInvalid, Problem

Noted = tuple[int, Problem]
_PLAIN = frozenset((str, int, float, bool, type(None)))
_BYTES_A_STEP, _LIGHTEST = 4096, 100


class Facts:
    """What a flow's nodes and edges are, whatever is done to the flow afterwards, and for which providers."""

    __slots__ = ("configured", "nodes", "sources", "targets")

    def __init__(
        self, nodes: list[bytes], sources: list[str], targets: list[str], configured: frozenset[str] | None
    ) -> None:
        self.nodes = nodes
        self.configured = configured
        self.sources = sources
        self.targets = targets

    def weight(self) -> int:
        """What it costs to remember them and their plan, in steps."""
        return max(_LIGHTEST, len(self.nodes), sum(map(len, self.nodes)) // _BYTES_A_STEP)


class Compiled:
    """A plan, what it was made from, and what was noted meanwhile."""

    __slots__ = ("_unsteady", "facts", "noted", "plan")

    def __init__(self, facts: Facts, plan: Plan, noted: list[Noted]) -> None:
        self.facts = facts
        self.plan = plan
        self.noted = noted
        self._unsteady: set[int] | None = None

    def unsteady(self) -> set[int]:
        """The steps that are to be built each time."""
        if self._unsteady is None:
            self._unsteady = {step.index for step in self.plan.steps if _unsteady(step)}
        return self._unsteady

    def changed(self, facts: Facts, plan: Plan, noted: list[Noted], again: set[int]) -> "Compiled":
        """The same after some of its steps, and all the unsteady ones, were built again."""
        found = Compiled(facts, plan, noted)
        found._unsteady = {index for index in again if _unsteady(plan.steps[index])}
        return found


def facts_of(flow: Flow, configured: frozenset[str] | None) -> Facts | None:
    """The flow's facts; None if they cannot be told strictly (it holds something that is no document's)."""
    try:
        nodes = [
            marshal.dumps((node.id, node.type, node.version, node.title, node.result, node.settings), 0)
            for node in flow.nodes
        ]
    except ValueError:
        return None
    sources, targets = [edge.source for edge in flow.edges], [edge.target for edge in flow.edges]
    return Facts(nodes, sources, targets, configured)


def remember(catalog: Catalog, facts: Facts, plan: Plan, noted: list[Noted]) -> None:
    """Keep a plan for the next time."""
    catalog.compiled.add(Compiled(facts, plan, noted), facts.weight())


def _unsteady(step: Step) -> bool:
    if step.type.check is not None:
        return True
    return any(type(value) not in _PLAIN for value in step.settings.values())


def recompiled(flow: Flow, facts: Facts, catalog: Catalog, configured: frozenset[str] | None) -> Plan | None:
    """The plan of a flow that the catalogue knows but for some settings; None if it does not.

    Raises FlowInvalid with every problem, as compiling afresh would.
    """
    for past in catalog.compiled:
        known = past.facts
        if (
            len(known.nodes) == len(facts.nodes)
            and known.targets == facts.targets
            and known.sources == facts.sources
            and known.configured == facts.configured
        ):
            plan = _Recompiling(flow, facts, past, catalog, configured).plan()
            if plan is not None:
                return plan
    return None


class _Recompiling:
    def __init__(
        self, flow: Flow, facts: Facts, past: Compiled, catalog: Catalog, configured: frozenset[str] | None
    ) -> None:
        self.flow = flow
        self.facts = facts
        self.past = past
        self.catalog = catalog
        self.expansion = Expansion(catalog, None)
        self.builder = Builder(self.expansion, catalog, configured)
        self.level = Level(flow, "", None, None, ())

    def plan(self) -> Plan | None:
        """The plan, or None if more than settings has changed."""
        past, facts = self.past, self.facts
        pairs = enumerate(zip(past.facts.nodes, facts.nodes, strict=True))
        changed = {index for index, (before, now) in pairs if before != now}
        if not all(self._only_settings(index) for index in changed):
            return None
        again = changed | past.unsteady()
        steps = list(past.plan.steps)
        for index in again:
            step = self._step(index, steps[index])
            if step is None:
                return None
            steps[index] = step
        noted = [(order, problem) for order, problem in past.noted if order not in again]
        noted = sorted(noted + self.expansion.problems, key=lambda item: item[0])
        problems = [problem for _, problem in noted]
        if any(problem.severity == "error" for problem in problems):
            raise FlowInvalid(problems)
        plan = Plan(self.flow, steps, past.plan.shape, self.catalog.value_types, {}, problems)
        self.catalog.compiled.add(past.changed(facts, plan, noted, again), facts.weight(), past)
        return plan

    def _only_settings(self, index: int) -> bool:
        """Whether a node is the same but for its settings: these come last in its facts."""
        fact, node = self.facts.nodes[index], self.flow.nodes[index]
        head = fact[: len(fact) - len(marshal.dumps(node.settings, 0))]
        return self.past.facts.nodes[index].startswith(head)

    def _step(self, index: int, before: Step) -> Step | None:
        """The node's step anew, bound as it was; None if its settings have given it other ports."""
        step = self.builder.step(self._draft(index, self.flow.nodes[index], before))
        if step is None or [port.name for port in step.ports] != [port.name for port in before.ports]:
            return None
        step.bind_like(before)
        return step

    def _draft(self, index: int, node: FlowNode, before: Step) -> Draft:
        draft = Draft(index, node.id, node, before.type, self.level)
        draft.fed = {spec.name: [] for spec, _ in before.dynamic}
        return draft
