"""Tracked values: the run records which of their fields a node's function reads.

A value type with many independent fields offers tracking by `@tracked`. A function then gets views of such
values: they look like the values, and record the name of each field that is read. A step's result depends
on the fields that it read alone, so a change of another field does not make the result stale.

A read is a path: the number of the tracked value among the function's inputs, a dot, and the field. A value
that is compared, hashed, printed or pickled is read as a whole.
"""

import copy
import dataclasses
import functools
import typing as t
from collections.abc import Callable, Iterable, Sequence

WHOLE: t.Final = "*"
EVERYTHING: t.Final = frozenset((WHOLE,))
MAX_PATHS: t.Final = 512
_MAX_DIGITS: t.Final = 9
_MARK: t.Final = "__impasto_tracked__"
_T = t.TypeVar("_T")


@t.overload
def tracked(cls: type[_T], /) -> type[_T]: ...
@t.overload
def tracked(*, source: str) -> Callable[[type[_T]], type[_T]]: ...
def tracked(cls: t.Any = None, /, *, source: str = "") -> t.Any:
    """Mark a frozen dataclass: runs record which fields and properties of its values are read.

    `source` names the field that says where a value comes from. Runs report what steps read by that source.
    Raises TypeError for a class that is no frozen dataclass, or has no such field.
    """
    if cls is None:
        return functools.partial(tracked, source=source)
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is None or not parameters.frozen:
        raise TypeError(f"@tracked is for frozen dataclasses, which {cls.__qualname__} is not")
    if source and source not in {field.name for field in dataclasses.fields(cls)}:
        raise TypeError(f"@tracked(source={source!r}): {cls.__qualname__} has no such field")
    type.__setattr__(cls, _MARK, source)
    return cls


def is_tracked_class(cls: type | None) -> bool:
    """Return whether the class, or one that it derives from, is marked with `@tracked`."""
    return hasattr(cls, _MARK)


def is_tracked(value: t.Any) -> bool:
    """Return whether the value is of a tracked class, as itself or as a view."""
    return hasattr(type(value), _MARK)


def source_of(value: t.Any) -> str:
    """Return where a tracked value comes from; "" if it does not say so."""
    name = getattr(type(value), _MARK)
    found = getattr(value, name) if name else ""
    return found if isinstance(found, str) else ""


def field_at(path: str, values: Sequence[t.Any]) -> tuple[t.Any, str] | None:
    """Return the tracked value and its field, or WHOLE, that a path names; None if these values have none."""
    number, _, field = path.partition(".")
    if not number.isdecimal() or len(number) > _MAX_DIGITS or int(number) >= len(values):
        return None
    value = values[int(number)]
    return (value, field) if field == WHOLE or field in _leaves(t.cast("t.Any", type(value))) else None


class ReadLog:
    """The paths that were read. Adding is safe from any thread."""

    __slots__ = ("_paths",)

    def __init__(self) -> None:
        self._paths: set[str] = set()

    def add(self, number: int, field: str) -> None:
        """Record that a field of a value was read, or WHOLE of it."""
        if len(self._paths) <= MAX_PATHS:  # one more than that counts as everything
            self._paths.add(f"{number}.{field}")

    def add_all(self, paths: Iterable[str]) -> None:
        """Record paths that another log has."""
        self._paths.update(paths)

    def restore(self, paths: Iterable[str]) -> None:
        """Forget what was read since the log had these paths."""
        self._paths = set(paths)

    @property
    def paths(self) -> frozenset[str]:
        """The paths that were read; EVERYTHING instead of more than 512 paths."""
        found = frozenset(self._paths)
        return found if len(found) <= MAX_PATHS and WHOLE not in found else EVERYTHING


class Detached(t.NamedTuple):
    """A view on its way to another process: its value, and its number among the inputs."""

    value: t.Any
    number: int


def view_of(value: t.Any, number: int, log: ReadLog) -> t.Any:
    """Return a view of a tracked value that records what is read of it under this number."""
    cls = _view_class(t.cast("t.Any", type(value)))
    made: t.Any = object.__new__(cls)
    vars(cls)["_impasto_view"].__set__(made, (value, number, log))
    return made


