"""Connects steps and checks types: conversions, lists, fan-out, settings driven by edges."""

import typing as t
from collections.abc import Sequence

from impasto.compiler.step import Binding, Feed, Prepare, Source, Step
from impasto.compiler.subflows.expansion import Expansion
from impasto.compiler.subflows.levels import Draft, Wire
from impasto.compiler.suggestions import listed
from impasto.sdk import conversions
from impasto.sdk.node_type import InputPort
from impasto.sdk.settings import REQUIRED, SettingSpec
from impasto.types import ANY, JSON, PortType
from impasto.values import edge_converter

# How an output reaches an input: its index, the conversion, how it joins a list (see `Source`), and over how
# many list levels the step fans out.
Link = tuple[int, Prepare | None, bool | None, int]
# Calling a NamedTuple's own constructor costs more than creating its content.
_new: t.Any = tuple.__new__


class Bindings:
    """Binds steps in topological order, so that the depth of every source is known."""

    def __init__(self, expansion: Expansion, steps: Sequence[Step | None]) -> None:
        self.expansion = expansion
        self.steps = steps
        self._lazy = False
        self._links: dict[tuple[t.Any, ...], Link] = {}

    def bind(self, draft: Draft) -> None:
        """Connect one step and note what does not fit."""
        step = self.steps[draft.index]
        if step is None:
            return
        fed, taken = draft.fed, 0
        inputs: list[Binding | None] = []
        for port in step.ports:
            wires = fed.get(port.name)
            if wires is not None:
                taken += 1
                inputs.append(self._port(draft, step, port, wires))
                continue
            inputs.append(None)
            if port.default is REQUIRED:
                self._note_unconnected(draft, port)
        step.inputs = tuple(inputs)
        if taken < len(fed):
            known = {port.name for port in step.ports}
            rest = {name: wires for name, wires in fed.items() if name not in known}
            step.dynamic = tuple(self._rest(draft, step, rest))
        self._summarize(step)

    def _summarize(self, step: Step) -> None:
        """Derive what a run reads for every step: its fan-out, the steps to wait for, the direct feeds."""
        sources: list[int] = []
        for sources_of, fan_out, lazy, _ in step.bindings():
            if fan_out > step.fan_out:
                step.fan_out = fan_out
            if lazy:
                self._lazy = True
            else:
                sources += [source[0] for source in sources_of]
        step.sources = tuple(sources)
        if not step.fan_out and not step.dynamic:
            step.feeds = _feeds(step)

    def successors(self) -> list[list[int]]:
        """Return for each step the steps that wait for it; a lazy input does not wait."""
        drafts = self.expansion.drafts
        if not self._lazy:
            return [draft.after for draft in drafts]
        found: list[list[int]] = [[] for _ in drafts]
        for step in filter(None, self.steps):
            for source in step.sources:
                found[source].append(step.index)
        return found

    def _note_unconnected(self, draft: Draft, port: InputPort) -> None:
        message = f"The input '{port.name}' of node '{draft.id}' is not connected."
        hint = f"Connect an output that gives {port.type}."
        self.expansion.problem(draft.index, "required_input", message, draft.id, port=port.name, hint=hint)

    def _port(self, draft: Draft, step: Step, port: InputPort, wires: list[Wire]) -> Binding:
        gather = len(wires) > 1 and port.type.depth > 0
        if len(wires) > 1 and not gather:
            named = " and ".join(f"'{wire.text}'" for wire in wires[:5])
            more = f" and {len(wires) - 5} more" if len(wires) > 5 else ""
            message = f"The input '{port.name}' of node '{draft.id}' has {len(wires)} edges: {named}{more}."
            self.expansion.problem(
                wires[1].order, "two_edges", message, draft.id, port=port.name, hint="Keep one of them."
            )
        sources, fan_out = [], 0
        steps, links, name, goal = self.steps, self._links, port.name, step.type
        for wire in wires:
            number = wire[0].index
            origin = steps[number]
            if origin is None:
                continue
            way = (origin.type, wire[1], origin.fan_out, goal, name, gather)
            link = links.get(way)
            if link is None:
                link = self._link(draft, name, port.type, wire, origin, gather=gather, lazy=port.lazy)
                if link is None:
                    continue
                links[way] = link
            output, prepare, joins, levels = link
            sources.append(_new(Source, (number, output, prepare, joins)))
            if levels > fan_out:
                fan_out = levels
        return t.cast("Binding", _new(Binding, (tuple(sources), fan_out, port.lazy, gather)))

    def _link(
        self,
        draft: Draft,
        name: str,
        goal: PortType,
        wire: Wire,
        origin: Step,
        *,
        gather: bool = False,
        lazy: bool = False,
    ) -> Link | None:
        """Return how an output reaches an input; None, with a problem noted, if it cannot."""
        given = self._output(wire, origin)
        if given is None:
            return None
        index, type_ = given
        convert = conversions.find(type_.base, goal.base)
        fan_out = max(0, type_.depth - goal.depth)
        if convert is None or (fan_out and (gather or lazy)):
            self._note_mismatch(draft, name, goal, wire, type_, lists_differ=convert is not None)
            return None
        dynamic = type_.base in (ANY, JSON)
        change = None if convert is conversions.same else convert
        prepare = edge_converter(change, type_.depth, goal.depth, dynamic, gather)
        return index, prepare, _joins(convert, type_, goal, dynamic), fan_out

    def _output(self, wire: Wire, origin: Step) -> tuple[int, PortType] | None:
        """Return an output's index and its type after fan-out; None, with a problem noted, if missing."""
        index = origin.type.output_names.get(wire.port)
        if index is None:
            names = list(origin.type.output_names)
            close = self.expansion.suggestions.closest(wire.port, names)
            hint = f"Did you mean '{close}'?" if close else f"It has: {listed(names)}."
            message = f"Node '{origin.id}' has no output '{wire.port}'."
            self.expansion.problem(wire.order, "unknown_port", message, origin.id, port=wire.port, hint=hint)
            return None
        return index, origin.type.outputs[index].type.deeper(origin.fan_out)

    def _note_mismatch(
        self, draft: Draft, name: str, goal: PortType, wire: Wire, given: PortType, *, lists_differ: bool
    ) -> None:
        source = f"{wire.source.id}.{wire.port}"
        message = f"Type mismatch: {given} cannot be used as {goal}, from '{source}' to '{draft.id}.{name}'."
        hint = conversions.advice(given.base, goal.base)
        if lists_differ:
            hint = "This input takes a list as a whole. Put a node that works on single items between them."
        self.expansion.problem(wire.order, "wrong_type", message, draft.id, port=name, hint=hint)

    def _rest(
        self, draft: Draft, step: Step, fed: dict[str, list[Wire]]
    ) -> t.Iterator[tuple[SettingSpec, Binding]]:
        """Yield the settings that edges drive, for edges that end at no input port."""
        limited = {each.spec.name: each.spec for each in step.exposed}
        for name, wires in fed.items():
            spec = limited.get(name) or step.type.setting_names.get(name)
            if spec is None:
                self._note_unknown_port(draft, step, name, wires[0])
                continue
            if len(wires) > 1:
                message = f"The setting '{name}' of node '{draft.id}' has {len(wires)} edges."
                self.expansion.problem(
                    wires[1].order, "two_edges", message, draft.id, setting=name, hint="Keep one of them."
                )
            origin = self.steps[wires[0].source.index]
            goal = spec.port or PortType(ANY)
            link = self._link(draft, name, goal, wires[0], origin) if origin is not None else None
            if link is not None:
                output, prepare, joins, fan_out = link
                source = Source(wires[0].source.index, output, prepare, joins)
                yield spec, Binding((source,), fan_out, False, False)

    def _note_unknown_port(self, draft: Draft, step: Step, name: str, wire: Wire) -> None:
        names = [port.name for port in step.ports] + list(step.type.setting_names)
        close = self.expansion.suggestions.closest(name, names)
        hint = f"Did you mean '{close}'?" if close else f"It has: {listed(names)}."
        message = f"Node '{draft.id}' has no input or setting '{name}'."
        self.expansion.problem(wire.order, "unknown_port", message, draft.id, port=name, hint=hint)


_NONE: t.Any = None


def _joins(convert: t.Any, given: PortType, goal: PortType, dynamic: bool) -> bool | None:
    """Return how an unconverted value goes into a list: appended (False), or concatenated if it is one."""
    if convert is not conversions.same or goal.depth != 1:
        return None
    if given.depth == 1:
        return True
    return dynamic if given.depth == 0 else None


def _feeds(step: Step) -> tuple[Feed, ...] | None:
    """Return the feeds of a step all of whose inputs take values unconverted; None if one does not."""
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
    sources, _, lazy, gather = binding
    if lazy or port.variable or not sources:
        return None
    step, output, prepare, _ = sources[0]
    if not gather and prepare is None:
        return t.cast("Feed", _new(Feed, (step, output, None, _NONE)))
    if port.type.depth != 1:
        return None
    for source in sources:
        if source[3] is None:
            return None
    return t.cast("Feed", _new(Feed, (-1, 0, sources, _NONE)))
