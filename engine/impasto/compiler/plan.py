"""The compiled graph: flat, typed, ordered. Pure data; `run` reads it and never writes to it."""

import re
import typing as t
from collections.abc import Iterable, Mapping, Sequence

from impasto._gc import gc_paused
from impasto.compiler.estimate import estimate, step_estimates
from impasto.compiler.graph import to_networkx
from impasto.compiler.step import ResultPort, Step
from impasto.document.flow import Flow
from impasto.document.model import dumped
from impasto.errors import InputsInvalid, Problem
from impasto.hashing import canonical_json, parse_json
from impasto.sdk.schema import setting_schema
from impasto.sdk.settings import SettingInvalid
from impasto.serialization import json_error
from impasto.types import ValueType, to_json
from impasto.values import MUTABLE

_PATH = re.compile(r"\d+(\.\d+)*", re.ASCII).fullmatch


class Shape:
    """What the nodes' types and the edges decide, whatever the settings are: plans may share it.

    `order` lists each step after what it waits for; `successors` are those that wait for a step, `indegree`
    counts what it waits for, `readers` counts who reads it (also lazily). `groups` are the subflows, each
    with the steps that give its results.
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
        """What is fed lazily is read, but not waited for."""
        for binding in step.bindings():
            if binding.lazy:
                self.lazy = True
                for source in binding.sources:
                    self.readers[source.step] += 1


class Plan:
    """What `compile` makes of a flow. `warnings` are the problems that do not stop it."""

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
        self.warnings = warnings
        self.flows = flows
        self._document: bytes | None = None
        self._inputs: list[Step] | None = None

    @property
    def document(self) -> bytes:
        """The flow and the flows inside it, as the journal keeps them."""
        if self._document is None:
            flows = {
                key: flow.to_dict() if isinstance(flow, Flow) else flow for key, flow in self.flows.items()
            }
            with gc_paused():
                self._document = dumped({"flow": self.flow.to_dict(), "flows": flows})
        return self._document

    @property
    def inputs(self) -> dict[str, t.Any]:
        """The form that a user of the flow fills in, as JSON Schema keyed by node id."""
        steps = self.input_steps()
        return {
            "type": "object",
            "properties": {step.id: _input_schema(step) for step in steps},
            "required": [step.id for step in steps if t.cast("str", step.type.input) not in step.settings],
            "additionalProperties": False,
        }

    def input_steps(self) -> list[Step]:
        """The flow's own input nodes (not those of the flows inside it), in document order."""
        if self._inputs is None:
            found = (step for step in self.steps if step.type.input and "/" not in step.id)
            self._inputs = [step for step in found if not _driven(step)]
        return self._inputs

    @property
    def results(self) -> list[dict[str, t.Any]]:
        """The outputs that a user is shown."""
        shown = (port._asdict() for port in self.shape.shown)
        return [{key: value for key, value in port.items() if key != "step"} for port in shown]

    @property
    def result_ports(self) -> list[ResultPort]:
        """The same, with the index of each port."""
        return self.shape.shown

    def decode_inputs(self, inputs: Mapping[str, t.Any] | None, partial: bool = False) -> dict[int, t.Any]:
        """The inputs checked and decoded, by step index; InputsInvalid names everything that is wrong."""
        if inputs is not None and not isinstance(inputs, Mapping):
            raise InputsInvalid([Problem("bad_input", "Inputs are an object: a value for each node's id.")])
        if not inputs and not self.input_steps():
            return {}
        problems: list[Problem] = []
        decoded: dict[int, t.Any] = {}
        known = {step.id: step for step in self.input_steps()}
        given: Mapping[t.Any, t.Any] = inputs or {}
        for name, value in given.items():
            step = known.get(name)
            if step is None:
                listed = ", ".join(known) or "none"
                sentence = f"This flow has no input '{name}' (its inputs: {listed})."
                problems.append(Problem("unknown_input", sentence, str(name)))
                continue
            try:
                decoded[step.index] = _decoded(step, value)
            except SettingInvalid as error:
                sentence = f"The input '{step.title}' {error}."
                problems.append(Problem("bad_input", sentence, name, setting=step.type.input))
        if not partial:
            missing = (step for step in known.values() if step.id not in given)
            problems += [_missing(step) for step in missing if _lacks(step, decoded)]
        if problems:
            raise InputsInvalid(problems)
        return decoded

    def expand(self, names: Iterable[str] | None, what: str) -> set[int]:
        """The steps that some node ids mean: a subflow's id means the steps inside it."""
        found: set[int] = set()
        inside: set[str] = set()
        problems = []
        groups = self.shape.groups
        for name in names or ():
            if name in self.by_id:
                found.add(self.by_id[name])
            elif name not in groups:
                problems.append(Problem("unknown_node", f"This flow has no node '{name}'.", name))
            elif what == "results":
                found.update(self.by_id[inner] for inner in groups[name] if inner in self.by_id)
            else:
                inside.add(name)
        if problems:
            raise InputsInvalid(problems)
        return found | self._inside(inside)

    def afresh(self, names: Iterable[str]) -> tuple[set[int], dict[int, set[tuple[int, ...]]]]:
        """The steps to make afresh: whole ones, and those of which some items (`paint#2`, `paint#1.0`) are.

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
        """The steps of some subflows, at any depth."""
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
        """The targets and all that they depend on, with or without what is reached only lazily."""
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
        """The ids of all steps that come after the named ones: what a change there makes stale."""
        found = self.expand(names, "all")
        for index in self.order:
            sources = (source.step for binding in self.steps[index].bindings() for source in binding.sources)
            if index not in found and any(source in found for source in sources):
                found.add(index)
        return [step.id for step in self.steps if step.index in found]

    def estimate(self, inputs: Mapping[str, t.Any] | None = None) -> dict[str, float | None]:
        """What a run would cost at most, and how long it would take if its steps say so."""
        return estimate(self.steps, self.order, self.decode_inputs(inputs, partial=True))

    def step_estimates(self, inputs: Mapping[str, t.Any] | None = None) -> dict[str, dict[str, float | None]]:
        """The same for each step by itself, by its id; steps of which nothing is known are left out."""
        found = step_estimates(self.steps, self.order, self.decode_inputs(inputs, partial=True))
        return {
            self.steps[index].id: {"usd": usd, "seconds": seconds}
            for index, (usd, seconds) in found.items()
            if usd or seconds is not None
        }

    def to_networkx(self) -> t.Any:
        """The plan as a networkx.MultiDiGraph, for whoever wants to look further."""
        return to_networkx(self.flow.name, self.steps)


def _decoded(step: Step, value: t.Any) -> t.Any:
    why = json_error(value)
    if why is not None:
        raise SettingInvalid(f"cannot be kept as JSON: {why}")
    if type(value) in MUTABLE:
        # As a resumed run reads it, and nothing that the caller could still change.
        value = parse_json(canonical_json(value))
    return step.type.setting_names[t.cast("str", step.type.input)].decode(value)


def _driven(step: Step) -> bool:
    return any(spec.name == step.type.input for spec, _ in step.dynamic)


def _lacks(step: Step, decoded: dict[int, t.Any]) -> bool:
    return step.index not in decoded and step.type.input not in step.settings


def _missing(step: Step) -> Problem:
    return Problem(
        "required_input", f"The input '{step.title}' is missing.", step.id, setting=step.type.input
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