def replaced(value: t.Any, replace: Callable[[t.Any], t.Any]) -> t.Any:
    """Return the value with `replace(each)` in place of each tracked value in its lists and objects."""
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([replaced(item, replace) for item in value])
    if kind is dict:
        return {key: replaced(item, replace) for key, item in value.items()}
    return replace(value) if is_tracked(value) else value


def detached(value: t.Any) -> t.Any:
    """Return the value with its views in a form that pickles without counting as a read."""
    return replaced(value, lambda each: Detached(*_state(each)[:2]) if _is_view(each) else each)


def attached(value: t.Any, log: ReadLog) -> t.Any:
    """Return the value with views again, which record into this log."""
    kind = type(value)
    if kind is Detached:
        return view_of(value.value, value.number, log)
    if kind is list or kind is tuple:
        return kind([attached(item, log) for item in value])
    return {key: attached(item, log) for key, item in value.items()} if kind is dict else value


def value_class(cls: type) -> type:
    """Return the class of the values that a class of views shows; any other class itself."""
    return t.cast("type", vars(cls).get("__impasto_view_of__", cls))


def _is_view(value: t.Any) -> bool:
    return "__impasto_view_of__" in vars(type(value))


def _state(view: t.Any) -> tuple[t.Any, int, ReadLog]:
    return t.cast("tuple[t.Any, int, ReadLog]", object.__getattribute__(view, "_impasto_view"))


def _whole(view: t.Any) -> t.Any:
    """Return the value behind a view, and record that all of it was read; any other value itself."""
    if not _is_view(view):
        return view
    value, number, log = _state(view)
    log.add(number, WHOLE)
    return value


def rebuilt(cls: type[_T], fields: t.Mapping[str, t.Any]) -> _T:
    """Return a value of a dataclass with these fields, without calling its constructor: views pickle so."""
    made = object.__new__(cls)
    for name, field in fields.items():
        object.__setattr__(made, name, field)
    return made


def _pickled(view: t.Any, protocol: t.SupportsIndex) -> t.Any:
    value = _whole(view)
    names = [field.name for field in dataclasses.fields(value)]
    return rebuilt, (type(value), {name: getattr(value, name) for name in names})


def _forwarded(name: str) -> Callable[..., t.Any]:
    def method(self: t.Any, *args: t.Any) -> t.Any:
        return getattr(_whole(self), name)(*map(_whole, args))

    return method


# Methods that see the value as a whole. All others of a class read fields through the view.
_OF_WHOLE: t.Final = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__repr__")


@functools.cache
def _leaves(cls: t.Any) -> frozenset[str]:
    """Return the names of a tracked class's fields and properties."""
    return frozenset(field.name for field in dataclasses.fields(cls)) | {
        name
        for base in cls.__mro__
        for name, each in vars(base).items()
        if isinstance(each, property | functools.cached_property)
    }


@functools.cache
def _view_class(cls: t.Any) -> type:
    leaves = _leaves(cls)

    def read(self: t.Any, name: str) -> t.Any:
        if name in leaves:
            value, number, log = _state(self)
            log.add(number, name)
            return getattr(value, name)
        return getattr(_whole(self), name) if name == "__dict__" else object.__getattribute__(self, name)

    def copied(self: t.Any, *memo: t.Any) -> t.Any:
        value, number, log = _state(self)
        return view_of(copy.deepcopy(value, *memo) if memo else copy.copy(value), number, log)

    def make(_: type, *args: t.Any, **kwargs: t.Any) -> t.Any:
        return cls(*args, **kwargs)  # dataclasses.replace() calls the class of what it gets

    methods: dict[str, t.Any] = {name: _forwarded(name) for name in _OF_WHOLE}
    methods |= {
        "__reduce_ex__": _pickled,
        "__new__": make,
        "__getattribute__": read,
        "__copy__": copied,
        "__deepcopy__": copied,
    }
    names = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__}
    return type(
        cls.__name__,
        (cls,),
        {**names, **methods, "__slots__": ("_impasto_view",), "__impasto_view_of__": cls},
    )
