"""Reads a function's signature into a `NodeType`; an error names the parameter and the fix."""

import asyncio
import inspect
import types as python_types
import typing as t
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Mapping
from contextlib import suppress

from impasto.errors import DefinitionError
from impasto.sdk.decorator_args import Place, category_of, check_arguments, cost_of, flags_of
from impasto.sdk.node_type import Category, InputPort, Kind, NodeType, OutputPort, Port
from impasto.sdk.settings import REQUIRED, Setting, SettingDeclarationError, SettingSpec, setting_spec
from impasto.types import (
    ANY,
    JSON,
    Delta,
    Lazy,
    PortType,
    Text,
    ValueType,
    port_type,
    strip_annotated,
    strip_optional,
)

_STREAMS = (AsyncIterator, AsyncIterable, AsyncGenerator)
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def read(
    function: Callable[..., t.Any],
    *,
    id: str | None = None,  # noqa: A002 - a keyword of @node
    version: int = 1,
    title: str | None = None,
    category: str | Category = "uncategorized",
    cpu: bool = False,
    cost: Callable[..., t.Any] | float | None = None,
    migrations: Mapping[int, t.Any] | None = None,
    variables: str | t.Sequence[str] = (),
    retries: int = 0,
    timeout: float | None = None,
    subflow: str | None = None,
    **flags: t.Any,
) -> NodeType:
    """Return the node type that a function declares; the keywords are those of `@node`.

    Raises DefinitionError.
    """
    arguments = {**flags, "version": version, "title": title, "cpu": cpu, "cost": cost}
    arguments |= {"migrations": migrations, "retries": retries, "timeout": timeout}
    place = Place(function)
    type_id = function.__name__ if id is None else id
    check_arguments(place, type_id, arguments)
    hints = _hints(function, place)
    kind = _kind(function, cpu, place)
    names = (variables,) if isinstance(variables, str) else tuple(variables)
    parts = _Parameters(place, hints, bool(names)).read(inspect.signature(function))
    outputs, single = _outputs(hints.get("return", inspect.Parameter.empty), kind, place)
    _check_setting_names(place, parts, names, subflow)
    _check_item_of(outputs, parts, place)
    help_text = inspect.getdoc(function) or ""
    mutable_settings = _has_mutable_settings(parts)
    direct = not (parts.context_is_positional or names or any(port.spread for port in parts.inputs))
    if kind == "process" and any(port.lazy for port in parts.inputs):
        raise place.error("a cpu node cannot have lazy inputs", "Remove Lazy[…] or cpu=True.")
    return NodeType(
        id=type_id,
        version=version,
        title=title or type_id.replace("_", " ").capitalize(),
        category=category_of(category, place),
        summary=help_text.partition("\n")[0].strip(),
        help=help_text,
        function=function,
        kind=kind,
        inputs=tuple(parts.inputs),
        outputs=outputs,
        settings=tuple(parts.settings),
        single=single,
        context=parts.context,
        input=parts.input,
        variables=names,
        retries=retries,
        timeout=timeout,
        cost=cost_of(cost),
        migrations=dict(migrations or {}),
        subflow=subflow,
        value_types=_value_types(parts.inputs, outputs),
        setting_names={spec.name: spec for spec in parts.settings},
        input_names={port.name: index for index, port in enumerate(parts.inputs)},
        output_names={port.name: index for index, port in enumerate(outputs)},
        positional=not parts.context_is_positional,
        plain=_plain_classes(outputs) if single else frozenset(),
        direct=direct,
        effects=kind != "async" or parts.context is not None,
        outside=bool(flags.get("seeded") or flags.get("fingerprint")),
        open=mutable_settings,
        simple=kind == "async"
        and direct
        and not mutable_settings
        and parts.context is None
        and not timeout
        and not retries,
        **flags_of(flags, place),
    )


def _hints(function: Callable[..., t.Any], place: Place) -> dict[str, t.Any]:
    try:
        return t.get_type_hints(function, include_extras=True, localns=_closure(function))
    except Exception as error:
        raise place.error(
            f"an annotation cannot be read ({error})",
            "Import the names that annotations use at module level.",
        ) from error


def _closure(function: Callable[..., t.Any]) -> dict[str, t.Any]:
    """Return the enclosing function's names that annotations may refer to, if they have a value yet."""
    found: dict[str, t.Any] = {}
    if inspect.isfunction(function):
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            with suppress(ValueError):
                found[name] = cell.cell_contents
    return found


def _kind(function: Callable[..., t.Any], cpu: bool, place: Place) -> Kind:
    if inspect.isasyncgenfunction(function):
        kind: Kind = "stream"
    elif asyncio.iscoroutinefunction(function):
        kind = "async"
    else:
        kind = "process" if cpu else "thread"
    if inspect.isgeneratorfunction(function):
        raise place.error("a plain generator cannot stream", "Write `async def` with `yield`.")
    if cpu and kind != "process":
        raise place.error("cpu=True needs a plain function", "Write `def` instead of `async def`.")
    if cpu and "<locals>" in function.__qualname__:
        raise place.error(
            "another process cannot import a function inside a function", "Move it to module level."
        )
    return kind


