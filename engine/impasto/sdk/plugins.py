"""Loading the entry points of installed packages."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any


@dataclass(frozen=True, slots=True)
class BrokenPlugin:
    """An entry point that could not be loaded: its name, its distribution, and the error."""

    name: str
    package: str
    error: str
    traceback: str


def package_of(entry: EntryPoint) -> str:
    """Return the name of the distribution that declares an entry point."""
    return entry.dist.name if entry.dist is not None else "unknown"


def load(entry: EntryPoint, take: Callable[[Any, str], None]) -> BrokenPlugin | None:
    """Load an entry point and hand it with its package to `take`; return the failure of either, if any."""
    package = package_of(entry)
    try:
        take(entry.load(), package)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin's module may raise anything
        text = "".join(traceback.format_exception(error))
        return BrokenPlugin(entry.name, package, f"{type(error).__name__}: {error}", text)
    return None
