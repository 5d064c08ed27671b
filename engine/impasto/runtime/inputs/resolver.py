"""The arguments of a step: the values, settings and keys that its bindings give."""

import inspect
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from impasto.cache import reuse
from impasto.cache.keys import LIST_END, LIST_START, NO_VALUE, content_hash, static_key, step_key
from impasto.cache.tracked_inputs import track
from impasto.compiler.step import Binding, Source, Step
from impasto.encoding import to_json
from impasto.errors import ConversionFailed, InputUnavailable, NodeError
from impasto.hashing import canonical_json, digest
from impasto.runtime.inputs.lazy import LazyInputs
from impasto.runtime.inputs.repetitions import Repetitions, has_seed, may_repeat
from impasto.runtime.run_state import RunState
from impasto.runtime.task import Items, Path, Task, TaskRun
from impasto.sdk.settings import REQUIRED, SettingInvalid, SettingSpec
from impasto.types import SKIP, Lazy
from impasto.values import MUTABLE, concatenated, deep_copied, without_skipped


class InputClosed(Exception):
    """The step is skipped: a required input was closed, or every connected one.

    `because` is the id of the step that closed it.
    """

    def __init__(self, because: str | None) -> None:
        self.because = because


class SourceUnfinished(Exception):
    """A step that feeds this one failed or was stopped. `source` is its index."""

    def __init__(self, source: int) -> None:
        self.source = source


class PortInput(t.NamedTuple):
    """The value that arrives at a port or setting, and the levels of lists over which it is mapped."""

    name: str
    value: t.Any
    levels: int


