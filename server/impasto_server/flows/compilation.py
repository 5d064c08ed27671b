"""What a flow document means: its problems, its form, its results, what it makes and costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import impasto
from impasto import Catalog, Flow, FlowInvalid, Plan
from impasto_server.flows.schemas import Estimate, Kind, Problem, ResultPort
from impasto_server.http.schemas import money

MAX_NODES = 5000
EMPTY_FORM: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
_KINDS: dict[str, Kind] = {
    "Image": "image",
    "Video": "video",
    "Audio": "audio",
    "Text": "text",
    "Json": "data",
    "Number": "data",
    "Integer": "data",
    "Boolean": "data",
}


@dataclass(frozen=True)
class CompiledFlow:
    """A document as the compiler reads it. `plan` is None while it has errors."""

    plan: Plan | None
    problems: list[Problem]
    inputs: dict[str, Any] = field(default_factory=lambda: dict(EMPTY_FORM))
    results: list[ResultPort] = field(default_factory=list)
    estimate: Estimate = field(default_factory=Estimate)

    @property
    def steps(self) -> dict[str, Estimate]:
        """What each step would cost and take, as far as it is known."""
        found = self.plan.step_estimates() if self.plan else {}
        return {step: _estimate(each) for step, each in found.items()}

    @property
    def kinds(self) -> list[Kind]:
        """What a run makes, in the order in which kinds are named everywhere.

        Data beside a text of the same node is that text once more, for other nodes: no kind of its own.
        """
        written = {result.node for result in self.results if result.type == "Text"}
        made = {
            _KINDS.get(result.type)
            for result in self.results
            if result.type != "Json" or result.node not in written
        }
        return [kind for kind in ("image", "video", "audio", "text", "data") if kind in made]

    @property
    def node_types(self) -> dict[str, bool]:
        """The title of every node type that a run uses, and whether it is in private beta."""
        return {step.type.id: step.type.beta for step in self.plan.steps} if self.plan else {}


def compile_document(
    document: dict[str, Any],
    catalog: Catalog,
    subflows: Mapping[str, dict[str, Any]],
    *,
    flow_id: str | None = None,
    targets: Sequence[str] | None = None,
    configured: frozenset[str] | None = None,
) -> CompiledFlow:
    """Read a document. With `targets` only what they need has to be free of problems."""
    try:
        flow = Flow.parse(document)
        plan = impasto.compile(
            flow, catalog, flows=subflows.get, flow_id=flow_id, targets=targets, configured=configured
        )
    except FlowInvalid as error:
        return CompiledFlow(None, [_problem(item) for item in error.problems])
    return CompiledFlow(
        plan,
        [_problem(item) for item in plan.warnings],
        plan.inputs,
        [ResultPort(**item) for item in plan.results],
        estimate_of(plan, {}),
    )


def estimate_of(plan: Plan, inputs: Mapping[str, Any]) -> Estimate:
    """Return what a run with these inputs would cost and take."""
    return _estimate(plan.estimate(inputs))


def _estimate(found: Mapping[str, float | None]) -> Estimate:
    usd = found["usd"]
    return Estimate(usd=None if usd is None else money(usd), seconds=found["seconds"])


def _problem(item: Any) -> Problem:
    return Problem(**{name: item[name] for name in Problem.model_fields})
