"""What may travel along an edge: value types, lists of them, their JSON form and their conversions.

A value type is a name, the Python class of its values and the way to and from JSON. `Text`, `Number`
and their kin are annotations over plain Python types; media values are frozen references to assets.
A plugin adds a type by annotating a port with a frozen dataclass of its own: its name is the class's
name, and a class that derives from a value type may be connected wherever its parent may.
"""

import dataclasses
import enum
import types as python_types
import typing as t
from collections.abc import Awaitable, Callable, Generator

import msgspec

from impasto.errors import DefinitionError

Encode = Callable[[t.Any], t.Any]
Decode = Callable[[t.Any], t.Any]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class ValueType:
    """A kind of value: `python` are the classes whose instances belong to it (empty: anything goes)."""

    name: str
    python: tuple[type, ...]
    cls: type | None = None
    parent: "ValueType | None" = None

    def holds(self, value: t.Any) -> bool:
        """Whether `value` is one of this type (a bool is never a number)."""
        kind = type(value)
        if kind in self.python or not self.python:
            return True
        return kind is not bool and isinstance(value, self.python)

    def __repr__(self) -> str:
        return self.name


TEXT = ValueType("Text", (str,))
NUMBER = ValueType("Number", (float, int))
INTEGER = ValueType("Integer", (int,))
BOOLEAN = ValueType("Boolean", (bool,))
JSON = ValueType("Json", (dict, list, str, int, float, bool, type(None)))
ANY = ValueType("Any", ())

Text = t.Annotated[str, TEXT]
Number = t.Annotated[float, NUMBER]
Integer = t.Annotated[int, INTEGER]
Boolean = t.Annotated[bool, BOOLEAN]
Json = t.Annotated[t.Any, JSON]
Any = t.Annotated[t.Any, ANY]


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True)
class File:
    """A reference to an asset of any media type."""

    asset_id: str
    media_type: str = "application/octet-stream"
    bytes: int | None = None
    sha256: str | None = None
    name: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True)
class Image:
    """A reference to a picture."""

    asset_id: str
    media_type: str = "image/png"
    width: int | None = None
    height: int | None = None
    bytes: int | None = None
    sha256: str | None = None
    name: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True)
class Video:
    """A reference to a film."""

    asset_id: str
    media_type: str = "video/mp4"
    width: int | None = None
    height: int | None = None
    seconds: float | None = None
    bytes: int | None = None
    sha256: str | None = None
    name: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True)
class Audio:
    """A reference to a sound."""

    asset_id: str
    media_type: str = "audio/mpeg"
    seconds: float | None = None
    bytes: int | None = None
    sha256: str | None = None
    name: str | None = None


def _hint(help_text: str, widget: str, **more: str) -> msgspec.Meta:
    """What a form says of a field inside a setting; `options` names the setting that has its choices."""
    return msgspec.Meta(description=help_text, extra_json_schema={"x-ui": {"widget": widget, **more}})


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True)
class Brand:
    """How a brand looks and speaks: a value like any other, read by the steps that make assets."""

    brand_name: str = ""
    description: t.Annotated[str, _hint("What it makes, for whom.", "long_text")] = ""
    palette: t.Annotated[tuple[str, ...], _hint("Colours, the main one first.", "colour")] = ()
    fonts: t.Annotated[
        tuple[str, ...], _hint("Families, the one for headlines first.", "list", options="fonts")
    ] = ()
    logo: Image | None = None
    tone: t.Annotated[str, _hint("How it sounds.", "text")] = ""
    banned_words: t.Annotated[tuple[str, ...], _hint("Never used in texts.", "list")] = ()
    example_lines: t.Annotated[tuple[str, ...], _hint("Lines that sound right.", "list")] = ()


Media = File | Image | Video | Audio
FILE, IMAGE = ValueType("File", (File,), File), ValueType("Image", (Image,), Image)
VIDEO, AUDIO = ValueType("Video", (Video,), Video), ValueType("Audio", (Audio,), Audio)
BRAND = ValueType("Brand", (Brand,), Brand)
BUILT_IN = (TEXT, NUMBER, INTEGER, BOOLEAN, JSON, IMAGE, VIDEO, AUDIO, FILE, BRAND, ANY)
_OF_CLASS: dict[type, ValueType] = {
    **{kind: value_type for value_type in (FILE, IMAGE, VIDEO, AUDIO, BRAND) for kind in value_type.python},
    str: TEXT,
    int: INTEGER,
    float: NUMBER,
    bool: BOOLEAN,
    dict: JSON,
    object: ANY,
}
_TAGGED = {value_type.name: value_type for value_type in (FILE, IMAGE, VIDEO, AUDIO, BRAND)}


class Skip:
    """The type of `SKIP`, which a node returns for a port to close it."""

    __slots__ = ()
    _only: "Skip | None" = None

    def __new__(cls) -> "Skip":
        """There is only one."""
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "SKIP"

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return (Skip, ())


SKIP: t.Any = Skip()

T_co = t.TypeVar("T_co", covariant=True)


