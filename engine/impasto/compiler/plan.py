"""The plan: a compiled flow, flat, typed and ordered. Pure data, which runs share and never change."""

import math
import re
import typing as t
from collections.abc import Iterable, Mapping, Sequence

from impasto._gc import gc_paused
from impasto.compiler.estimate import (
    Notice,
    estimate,
    notices,
    provider_costs,
    step_estimates,
    unpriced_steps,
)
from impasto.compiler.exposed import ExposedSetting, failed_checks
from impasto.compiler.graph import descendants, edges_of, to_networkx
from impasto.compiler.stand_ins import never_called
from impasto.compiler.step import ResultPort, Step, mark_tracked
from impasto.compiler.suggestions import listed
from impasto.document.flow import Flow
from impasto.document.model import dump_json
from impasto.encoding import to_json
from impasto.errors import InputsInvalid, Problem
from impasto.hashing import canonical_json, parse_json
from impasto.sdk.schema import setting_schema
from impasto.sdk.settings import SettingInvalid, SettingSpec
from impasto.serialization import json_error
from impasto.types import ValueType
from impasto.values import MUTABLE

_PATH = re.compile(r"\d+(\.\d+)*", re.ASCII).fullmatch


class PlanInput(t.NamedTuple):
    """One input of a flow: `name` is the key in a run's inputs, `spec` the setting that it replaces.

    `exposed` is None for the value of an input node.
    """

    name: str
    step: Step
    spec: SettingSpec
    exposed: ExposedSetting | None

    @property
    def title(self) -> str:
        """The label in sentences: that of the node, and for an exposed setting also its own."""
        return self.step.title if self.exposed is None else f"{self.step.title}: {self.schema['title']}"

    @property
    def schema(self) -> dict[str, t.Any]:
        """The input as JSON Schema with hints for its form field."""
        if self.exposed is None:
            return _input_schema(self.step)
        schema = self.exposed.schema(self.step.settings.get(self.spec.name))
        schema |= {"x-node": self.step.type.id, "x-step": self.step.id, "x-group": self.step.title}
        schema.setdefault("x-type", str(self.spec.port or "Json"))
        return schema


class Shape:
    """The part of a plan that depends on node types and edges only; plans of edited settings share it.

    `order` is a topological order of step indices. By step index: `successors` are the steps that wait for
    it, `indegree` counts the steps that it waits for, `readers` those that read it, also lazily. `groups` has
    the ids of the steps that give each subflow's results, by its path.
    """

    __slots__ = ("by_id", "groups", "indegree", "lazy", "order", "readers", "shown", "successors")

    def __init__(
        self,
        steps: Sequence[Step],
        successors: list[list[int]],
        order: list[int],
        shown: list[ResultPort],
        groups: Mapping[str, Iterable[str]],
    ) -> None:
        self.order = order
        self.successors = successors
        self.shown = shown
        self.groups = groups
        self.by_id = {step.id: step.index for step in steps}
        self.indegree = [len(step.sources) for step in steps]
        self.readers = [0] * len(steps)
        self.lazy = False
        for step in steps:
            for source in step.sources:
                self.readers[source] += 1
            if step.feeds is None:
                self._count_lazy(step)

    def _count_lazy(self, step: Step) -> None:
        """Count the readers of lazy inputs, which are read but not waited for."""
        for binding in step.bindings():
            if binding.lazy:
                self.lazy = True
                for source in binding.sources:
                    self.readers[source.step] += 1


