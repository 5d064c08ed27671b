"""What is connected to each step, held against its types: conversions, lists, lifting, driven settings."""

import typing as t
from collections.abc import Sequence

from impasto import conversions
from impasto.expand import Draft, Expansion, Wire
from impasto.lists import converting
from impasto.node import InputPort
from impasto.nodecheck import closest
from impasto.plan import Binding, Feed, Prepare, Source, Step
from impasto.settings import SettingSpec
from impasto.types import ANY, JSON, PortType


class Fit(t.NamedTuple):
    """How a value of one type arrives at a port of another: the same for every edge between the two."""

    holds: bool
    converts: bool
    lift: int
    prepare: Prepare | None
    joins: bool | None


def _fit(given: PortType, goal: PortType, *, gather: bool, lazy: bool) -> Fit:
    convert = conversions.find(given.base, goal.base)
    lift = max(0, given.depth - goal.depth)
    if convert is None or (lift and (gather or lazy)):
        return Fit(False, convert is not None, 0, None, None)
    loose = given.base in (ANY, JSON) and given.depth < goal.depth
    change = None if convert is conversions.same else convert
    prepare = converting(change, given.depth, goal.depth, loose, gather)
    return Fit(True, True, lift, prepare, _joins(convert, given, goal, loose))


class Bindings:
    """Binds drafts in topological order, so that the depth of every source is known."""

    def __init__(self, expansion: Expansion, steps: Sequence[Step | None]) -> None:
        self.expansion = expansion
        self.steps = steps
        self._fits: dict[tuple[t.Any, ...], Fit] = {}

    def bind(self, draft: Draft, successors: list[list[int]]) -> None:
        """Connect one step; what does not fit is noted."""
        step = self.steps[draft.index]
        if step is None:
            return
        fed = dict(draft.fed)
        inputs: list[Binding | None] = []
        for port in step.ports:
            wires = fed.pop(port.name, None)
            if wires is None:
                inputs.append(None)
                if port.required:
                    self._unconnected(draft, port)
                continue
            inputs.append(self._port(draft, port, wires))
        step.inputs = tuple(inputs)
        if fed:
            step.dynamic = tuple(self._rest(draft, step, fed))
        self._sum_up(step, successors)

    def _sum_up(self, step: Step, successors: list[list[int]]) -> None:
        """What the run asks for most: the lift, the steps waited for, and the short way to the values."""
        index, sources = step.index, []
        for binding in step.bindings():
            if binding.lift > step.lift:
                step.lift = binding.lift
            if not binding.lazy:
                for source in binding.sources:
                    sources.append(source.step)
                    successors[source.step].append(index)
        step.sources = tuple(sources)
        if not step.lift and not step.dynamic:
            step.feeds = _feeds(step)

    def _unconnected(self, draft: Draft, port: InputPort) -> None:
        sentence = f"The input '{port.name}' of node '{draft.id}' is not connected."
        hint = f"Connect an output that gives {port.type}."
        self.expansion.problem(draft.index, "required_input", sentence, draft.id, port=port.name, hint=hint)

    def _port(self, draft: Draft, port: InputPort, wires: list[Wire]) -> Binding:
        gather = port.type.depth > 0 and len(wires) > 1
        if len(wires) > 1 and not gather:
            both = " and ".join(f"'{wire.text}'" for wire in wires)
            sentence = f"The input '{port.name}' of node '{draft.id}' has {len(wires)} edges: {both}."
            self.expansion.problem(
                wires[1].order, "two_edges", sentence, draft.id, port=port.name, hint="Keep one of them."
            )
        sources, lift = [], 0
        for wire in wires:
            found = self._source(draft, port.name, port.type, wire, gather=gather, lazy=port.lazy)
            if found is not None:
                sources.append(found[0])
                lift = max(lift, found[1])
        return Binding(tuple(sources), lift, port.lazy, gather)

    def _source(
        self, draft: Draft, name: str, goal: PortType, wire: Wire, *, gather: bool = False, lazy: bool = False
    ) -> tuple[Source, int] | None:
        origin = self.steps[wire.source.index]
        given = self._output(draft, wire, origin)
        if given is None:
            return None
        index, type_ = given
        shape = (type_.base, type_.depth, goal.base, goal.depth, gather, lazy)
        fit = self._fits.get(shape)
        if fit is None:
            fit = self._fits[shape] = _fit(type_, goal, gather=gather, lazy=lazy)
        if not fit.holds:
            self._wrong_type(draft, name, goal, wire, type_, lifted=fit.converts)
            return None
        return Source(wire.source.index, index, fit.prepare, fit.joins), fit.lift

    def _output(self, draft: Draft, wire: Wire, origin: Step | None) -> tuple[int, PortType] | None:
        """The output's index and its type as lifting leaves it; a missing port is noted."""
        if origin is None:
            return None
        index = origin.type.output_names.get(wire.port)
        if index is None:
            names = list(origin.type.output_names)
            close = closest(wire.port, names)
            hint = f"Did you mean '{close}'?" if close else f"It has: {', '.join(names) or 'none'}."
            sentence = f"Node '{origin.id}' has no output '{wire.port}'."
            self.expansion.problem(wire.order, "unknown_port", sentence, origin.id, port=wire.port, hint=hint)
            return None
        return index, origin.type.outputs[index].type.deeper(origin.lift)

    def _wrong_type(
        self, draft: Draft, name: str, goal: PortType, wire: Wire, given: PortType, *, lifted: bool
    ) -> None:
        source = f"{wire.source.id}.{wire.port}"
        sentence = f"'{source}' gives {given}, but '{draft.id}.{name}' takes {goal}."
        hint = conversions.advice(given.base, goal.base)
        if lifted:
            hint = "This input takes the list as it is: put a node that works on single items between them."
        self.expansion.problem(wire.order, "wrong_type", sentence, draft.id, port=name, hint=hint)

    def _rest(
        self, draft: Draft, step: Step, fed: dict[str, list[Wire]]
    ) -> t.Iterator[tuple[SettingSpec, Binding]]:
        """Edges that end at no input port: they drive a setting, or go nowhere."""
        for name, wires in fed.items():
            spec = step.type.setting_names.get(name)
            if spec is None:
                self._unknown_port(draft, step, name, wires[0])
                continue
            if len(wires) > 1:
                sentence = f"The setting '{name}' of node '{draft.id}' has {len(wires)} edges."
                self.expansion.problem(
                    wires[1].order, "two_edges", sentence, draft.id, setting=name, hint="Keep one of them."
                )
            found = self._source(draft, name, spec.port or PortType(ANY), wires[0])
            if found is not None:
                yield spec, Binding((found[0],), found[1], False, False)

    def _unknown_port(self, draft: Draft, step: Step, name: str, wire: Wire) -> None:
        names = [port.name for port in step.ports] + list(step.type.setting_names)
        close = closest(name, names)
        hint = f"Did you mean '{close}'?" if close else f"It has: {', '.join(names) or 'none'}."
        sentence = f"Node '{draft.id}' has no input or setting '{name}'."
        self.expansion.problem(wire.order, "unknown_port", sentence, draft.id, port=name, hint=hint)