class Lazy(t.Generic[T_co]):
    """An input that is computed only if it is awaited; in a `def` node call `.wait()` instead."""

    __slots__ = ("_ask", "_wait")

    def __init__(self, ask: Callable[[], Awaitable[t.Any]], wait: Callable[[], t.Any] | None = None) -> None:
        self._ask = ask
        self._wait = wait

    def __await__(self) -> Generator[t.Any, None, T_co]:
        return self._ask().__await__()

    def wait(self) -> T_co:
        """Block the worker thread of a `def` node until the value is there."""
        if self._wait is None:
            raise RuntimeError("An async node awaits its lazy input; only a def node waits for it.")
        return t.cast("T_co", self._wait())

    @staticmethod
    def of(value: t.Any) -> "Lazy[t.Any]":
        """A lazy input that is already there: for calling a node's function by hand."""

        async def ask() -> t.Any:
            return value

        return Lazy(ask, lambda: value)


@dataclasses.dataclass(frozen=True, slots=True)
class PortType:
    """What a port takes or gives: a value type, so many lists deep."""

    base: ValueType
    depth: int = 0

    def __str__(self) -> str:
        return "list[" * self.depth + self.base.name + "]" * self.depth

    def deeper(self, levels: int) -> "PortType":
        """The same, `levels` lists deeper."""
        return PortType(self.base, self.depth + levels) if levels else self


def value_type_of(cls: type) -> ValueType | None:
    """The value type of a class: built in, or made from a plugin's dataclass; None if it is neither."""
    if cls in _OF_CLASS:
        return _OF_CLASS[cls]
    own = cls.__dict__.get("__impasto_type__")
    if own is None and dataclasses.is_dataclass(cls):
        parents = (value_type_of(parent) for parent in cls.__mro__[1:] if dataclasses.is_dataclass(parent))
        own = ValueType(cls.__name__, (cls,), cls, next(parents, None))
        type.__setattr__(cls, "__impasto_type__", own)
    return t.cast("ValueType | None", own)


def strip_annotated(annotation: t.Any) -> tuple[t.Any, tuple[t.Any, ...]]:
    """The bare annotation and what `Annotated` says of it."""
    if t.get_origin(annotation) is t.Annotated:
        return annotation.__origin__, annotation.__metadata__
    return annotation, ()


def strip_optional(annotation: t.Any) -> tuple[t.Any, bool]:
    """The annotation without `None` and `Skip`, and whether one of them was there."""
    if t.get_origin(annotation) not in (t.Union, python_types.UnionType):
        return annotation, False
    members = t.get_args(annotation)
    kept = [member for member in members if member not in (type(None), Skip)]
    if len(kept) != 1:
        return annotation, False
    return kept[0], len(kept) < len(members)


def port_type(annotation: t.Any) -> PortType:
    """The port type that an annotation means, or DefinitionError (without the place: callers add it)."""
    bare, extras = strip_annotated(annotation)
    for extra in extras:
        if isinstance(extra, ValueType):
            return PortType(extra)
    bare, _ = strip_optional(bare)
    if bare is not annotation and t.get_origin(bare) is t.Annotated:
        return port_type(bare)
    origin = t.get_origin(bare)
    if origin is list:
        return port_type(t.get_args(bare)[0]).deeper(1)
    if origin is t.Literal and all(isinstance(choice, str) for choice in t.get_args(bare)):
        return PortType(TEXT)
    return PortType(_base_type(bare, origin))


def _base_type(bare: t.Any, origin: t.Any) -> ValueType:
    if bare is t.Any:
        return ANY
    if origin is dict or bare is list or t.is_typeddict(bare):
        return JSON
    found = value_type_of(bare) if isinstance(bare, type) else None
    if found is None:
        raise DefinitionError(f"{bare!r} is not a value type")
    return found


def encode(value: t.Any) -> t.Any:
    """The JSON form of one object that is not plain JSON itself: media, brand, a plugin's value."""
    found = value_type_of(type(value))
    if found is None or found.cls is None:
        if isinstance(value, Skip):
            return {"$type": "Skip"}
        if isinstance(value, enum.Enum):
            return value.value
        raise TypeError(f"{type(value).__name__} is neither JSON data nor a value type")
    data = {"$type": found.name}
    data.update((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
    return data


def to_json(value: t.Any) -> t.Any:
    """The JSON form of a value: plain data as it is, media and brand as objects that name their type."""
    kind = type(value)
    if kind in (str, int, float, bool, type(None)):
        return value
    if kind is dict:
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return to_json(encode(value)) if not isinstance(value, str | int | float | dict) else value


def from_json(data: t.Any, types: t.Mapping[str, ValueType] | None = None) -> t.Any:
    """The value that `to_json` wrote; `types` are a plugin's types by name, beside the built-in ones.

    What only looks like one, data from elsewhere with a `$type` of its own, stays the data that it is.
    """
    kind = type(data)
    if kind is list:
        return [from_json(item, types) for item in data]
    if kind is not dict:
        return data
    tag = data.get("$type")
    if not isinstance(tag, str):
        return {key: from_json(item, types) for key, item in data.items()}
    if tag == "Skip":
        return SKIP
    found = (types or {}).get(tag) or _TAGGED.get(tag)
    if found is None or found.cls is None:
        return data
    try:
        return msgspec.convert({key: item for key, item in data.items() if key != "$type"}, found.cls)
    except msgspec.ValidationError:
        return data