class _Parameters:
    """Sorts the parameters of a function into input ports, settings and the context."""

    def __init__(self, place: Place, hints: dict[str, t.Any], variables: bool) -> None:
        self.place = place
        self.hints = hints
        self.variables = variables
        self.inputs: list[InputPort] = []
        self.settings: list[SettingSpec] = []
        self.context: str | None = None
        self.context_is_positional = False
        self.input: str | None = None

    def read(self, signature: inspect.Signature) -> "_Parameters":
        for parameter in signature.parameters.values():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                fix = "Declare each setting as a keyword-only parameter."
                raise self.place.error("a node cannot take **keywords", fix, parameter.name)
            if parameter.name not in self.hints:
                fix = "Annotate it with a value type such as `Text`, or a setting with `str`."
                raise self.place.error("it has no annotation", fix, parameter.name)
            self._read_one(parameter, self.hints[parameter.name])
        kinds = {parameter.kind for parameter in signature.parameters.values()}
        if self.context_is_positional and inspect.Parameter.POSITIONAL_ONLY in kinds:
            # Beside such a context, inputs are passed by name.
            fault = "the context is positional, and another parameter is positional-only"
            fix = "Remove the `/`, or put the context after a bare `*`."
            raise self.place.error(fault, fix, self.context)
        marked = [spec.name for spec in self.settings if spec.ui.input]
        if len(marked) > 1:
            raise self.place.error(
                f"{', '.join(marked)} are all marked as input", "Mark one with Setting(input=True)."
            )
        self.input = marked[0] if marked else None
        return self

    def _read_one(self, parameter: inspect.Parameter, annotation: t.Any) -> None:
        if _is_context(annotation):
            if self.context is not None:
                fault = f"'{self.context}' is the context already"
                raise self.place.error(fault, "Remove one of the two.", parameter.name)
            self.context = parameter.name
            self.context_is_positional = parameter.kind in _POSITIONAL
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            if not (self.variables and parameter.name == "variables"):
                self._setting(parameter, annotation)
        else:
            self._port(parameter, annotation)

    def _setting(self, parameter: inspect.Parameter, annotation: t.Any) -> None:
        try:
            spec = setting_spec(parameter.name, annotation, _default(parameter), len(self.settings))
        except DefinitionError as error:
            fix = "Use str, int, float, bool, Literal, list, dict or a value type."
            fix = error.fix if isinstance(error, SettingDeclarationError) else fix
            raise self.place.error(str(error), fix, parameter.name) from None
        self.settings.append(spec)

    def _port(self, parameter: inspect.Parameter, annotation: t.Any) -> None:
        bare, extras = strip_annotated(annotation)
        if any(isinstance(extra, Setting) for extra in extras):
            fix = "Put it after a bare `*` to make it a setting, or remove Setting(…) to make it a port."
            raise self.place.error("a positional parameter is an input port", fix, parameter.name)
        declared = next((extra for extra in extras if isinstance(extra, Port)), Port())
        bare = strip_optional(bare)[0]
        lazy = t.get_origin(bare) is Lazy
        inner = t.get_args(bare)[0] if lazy else annotation
        spread = parameter.kind is inspect.Parameter.VAR_POSITIONAL
        if lazy and spread:
            fix = "Declare one input with Lazy[list[…]], which takes several edges."
            raise self.place.error("a *parameter cannot be lazy", fix, parameter.name)
        found = _type(inner, self.place, parameter.name)
        default = [] if spread else _default(parameter)
        if not spread and not _fits_default(default, found):
            fault = f"its default {default!r} is not {found}"
            raise self.place.error(fault, "Change the default, or the annotation.", parameter.name)
        self.inputs.append(
            InputPort(
                name=parameter.name,
                type=found.deeper(1) if spread else found,
                title=declared.title or parameter.name.replace("_", " ").capitalize(),
                help=declared.help,
                default=default,
                lazy=lazy,
                spread=spread,
                item_of=declared.item_of,
            )
        )


def _is_context(annotation: t.Any) -> bool:
    bare, _ = strip_optional(strip_annotated(annotation)[0])
    return isinstance(bare, type) and bool(getattr(bare, "__impasto_context__", False))


def _default(parameter: inspect.Parameter) -> t.Any:
    return REQUIRED if parameter.default is inspect.Parameter.empty else parameter.default


def _fits_default(default: t.Any, type_: PortType) -> bool:
    """Return whether a port may have this default; None means that nothing is connected."""
    if default is REQUIRED or default is None or isinstance(default, Lazy):
        return True
    level = [default]
    for _ in range(type_.depth):
        if not all(isinstance(item, list | tuple) for item in level):
            return False
        level = [inner for item in level for inner in item]
    return all(type_.base.holds(item) for item in level)


