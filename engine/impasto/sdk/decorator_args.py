"""What `@node` itself was told, held against what it may be told."""

import inspect
import re
import typing as t
from collections.abc import Callable, Mapping

from impasto.errors import DefinitionError
from impasto.sdk.node_type import Cost

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_FLAGS: dict[str, t.Any] = {
    "generative": False,
    "seeded": False,
    "fingerprint": None,
    "limit": None,
    "beta": False,
    "deprecated": False,
    "replaced_by": None,
    "check": None,
}
_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "title": ((str,), "a text"),
    "category": ((str,), "a text"),
    "limit": ((str,), "the name of a limit, a text"),
    "replaced_by": ((str,), "the id of a node type, a text"),
    "timeout": ((int, float), "a number of seconds"),
    "retries": ((int,), "a whole number"),
    "cpu": ((bool,), "True or False"),
    "generative": ((bool,), "True or False"),
    "seeded": ((bool,), "True or False"),
    "beta": ((bool,), "True or False"),
    "deprecated": ((bool,), "True or False"),
}
_CALLED = ("check", "fingerprint")


class Place:
    """Where in the source a complaint belongs."""

    def __init__(self, function: Callable[..., t.Any]) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"

    def fail(
        self, what: str, mend: str, parameter: str | None = None, output: str | None = None
    ) -> Exception:
        """The error to raise: where, what is wrong, and what to do about it."""
        where = f"node '{self.name}'"
        if parameter:
            where = f"parameter '{parameter}' of {where}"
        elif output:
            where = f"{output} of {where}"
        return DefinitionError(f"In {where}: {what}. {mend}")


def flags_of(flags: dict[str, t.Any], place: Place) -> dict[str, t.Any]:
    """The flags with their defaults; a name that `@node` does not know is refused."""
    unknown = sorted(set(flags) - set(_FLAGS))
    if unknown:
        raise place.fail(f"@node knows no '{unknown[0]}'", "See the names that `impasto.node` documents.")
    return _FLAGS | flags


def check_declared(place: Place, type_id: t.Any, declared: Mapping[str, t.Any]) -> None:
    """Refuse words that cannot mean anything."""
    version, migrations = declared["version"], declared["migrations"] or {}
    if not isinstance(migrations, Mapping):
        raise place.fail(
            f"migrations={migrations!r} does not mean anything", "Give a function for each version."
        )
    if not isinstance(type_id, str) or not re.fullmatch(r"[^\s./]+", type_id) or not type_id.isprintable():
        raise place.fail(f"{type_id!r} cannot be an id", "Use letters, digits and underscores.")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise place.fail(f"version {version!r} is not a number from 1", "Count versions 1, 2, 3.")
    _check_kinds(place, declared)
    timeout = declared["timeout"]
    if declared["retries"] < 0 or (timeout is not None and not timeout > 0):
        raise place.fail("retries and timeout cannot be negative", "Leave them out for none.")
    if any(start not in range(1, version) for start in migrations):
        raise place.fail(f"its migrations start at {sorted(migrations)}", f"They go from 1..{version - 1}.")


def _check_kinds(place: Place, declared: Mapping[str, t.Any]) -> None:
    for name, (kinds, words) in _KINDS.items():
        value = declared.get(name)
        if value is None:
            continue
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise place.fail(f"{name}={value!r} does not mean anything", f"Give {words}.")
    called = {name: declared.get(name) for name in _CALLED}
    called |= {f"migrations[{start!r}]": each for start, each in (declared["migrations"] or {}).items()}
    for name, value in called.items():
        if value is not None and not callable(value):
            raise place.fail(f"{name}={value!r} does not mean anything", "Give a function.")
    cost = declared["cost"]
    if cost is not None and not callable(cost) and not (isinstance(cost, int | float) and cost >= 0):
        raise place.fail(f"cost={cost!r} does not mean anything", "Give a number of dollars, or a function.")


def cost_of(cost: Callable[..., t.Any] | float | None) -> Cost | None:
    """Return the cost function as one of (settings, inputs, configured), whatever the author's own takes.

    It may take any of these three by name, or settings and inputs by their own names.
    """
    if cost is None:
        return None
    if not callable(cost):
        return lambda settings, inputs, configured: cost
    wanted = list(inspect.signature(cost).parameters.values())
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in wanted):
        return lambda settings, inputs, configured: cost(**{**inputs, **settings})
    names = [parameter.name for parameter in wanted]
    if names in (["settings", "inputs", "configured"], ["settings", "inputs"], ["settings"], ["inputs"], []):
        return lambda settings, inputs, configured: cost(
            *({"settings": settings, "inputs": inputs, "configured": configured}[name] for name in names)
        )
    return lambda settings, inputs, configured: _cost_by_names(cost, wanted, settings, inputs)


def _cost_by_names(
    cost: Callable[..., t.Any],
    wanted: list[inspect.Parameter],
    settings: Mapping[str, t.Any],
    inputs: Mapping[str, t.Any],
) -> t.Any:
    known = {**inputs, **settings}
    if not any(parameter.name in known for parameter in wanted):
        positional = [parameter for parameter in wanted if parameter.kind in _POSITIONAL]
        return cost(*(settings, inputs)[: len(positional)])
    given = {p.name: known.get(p.name, None if p.default is p.empty else p.default) for p in wanted}
    return cost(**given)
