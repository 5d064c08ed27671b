"""From a step's bindings to the values and hashes that it is called with."""

import typing as t
from collections.abc import Mapping, Sequence
from functools import partial

from impasto.cache.keys import LIST_END as ENDS
from impasto.cache.keys import LIST_START as OPENS
from impasto.cache.keys import NO_VALUE as NOTHING
from impasto.cache.keys import content_hash
from impasto.compiler.step import Binding, Feed, Source, Step
from impasto.errors import ConversionFailed, InputUnavailable, NodeError
from impasto.hashing import canonical_json as dumps
from impasto.hashing import digest
from impasto.runtime.fan_out import Lane
from impasto.runtime.lazy import lazily
from impasto.runtime.step_output import Outcome
from impasto.sdk.settings import REQUIRED, SettingInvalid, SettingSpec
from impasto.types import SKIP, Lazy, ValueType, to_json
from impasto.values import MUTABLE as OPEN
from impasto.values import concatenated as gathered
from impasto.values import deep_copied as owned
from impasto.values import without_skipped as without_holes

if t.TYPE_CHECKING:
    from impasto.runtime.node_services import Services
    from impasto.runtime.task import Unit


class Closed(Exception):
    """A required input was closed, so the step is skipped; `because` is the step that closed it."""

    def __init__(self, because: str | None) -> None:
        self.because = because


class Broken(Exception):
    """What feeds the step failed, or was itself stopped: `source` is that step's index."""

    def __init__(self, source: int) -> None:
        self.source = source


def feed_hashes(static: bytes, feeds: tuple[Feed, ...], outcomes: list[Outcome | None]) -> bytes | None:
    """What a step's key is made of, by its feeds; None if one of them is closed or broken, or has holes."""
    parts = [static]
    for source, port, many, _ in feeds:
        if source >= 0:
            outcome = outcomes[source]
            if outcome is None or not (found := outcome.hashes[port]):
                return None
            parts.append(found)
        elif many is None:
            parts.append(NOTHING)
        else:
            parts.append(OPENS)
            for index, output, _, _ in many:
                outcome = outcomes[index]
                if outcome is None or not (found := outcome.hashes[output]):
                    return None
                parts.append(found)
            parts.append(ENDS)
    return b"".join(parts)


def feed_values(
    feeds: tuple[Feed, ...], outcomes: list[Outcome | None], types: Mapping[str, ValueType]
) -> list[t.Any]:
    """The values of a step's ports by its feeds, whose outcomes are there."""
    there = t.cast("list[Outcome]", outcomes)
    values: list[t.Any] = []
    for source, port, many, default in feeds:
        if source >= 0:
            values.append(there[source].value(port, types))
        elif many is None:
            values.append(owned(default) if type(default) in OPEN else default)
        else:
            items: list[t.Any] = []
            for index, output, _, joins in many:
                value = there[index].value(output, types)
                if joins and type(value) is list:
                    items.extend(value)
                else:
                    items.append(value)
            values.append(items)
    return values


def check_sources(step: Step, outcomes: Sequence[Outcome | None]) -> None:
    """Raise Broken for the first source, in the order of the ports, that did not finish."""
    for binding in step.bindings():
        for source in () if binding.lazy else binding.sources:
            if outcomes[source.step] is None:
                raise Broken(source.step)


def read_binding(run: "Services", binding: Binding, name: str, lifted: bool) -> t.Any:
    """The value that arrives at a port, SKIP if all its sources are closed."""
    values = []
    for source in binding.sources:
        value = read_source(run, source, name, keep_holes=lifted)
        if value is not SKIP:
            values.append(value)
    if not values:
        return SKIP
    return gathered(values) if binding.gather else values[0]


def read_source(run: "Services", source: Source, name: str, keep_holes: bool = False) -> t.Any:
    """One source's value, converted for the port it arrives at."""
    outcome = run.outcomes[source.step]
    if outcome is None:
        raise Broken(source.step)
    value = outcome.value(source.port, run.value_types)
    if value is SKIP:
        return SKIP
    if outcome.holes and not keep_holes:
        value = without_holes(value)
    if source.prepare is None:
        return value
    try:
        return source.prepare(value)
    except ConversionFailed as error:
        raise ConversionFailed(name, error.message.partition("does not fit: ")[2]) from None
    except (TypeError, ValueError) as error:
        raise ConversionFailed(name, str(error)) from error