def _type(
    annotation: t.Any, place: Place, parameter: str | None = None, output: str | None = None
) -> PortType:
    try:
        return port_type(annotation)
    except DefinitionError as error:
        fix = (
            "Use Text, Number, Integer, Boolean, Json, Image, Video, Audio, File, Brand, Mask, "
            "Any, a list of one, or a frozen dataclass of your own."
        )
        raise place.error(str(error), fix, parameter, output) from None


def _outputs(annotation: t.Any, kind: Kind, place: Place) -> tuple[tuple[OutputPort, ...], bool]:
    if annotation is inspect.Parameter.empty:
        raise place.error(
            "its return type is not annotated",
            "Write `-> Text`, a NamedTuple for several outputs, or `-> None`.",
        )
    bare, _ = strip_annotated(annotation)
    if kind == "stream":
        if t.get_origin(bare) not in _STREAMS:
            raise place.error(
                "an async generator must return an AsyncIterator", "Write `-> AsyncIterator[Text]`."
            )
        annotation = _without_delta(t.get_args(bare)[0])
        bare, _ = strip_annotated(annotation)
    if bare is type(None) or bare is None:
        return (), False
    if isinstance(bare, type) and issubclass(bare, tuple) and hasattr(bare, "_fields"):
        hints = t.get_type_hints(bare, include_extras=True)
        fields = ((name, f"the output '{name}'") for name in bare._fields)
        found = tuple(_output(name, hints[name], place, where) for name, where in fields)
        _check_text_of(found, place)
        return found, False
    return (_output("output", annotation, place, "the return type"),), True


def _without_delta(annotation: t.Any) -> t.Any:
    """Return what a stream's items make: Text for `Delta` and `Text | Delta`."""
    if annotation is Delta:
        return Text
    if t.get_origin(annotation) not in (t.Union, python_types.UnionType):
        return annotation
    return t.Union[tuple(each for each in t.get_args(annotation) if each is not Delta)]  # noqa: UP007


def _output(name: str, annotation: t.Any, place: Place, where: str) -> OutputPort:
    bare, extras = strip_annotated(annotation)
    declared = next((extra for extra in extras if isinstance(extra, Port)), Port())
    title = declared.title or name.replace("_", " ").capitalize()
    return OutputPort(
        name=name,
        type=_type(annotation, place, output=where),
        title=title,
        help=declared.help,
        optional=strip_optional(bare)[1],
        meaning=declared.meaning,
        text_of=declared.text_of,
        item_of=declared.item_of,
    )


def _check_text_of(outputs: tuple[OutputPort, ...], place: Place) -> None:
    """Refuse an output that claims to be the text of one that the node does not have."""
    for port in outputs:
        others = [other.name for other in outputs if other is not port]
        if port.text_of is not None and port.text_of not in others:
            fault = f"text_of='{port.text_of}' is not another output"
            raise place.error(fault, f"Name one of {', '.join(others)}.", output=f"the output '{port.name}'")


def _check_item_of(outputs: tuple[OutputPort, ...], parts: _Parameters, place: Place) -> None:
    """Refuse ports of items of a setting that the node does not have, and such inputs without a default."""
    names = {spec.name for spec in parts.settings}
    listed = [(f"the input '{port.name}'", port.item_of) for port in parts.inputs]
    listed += [(f"the output '{port.name}'", port.item_of) for port in outputs]
    for title, item_of in listed:
        if item_of is not None and item_of.partition(".")[0] not in names:
            fault = f"item_of='{item_of}' is not one of its settings"
            raise place.error(fault, "Name a keyword-only parameter.", output=title)
    for port in parts.inputs:
        if port.item_of is not None and port.required:
            raise place.error("an input of an item has no default", "Give it one, such as None.", port.name)


def _check_setting_names(
    place: Place, parts: _Parameters, variables: tuple[str, ...], subflow: str | None
) -> None:
    names = {spec.name for spec in parts.settings}
    for argument, name in [("variables", name) for name in variables] + (
        [("subflow", subflow)] if subflow else []
    ):
        if name not in names:
            raise place.error(
                f"{argument}='{name}' is not one of its settings", "Name a keyword-only parameter."
            )
    for spec in parts.settings:
        for name in spec.ui.shown_if or ():
            if name not in names - {spec.name}:
                fault = f"shown_if names '{name}', which is not another of its settings"
                raise place.error(fault, "Name a keyword-only parameter.", spec.name)


def _has_mutable_settings(parts: _Parameters) -> bool:
    """Return whether a setting may hold a list or an object, which the function could change."""
    types = [spec.port for spec in parts.settings]
    return any(found is None or found.depth or found.base in (JSON, ANY) for found in types)


def _plain_classes(outputs: tuple[OutputPort, ...]) -> frozenset[type]:
    """Return the classes whose instances are the single output as they are (None may close it)."""
    type_ = outputs[0].type
    return frozenset(type_.base.python) - {type(None)} if not type_.depth else frozenset()


def _value_types(inputs: list[InputPort], outputs: tuple[OutputPort, ...]) -> tuple[ValueType, ...]:
    bases = [port.type.base for port in inputs] + [port.type.base for port in outputs]
    return tuple(dict.fromkeys(bases))
