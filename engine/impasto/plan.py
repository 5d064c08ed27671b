"""The compiled graph: flat, typed, ordered. Pure data; `run` reads it and never writes to it."""

import typing as t
from collections.abc import Callable, Iterable, Mapping

import orjson

from impasto.errors import InputsInvalid, Problem
from impasto.flow import Flow, FlowNode
from impasto.node import InputPort, NodeType
from impasto.schema import setting_schema
from impasto.settings import SettingInvalid, SettingSpec
from impasto.types import ValueType, to_json

Prepare = Callable[[t.Any], t.Any]


class Source(t.NamedTuple):
    """Where a value comes from: a step's output, and what must be done to it on the way (or None).

    `joins`: the value needs nothing but a place in a list: its own, or (True) one for each of its items.
    """

    step: int
    port: int
    prepare: Prepare | None
    joins: bool | None


class Binding(t.NamedTuple):
    """What is connected to one input port or setting."""

    sources: tuple[Source, ...]
    lift: int
    lazy: bool
    gather: bool


class Feed(t.NamedTuple):
    """An input port that takes values just as they come: of one source, of several (`many`), or none."""

    step: int
    port: int
    many: tuple[tuple[int, int, bool], ...] | None
    default: t.Any


class Step:
    """One node of the plan. `settings` are decoded; `inputs` stand in the order of `ports`."""

    __slots__ = (
        "dynamic", "feeds", "id", "index", "inputs", "lift", "node", "ports", "settings", "sources", "static",
        "title", "type", "type_part",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        path: str,
        node: FlowNode,
        node_type: NodeType,
        ports: tuple[InputPort, ...],
        settings: dict[str, t.Any],
        type_part: bytes,
        static: bytes,
    ) -> None:
        self.index = index
        self.id = path
        self.node = node
        self.type = node_type
        self.title = node.title or node_type.title
        self.ports = ports
        self.settings = settings
        self.type_part = type_part
        self.static = static
        self.inputs: tuple[Binding | None, ...] = ()
        self.dynamic: tuple[tuple[SettingSpec, Binding], ...] = ()
        self.lift = 0
        self.sources: tuple[int, ...] = ()
        self.feeds: tuple[Feed, ...] | None = None

    def __repr__(self) -> str:
        return f"<Step {self.id}>"

    def bindings(self) -> list[Binding]:
        """Everything that is connected to the step."""
        found = [binding for binding in self.inputs if binding is not None]
        return found + [binding for _, binding in self.dynamic] if self.dynamic else found


class ResultPort(t.NamedTuple):
    """An output that a user is shown."""

    node: str
    port: str
    type: str
    list: bool
    title: str
    step: int


class Plan:
    """What `compile` makes of a flow. `warnings` are the problems that do not stop it."""

    def __init__(
        self,
        flow: Flow,
        steps: list[Step],
        successors: list[list[int]],
        order: list[int],
        shown: list[ResultPort],
        value_types: Mapping[str, ValueType],
        groups: Mapping[str, Mapping[str, Iterable[str]]],
        flows: Mapping[str, t.Any],
        warnings: list[Problem],
    ) -> None:
        self.flow = flow
        self.steps = steps
        self.successors = successors
        self.order = order
        self.value_types = value_types
        self.warnings = warnings
        self.flows = flows
        self.by_id = {step.id: step.index for step in steps}
        self.indegree = [0] * len(steps)
        self.readers = [0] * len(steps)
        self.lazy = False
        self._shown = shown
        self._groups = groups
        self._document: bytes | None = None
        self._count()

    def _count(self) -> None:
        indegree, readers = self.indegree, self.readers
        for step in self.steps:
            indegree[step.index] = len(step.sources)
            for source in step.sources:
                readers[source] += 1
            if step.feeds is None:
                self._count_lazy(step)

    def _count_lazy(self, step: Step) -> None:
        """What is fed lazily is read, but not waited for."""
        for binding in step.bindings():
            if binding.lazy:
                self.lazy = True
                for source in binding.sources:
                    self.readers[source.step] += 1

    @property
    def document(self) -> bytes:
        """The flow and the flows inside it, as the journal keeps them."""
        if self._document is None:
            flows = {
                key: flow.to_dict() if isinstance(flow, Flow) else flow for key, flow in self.flows.items()
            }
            self._document = orjson.dumps({"flow": self.flow.to_dict(), "flows": flows})
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
        return [step for step in self.steps if step.type.input and "/" not in step.id and not _driven(step)]

    @property
    def results(self) -> list[dict[str, t.Any]]:
        """The outputs that a user is shown."""
        return [
            {key: value for key, value in port._asdict().items() if key != "step"} for port in self._shown
        ]

    @property
    def result_ports(self) -> list[ResultPort]:
        """The same, with the index of each port."""
        return self._shown

    def decode_inputs(self, inputs: Mapping[str, t.Any] | None, partial: bool = False) -> dict[int, t.Any]:
        """The inputs checked and decoded, by step index; InputsInvalid names everything that is wrong."""
        problems: list[Problem] = []
        decoded: dict[int, t.Any] = {}
        known = {step.id: step for step in self.input_steps()}
        for name, value in (inputs or {}).items():
            step = known.get(name)
            if step is None:
                listed = ", ".join(known) or "none"
                sentence = f"This flow has no input '{name}' (its inputs: {listed})."
                problems.append(Problem("unknown_input", sentence, name))
                continue
            setting = t.cast("str", step.type.input)
            try:
                decoded[step.index] = step.type.setting_names[setting].decode(value)
            except SettingInvalid as error:
                sentence = f"The input '{step.title}' {error}."
                problems.append(Problem("bad_input", sentence, name, setting=setting))
        if not partial:
            missing = (step for step in known.values() if step.id not in (inputs or {}))
            problems += [_missing(step) for step in missing if _lacks(step, decoded)]
        if problems:
            raise InputsInvalid(problems)
        return decoded

    def expand(self, names: Iterable[str] | None, what: str) -> set[int]:
        """The steps that some node ids mean: a subflow's id means the steps inside it."""
        found: set[int] = set()
        problems = []
        for name in names or ():
            if name in self.by_id:
                found.add(self.by_id[name])
            elif name in self._groups:
                found.update(self.by_id[inner] for inner in self._groups[name][what])
            else:
                problems.append(Problem("unknown_node", f"This flow has no node '{name}'.", name))
        if problems:
            raise InputsInvalid(problems)
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
        from impasto.estimate import estimate

        return estimate(self, self.decode_inputs(inputs, partial=True))

    def to_networkx(self) -> t.Any:
        """The plan as a networkx.MultiDiGraph, for whoever wants to look further."""
        from impasto.analysis import to_networkx

        return to_networkx(self)


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