def lanes(run: "Services", step: Step) -> list[Lane]:
    """Every port's value (then every driven setting's), with the levels that it is lifted over."""
    found = []
    for port, binding in zip(step.ports, step.inputs, strict=True):
        if binding is None:
            found.append(Lane(port.name, SKIP, 0))
        elif binding.lazy:
            found.append(Lane(port.name, binding, 0))
        else:
            found.append(
                Lane(port.name, read_binding(run, binding, port.name, binding.lift > 0), binding.lift)
            )
    for spec, binding in step.dynamic:
        found.append(Lane(spec.name, read_binding(run, binding, spec.name, binding.lift > 0), binding.lift))
    return found


def check_closed(run: "Services", step: Step, values: Sequence[t.Any]) -> None:
    """Raise Closed if a required input has no value."""
    for port, binding, value in zip(step.ports, step.inputs, values, strict=False):
        if value is SKIP and port.required:
            because = binding.sources[0].step if binding is not None and binding.sources else None
            raise Closed(run.root_of(because))
    for (spec, binding), value in zip(step.dynamic, values[len(step.ports) :], strict=True):
        if value is SKIP and spec.required and spec.name not in step.settings:
            raise Closed(run.root_of(binding.sources[0].step))


def hashes_of(run: "Services", step: Step, values: Sequence[t.Any]) -> bytes:
    """The part of the key that the inputs make, from their values."""
    parts = []
    for value in values:
        if value is SKIP:
            parts.append(NOTHING)
        elif isinstance(value, Binding):
            keys = run.structural()
            ways = b"".join(keys[source.step] + bytes([source.port & 255]) for source in value.sources)
            parts.append(b"\0" + digest(ways))
        else:
            parts.append(content_hash(dumps(value)))
    return b"".join(parts)


def settings_of(run: "Services", step: Step, values: Sequence[t.Any]) -> dict[str, t.Any]:
    """The settings of this call: the node's own, the run's input, and what edges drive."""
    settings = run.settings_of(step)
    if not step.dynamic:
        return settings
    settings = dict(settings)
    for (spec, _), value in zip(step.dynamic, values[len(step.ports) :], strict=True):
        if value is not SKIP:
            settings[spec.name] = driven(step, spec, value)
    return settings


def driven(step: Step, spec: SettingSpec, value: t.Any) -> t.Any:
    """A value from an edge as a setting; a NodeError if the setting does not allow it."""
    try:
        return spec.decode(to_json(value))
    except SettingInvalid as error:
        sentence = (
            f"The setting '{spec.name}' of '{step.title}' got a value that it does not take: {error.why}."
        )
        raise NodeError(sentence, code="bad_setting") from None


def call(run: "Services", unit: "Unit", values: Sequence[t.Any], settings: dict[str, t.Any]) -> None:
    """Give the unit its arguments."""
    step = unit.step
    kwargs = dict(settings)
    args: list[t.Any] = []
    variables: dict[str, str] = {}
    for port, value in zip(step.ports, values, strict=False):
        if isinstance(value, Binding):
            value = lazily(run, unit, value, partial(_read_lazily, run, port.name, value))  # noqa: PLW2901
        elif value is SKIP:
            value = _absent(port.default, port.lazy)  # noqa: PLW2901
        if port.variable:
            variables[port.name] = value
        elif port.spread:
            args.extend(value)
        elif step.type.positional:
            args.append(value)
        else:
            kwargs[port.name] = value
    if step.type.variables:
        kwargs["variables"] = variables
    unit.args, unit.kwargs = tuple(args), kwargs


def _absent(default: t.Any, lazy: bool) -> t.Any:
    if lazy and default is not REQUIRED and not isinstance(default, Lazy) and default is not None:
        return Lazy.of(default)
    return owned(default)


def _read_lazily(run: "Services", name: str, binding: Binding) -> t.Any:
    """What a lazy port was fed, once it has run."""
    try:
        value = read_binding(run, binding, name, lifted=False)
    except Broken as broken:
        raise InputUnavailable(name, run.root_of(broken.source), run.states.reason(broken.source)) from None
    if value is SKIP:
        raise InputUnavailable(name, run.root_of(binding.sources[0].step), "closed")
    return value