class InputResolver:
    """Resolves the inputs of steps from the outputs of the steps that feed them.

    `overrides` holds the settings, and their part of the key, of the steps that the run's inputs reach, by
    step index. With `shared_keys` every key is a digest, as a cache needs it. `fingerprints` holds what the
    node types' own fingerprint functions returned, by step index.
    """

    __slots__ = (
        "_key_of",
        "_lazy",
        "_outputs",
        "_repetitions",
        "_state",
        "_statics",
        "_structural",
        "_types",
        "fingerprints",
        "overrides",
    )

    def __init__(
        self, state: RunState, lazy: LazyInputs, overrides: Mapping[int, t.Any], shared_keys: bool
    ) -> None:
        self._state = state
        self._lazy = lazy
        self._outputs = state.outputs
        self._types = state.plan.value_types
        self._key_of = digest if shared_keys else step_key
        self.overrides = _overridden(state.plan.steps, overrides) if overrides else {}
        self._statics = {index: static for index, (_, static) in self.overrides.items()}
        self._repetitions: Repetitions | None = None
        if state.options.seed is None and may_repeat(state.plan):
            self._repetitions = Repetitions(state.plan, self._statics)
            self._statics |= self._repetitions.statics
        self._structural: list[bytes] | None = None
        self.fingerprints: dict[int, str] = {}

    # -- the fast path: every input takes values just as they come ----------------------------

    def direct_key(self, step: Step) -> bytes | None:
        """Return the key of a step with direct feeds; None if a source is closed, unfinished or has holes."""
        outputs = self._outputs
        parts = [self._statics.get(step.index, step.static) if self._statics else step.static]
        for index, port, several, _ in step.feeds or ():
            if index >= 0:
                output = outputs[index]
                if output is None or not (found := output.hashes[port]):
                    return None
                parts.append(found)
            elif several is None:
                parts.append(NO_VALUE)
            else:
                parts.append(LIST_START)
                for source, source_port, _, _ in several:
                    output = outputs[source]
                    if output is None or not (found := output.hashes[source_port]):
                        return None
                    parts.append(found)
                parts.append(LIST_END)
        key = self._key_of(b"".join(parts))
        if self._repetitions is not None and step.type.generative:
            suffix = self._suffix(step, None, key, self.settings(step))
            return self._key_of(b"".join((*parts, suffix))) if suffix else key
        return key

    def direct_values(self, step: Step) -> list[t.Any]:
        """Return the values of the ports of a step with direct feeds, all of whose sources have finished."""
        outputs, types = self._outputs, self._types
        values: list[t.Any] = []
        for index, port, several, default in step.feeds or ():
            if index >= 0:
                values.append(outputs[index].value(port, types))  # type: ignore[union-attr]
            elif several is None:
                values.append(deep_copied(default) if type(default) in MUTABLE else default)
            else:
                items: list[t.Any] = []
                for source, source_port, _, joins in several:
                    value = outputs[source].value(source_port, types)  # type: ignore[union-attr]
                    if joins and type(value) is list:
                        items.extend(value)
                    else:
                        items.append(value)
                values.append(items)
        return values

    def count_finished(self, run: TaskRun, finished: Iterable[int]) -> None:
        """Count the calls of steps that finished before the run was resumed, so that none takes their key."""
        if self._repetitions is None:
            return
        for index in sorted(finished):
            step = self._state.plan.steps[index]
            if not step.type.generative or step.fan_out:
                continue
            if step.feeds is not None:
                self.direct_key(step)
            else:
                # The step need not fit the plan any more: what its inputs have become is no error here.
                with suppress(Exception):
                    self.make_task(run, step, [each.value for each in self.resolve(step)], b"")

    def settings(self, step: Step) -> dict[str, t.Any]:
        """Return the step's settings, with the run's input in its place."""
        override = self.overrides.get(step.index)
        return override[0] if override is not None else step.settings

    def _static(self, step: Step) -> bytes:
        """Return the part of the step's key that its settings make."""
        return self._statics.get(step.index, step.static)

    def _suffix(self, step: Step, path: Path | None, key: bytes, settings: Mapping[str, t.Any]) -> bytes:
        """Return what distinguishes a generative call from earlier ones of the run with the same key."""
        if self._repetitions is None or not step.type.generative or has_seed(settings):
            return b""
        return self._repetitions.suffix(step, path, key)

    def prepare(self, task: Task) -> None:
        """Set the arguments of a task with direct feeds, now that it will run."""
        step = task.step
        values, settings = self.direct_values(step), self.settings(step)
        task.prepared = True
        if step.type.direct:
            task.args, task.kwargs = tuple(values), settings
        else:
            self._set_arguments(task, values, settings)

    # -- conversions, lists, lazy inputs, driven settings -------------------------------------

    def resolve(self, step: Step) -> list[PortInput]:
        """Return the value of every port, then of every driven setting; SKIP where all sources are closed.

        Raises SourceUnfinished, ConversionFailed, or what a plugin's own type raises.
        """
        for binding in step.bindings():
            for source in () if binding.lazy else binding.sources:
                if self._outputs[source.step] is None:
                    raise SourceUnfinished(source.step)
        found = [
            self._port_input(port.name, binding)
            for port, binding in zip(step.ports, step.inputs, strict=True)
        ]
        return found + [self._port_input(spec.name, binding) for spec, binding in step.dynamic]

    def _port_input(self, name: str, binding: Binding | None) -> PortInput:
        if binding is None:
            return PortInput(name, SKIP, 0)
        if binding.lazy:
            return PortInput(name, binding, 0)
        return PortInput(name, self._read_binding(binding, name, binding.fan_out > 0), binding.fan_out)

    def check_open(self, step: Step, values: Sequence[t.Any]) -> None:
        """Raise InputClosed if a required input has no value, or if every connected input is closed."""
        closed: int | None = None  # the step that closed the first connected input
        has_open = False
        for port, binding, value in zip(step.ports, step.inputs, values, strict=False):
            sources = binding.sources if binding is not None else ()
            if value is not SKIP:
                has_open = has_open or bool(sources)
            elif port.required:
                raise InputClosed(self._root_cause(sources[0].step) if sources else None)
            elif sources and closed is None:
                closed = sources[0].step
        for (spec, binding), value in zip(step.dynamic, values[len(step.ports) :], strict=True):
            if value is not SKIP:
                has_open = True
            elif spec.required and spec.name not in step.settings:
                raise InputClosed(self._root_cause(binding.sources[0].step))
            elif closed is None:
                closed = binding.sources[0].step
        if closed is not None and not has_open:
            raise InputClosed(self._root_cause(closed))

    def make_task(
        self,
        run: TaskRun,
        step: Step,
        values: Sequence[t.Any],
        external_key: bytes,
        path: Path | None = None,
        items: Items | None = None,
    ) -> Task:
        """Return the prepared task of a step, or of one of its items, that is called with these values.

        Raises InputClosed if a required input has no value, NodeError if a setting refuses its value.
        """
        self.check_open(step, values)
        settings = self._driven_settings(step, values)
        static, hashes = self._static(step), self._hashes(values)
        key = self._key_of(b"".join((static, *hashes, external_key)))
        if suffix := self._suffix(step, path, key, settings):
            external_key += suffix
            key = self._key_of(b"".join((static, *hashes, external_key)))
        task = Task(run, step, key, path, items)
        ports = values[: len(step.ports)]  # settings that edges drive are read as a whole
        found = track(ports, hashes, static, external_key) if step.tracked else None
        if found is not None:
            task.tracked, ports = found
        self._set_arguments(task, ports, settings)
        task.prepared = True
        return task

    async def external_key(self, step: Step) -> bytes:
        """Return the part of the key that the run's seed and the node type's own fingerprint make.

        Raises what the node type's fingerprint function raises.
        """
        content = f"seed {self._state.options.seed}".encode() if step.type.seeded else b""
        if step.type.fingerprint is not None:
            answer: t.Any = step.type.fingerprint(self.settings(step))
            found = str(await answer if inspect.isawaitable(answer) else answer)
            self.fingerprints[step.index] = found
            content += b"\0" + found.encode()
        return digest(content)

    def _read_binding(self, binding: Binding, name: str, keep_skipped: bool) -> t.Any:
        values = []
        for source in binding.sources:
            value = self._read_source(source, name, keep_skipped)
            if value is not SKIP:
                values.append(value)
        if not values:
            return SKIP
        return concatenated(values) if binding.gather else values[0]

    def _read_source(self, source: Source, name: str, keep_skipped: bool) -> t.Any:
        output = self._outputs[source.step]
        if output is None:
            raise SourceUnfinished(source.step)
        value = output.value(source.port, self._types)
        if value is SKIP:
            return SKIP
        if output.has_skipped and not keep_skipped:
            value = without_skipped(value)
        if source.prepare is None:
            return value
        try:
            return source.prepare(value)
        except ConversionFailed as error:
            raise ConversionFailed(name, error.message.partition("does not fit: ")[2]) from None
        except (TypeError, ValueError) as error:
            raise ConversionFailed(name, str(error)) from error

    def _hashes(self, values: Sequence[t.Any]) -> list[bytes]:
        """Return the parts of the key that the inputs make."""
        parts = []
        for value in values:
            if value is SKIP:
                parts.append(NO_VALUE)
            elif isinstance(value, Binding):
                keys = self._structural_keys()
                ways = b"".join(keys[source.step] + bytes([source.port & 255]) for source in value.sources)
                parts.append(b"\0" + digest(ways))
            else:
                parts.append(content_hash(canonical_json(value)))
        return parts

    def _structural_keys(self) -> list[bytes]:
        """Return keys that are known before anything has run, for lazy inputs."""
        if self._structural is None:
            statics = {index: static for index, (_, static) in self.overrides.items()}
            self._structural = reuse.structural_keys(self._state.plan, statics)
        return self._structural

    def _driven_settings(self, step: Step, values: Sequence[t.Any]) -> dict[str, t.Any]:
        """Return the settings of a call: the node's own, the run's input, and those that edges drive."""
        settings = self.settings(step)
        if not step.dynamic:
            return settings
        settings = dict(settings)
        for (spec, _), value in zip(step.dynamic, values[len(step.ports) :], strict=True):
            if value is not SKIP:
                settings[spec.name] = _decoded_setting(step, spec, value)
        return settings

    def _set_arguments(self, task: Task, values: Sequence[t.Any], settings: dict[str, t.Any]) -> None:
        step = task.step
        kwargs = dict(settings)
        args: list[t.Any] = []
        variables: dict[str, str] = {}
        for port, given in zip(step.ports, values, strict=False):
            value = given
            if isinstance(given, Binding):
                value = self._lazy.awaitable(task, given, partial(self._read_lazy, port.name, given))
            elif given is SKIP:
                value = _default(port.default, port.lazy)
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
        task.args, task.kwargs = tuple(args), kwargs

    def _read_lazy(self, name: str, binding: Binding) -> t.Any:
        """Return the value of a lazy port whose sources have ended; raises InputUnavailable."""
        try:
            value = self._read_binding(binding, name, keep_skipped=False)
        except SourceUnfinished as unfinished:
            reason = self._state.statuses.reason(unfinished.source)
            raise InputUnavailable(name, self._root_cause(unfinished.source), reason) from None
        if value is SKIP:
            raise InputUnavailable(name, self._root_cause(binding.sources[0].step), "closed")
        return value

    def _root_cause(self, index: int) -> str:
        return self._state.statuses.root_cause(index)


def _overridden(
    steps: Sequence[Step], inputs: Mapping[int, Mapping[str, t.Any]]
) -> dict[int, tuple[dict[str, t.Any], bytes]]:
    """Return the settings, and their part of the key, of the steps that the run's inputs reach."""
    found = {}
    for index, given in inputs.items():
        step = steps[index]
        settings = {**step.settings, **given}
        found[index] = (settings, static_key(step.type_part, settings))
    return found


def _decoded_setting(step: Step, spec: SettingSpec, value: t.Any) -> t.Any:
    """Return a value from an edge as a setting; raises NodeError if the setting does not allow it."""
    try:
        return spec.decode(to_json(value))
    except SettingInvalid as error:
        sentence = f"'{spec.title}' of '{step.title}' got a value that it does not take: {error.why}."
        raise NodeError(sentence, code="bad_setting") from None


def _default(default: t.Any, lazy: bool) -> t.Any:
    if lazy and default is not REQUIRED and not isinstance(default, Lazy) and default is not None:
        return Lazy.of(default)
    return deep_copied(default)
