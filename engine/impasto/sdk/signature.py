"""Reading a function's signature into a `NodeType`, or saying which parameter to mend and how."""

import asyncio
import inspect
import typing as t
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Mapping
from contextlib import suppress

from impasto.errors import DefinitionError
from impasto.sdk.decorator_args import Place, check_declared, cost_of, flags_of
from impasto.sdk.node_type import InputPort, Kind, NodeType, OutputPort, Port
from impasto.sdk.settings import REQUIRED, Misfit, Setting, SettingSpec, setting_spec
from impasto.types import ANY, JSON, Lazy, PortType, ValueType, port_type, strip_annotated, strip_optional

_STREAMS = (AsyncIterator, AsyncIterable, AsyncGenerator)
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def read(
    function: Callable[..., t.Any],
    *,
    id: str | None = None,  # noqa: A002 - a keyword of @node
    version: int = 1,
    title: str | None = None,
    category: str = "uncategorized",
    cpu: bool = False,
    cost: Callable[..., t.Any] | float | None = None,
    migrations: Mapping[int, t.Any] | None = None,
    variables: str | t.Sequence[str] = (),
    retries: int = 0,
    timeout: float | None = None,
    subflow: str | None = None,
    **flags: t.Any,
) -> NodeType:
    """The node type that a function declares."""
    declared = {**flags, "version": version, "title": title, "category": category, "cpu": cpu, "cost": cost}
    declared |= {"migrations": migrations, "retries": retries, "timeout": timeout}
    place = Place(function)
    type_id = function.__name__ if id is None else id
    check_declared(place, type_id, declared)
    hints = _hints(function, place)
    kind = _kind(function, cpu, place)
    names = (variables,) if isinstance(variables, str) else tuple(variables)
    parts = _Parameters(place, hints, bool(names)).read(inspect.signature(function))
    outputs, single = _outputs(hints.get("return", inspect.Parameter.empty), kind, place)
    _check_settings_named(place, parts, names, subflow)
    help_text = inspect.getdoc(function) or ""
    holds = _takes_containers(parts)
    direct = not (parts.context_is_positional or names or any(port.spread for port in parts.inputs))
    if kind == "process" and any(port.lazy for port in parts.inputs):
        raise place.fail("a cpu node cannot have lazy inputs", "Drop Lazy[…] or cpu=True.")
    return NodeType(
        id=type_id,
        version=version,
        title=title or type_id.replace("_", " ").capitalize(),
        category=category,
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
        plain=_plain(outputs) if single else frozenset(),
        direct=direct,
        effects=kind != "async" or parts.context is not None,
        outside=bool(flags.get("seeded") or flags.get("fingerprint")),
        open=holds,
        simple=kind == "async"
        and direct
        and not holds
        and parts.context is None
        and not timeout
        and not retries,
        **flags_of(flags, place),
    )


def _hints(function: Callable[..., t.Any], place: Place) -> dict[str, t.Any]:
    try:
        return t.get_type_hints(function, include_extras=True, localns=_closure(function))
    except Exception as error:
        raise place.fail(
            f"an annotation cannot be read ({error})",
            "Import the names that annotations use at module level.",
        ) from error


def _closure(function: Callable[..., t.Any]) -> dict[str, t.Any]:
    """The names that a function defined inside another one can see, but for those with no value yet."""
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
        raise place.fail("a plain generator cannot stream", "Write `async def` with `yield`.")
    if cpu and kind != "process":
        raise place.fail("cpu=True runs a plain function", "Write `def` instead of `async def`.")
    if cpu and "<locals>" in function.__qualname__:
        raise place.fail("another process cannot find it", "Move the function to the top of its module.")
    return kind


