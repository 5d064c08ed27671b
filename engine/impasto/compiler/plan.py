"""The plan: a compiled flow, flat, typed and ordered. Pure data, which runs share and never change."""

import re
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from impasto.compiler.estimate import Forecast, Notice
from impasto.compiler.graph import descendants, edges_of, to_networkx
from impasto.compiler.run_inputs import RunInput, RunInputs
from impasto.compiler.stand_ins import never_called
from impasto.compiler.step import ResultPort, Step, mark_tracked
from impasto.document.flow import Flow
from impasto.document.model import dump_json
from impasto.errors import InputsInvalid, Problem
from impasto.garbage_collection import gc_paused
from impasto.types import ValueType

_PATH = re.compile(r"\d+(\.\d+)*", re.ASCII).fullmatch


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
        self._run_inputs = RunInputs(steps, shape.readers)

    @property
    def warnings(self) -> list[Problem]:
        """The problems that do not prevent the plan from running."""
        return self._warnings + self._run_inputs.warnings()

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
        return self._run_inputs.schema()

    def input_steps(self) -> list[Step]:
        """Return the steps of the flow's own input nodes (not those of subflows), in document order."""
        return self._run_inputs.nodes()

    def run_inputs(self) -> list[RunInput]:
        """Return what a run's inputs may set: the input nodes, then the exposed settings in their order."""
        return self._run_inputs.entries()

    def unused_inputs(self, given: Mapping[int, Mapping[str, t.Any]] | None = None) -> list[Step]:
        """Return the input steps that are empty and that no step reads: a run skips them.

        `given` are the decoded inputs of a run, by step index. In a flow of nothing but inputs, they are the
        results, so none is unused.
        """
        return self._run_inputs.unused(given)

    def decode_inputs(
        self, inputs: Mapping[str, t.Any] | None, partial: bool = False
    ) -> dict[int, dict[str, t.Any]]:
        """Return the checked and decoded inputs: settings by step index.

        `partial` allows required ones to be missing.

        Raises InputsInvalid with all problems.
        """
        return self._run_inputs.decode(inputs, partial)

    @cached_property
    def disabled(self) -> frozenset[int]:
        """The indices of steps that a run skips: disabled nodes, and bypassed ones that pass nothing on."""
        return frozenset(step.index for step in self.steps if step.type.function is never_called)

    @cached_property
    def generative(self) -> list[Step]:
        """The steps whose functions may give another result each time they are called."""
        return [step for step in self.steps if step.type.generative]

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

    def forecast(self, inputs: Mapping[str, t.Any] | None = None) -> Forecast:
        """Return all that is expected of a run. Raises InputsInvalid."""
        return Forecast(self.steps, self.order, self.decode_inputs(inputs, partial=True), self.disabled)

    def estimate(self, inputs: Mapping[str, t.Any] | None = None) -> dict[str, float | None]:
        """Return the estimated `usd` and `seconds` of a run; seconds are None if no step estimates them.

        Raises InputsInvalid.
        """
        return self.forecast(inputs).total()

    def step_estimates(self, inputs: Mapping[str, t.Any] | None = None) -> dict[str, dict[str, float | None]]:
        """Return the estimates of each step by id, without the steps that have none. Raises InputsInvalid."""
        return self.forecast(inputs).by_step()

    def provider_costs(self, inputs: Mapping[str, t.Any] | None = None) -> dict[str, float]:
        """Return the estimated US dollars by provider id; "" is what no provider is named for.

        Raises InputsInvalid.
        """
        return self.forecast(inputs).provider_costs()

    def unpriced_steps(self, inputs: Mapping[str, t.Any] | None = None) -> list[str]:
        """Return the ids of the steps whose price is not known; estimates leave them out.

        Raises InputsInvalid.
        """
        return self.forecast(inputs).unpriced_steps()

    def notices(self, inputs: Mapping[str, t.Any] | None = None) -> list[tuple[str, Notice]]:
        """Return what a run with these inputs will not do as asked, each with the id of its step.

        Raises InputsInvalid.
        """
        return self.forecast(inputs).notices()

    @property
    def has_unpriced_steps(self) -> bool:
        """Whether a generative step has no cost function, so that no estimate covers it."""
        return any(step.type.generative and step.type.cost is None for step in self.steps)

    def to_networkx(self) -> t.Any:
        """Return the plan as a networkx.MultiDiGraph, for analysis."""
        return to_networkx(self.flow.name, self.steps)