class Plan:
    """A compiled flow, ready to run. `warnings` are the problems that do not prevent it from running.

    `is_tracked`: there are values of which a run records what steps read.
    """

    def __init__(
        self,
        flow: Flow,
        steps: list[Step],
        shape: Shape,
        value_types: Mapping[str, ValueType],
        flows: Mapping[str, t.Any],
        warnings: list[Problem],
    ) -> None:
        self.flow = flow
        self.steps = steps
        self.shape = shape
        self.order = shape.order
        self.successors = shape.successors
        self.by_id = shape.by_id
        self.indegree = shape.indegree
        self.readers = shape.readers
        self.lazy = shape.lazy
        self.value_types = value_types
        self._warnings = warnings
        self.flows = flows
        self.is_tracked = mark_tracked(steps)
        self._document: bytes | None = None
        self._inputs: list[Step] | None = None

    @property
    def warnings(self) -> list[Problem]:
        """The problems that do not prevent the plan from running."""
        return self._warnings + [_unused(step) for step in self.unused_inputs()]

    @property
    def document(self) -> bytes:
        """The flow and its subflows as JSON, for the head of the journal."""
        if self._document is None:
            flows = {
                key: flow.to_dict() if isinstance(flow, Flow) else flow for key, flow in self.flows.items()
            }
            with gc_paused():
                self._document = dump_json({"flow": self.flow.to_dict(), "flows": flows})
        return self._document

    @property
    def inputs(self) -> dict[str, t.Any]:
        """The inputs of a run as JSON Schema.

        An object with a property for each input node's id, then one for each exposed setting, `node.setting`.
        """
        return {
            "type": "object",
            "properties": {each.name: each.schema for each in self.run_inputs()},
            "required": [step.id for step in self._lacking()],
            "additionalProperties": False,
        }

    def input_steps(self) -> list[Step]:
        """Return the steps of the flow's own input nodes (not those of subflows), in document order."""
        if self._inputs is None:
            found = (step for step in self.steps if step.type.input and "/" not in step.id)
            self._inputs = [step for step in found if not _driven(step)]
        return self._inputs

    def run_inputs(self) -> list[PlanInput]:
        """Return what a run's inputs may set: the input nodes, then the exposed settings in their order."""
        found = [
            PlanInput(step.id, step, step.type.setting_names[t.cast("str", step.type.input)], None)
            for step in self.input_steps()
        ]
        exposed = [
            PlanInput(each.name, step, each.spec, each)
            for step in self.steps
            for each in step.exposed
            if "/" not in step.id
        ]
        return found + sorted(exposed, key=_order)

    def unused_inputs(self, given: Mapping[int, Mapping[str, t.Any]] | None = None) -> list[Step]:
        """Return the input steps that are empty and that no step reads: a run skips them.

        `given` are the decoded inputs of a run, by step index. In a flow of nothing but inputs, they are the
        results, so none is unused.
        """
        unread = [step for step in self.input_steps() if not self.readers[step.index]]
        values = given or {}
        free = [
            step
            for step in unread
            if _is_empty(values.get(step.index, {}).get(t.cast("str", step.type.input), _value(step)))
        ]
        return free if free and any(step.type.input is None for step in self.steps) else []

    @property
    def disabled(self) -> frozenset[int]:
        """The indices of the steps of disabled nodes, which a run skips."""
        return frozenset(step.index for step in self.steps if step.type.function is never_called)

    def _lacking(self) -> list[Step]:
        """Return the input steps to which a run has to give a value."""
        unused = {step.index for step in self.unused_inputs()}
        return [
            step
            for step in self.input_steps()
            if step.type.input not in step.settings and step.index not in unused
        ]

    @property
    def results(self) -> list[dict[str, t.Any]]:
        """The results of the flow: for each its node, port, type, title, and whether it is a list.

        `meaning` and `text_of` are what the output declares (`Port`), or None.
        """
        return [self._result(port) for port in self.shape.shown]

    def _result(self, shown: ResultPort) -> dict[str, t.Any]:
        step = self.steps[shown.step]
        port = step.type.outputs[step.type.output_names[shown.port]]
        known = {key: value for key, value in shown._asdict().items() if key != "step"}
        return {**known, "meaning": port.meaning_for(step.settings), "text_of": port.text_of}

    @property
    def result_ports(self) -> list[ResultPort]:
        """The results of the flow, with the indices of their steps."""
        return self.shape.shown

    def decode_inputs(
        self, inputs: Mapping[str, t.Any] | None, partial: bool = False
    ) -> dict[int, dict[str, t.Any]]:
        """Return the checked and decoded inputs: settings by step index.

        `partial` allows required ones to be missing.

        Raises InputsInvalid with all problems.
        """
        if inputs is not None and not isinstance(inputs, Mapping):
            raise InputsInvalid(
                [Problem(code="bad_input", message="Inputs must be an object: a value for each node id.")]
            )
        if not inputs and not self.input_steps():
            return {}
        problems: list[Problem] = []
        decoded: dict[int, dict[str, t.Any]] = {}
        known = {each.name: each for each in reversed(self.run_inputs())}
        given: Mapping[t.Any, t.Any] = inputs or {}
        changed: dict[int, PlanInput] = {}
        for name, value in given.items():
            found = known.get(name)
            if found is None:
                names = [each.name for each in self.run_inputs()]
                message = f"This flow has no input '{name}' (its inputs: {listed(names)})."
                problems.append(Problem(code="unknown_input", message=message, node=str(name)))
                continue
            try:
                decoded.setdefault(found.step.index, {})[found.spec.name] = _decoded(found.spec, value)
            except SettingInvalid as error:
                message = f"The input '{found.title}' {error}."
                problems.append(
                    Problem(code="bad_input", message=message, node=name, setting=found.spec.name)
                )
            else:
                if found.exposed is not None:
                    changed[found.step.index] = found
        problems += [problem for each in changed.values() for problem in _refused(each, decoded)]
        if not partial:
            problems += [_missing(step) for step in self._lacking() if step.id not in given]
        if problems:
            raise InputsInvalid(problems)
        return decoded

    def expand(self, names: Iterable[str] | None, what: str) -> set[int]:
        """Return the indices of the steps with these node ids.

        A subflow's id means all steps inside it, or with `what` "results" those that give its results. Raises
        InputsInvalid for unknown ids.
        """
        found: set[int] = set()
        inside: set[str] = set()
        problems = []
        groups = self.shape.groups
        for name in names or ():
            if name in self.by_id:
                found.add(self.by_id[name])
            elif name not in groups:
                problems.append(
                    Problem(code="unknown_node", message=f"This flow has no node '{name}'.", node=name)
                )
            elif what == "results":
                found.update(self.by_id[inner] for inner in groups[name] if inner in self.by_id)
            else:
                inside.add(name)
        if problems:
            raise InputsInvalid(problems)
        return found | self._inside(inside)

    def afresh(self, names: Iterable[str]) -> tuple[set[int], dict[int, set[tuple[int, ...]]]]:
        """Return what to run again: whole steps, and paths of items (`paint#2`, `paint#1.0`) by step.

        Raises InputsInvalid for names that are not in the plan.
        """
        whole: list[str] = []
        items: dict[int, set[tuple[int, ...]]] = {}
        for name in names:
            step, mark, path = name.rpartition("#")
            if mark and name not in self.by_id and step in self.by_id and _PATH(path):
                items.setdefault(self.by_id[step], set()).add(tuple(map(int, path.split("."))))
            else:
                whole.append(name)
        return self.expand(whole, "all"), items

    def _inside(self, groups: set[str]) -> set[int]:
        """Return the steps of subflows, at any depth."""
        found: set[int] = set()
        for name, index in self.by_id.items() if groups else ():
            cut = name.rfind("/")
            while cut > 0:
                if name[:cut] in groups:
                    found.add(index)
                    break
                cut = name.rfind("/", 0, cut)
        return found

    def needed(self, targets: Iterable[int], lazy: bool = True) -> set[int]:
        """Return the targets and everything that they depend on, with or without lazy inputs.

        Runs call this for every awaited lazy input, so it does not use networkx.
        """
        found: set[int] = set()
        todo = list(targets)
        while todo:
            index = todo.pop()
            if index in found:
                continue
            found.add(index)
            for binding in self.steps[index].bindings():
                if lazy or not binding.lazy:
                    todo.extend(source.step for source in binding.sources)
        return found

    def dependants(self, names: Iterable[str]) -> list[str]:
        """Return the ids of the named steps and of all that depend on them, which a change there makes stale.

        Raises InputsInvalid for unknown ids.
        """
        found = descendants(self.expand(names, "all"), edges_of(self.steps))
        return [step.id for step in self.steps if step.index in found]

    def estimate(self, inputs: Mapping[str, t.Any] | None = None) -> dict[str, float | None]:
        """Return the estimated `usd` and `seconds` of a run; seconds are None if no step estimates them.

        Raises InputsInvalid.
        """
        return estimate(self.steps, self.order, self.decode_inputs(inputs, partial=True))

    def step_estimates(self, inputs: Mapping[str, t.Any] | None = None) -> dict[str, dict[str, float | None]]:
        """Return the estimates of each step by id, without the steps that have none. Raises InputsInvalid."""
        found = step_estimates(self.steps, self.order, self.decode_inputs(inputs, partial=True))
        return {
            self.steps[index].id: {"usd": usd, "seconds": seconds}
            for index, (usd, seconds) in found.items()
            if usd or seconds is not None
        }

    def provider_costs(self, inputs: Mapping[str, t.Any] | None = None) -> dict[str, float]:
        """Return the estimated US dollars by provider id; "" is what no provider is named for.

        Raises InputsInvalid.
        """
        return provider_costs(self.steps, self.order, self.decode_inputs(inputs, partial=True))

    def unpriced_steps(self, inputs: Mapping[str, t.Any] | None = None) -> list[str]:
        """Return the ids of the steps whose price is not known; estimates leave them out.

        Raises InputsInvalid.
        """
        found = unpriced_steps(self.steps, self.order, self.decode_inputs(inputs, partial=True))
        return [self.steps[index].id for index in found]

    def notices(self, inputs: Mapping[str, t.Any] | None = None) -> list[tuple[str, Notice]]:
        """Return what a run with these inputs will not do as asked, each with the id of its step.

        Raises InputsInvalid.
        """
        found = notices(self.steps, self.order, self.decode_inputs(inputs, partial=True))
        return [(self.steps[index].id, notice) for index, notice in found]

    @property
    def has_unpriced_steps(self) -> bool:
        """Whether a generative step has no cost function, so that no estimate covers it."""
        return any(step.type.generative and step.type.cost is None for step in self.steps)

    def to_networkx(self) -> t.Any:
        """Return the plan as a networkx.MultiDiGraph, for analysis."""
        return to_networkx(self.flow.name, self.steps)


