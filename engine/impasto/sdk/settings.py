"""A node's settings: what they may be, and how a document's value becomes the function's argument."""

import math
import re
import typing as t
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from impasto.errors import DefinitionError
from impasto.types import PortType, port_type, strip_annotated, strip_optional

Options = str | Callable[..., t.Any]
Widget = t.Literal[
    "text", "long_text", "slider", "number", "switch", "select", "segmented", "colour", "picture", "file",
    "list", "json", "variables", "flow", "brand", "object", "table",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a keyword-only parameter's annotation may say of the setting: limits, and hints for its form.

    `options` names a function of the node's module (or is one): `async (query, context) -> list`.
    `input` makes the node an input of its flow: a run's input takes this setting's place.
    `main` is edited on the node itself.
    """

    title: str | None = None
    help: str = ""
    ge: float | None = None
    le: float | None = None
    gt: float | None = None
    lt: float | None = None
    step: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    choices: t.Sequence[t.Any] | None = None
    options: Options | None = None
    widget: str | None = None
    group: str | None = None
    order: int | None = None
    advanced: bool = False
    unit: str | None = None
    placeholder: str | None = None
    input: bool = False
    main: bool = False


class SettingInvalid(ValueError):
    """A value does not fit a setting; `path` is where in the value, as a JSON path."""

    def __init__(self, why: str, path: str = "$") -> None:
        self.why = why
        self.path = path
        super().__init__(why if path == "$" else f"{why} at {path}")


class Misfit(DefinitionError):
    """A setting's parts contradict each other; `mend` says what to do."""

    def __init__(self, what: str, mend: str) -> None:
        self.mend = mend
        super().__init__(what)


REQUIRED: t.Any = msgspec.NODEFAULT
_DISTINCT = ("Image", "Video", "Audio", "Brand")
_info = msgspec.inspect
_UNKEPT = (
    _info.SetType, _info.FrozenSetType, _info.DecimalType, _info.BytesType, _info.ByteArrayType,
    _info.MemoryViewType, _info.TimeDeltaType, _info.StructType, _info.CustomType,
)  # fmt: skip
_LIMITS: tuple[tuple[tuple[str, ...], frozenset[str], str], ...] = (
    (("ge", "gt", "le", "lt", "step"), frozenset(("number", "integer")), "a number"),
    (("pattern",), frozenset(("string",)), "a text"),
    (("min_length", "max_length"), frozenset(("string", "array", "object")), "a text, a list or an object"),
)
Check = Callable[[t.Any], str | None]


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One setting of a node type, ready to decode values."""

    name: str
    annotation: t.Any
    default: t.Any
    ui: Setting
    checks: tuple[Check, ...] = ()
    port: PortType | None = None
    index: int = 0
    extra: dict[str, t.Any] = field(default_factory=dict)

    @property
    def required(self) -> bool:
        """Whether a node must have a value for it."""
        return self.default is REQUIRED

    def _check_tag(self, tag: t.Any) -> None:
        """A value that says what it is must be that: the fields alone could be those of another type."""
        goal = str(self.port)
        if goal in _DISTINCT and tag in _DISTINCT and tag != goal:
            raise SettingInvalid(f"expected {goal}, got {tag}")

    def decode(self, value: t.Any) -> t.Any:
        """The function's argument for a document's value; raises SettingInvalid."""
        if type(value) is dict and "$type" in value:
            self._check_tag(value["$type"])
        try:
            decoded = msgspec.convert(value, self.annotation)
        except msgspec.ValidationError as error:
            why, _, path = str(error).partition(" - at `")
            raise SettingInvalid(_sentence(why), path.rstrip("`") or "$") from None
        if decoded is not None:
            for check in self.checks:
                why = check(decoded)  # type: ignore[assignment]
                if why:
                    raise SettingInvalid(why)
        return decoded


def _sentence(why: str) -> str:
    words = {"`str`": "text", "`int`": "a whole number", "`float`": "a number", "`bool`": "true or false"}
    words |= {"`array`": "a list", "`object`": "an object", "`null`": "nothing"}
    for code, word in words.items():
        why = why.replace(code, word)
    return why.replace("Expected", "expected").replace("`", "'")


def setting_spec(name: str, annotation: t.Any, default: t.Any, index: int) -> SettingSpec:
    """A parameter's annotation and default as a setting; raises DefinitionError without the place."""
    bare, extras = strip_annotated(annotation)
    ui = next((extra for extra in extras if isinstance(extra, Setting)), Setting())
    kept = tuple(extra for extra in extras if not isinstance(extra, Setting))
    decoded = t.Annotated[(bare, *kept)] if any(isinstance(e, msgspec.Meta) for e in kept) else bare
    decoded = t.Any if decoded is object else decoded
    try:
        schema = msgspec.json.schema(decoded)
    except TypeError as error:
        why = str(error).partition("\n")[0] if "custom types" not in str(error) else "it has no JSON form"
        raise DefinitionError(f"{bare!r} cannot be a setting ({why})") from None
    _check_kept(decoded, bare)
    _check_limits(ui, schema)
    spec = SettingSpec(name, decoded, default, ui, tuple(_checks(ui)), _port(annotation), index)
    if default is not REQUIRED and default is not None:
        _check_default(spec, default)
    return spec


def _check_kept(annotation: t.Any, bare: t.Any) -> None:
    """Refuse what would be something else once a document or a key has kept it as JSON."""
    todo, seen = [msgspec.inspect.type_info(annotation)], set()
    while todo:
        info = todo.pop()
        if type(info) in _UNKEPT:
            raise DefinitionError(f"{bare!r} cannot be a setting (JSON has no {type(info).__name__[:-4]})")
        if id(getattr(info, "cls", info)) in seen:
            continue
        seen.add(id(getattr(info, "cls", info)))
        inner = [getattr(info, name, ()) for name in ("item_type", "value_type", "item_types", "types")]
        inner.append([field.type for field in getattr(info, "fields", ())])
        for each in inner:
            todo.extend(each if isinstance(each, list | tuple) else [each])


def _check_limits(ui: Setting, schema: dict[str, t.Any]) -> None:
    """Refuse limits that the setting's type cannot have, or that nothing could keep to."""
    members = [member for member in schema.get("anyOf", [schema]) if member.get("type") != "null"]
    kinds = {str(member.get("type", "anything")) for member in members}
    for names, allowed, words in _LIMITS:
        said = [name for name in names if getattr(ui, name) is not None]
        if said and not kinds & allowed and "anything" not in kinds and "$ref" not in members[0]:
            raise Misfit(f"{said[0]} says nothing of such a setting", f"Only {words} can have it.")
    bounds = [getattr(ui, name) for name in ("ge", "gt", "le", "lt", "step")]
    if not all(bound is None or (type(bound) in (int, float) and math.isfinite(bound)) for bound in bounds):
        raise Misfit(f"its limits {bounds!r} are not all numbers", "Give numbers to ge, gt, le, lt and step.")
    _check_room(ui)


def _check_room(ui: Setting) -> None:
    lows = [low for low in (ui.ge, ui.gt) if low is not None]
    highs = [high for high in (ui.le, ui.lt) if high is not None]
    lengths = (ui.min_length or 0, ui.max_length if ui.max_length is not None else math.inf)
    if (lows and highs and max(lows) > min(highs)) or lengths[0] > lengths[1]:
        raise Misfit("its limits leave no value", "Make the lower one smaller than the upper one.")
    if ui.choices is not None and not ui.choices:
        raise Misfit("its choices are empty", "Name some, or leave them out.")
    if ui.step is not None and ui.step <= 0:
        raise Misfit(f"its step is {ui.step}", "Give a step above 0, or none.")
    if ui.widget is not None and ui.widget not in t.get_args(Widget):
        listed = ", ".join(t.get_args(Widget))
        raise Misfit(f"there is no widget '{ui.widget}'", f"Choose one of {listed}.")


def _check_default(spec: SettingSpec, default: t.Any) -> None:
    if isinstance(default, float) and not math.isfinite(default):
        raise Misfit(f"its default {default!r} is not a finite number", "Change the default.")
    try:
        spec.decode(default)
    except SettingInvalid as error:
        what = f"its default {default!r} does not fit its own annotation: {error}"
        raise Misfit(what, "Change the default, or the annotation.") from None


def _port(annotation: t.Any) -> PortType | None:
    """The port type that an edge into the setting is held against; None takes any JSON."""
    try:
        return port_type(strip_optional(strip_annotated(annotation)[0])[0])
    except (DefinitionError, TypeError):
        return None


def _checks(ui: Setting) -> t.Iterator[Check]:
    bounds: list[tuple[t.Any, Callable[[t.Any, t.Any], bool], str]] = [
        (ui.ge, lambda value, bound: value >= bound, "at least"),
        (ui.gt, lambda value, bound: value > bound, "more than"),
        (ui.le, lambda value, bound: value <= bound, "at most"),
        (ui.lt, lambda value, bound: value < bound, "less than"),
    ]
    for bound, holds, words in bounds:
        if bound is not None:
            yield _bound(bound, holds, f"must be {words} {bound:g}")
    if ui.min_length is not None:
        yield _bound(
            ui.min_length, lambda v, n: len(v) >= n, f"must have a length of at least {ui.min_length}"
        )
    if ui.max_length is not None:
        yield _bound(
            ui.max_length, lambda v, n: len(v) <= n, f"must have a length of at most {ui.max_length}"
        )
    if ui.pattern is not None:
        yield _bound(_compiled(ui.pattern), _matches, f"must match the pattern {ui.pattern}")
    if ui.choices is not None:
        listed = ", ".join(map(str, ui.choices))
        yield _bound(list(ui.choices), lambda value, some: value in some, f"must be one of {listed}")


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise Misfit(f"its pattern {pattern!r} cannot be read ({error})", "Mend the pattern.") from None


def _matches(value: t.Any, pattern: re.Pattern[str]) -> bool:
    return pattern.search(value) is not None


def _bound(bound: t.Any, holds: Callable[[t.Any, t.Any], bool], sentence: str) -> Check:
    def check(value: t.Any) -> str | None:
        return None if holds(value, bound) else sentence

    return check
