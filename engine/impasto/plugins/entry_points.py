"""Loading the entry points of installed packages."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # importing it takes a tenth of the time of importing the engine
    from importlib.metadata import Distribution, EntryPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenPlugin:
    """An entry point, or one node of a plugin, that could not be loaded.

    `name` is the entry point, followed by the function of a single node; `package` is the distribution.
    """

    name: str
    package: str
    error: str
    traceback: str

    @classmethod
    def of(cls, name: str, package: str, error: BaseException) -> "BrokenPlugin":
        """Return the failure with this error."""
        import traceback

        text = "".join(traceback.format_exception(error))
        return cls(name=name, package=package, error=f"{type(error).__name__}: {error}", traceback=text)


def package_of(entry: "EntryPoint") -> str:
    """Return the name of the distribution that declares an entry point."""
    return name_of(entry.dist) if entry.dist is not None else "unknown"


@functools.lru_cache(maxsize=100)
def name_of(distribution: "Distribution") -> str:
    """Return the name of a distribution, for which `importlib.metadata` parses all of its metadata."""
    return distribution.name


def is_outside(entry: "EntryPoint") -> bool:
    """Return whether an entry point belongs to another package than Impasto itself.

    Sorting by this loads the built-in plugins first, so that no other package can take their ids.
    """
    return package_of(entry) != "impasto"


def load(entry: "EntryPoint", take: Callable[[Any, str], None]) -> BrokenPlugin | None:
    """Load an entry point and pass it with its package to `take`; return the failure of either, if any."""
    package = package_of(entry)
    try:
        take(entry.load(), package)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin's module may raise anything
        return BrokenPlugin.of(entry.name, package, error)
    return None
