"""Value types: what ports carry, how values are written as JSON, and what a port's annotation means.

A value type has a name, the Python classes of its values and a JSON form. `Text`, `Number` and the other
scalar types annotate plain Python types. Media values are frozen references to assets. A plugin adds a type
by annotating a port with a frozen dataclass of its own. A plugin's type is identified by its package and its
name (`sparkle.Chapter`), so two plugins may use the same class name. A class that derives from a value type
may be connected wherever its parent may.
"""

import dataclasses
import types as python_types
import typing as t
from collections.abc import Awaitable, Callable, Generator

import msgspec

from impasto.errors import DefinitionError
from impasto.tracking import is_tracked_class, tracked, value_class


@dataclasses.dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ValueType:
    """A kind of value. `python` lists the classes of its values; empty means any value.

    `package` is the top-level module of a plugin's type, empty for the built-in types. `cls` is the dataclass
    of a media type or a plugin's type, `parent` the value type that it derives from. `is_tracked`: runs
    record which fields of its values steps read.
    """

    name: str
    python: tuple[type, ...]
    cls: type | None = None
    parent: "ValueType | None" = None
    package: str = ""
    id: str = dataclasses.field(init=False)
    is_tracked: bool = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", f"{self.package}.{self.name}" if self.package else self.name)
        object.__setattr__(self, "is_tracked", is_tracked_class(self.cls))

    def holds(self, value: t.Any) -> bool:
        """Return whether `value` belongs to this type. A bool is not a number."""
        kind = type(value)
        if kind in self.python or not self.python:
            return True
        return kind is not bool and isinstance(value, self.python)

    def __repr__(self) -> str:
        return self.id


TEXT = ValueType(name="Text", python=(str,))
NUMBER = ValueType(name="Number", python=(float, int))
INTEGER = ValueType(name="Integer", python=(int,))
BOOLEAN = ValueType(name="Boolean", python=(bool,))
JSON = ValueType(name="Json", python=(dict, list, str, int, float, bool, type(None)))
ANY = ValueType(name="Any", python=())

Text = t.Annotated[str, TEXT]
Number = t.Annotated[float, NUMBER]
Integer = t.Annotated[int, INTEGER]
Boolean = t.Annotated[bool, BOOLEAN]
Json = t.Annotated[t.Any, JSON]
Any = t.Annotated[t.Any, ANY]


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class File:
    """A reference to an asset of any media type. `bytes` is its size."""

    asset_id: str
    media_type: str = "application/octet-stream"
    bytes: int | None = None
    sha256: str | None = None
    name: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Image:
    """A reference to an image asset. `width` and `height` are in pixels."""

    asset_id: str
    media_type: str = "image/png"
    width: int | None = None
    height: int | None = None
    bytes: int | None = None
    sha256: str | None = None
    name: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Video:
    """A reference to a video asset. `width` and `height` are in pixels, `seconds` is its duration."""

    asset_id: str
    media_type: str = "video/mp4"
    width: int | None = None
    height: int | None = None
    seconds: float | None = None
    bytes: int | None = None
    sha256: str | None = None
    name: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Audio:
    """A reference to an audio asset. `seconds` is its duration."""

    asset_id: str
    media_type: str = "audio/mpeg"
    seconds: float | None = None
    bytes: int | None = None
    sha256: str | None = None
    name: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Mask:
    """The part of an image that an edit may change.

    `image` is painted over the whole of that image: white is changed, black is kept, and grey mixes both, so
    that the edit fades into its surroundings.
    """

    image: Image


def _hint(help_text: str, widget: str, **more: str) -> msgspec.Meta:
    """Return a form hint for a field inside a setting; `options` names the setting that lists its choices."""
    return msgspec.Meta(description=help_text, extra_json_schema={"x-ui": {"widget": widget, **more}})