class _Parameters:
    """The parameters of one function, sorted into ports, settings and the context."""

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
                mend = "Name each setting as a keyword-only parameter."
                raise self.place.fail("a node cannot take **anything", mend, parameter.name)
            if parameter.name not in self.hints:
                mend = "Annotate it with a type, `Text` say, or `str` for a setting."
                raise self.place.fail("it has no annotation", mend, parameter.name)
            self._read_one(parameter, self.hints[parameter.name])
        marked = [spec.name for spec in self.settings if spec.ui.input]
        if len(marked) > 1:
            raise self.place.fail(f"{', '.join(marked)} are all inputs", "Mark one Setting(input=True).")
        self.input = marked[0] if marked else None
        return self

    def _read_one(self, parameter: inspect.Parameter, annotation: t.Any) -> None:
        if _is_context(annotation):
            if self.context is not None:
                what = f"the node has its context already, as '{self.context}'"
                raise self.place.fail(what, "Take one.", parameter.name)
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
            mend = "Use str, int, float, bool, Literal, list, dict or a value type."
            mend = error.mend if isinstance(error, Misfit) else mend
            raise self.place.fail(str(error), mend, parameter.name) from None
        self.settings.append(spec)

    def _port(self, parameter: inspect.Parameter, annotation: t.Any) -> None:
        bare, extras = strip_annotated(annotation)
        if any(isinstance(extra, Setting) for extra in extras):
            mend = "Put it after a bare `*` to make it a setting, or drop Setting(…) to make it a port."
            raise self.place.fail("a positional parameter is an input port", mend, parameter.name)
        said = next((extra for extra in extras if isinstance(extra, Port)), Port())
        bare = strip_optional(bare)[0]
        lazy = t.get_origin(bare) is Lazy
        inner = t.get_args(bare)[0] if lazy else annotation
        spread = parameter.kind is inspect.Parameter.VAR_POSITIONAL
        found = _type(inner, self.place, parameter.name)
        default = [] if spread else _default(parameter)
        if not spread and not _may_default(default, found):
            what = f"its default {default!r} is not {found}"
            raise self.place.fail(what, "Change the default, or the annotation.", parameter.name)
        self.inputs.append(
            InputPort(
                parameter.name,
                found.deeper(1) if spread else found,
                said.title or parameter.name.replace("_", " ").capitalize(),
                said.help,
                default,
                lazy,
                spread,
            )
        )


def _is_context(annotation: t.Any) -> bool:
    bare, _ = strip_optional(strip_annotated(annotation)[0])
    return isinstance(bare, type) and bool(getattr(bare, "__impasto_context__", False))


def _default(parameter: inspect.Parameter) -> t.Any:
    return REQUIRED if parameter.default is inspect.Parameter.empty else parameter.default


def _may_default(default: t.Any, type_: PortType) -> bool:
    """Whether a port may fall back on it; None stands for nothing connected."""
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
        mend = (
            "Use Text, Number, Integer, Boolean, Json, Image, Video, Audio, File, Brand, Any, a list of one, "
        )
        raise place.fail(str(error), mend + "or a frozen dataclass of your own.", parameter, output) from None


def _outputs(annotation: t.Any, kind: Kind, place: Place) -> tuple[tuple[OutputPort, ...], bool]:
    if annotation is inspect.Parameter.empty:
        raise place.fail(
            "its return type is not annotated", "Write `-> Text`, a NamedTuple for several, or `-> None`."
        )
    bare, _ = strip_annotated(annotation)
    if kind == "stream":
        if t.get_origin(bare) not in _STREAMS:
            raise place.fail("an async generator returns an AsyncIterator", "Write `-> AsyncIterator[Text]`.")
        annotation = t.get_args(bare)[0]
        bare, _ = strip_annotated(annotation)
    if bare is type(None) or bare is None:
        return (), False
    if isinstance(bare, type) and issubclass(bare, tuple) and hasattr(bare, "_fields"):
        hints = t.get_type_hints(bare, include_extras=True)
        fields = ((name, f"the output '{name}'") for name in bare._fields)
        return tuple(_output(name, hints[name], place, where) for name, where in fields), False
    return (_output("output", annotation, place, "the return type"),), True


def _output(name: str, annotation: t.Any, place: Place, where: str) -> OutputPort:
    bare, extras = strip_annotated(annotation)
    said = next((extra for extra in extras if isinstance(extra, Port)), Port())
    title = said.title or name.replace("_", " ").capitalize()
    return OutputPort(name, _type(annotation, place, output=where), title, said.help, strip_optional(bare)[1])


def _check_settings_named(
    place: Place, parts: _Parameters, variables: tuple[str, ...], subflow: str | None
) -> None:
    names = {spec.name for spec in parts.settings}
    for said, name in [("variables", name) for name in variables] + (
        [("subflow", subflow)] if subflow else []
    ):
        if name not in names:
            raise place.fail(f"{said}='{name}' names no setting of it", "Name a keyword-only parameter.")


def _takes_containers(parts: _Parameters) -> bool:
    """Whether a setting may have an inside that the function could change."""
    types = [spec.port for spec in parts.settings]
    return any(found is None or found.depth or found.base in (JSON, ANY) for found in types)


def _plain(outputs: tuple[OutputPort, ...]) -> frozenset[type]:
    """The classes whose instances are the one output just as they stand (None may close it)."""
    type_ = outputs[0].type
    return frozenset(type_.base.python) - {type(None)} if not type_.depth else frozenset()


def _value_types(inputs: list[InputPort], outputs: tuple[OutputPort, ...]) -> tuple[ValueType, ...]:
    bases = [port.type.base for port in inputs] + [port.type.base for port in outputs]
    return tuple(dict.fromkeys(bases))