_NONE: t.Any = None


def _joins(convert: t.Any, given: PortType, goal: PortType, loose: bool) -> bool | None:
    """How a value goes into a list just as it comes: appended (False), or joined on if it is a list."""
    if convert is not conversions.same or goal.depth != 1:
        return None
    if given.depth == 1:
        return True
    return loose if given.depth == 0 else None


def _feeds(step: Step) -> tuple[Feed, ...] | None:
    """The feeds of a step whose every input takes values just as they come; None if one does not."""
    found = []
    for port, binding in zip(step.ports, step.inputs, strict=True):
        feed = _feed(port, binding)
        if feed is None:
            return None
        found.append(feed)
    return tuple(found)


def _feed(port: InputPort, binding: Binding | None) -> Feed | None:
    if binding is None:
        return None if port.lazy or port.variable else Feed(-1, 0, None, port.default)
    if binding.lazy or port.variable or not binding.sources:
        return None
    source = binding.sources[0]
    if not binding.gather and source.prepare is None:
        return Feed(source.step, source.port, None, _NONE)
    if port.type.depth != 1 or any(each.joins is None for each in binding.sources):
        return None
    many = [(each.step, each.port, bool(each.joins)) for each in binding.sources]
    return Feed(-1, 0, tuple(many), _NONE)