def _order(one: PlanInput) -> float:
    order = one.exposed.order if one.exposed is not None else None
    return math.inf if order is None else order


def _refused(changed: PlanInput, decoded: Mapping[int, Mapping[str, t.Any]]) -> list[Problem]:
    """Return what the node type refuses in a step's settings as the inputs change them."""
    step, exposed = changed.step, changed.exposed
    settings = {**step.settings, **decoded[step.index]}
    messages = failed_checks(step.type, settings, exposed.configured if exposed is not None else None)
    return [
        Problem(
            code="bad_input", message=f"{step.title}: {message}", node=changed.name, setting=changed.spec.name
        )
        for message in messages
    ]


def _decoded(spec: SettingSpec, value: t.Any) -> t.Any:
    why = json_error(value)
    if why is not None:
        raise SettingInvalid(f"cannot be stored as JSON: {why}")
    if type(value) in MUTABLE:
        # A copy that the caller cannot change, exactly as a resumed run reads it from the journal.
        value = parse_json(canonical_json(value))
    return spec.decode(value)


def _driven(step: Step) -> bool:
    return any(spec.name == step.type.input for spec, _ in step.dynamic)


def _value(step: Step) -> t.Any:
    """Return the value of an input step in the document; None if it has none."""
    return step.settings.get(t.cast("str", step.type.input))


def _is_empty(value: t.Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)


def _unused(step: Step) -> Problem:
    return Problem(
        code="unused_input",
        message=f"The input '{step.title}' is empty, and nothing uses it: a run skips it.",
        node=step.id,
        setting=step.type.input,
        hint="Connect it, or remove it.",
        severity="warning",
    )


def _missing(step: Step) -> Problem:
    return Problem(
        code="required_input",
        message=f"The input '{step.title}' is missing.",
        node=step.id,
        setting=step.type.input,
    )


def _input_schema(step: Step) -> dict[str, t.Any]:
    spec = step.type.setting_names[t.cast("str", step.type.input)]
    schema = setting_schema(spec)
    schema.pop("default", None)
    if spec.name in step.settings:
        schema["default"] = to_json(step.settings[spec.name])
    schema["title"] = step.title
    schema["x-node"] = step.type.id
    schema["x-type"] = str(spec.port or (step.type.outputs[0].type if step.type.outputs else "Json"))
    schema["x-settings"] = {
        name: to_json(value) for name, value in step.settings.items() if name != spec.name
    }
    return schema
