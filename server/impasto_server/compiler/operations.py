"""The operations of a compiler process: check documents and inputs, compare documents, read tables.

Requests and answers are JSON in bytes. The server passes large parts of an answer on without parsing them.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import orjson

from impasto import Catalog, Flow, Plan
from impasto.compiler.step import Step
from impasto.errors import FlowInvalid, ImpastoError, InputsInvalid
from impasto_server.compiler.limits import FlowLimits, LimitExceeded, SizeCheck
from impasto_server.flows.compilation import (
    CompiledFlow,
    compile_document,
    estimate_of,
    launch_estimate_of,
)
from impasto_server.flows.schemas import Problem

MAX_PROBLEMS = 500
_MAX_KEPT_STEPS = 20_000
_MIN_CONTENT = 80  # characters of settings: fewer say too little to recognize a flow by


class Operations:
    """The operations by name. Each takes a request's header and its parts, and returns an answer's parts."""

    def __init__(self, catalog: Catalog, limits: FlowLimits) -> None:
        self._catalog = catalog
        self._limits = limits
        self._kept: OrderedDict[str, CompiledFlow] = OrderedDict()

    def warm_up(self) -> None:
        """Compile each type alone: what this imports does not count as the time of the first document."""
        for node_type in self._catalog:
            with suppress(Exception):  # a check may fail without settings
                compile_document(
                    {"format": 1, "nodes": [{"id": "a", "type": node_type.id}]}, self._catalog, {}
                )

    def check(self, header: dict[str, Any], parts: Sequence[bytes]) -> list[bytes]:
        """Compile a document (first part) with its subflows (second part)."""
        started = time.perf_counter()
        document, subflows = orjson.loads(parts[0]), orjson.loads(parts[1])
        try:
            SizeCheck(self._limits, self._catalog, subflows).check(document)
        except LimitExceeded as error:
            return [
                orjson.dumps(
                    {
                        "refused": {
                            "limit": error.limit,
                            "max": error.maximum,
                            "actual": error.actual,
                            "message": str(error),
                        }
                    }
                )
            ]
        compiled = self._compiled(header, document, subflows)
        plan = compiled.plan
        answer = {
            "can_run": plan is not None,
            "problems": [problem.model_dump() for problem in _bounded(compiled.problems)],
            "estimate": compiled.estimate.model_dump(),
            "kinds": compiled.kinds,
            "takes": compiled.takes,
            "node_types": compiled.node_types,
            "parse_error": _parse_error(document),
        }
        rest = [
            orjson.dumps(compiled.inputs),
            orjson.dumps([result.model_dump() for result in compiled.results]),
            orjson.dumps({name: each.model_dump() for name, each in compiled.steps.items()}),
            orjson.dumps(
                [{"id": step.id, "type": step.type.id, "title": step.title} for step in plan.steps]
                if plan
                else []
            ),
            orjson.dumps(_contents(plan, ()) if plan else []),
            orjson.dumps(_contents(plan, self._referenced(document, "")) if plan else []),
        ]
        return [orjson.dumps({**answer, "seconds": time.perf_counter() - started}), *rest]

    def inputs(self, header: dict[str, Any], parts: Sequence[bytes]) -> list[bytes]:
        """Check the inputs of launches (third part, a list) against a document, and estimate each launch."""
        plan = self._plan(header, parts)
        rows = orjson.loads(parts[2])
        ids = _id_problem(plan, header["targets"], header["fresh"])
        checked = [_checked_inputs(plan, row) for row in rows] if ids is None else []
        return [orjson.dumps({"ids": ids, "rows": checked})]

    def estimate(self, header: dict[str, Any], parts: Sequence[bytes]) -> list[bytes]:
        """Estimate a launch with those of the inputs (third part, an object) that are valid."""
        plan = self._plan(header, parts)
        inputs = orjson.loads(parts[2])
        try:
            plan.decode_inputs(inputs, partial=True)
        except InputsInvalid as error:
            invalid = {problem.node for problem in error.problems}
            inputs = {name: value for name, value in inputs.items() if name not in invalid}
        return [orjson.dumps(launch_estimate_of(plan, inputs).model_dump())]

    def form(self, header: dict[str, Any], parts: Sequence[bytes]) -> list[bytes]:
        """Return the schemas of a document's inputs by node id, as far as reading a table needs them."""
        properties = self._plan(header, parts).inputs["properties"]
        kept = ("type", "title", "anyOf")
        return [
            orjson.dumps(
                {
                    name: {key: schema[key] for key in kept if key in schema}
                    for name, schema in properties.items()
                }
            )
        ]

    def diff(self, header: dict[str, Any], parts: Sequence[bytes]) -> list[bytes]:
        """Compare two documents (both parts)."""
        from impasto_server.versions.diff import diff_documents

        found = diff_documents(orjson.loads(parts[0]), orjson.loads(parts[1]))
        return [orjson.dumps(found.model_dump(by_alias=True))]

    def _referenced(self, document: Any, prefix: str) -> tuple[str, ...]:
        """Return the prefixes of the steps that come from agents which the document names by their ids."""
        found: list[str] = []
        for node in document["nodes"]:
            holder = self._catalog[node["type"]].subflow
            inner = (node.get("settings") or {}).get(holder) if holder else None
            if isinstance(inner, str):
                found.append(f"{prefix}{node['id']}/")
            elif isinstance(inner, dict):
                found += self._referenced(inner, f"{prefix}{node['id']}/")
        return tuple(found)

    def _plan(self, header: dict[str, Any], parts: Sequence[bytes]) -> Plan:
        compiled = self._kept.get(header["key"])
        if compiled is None:
            compiled = self._compiled(header, orjson.loads(parts[0]), orjson.loads(parts[1]))
        if compiled.plan is None:
            raise ValueError("inputs are checked for flows that compile")
        return compiled.plan

    def _compiled(
        self, header: dict[str, Any], document: Any, subflows: Mapping[str, dict[str, Any]]
    ) -> CompiledFlow:
        configured = header["configured"]
        compiled = compile_document(
            document,
            self._catalog,
            subflows,
            flow_id=header["flow_id"],
            targets=header["targets"],
            configured=None if configured is None else frozenset(configured),
        )
        if compiled.plan is not None:
            self._keep(header["key"], compiled)
        return compiled

    def _keep(self, key: str, compiled: CompiledFlow) -> None:
        """Keep the plans used last, for the inputs that are checked after the document."""
        self._kept[key] = compiled
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and self._kept_steps() > _MAX_KEPT_STEPS:
            self._kept.popitem(last=False)

    def _kept_steps(self) -> int:
        return sum(100 + len(each.plan.steps) for each in self._kept.values() if each.plan)


