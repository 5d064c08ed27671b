"""Settings of a node type: their declaration, and decoding a document's value into an argument."""

import math
import re
import typing as t
from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass, field

import msgspec
import orjson

from impasto.encoding import encode
from impasto.errors import DefinitionError, Reason
from impasto.sdk.reasons import reason_of, wrong_type
from impasto.types import PortType, port_type, strip_annotated, strip_optional

Options = str | Callable[..., t.Any]
Widget = t.Literal[
    "text", "long_text", "slider", "number", "switch", "select", "segmented", "colour", "picture", "file",
    "list", "json", "schema", "key_value", "variables", "flow", "brand", "object", "table", "conditions",
    "api_workflow",
    "mask",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Limits and form hints of a setting: `size: Annotated[int, Setting(ge=1, unit="px")] = 512`.

    Attributes:
        title: The label; derived from the parameter's name by default.
        help: A sentence below the field.
        ge, le, gt, lt: Bounds of a number.
        step: The increment of a number.
        min_length, max_length: Bounds of the length of text, a list or an object.
        pattern: A regular expression that the text must contain a match of.
        choices: The allowed values.
        options: A function, or the name of one in the node's module, that lists choices on request:
            `async (query, context) -> list`.
        widget: The form field; derived from the type by default.
        group: The heading under which the field stands.
        order: The position in the form.
        advanced: The field is hidden behind "Advanced".
        shown_if: The field is shown only while these other settings have these values; its value stays.
        unit: Shown behind the field.
        placeholder: Shown in an empty field.
        input: The node is an input of its flow: a run's input replaces this setting.
        main: The field is shown on the node itself.
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
    shown_if: Mapping[str, str | float | bool | None] | None = None
    unit: str | None = None
    placeholder: str | None = None
    input: bool = False
    main: bool = False


class SettingInvalid(ValueError):
    """A value does not fit a setting. `why` is a clause; `path` is the JSON path inside the value."""

    def __init__(self, why: str | Reason, path: str = "$") -> None:
        self.reason = Reason("other", why) if isinstance(why, str) else why
        self.why = why = self.reason.text
        self.path = path
        super().__init__(why if path == "$" else f"{why} at {path}")


class SettingDeclarationError(DefinitionError):
    """The parts of a setting's declaration contradict each other; `fix` says what to change."""

    def __init__(self, what: str, fix: str) -> None:
        self.fix = fix
        super().__init__(what)


REQUIRED: t.Any = msgspec.NODEFAULT
_EXCLUSIVE_TYPES = ("Image", "Video", "Audio", "Brand", "Mask")
_info = msgspec.inspect
_WITHOUT_JSON_FORM = (
    _info.SetType, _info.FrozenSetType, _info.DecimalType, _info.BytesType, _info.ByteArrayType,
    _info.MemoryViewType, _info.TimeDeltaType, _info.StructType, _info.CustomType,
)  # fmt: skip
_LIMITS: tuple[tuple[tuple[str, ...], frozenset[str], str], ...] = (
    (("ge", "gt", "le", "lt", "step"), frozenset(("number", "integer")), "a number"),
    (("pattern",), frozenset(("string",)), "text"),
    (("min_length", "max_length"), frozenset(("string", "array", "object")), "text, a list or an object"),
)
Check = Callable[[t.Any], Reason | None]
_DEFAULTS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_NON_STR_KEYS


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingSpec:
    """One setting of a node type.

    `annotation` is what values are decoded to, `port` the type of an edge into the setting (None: any JSON).
    """

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

    @property
    def title(self) -> str:
        """What people call it: its declared title, else its name in words."""
        return self.ui.title or self.name.replace("_", " ").capitalize()

    @property
    def default_json(self) -> t.Any:
        """The JSON form of the default, such as the text of a date. Raises TypeError if it has none."""
        return orjson.loads(orjson.dumps(self.default, _encoded, _DEFAULTS))

    def _check_tag(self, tag: t.Any) -> None:
        """Refuse a tagged value of another type: its fields alone might fit."""
        goal = str(self.port)
        if goal in _EXCLUSIVE_TYPES and tag in _EXCLUSIVE_TYPES and tag != goal:
            raise SettingInvalid(wrong_type(goal, tag))

    def decode(self, value: t.Any) -> t.Any:
        """Return the function's argument for a document's value. Raises SettingInvalid."""
        if type(value) is dict and "$type" in value:
            self._check_tag(value["$type"])
        try:
            decoded = msgspec.convert(value, self.annotation, str_keys=True)
        except msgspec.ValidationError as error:
            why, _, place = str(error).partition(" - at `")
            path = place.removeprefix("key` in `").removesuffix("`") or "$"
            raise SettingInvalid(reason_of(why), path) from None
        if decoded is not None:
            for check in self.checks:
                if reason := check(decoded):
                    raise SettingInvalid(reason)
        return decoded


def setting_spec(name: str, annotation: t.Any, default: t.Any, index: int) -> SettingSpec:
    """Return a parameter's annotation and default as a setting.

    Raises DefinitionError; the caller adds the place in the source.
    """
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
    _check_json_form(decoded, bare)
    _check_limits(ui, schema)
    spec = SettingSpec(
        name=name,
        annotation=decoded,
        default=default,
        ui=ui,
        checks=tuple(_checks(ui)),
        port=_port(annotation),
        index=index,
    )
    if default is not REQUIRED and default is not None:
        _check_default(spec, default)
    return spec


def _check_json_form(annotation: t.Any, bare: t.Any) -> None:
    """Refuse types whose values JSON would change."""
    todo, seen = [msgspec.inspect.type_info(annotation)], set()
    while todo:
        info = todo.pop()
        if type(info) in _WITHOUT_JSON_FORM:
            raise DefinitionError(f"{bare!r} cannot be a setting (JSON has no {type(info).__name__[:-4]})")
        if id(getattr(info, "cls", info)) in seen:
            continue
        seen.add(id(getattr(info, "cls", info)))
        inner = [getattr(info, name, ()) for name in ("item_type", "value_type", "item_types", "types")]
        inner.append([field.type for field in getattr(info, "fields", ())])
        for each in inner:
            todo.extend(each if isinstance(each, list | tuple) else [each])


def _check_limits(ui: Setting, schema: dict[str, t.Any]) -> None:
    """Refuse limits that the setting's type cannot have, or that no value satisfies."""
    members = [member for member in schema.get("anyOf", [schema]) if member.get("type") != "null"]
    kinds = {str(member.get("type", "anything")) for member in members}
    for names, allowed, words in _LIMITS:
        given = [name for name in names if getattr(ui, name) is not None]
        if given and not kinds & allowed and "anything" not in kinds and "$ref" not in members[0]:
            raise SettingDeclarationError(
                f"{given[0]} does not apply to this type", f"Use it with {words} only."
            )
    bounds = [getattr(ui, name) for name in ("ge", "gt", "le", "lt", "step")]
    if not all(bound is None or (type(bound) in (int, float) and math.isfinite(bound)) for bound in bounds):
        raise SettingDeclarationError(
            f"its limits {bounds!r} are not all finite numbers", "Give numbers to ge, gt, le, lt and step."
        )
    _check_satisfiable(ui)


def _check_satisfiable(ui: Setting) -> None:
    lows = [low for low in (ui.ge, ui.gt) if low is not None]
    highs = [high for high in (ui.le, ui.lt) if high is not None]
    lengths = (ui.min_length or 0, ui.max_length if ui.max_length is not None else math.inf)
    if (lows and highs and max(lows) > min(highs)) or lengths[0] > lengths[1]:
        raise SettingDeclarationError(
            "its limits allow no value", "Make the lower limit smaller than the upper one."
        )
    if ui.choices is not None and not ui.choices:
        raise SettingDeclarationError("its choices are empty", "List some, or leave them out.")
    if ui.step is not None and ui.step <= 0:
        raise SettingDeclarationError(f"its step is {ui.step}", "Give a step above 0, or leave it out.")
    if ui.widget is not None and ui.widget not in t.get_args(Widget):
        listed = ", ".join(t.get_args(Widget))
        raise SettingDeclarationError(f"there is no widget '{ui.widget}'", f"Choose one of {listed}.")


def _check_default(spec: SettingSpec, default: t.Any) -> None:
    if isinstance(default, float) and not math.isfinite(default):
        raise SettingDeclarationError(
            f"its default {default!r} is not a finite number", "Change the default."
        )
    try:
        spec.decode(default)
    except SettingInvalid as error:
        what = f"its default {default!r} does not fit its annotation: {error}"
        raise SettingDeclarationError(what, "Change the default, or the annotation.") from None
    try:
        _ = spec.default_json
    except TypeError as error:
        what = f"its default {default!r} has no JSON form ({error})"
        raise SettingDeclarationError(what, "Change the default.") from None


def _encoded(value: t.Any) -> t.Any:
    return list(value) if isinstance(value, tuple) else encode(value)


def _port(annotation: t.Any) -> PortType | None:
    """Return the port type of an edge into the setting; None accepts any JSON."""
    try:
        return port_type(strip_optional(strip_annotated(annotation)[0])[0])
    except (DefinitionError, TypeError):
        return None


def limits_of(ui: Setting, annotation: t.Any) -> tuple[Check, ...]:
    """Return the checks of a setting whose limits were narrowed.

    Raises SettingInvalid if the limits allow no value, or do not apply to the annotation.
    """
    try:
        _check_limits(ui, msgspec.json.schema(annotation))
    except SettingDeclarationError as error:
        why = "only numbers have a smallest and a largest value" if "apply" in str(error) else str(error)
        raise SettingInvalid(why) from None
    return tuple(_checks(ui))


def _checks(ui: Setting) -> t.Iterator[Check]:
    """Yield the checks of a setting. As in JSON Schema, each applies to values of its own kinds only."""
    bounds: list[tuple[t.Any, Callable[[t.Any, t.Any], bool], str, str]] = [
        (ui.ge, lambda value, bound: value >= bound, "too_small", "at least"),
        (ui.gt, lambda value, bound: value > bound, "not_above", "more than"),
        (ui.le, lambda value, bound: value <= bound, "too_large", "at most"),
        (ui.lt, lambda value, bound: value < bound, "not_below", "less than"),
    ]
    for bound, holds, code, words in bounds:
        if bound is not None:
            reason = Reason(code, f"must be {words} {bound:g}", {"limit": bound})
            yield _bound((int, float), bound, holds, reason)
    lengths: list[tuple[int | None, Callable[[t.Any, t.Any], bool], str, str]] = [
        (ui.min_length, lambda value, count: len(value) >= count, "too_short", "at least"),
        (ui.max_length, lambda value, count: len(value) <= count, "too_long", "at most"),
    ]
    for count, holds, code, words in lengths:
        if count is not None:
            text = f"must have a length of {words} {count}"
            yield _bound((Sized,), count, holds, Reason(code, text, {"count": count}))
    if ui.pattern is not None:
        reason = Reason("wrong_format", f"must match the pattern {ui.pattern}")
        yield _bound((str,), _compiled(ui.pattern), _matches, reason)
    if ui.choices is not None:
        listed = ", ".join(map(str, ui.choices))
        reason = Reason("not_a_choice", f"must be one of {listed}")
        yield _bound((object,), list(ui.choices), lambda value, some: value in some, reason)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise SettingDeclarationError(
            f"its pattern {pattern!r} is not a regular expression ({error})", "Correct the pattern."
        ) from None


def _matches(value: t.Any, pattern: re.Pattern[str]) -> bool:
    return pattern.search(value) is not None


def _bound(
    kinds: tuple[type, ...], bound: t.Any, holds: Callable[[t.Any, t.Any], bool], reason: Reason
) -> Check:
    def check(value: t.Any) -> Reason | None:
        return None if not isinstance(value, kinds) or holds(value, bound) else reason

    return check
