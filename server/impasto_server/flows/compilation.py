"""Compiling flow documents: problems, input form, results, kinds of results, estimate."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import impasto
from impasto import Catalog, Flow, FlowInvalid, Plan
from impasto.compiler.estimate import Forecast
from impasto_server.flows.schemas import Estimate, Kind, LaunchEstimate, Notice, Problem, ResultPort, StepCost
from impasto_server.http.schemas import money

EMPTY_FORM: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
_KINDS: dict[str, Kind] = {
    "Image": "image",
    "Mask": "mask",
    "Video": "video",
    "Audio": "audio",
    "Text": "text",
    "Json": "data",
    "Number": "data",
    "Integer": "data",
    "Boolean": "data",
}


_FILES: tuple[Kind, ...] = ("image", "mask", "video", "audio")
_WORD = re.compile(r"\w+")
_MAX_NOTICES = 50
_NOTHING: Mapping[str, float | None] = {"usd": None, "seconds": None}


@dataclass(frozen=True)
class CompiledFlow:
    """A compiled flow document. `plan` is None if the document has errors."""

    plan: Plan | None
    problems: list[Problem]
    inputs: dict[str, Any] = field(default_factory=lambda: dict(EMPTY_FORM))
    results: list[ResultPort] = field(default_factory=list)
    estimate: Estimate = field(default_factory=Estimate)

    @property
    def steps(self) -> dict[str, Estimate]:
        """Estimated cost and duration of each step, by its id."""
        if self.plan is None:
            return {}
        forecast = self.plan.forecast()
        unknown = forecast.unpriced_steps()
        estimates = dict.fromkeys(unknown, _NOTHING) | forecast.by_step()
        return {step: _estimate(each, step in unknown) for step, each in estimates.items()}

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of results of a run, in display order.

        JSON beside a text of the same node is the same content for other nodes, so it is not counted. JSON
        with a meaning, such as hashtags, is read as text.
        """
        nodes_with_text = {result.node for result in self.results if result.type == "Text"}
        kinds = {
            "text" if result.type == "Json" and result.meaning else _KINDS.get(result.type)
            for result in self.results
            if result.type != "Json" or result.node not in nodes_with_text
        }
        return [kind for kind in ("image", "mask", "video", "audio", "text", "data") if kind in kinds]

    @property
    def takes(self) -> list[Kind]:
        """The kinds of files that a launcher may give, in display order."""
        types = " ".join(str(schema.get("x-type")) for schema in self.inputs["properties"].values())
        return [kind for name, kind in _KINDS.items() if kind in _FILES and name in _WORD.findall(types)]

    @property
    def node_types(self) -> dict[str, bool]:
        """The ids of the node types that a run uses, each with whether it is in private beta."""
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
    """Compile a document.

    `flow_id` is the agent's own id, to find subflow cycles. With `targets` (node ids), only the steps that
    they need are compiled. `configured` are the providers that the user has a key for.
    """
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
        estimate_of(plan.forecast()),
    )


def estimate_of(forecast: Forecast) -> Estimate:
    """Return the estimated cost and duration of a run."""
    found = _estimate(forecast.total(), bool(forecast.unpriced_steps()))
    notices = [
        Notice(**{**notice._asdict(), "settings": dict(notice.settings)}, step=step)
        for step, notice in forecast.notices()[:_MAX_NOTICES]
    ]
    return found.model_copy(update={"notices": notices})


def launch_estimate_of(plan: Plan, inputs: Mapping[str, Any]) -> LaunchEstimate:
    """Return the estimated cost and duration of a run with these inputs, and the cost of each node."""
    forecast = plan.forecast(inputs)
    return LaunchEstimate(**estimate_of(forecast).model_dump(), steps=_costs_by_node(forecast))


def _costs_by_node(forecast: Forecast) -> list[StepCost]:
    usd: dict[str, float] = {}
    for step, estimated in forecast.by_step().items():
        node = _node_of(step)
        usd[node] = usd.get(node, 0.0) + (estimated["usd"] or 0.0)
    unpriced = {_node_of(step) for step in forecast.unpriced_steps()}
    return [
        StepCost(node=node, usd=money(usd.get(node, 0.0)), price_unknown=node in unpriced)
        for node in {**usd, **dict.fromkeys(sorted(unpriced))}
        if usd.get(node) or node in unpriced
    ]


def _node_of(step: str) -> str:
    """Return the id of the document's node that a step belongs to: its own, or that of its subflow."""
    return step.partition("/")[0]


def _estimate(values: Mapping[str, float | None], price_unknown: bool) -> Estimate:
    usd, seconds = values["usd"], values["seconds"]
    return Estimate(usd=None if usd is None else money(usd), seconds=seconds, price_unknown=price_unknown)


def _problem(item: impasto.Problem) -> Problem:
    return Problem(**item.to_dict())
