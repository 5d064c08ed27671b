"""The inputs of a run: what input nodes and exposed settings accept, and what a run refuses."""

import math
import typing as t
from collections.abc import Mapping, Sequence

from impasto.compiler.exposed import ExposedSetting, failed_checks
from impasto.compiler.step import Step
from impasto.compiler.suggestions import listed
from impasto.encoding import to_json
from impasto.errors import InputsInvalid, Problem
from impasto.hashing import canonical_json, parse_json
from impasto.sdk.schema import setting_schema
from impasto.sdk.settings import SettingInvalid, SettingSpec
from impasto.serialization import json_error
from impasto.values import MUTABLE


class RunInput(t.NamedTuple):
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
        return self.step.title if self.exposed is None else f"{self.group}: {self.schema['title']}"

    @property
    def group(self) -> str:
        """The title of the node that offers the input."""
        return (self.exposed.title if self.exposed is not None else None) or self.step.title

    @property
    def schema(self) -> dict[str, t.Any]:
        """The input as JSON Schema with hints for its form field."""
        if self.exposed is None:
            return _input_schema(self.step)
        schema = self.exposed.schema(self.step.settings.get(self.spec.name))
        schema |= {"x-node": self.step.type.id, "x-step": self.step.id, "x-group": self.group}
        if self.spec.name == self.step.type.input:
            schema["x-settings"] = _other_settings(self.step, self.spec)
        schema.setdefault("x-type", str(self.spec.port or "Json"))
        if self.step.type.outputs:
            schema["x-makes"] = str(self.step.type.outputs[0].type)
        return schema


class RunInputs:
    """The inputs of a plan's runs: which there are, and the check of those that a run is started with.

    `readers` counts the steps that read each step's outputs, by step index.
    """

    def __init__(self, steps: Sequence[Step], readers: Sequence[int]) -> None:
        self._steps = steps
        self._readers = readers
        self._nodes: list[Step] | None = None

    def schema(self) -> dict[str, t.Any]:
        """The inputs of a run as JSON Schema.

        An object with a property for each input node's id, then one for each exposed setting, `node.setting`.
        """
        return {
            "type": "object",
            "properties": {each.name: each.schema for each in self.entries()},
            "required": [step.id for step in self._lacking()],
            "additionalProperties": False,
        }

    def nodes(self) -> list[Step]:
        """Return the steps of the flow's own input nodes (not those of subflows), in document order."""
        if self._nodes is None:
            found = (step for step in self._steps if step.type.input and "/" not in step.id)
            self._nodes = [step for step in found if not _driven(step)]
        return self._nodes

    def entries(self) -> list[RunInput]:
        """Return what a run's inputs may set: the input nodes, then the exposed settings in their order."""
        found = [
            RunInput(step.id, step, step.type.setting_names[t.cast("str", step.type.input)], None)
            for step in self.nodes()
        ]
        exposed = [
            RunInput(each.name, step, each.spec, each)
            for step in self._steps
            for each in step.exposed
            if each.outermost
        ]
        return found + sorted(exposed, key=_order)

    def unused(self, given: Mapping[int, Mapping[str, t.Any]] | None = None) -> list[Step]:
        """Return the input steps that are empty and that no step reads: a run skips them.

        `given` are the decoded inputs of a run, by step index. In a flow of nothing but inputs, they are the
        results, so none is unused.
        """
        unread = [step for step in self.nodes() if not self._readers[step.index]]
        values = given or {}
        free = [
            step
            for step in unread
            if _is_empty(values.get(step.index, {}).get(t.cast("str", step.type.input), _value(step)))
        ]
        return free if free and any(step.type.input is None for step in self._steps) else []

    def warnings(self) -> list[Problem]:
        """Return a warning for each input node that is empty and that no step reads."""
        return [_unused(step) for step in self.unused()]

    def _lacking(self) -> list[Step]:
        """Return the input steps to which a run has to give a value."""
        unused = {step.index for step in self.unused()}
        return [
            step for step in self.nodes() if step.type.input not in step.settings and step.index not in unused
        ]

    def decode(
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
        if not inputs and not self.nodes():
            return {}
        problems: list[Problem] = []
        decoded: dict[int, dict[str, t.Any]] = {}
        entries = self.entries()
        known = {each.name: each for each in reversed(entries)}
        given: Mapping[t.Any, t.Any] = inputs or {}
        changed: dict[int, RunInput] = {}
        for name, value in given.items():
            found = known.get(name)
            if found is None:
                names = listed(each.name for each in entries)
                message = f"This flow has no input '{name}' (its inputs: {names})."
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


def _order(one: RunInput) -> float:
    order = one.exposed.order if one.exposed is not None else None
    return math.inf if order is None else order


def _refused(changed: RunInput, decoded: Mapping[int, Mapping[str, t.Any]]) -> list[Problem]:
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
    schema["x-settings"] = _other_settings(step, spec)
    return schema


def _other_settings(step: Step, spec: SettingSpec) -> dict[str, t.Any]:
    return {name: to_json(value) for name, value in step.settings.items() if name != spec.name}