@tracked(source="source")
@dataclasses.dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Brand:
    """How a brand looks and speaks. Nodes that generate assets read it.

    `logo` is for light grounds, `logo_dark` for dark ones. `font_files` are files of families in `fonts` that
    the brand brings itself. Each is named by its family, a hyphen, its CSS weight, and "italic" if it is,
    such as `Acme Sans-700italic.ttf`. `other_names` are names of other brands, which its texts must not have.
    `clear_space` is the least room around the logo in logo heights; 0 if the brand states none.
    `saved` refers to a brand that a server stores, by its id, or by `id@version`: the server puts that
    brand's values in its place before a run starts, and its id into `source`.
    """

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
    logo_dark: Image | None = None
    dos: t.Annotated[tuple[str, ...], _hint("What texts do.", "list")] = ()
    donts: t.Annotated[tuple[str, ...], _hint("What texts avoid.", "list")] = ()
    languages: t.Annotated[tuple[str, ...], _hint("Languages that it writes in.", "list")] = ()
    legal_line: t.Annotated[str, _hint("Set small on images.", "text")] = ""
    font_files: tuple[File, ...] = ()
    other_names: tuple[str, ...] = ()
    clear_space: t.Annotated[float, msgspec.Meta(ge=0, le=3)] = 0.0
    saved: str = ""
    source: str = ""

    @property
    def main_color(self) -> str:
        """The first colour of the palette; "" without one. A step that reads it does not read the others."""
        return self.palette[0] if self.palette else ""

    @property
    def main_font(self) -> str:
        """The first of the fonts, for headlines; "" without one."""
        return self.fonts[0] if self.fonts else ""

    @property
    def main_font_files(self) -> tuple[File, ...]:
        """The files of the first of the fonts; empty if the brand brings none."""
        start = f"{self.main_font}-"
        return tuple(file for file in self.font_files if (file.name or "").startswith(start))


Media = File | Image | Video | Audio
FILE = ValueType(name="File", python=(File,), cls=File)
IMAGE = ValueType(name="Image", python=(Image,), cls=Image)
VIDEO = ValueType(name="Video", python=(Video,), cls=Video)
AUDIO = ValueType(name="Audio", python=(Audio,), cls=Audio)
BRAND = ValueType(name="Brand", python=(Brand,), cls=Brand)
MASK = ValueType(name="Mask", python=(Mask,), cls=Mask)
_WITH_CLASS = (FILE, IMAGE, VIDEO, AUDIO, BRAND, MASK)
BUILT_IN = (TEXT, NUMBER, INTEGER, BOOLEAN, JSON, *_WITH_CLASS, ANY)
_OF_CLASS: dict[type, ValueType] = {
    **{kind: value_type for value_type in _WITH_CLASS for kind in value_type.python},
    str: TEXT,
    int: INTEGER,
    float: NUMBER,
    bool: BOOLEAN,
    dict: JSON,
    object: ANY,
}
BUILT_IN_TYPES = {value_type.id: value_type for value_type in _WITH_CLASS}


class ValueTypes(t.Mapping[str, ValueType]):
    """The value types of a catalog, by id.

    Lookups also accept a plugin type's bare name (`Chapter`), as older versions wrote it into documents and
    caches, as long as only one plugin has a type of that name. Iteration yields ids only.
    """

    def __init__(self) -> None:
        self._by_id: dict[str, ValueType] = {found.id: found for found in BUILT_IN}
        self._by_name: dict[str, ValueType | None] = {}

    def add(self, found: ValueType) -> None:
        """Add a type. Raises DefinitionError if another class has the same package and name."""
        known = self._by_id.setdefault(found.id, found)
        if known is not found:
            classes = " and ".join(
                f"{each.cls.__module__}.{each.cls.__qualname__}" for each in (known, found) if each.cls
            )
            raise DefinitionError(f"Two value types are called '{found.id}': {classes}. Rename one of them.")
        if found.package:
            same = self._by_name.setdefault(found.name, found)
            self._by_name[found.name] = found if same is found else None

    def get(self, key: str, default: t.Any = None) -> t.Any:
        """Return the type with this id or unambiguous name; `default` if there is none."""
        return self._by_id.get(key) or self._by_name.get(key) or default

    def __getitem__(self, key: str) -> ValueType:
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return t.cast("ValueType", found)

    def __iter__(self) -> t.Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)


