"""Reads the answers of a restricted process as data only, so that they cannot run code in this process."""

import builtins
import dataclasses
import enum
import io
import pickle
import sys
from typing import Any

import msgspec

from impasto.plugins.capabilities import Plugin
from impasto.types import Skip

_BUILTINS = ("bytearray", "complex", "frozenset", "range", "set", "slice")
_CLASSES = {
    "collections": ("OrderedDict", "deque"),
    "datetime": ("date", "datetime", "time", "timedelta", "timezone"),
    "decimal": ("Decimal",),
    "fractions": ("Fraction",),
    "pathlib": ("Path", "PosixPath", "PurePosixPath", "PureWindowsPath", "WindowsPath"),
    "uuid": ("UUID",),
}
_REBUILT = (("impasto.errors", "_rebuilt"), ("impasto.tracking", "rebuilt"))
_VALUES = "impasto.types"


class UnexpectedData(pickle.UnpicklingError):
    """An answer contains something other than data."""


def loads(message: bytes, plugin: Plugin) -> Any:
    """Return the value of a pickle of plain data, values of ports, and instances of the plugin's classes.

    Raises UnexpectedData for anything else.
    """
    return _Unpickler(io.BytesIO(message), plugin).load()


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, plugin: Plugin) -> None:
        super().__init__(stream)
        self._packages = {root.stem for root in plugin.roots}

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _REBUILT:
            return super().find_class(module, name)
        if (module, name) == ("builtins", "getattr"):
            return _enum_member
        if module == "builtins" and name in _BUILTINS:
            return getattr(builtins, name)
        if name in _CLASSES.get(module, ()):
            return super().find_class(module, name)
        if module == _VALUES or module.partition(".")[0] in self._packages:
            found: Any = sys.modules.get(module)
            for part in name.split("."):
                found = vars(found).get(part) if found is not None else None
                # A module's attribute may be a class that it imported, such as subprocess.Popen.
                if not (isinstance(found, type) and found.__module__ == module and _is_data(found)):
                    raise UnexpectedData(f"a worker process sent {module}.{name}, which is no data")
            return found
        raise UnexpectedData(f"a worker process sent {module}.{name}, which is no data")


def _enum_member(owner: object, name: object) -> enum.Enum:
    """Return a member of an enumeration, which Python 3.11.2 pickles as a call of `getattr`."""
    if isinstance(name, str) and isinstance(owner, type) and issubclass(owner, enum.Enum):
        member = owner.__members__.get(name)
        if member is not None:
            return member
    raise UnexpectedData(f"a worker process sent the attribute {name} of {owner!r}, which is no data")


def _is_data(found: type) -> bool:
    """Return whether making an instance of a class has no effect; others may open or start something."""
    return dataclasses.is_dataclass(found) or issubclass(found, enum.Enum | tuple | msgspec.Struct | Skip)