def _bounded(problems: Sequence[Problem]) -> list[Problem]:
    """Return all problems, or if there are too many the first ones, errors first, and how many more."""
    if len(problems) <= MAX_PROBLEMS:
        return list(problems)
    by_severity: Callable[[Problem], bool] = lambda problem: problem.severity == "warning"  # noqa: E731
    kept = sorted(problems, key=by_severity)[:MAX_PROBLEMS]
    more = len(problems) - MAX_PROBLEMS
    return [*kept, Problem(code="more_problems", message=f"There are {more:,} more problems.")]


def _parse_error(document: Any) -> str | None:
    try:
        Flow.parse(document)
    except ImpastoError as error:
        return str(error)[:2000]
    return None


def _contents(plan: Plan, without: tuple[str, ...]) -> list[str]:
    """Return what identifies the content of a plan: a digest of the type and settings of each step.

    Steps whose settings are the defaults, or hardly differ from them, are left out, and so are those whose
    ids begin with one of the prefixes `without`.
    """
    steps = (step for step in plan.steps if not step.id.startswith(without)) if without else plan.steps
    return sorted({step.static.hex() for step in steps if _own_characters(step) >= _MIN_CONTENT})


def _own_characters(step: Step) -> int:
    """Return the length of what a step's settings say beyond the defaults of its type."""
    names = step.type.setting_names
    return sum(len(str(value)) for name, value in step.settings.items() if value != names[name].default)


def _id_problem(plan: Plan, targets: Sequence[str] | None, fresh: Sequence[str]) -> dict[str, Any] | None:
    """Return the field and the problems of the ids that are not in the plan."""
    field = "targets"
    try:
        plan.expand(targets, "all")
        field = "fresh"
        plan.afresh(fresh)
    except InputsInvalid as error:
        return {"field": field, "problems": _problems(error)}
    return None


def _checked_inputs(plan: Plan, inputs: dict[str, Any]) -> dict[str, Any]:
    try:
        plan.decode_inputs(inputs)
    except InputsInvalid as error:
        return {"problems": _problems(error)}
    forecast = plan.forecast(inputs)
    return {
        "problems": [],
        "estimate": estimate_of(forecast).model_dump(),
        "provider_costs": forecast.provider_costs(),
        "is_unpriced": plan.has_unpriced_steps or bool(forecast.unpriced_steps()),
    }


def _problems(error: InputsInvalid | FlowInvalid) -> list[dict[str, str]]:
    return [
        {"node": problem.node or "", "code": problem.code, "message": problem.message}
        for problem in error.problems[:MAX_PROBLEMS]
    ]