class Skip:
    """The type of `SKIP`, which a node returns for an output to close it."""

    __slots__ = ()
    _instance: "Skip | None" = None

    def __new__(cls) -> "Skip":
        """Return the only instance."""
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __repr__(self) -> str:
        return "SKIP"

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return (Skip, ())


SKIP: t.Any = Skip()


@dataclasses.dataclass(frozen=True, slots=True)
class Delta:
    """Text that a streaming node yields to append it to its output.

    An `async def` node with one Text output may yield deltas: its result is their concatenation.
    """

    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError(f"Delta() takes a str, got {type(self.text).__name__}")


T_co = t.TypeVar("T_co", covariant=True)


class Lazy(t.Generic[T_co]):
    """An input that is computed only when it is awaited. In a `def` node call `.wait()` instead."""

    __slots__ = ("_compute", "_wait")

    def __init__(
        self, compute: Callable[[], Awaitable[t.Any]], wait: Callable[[], t.Any] | None = None
    ) -> None:
        self._compute = compute
        self._wait = wait

    def __await__(self) -> Generator[t.Any, None, T_co]:
        return self._compute().__await__()

    def wait(self) -> T_co:
        """Block the worker thread of a `def` node until the value is computed, and return it.

        Raises RuntimeError in an `async def` node.
        """
        if self._wait is None:
            raise RuntimeError("wait() is for def nodes; an async node awaits its lazy input.")
        return t.cast("T_co", self._wait())

    @staticmethod
    def of(value: t.Any) -> "Lazy[t.Any]":
        """Return a lazy input with a known value, for calling a node's function directly."""

        async def compute() -> t.Any:
            return value

        return Lazy(compute, lambda: value)


@dataclasses.dataclass(frozen=True, slots=True)
class PortType:
    """The type of a port: a value type, nested `depth` lists deep."""

    base: ValueType
    depth: int = 0

    def __str__(self) -> str:
        return "list[" * self.depth + self.base.id + "]" * self.depth

    def deeper(self, levels: int) -> "PortType":
        """Return the type nested `levels` lists deeper."""
        return PortType(self.base, self.depth + levels) if levels else self


def value_type_of(cls: type) -> ValueType | None:
    """Return the value type of a class: built in, or a plugin's dataclass; None for any other class."""
    if cls in _OF_CLASS:
        return _OF_CLASS[cls]
    cls = value_class(cls)
    if cls in _OF_CLASS:
        return _OF_CLASS[cls]
    own = cls.__dict__.get("__impasto_type__")
    if own is None and dataclasses.is_dataclass(cls):
        parents = (value_type_of(parent) for parent in cls.__mro__[1:] if dataclasses.is_dataclass(parent))
        package = cls.__module__.partition(".")[0]
        own = ValueType(
            name=cls.__name__, python=(cls,), cls=cls, parent=next(parents, None), package=package
        )
        type.__setattr__(cls, "__impasto_type__", own)
    return t.cast("ValueType | None", own)


def strip_annotated(annotation: t.Any) -> tuple[t.Any, tuple[t.Any, ...]]:
    """Return the bare annotation and the metadata of `Annotated`."""
    if t.get_origin(annotation) is t.Annotated:
        return annotation.__origin__, annotation.__metadata__
    return annotation, ()


def strip_optional(annotation: t.Any) -> tuple[t.Any, bool]:
    """Return the annotation without `None` and `Skip`, and whether either was part of it."""
    if t.get_origin(annotation) not in (t.Union, python_types.UnionType):
        return annotation, False
    kept = [member for member in t.get_args(annotation) if member not in (type(None), Skip)]
    return (kept[0], True) if len(kept) == 1 else (annotation, False)


def port_type(annotation: t.Any) -> PortType:
    """Return the port type that an annotation means.

    Raises DefinitionError if it means none; the caller adds the place in the source.
    """
    bare, extras = strip_annotated(annotation)
    for extra in extras:
        if isinstance(extra, ValueType):
            return PortType(extra)
    bare, _ = strip_optional(bare)
    if t.get_origin(bare) is t.Annotated:
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
