"""Incremental compilation: after an edit that changed only settings, only the edited steps are compiled.

The catalog keeps a fingerprint of each compiled flow (immutable bytes for each node) and its plan. A flow
with the same nodes and edges shares that plan's shape and every step whose fingerprint is equal. The result
equals a full compilation, because two kinds of step are compiled every time: steps whose node type has a
`check` of its own, and steps with a setting that is a list or an object, which a function could have changed.
"""

import marshal

from impasto.compiler.build_step import StepBuilder
from impasto.compiler.catalog import Catalog
from impasto.compiler.plan import Plan
from impasto.compiler.step import Step
from impasto.compiler.subflows.expansion import Expansion
from impasto.compiler.subflows.levels import Draft, Level, Wire
from impasto.compiler.variables import VariableBinder
from impasto.document.flow import Flow
from impasto.document.model import FlowNode
from impasto.errors import FlowInvalid, Problem

Noted = tuple[int, Problem]
_PLAIN = frozenset((str, int, float, bool, type(None)))
_BYTES_PER_STEP, _MIN_WEIGHT = 4096, 100


class Fingerprint:
    """A flow's nodes and edges, and the configured providers, as immutable values."""

    __slots__ = ("configured", "nodes", "sources", "targets")

    def __init__(
        self, nodes: list[bytes], sources: list[str], targets: list[str], configured: frozenset[str] | None
    ) -> None:
        self.nodes = nodes
        self.configured = configured
        self.sources = sources
        self.targets = targets

    def weight(self) -> int:
        """Return what keeping it and its plan costs, in steps."""
        return max(_MIN_WEIGHT, len(self.nodes), sum(map(len, self.nodes)) // _BYTES_PER_STEP)


class Compiled:
    """A plan, the fingerprint of its flow, and the problems that were noted."""

    __slots__ = ("_volatile", "fingerprint", "noted", "plan")

    def __init__(self, fingerprint: Fingerprint, plan: Plan, noted: list[Noted]) -> None:
        self.fingerprint = fingerprint
        self.plan = plan
        self.noted = noted
        self._volatile: set[int] | None = None

    def volatile(self) -> set[int]:
        """Return the indices of the steps to compile every time."""
        if self._volatile is None:
            self._volatile = {step.index for step in self.plan.steps if _volatile(step)}
        return self._volatile

    def changed(
        self, fingerprint: Fingerprint, plan: Plan, noted: list[Noted], again: set[int]
    ) -> "Compiled":
        """Return the result of compiling the steps in `again` once more, which include all volatile ones."""
        found = Compiled(fingerprint, plan, noted)
        found._volatile = {index for index in again if _volatile(plan.steps[index])}
        return found


def fingerprint_of(flow: Flow, configured: frozenset[str] | None) -> Fingerprint | None:
    """Return the flow's fingerprint; None for a flow to compile every time.

    It has objects that no document has, or nodes with stand-ins, which change more than one step.
    """
    if any(node.mode is not None or node.pin is not None for node in flow.nodes):
        return None
    try:
        nodes = [
            marshal.dumps(
                (
                    node.id,
                    node.type,
                    node.version,
                    node.title,
                    node.result,
                    node.exposed or None,
                    node.settings,
                ),
                0,
            )
            for node in flow.nodes
        ]
    except ValueError:
        return None
    sources, targets = [edge.source for edge in flow.edges], [edge.target for edge in flow.edges]
    return Fingerprint(nodes, sources, targets, configured)


def remember(catalog: Catalog, fingerprint: Fingerprint, plan: Plan, noted: list[Noted]) -> None:
    """Keep a plan for the next compilation."""
    catalog.compiled.add(Compiled(fingerprint, plan, noted), fingerprint.weight())


def _volatile(step: Step) -> bool:
    if step.type.check is not None:
        return True
    return any(type(value) not in _PLAIN for value in step.settings.values())


def recompiled(
    flow: Flow, bound: Flow, fingerprint: Fingerprint, catalog: Catalog, configured: frozenset[str] | None
) -> Plan | None:
    """Return the plan of a flow that differs only in settings from one compiled before; None if none does.

    `bound` is the flow with the values of its variables in place, and `fingerprint` that of `bound`.

    Raises FlowInvalid with every problem, as a full compilation would.
    """
    for past in catalog.compiled:
        known = past.fingerprint
        if (
            len(known.nodes) == len(fingerprint.nodes)
            and known.targets == fingerprint.targets
            and known.sources == fingerprint.sources
            and known.configured == fingerprint.configured
        ):
            plan = _Recompilation(flow, bound, fingerprint, past, catalog, configured).plan()
            if plan is not None:
                return plan
    return None


class _Recompilation:
    def __init__(
        self,
        flow: Flow,
        bound: Flow,
        fingerprint: Fingerprint,
        past: Compiled,
        catalog: Catalog,
        configured: frozenset[str] | None,
    ) -> None:
        self.flow = flow
        self.nodes = bound.nodes
        self.fingerprint = fingerprint
        self.past = past
        self.catalog = catalog
        self.expansion = Expansion(catalog, None, VariableBinder(catalog))
        self.builder = StepBuilder(self.expansion, catalog, configured)
        self.level = Level(bound, "", None, None, ())

    def plan(self) -> Plan | None:
        """Return the plan, or None if more than settings has changed."""
        past, fingerprint = self.past, self.fingerprint
        pairs = enumerate(zip(past.fingerprint.nodes, fingerprint.nodes, strict=True))
        changed = {index for index, (before, now) in pairs if before != now}
        if not all(self._only_settings(index) for index in changed):
            return None
        again = changed | past.volatile()
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
        self.catalog.compiled.add(past.changed(fingerprint, plan, noted, again), fingerprint.weight(), past)
        return plan

    def _only_settings(self, index: int) -> bool:
        """Return whether only a node's settings have changed; they come last in its fingerprint."""
        dumped, node = self.fingerprint.nodes[index], self.nodes[index]
        head = dumped[: len(dumped) - len(marshal.dumps(node.settings, 0))]
        return self.past.fingerprint.nodes[index].startswith(head)

    def _step(self, index: int, before: Step) -> Step | None:
        """Return the node's step, connected as before; None if its settings have changed its ports."""
        step = self.builder.step(self._draft(index, self.nodes[index], before))
        if step is None or [port.name for port in step.ports] != [port.name for port in before.ports]:
            return None
        step.bind_like(before)
        return step

    def _draft(self, index: int, node: FlowNode, before: Step) -> Draft:
        draft = Draft(index, node.id, node, before.type, self.level)
        # A flow that is compiled so has no other one around it, from which a setting could be connected.
        source = Draft(index, node.id, node, before.type, self.level)
        draft.fed = {spec.name: [Wire(source, "", 0, "")] for spec, _ in before.dynamic}
        return draft
