"""The arguments of `@node`, checked at import."""

import inspect
import re
import typing as t
from collections.abc import Callable, Mapping

from impasto.errors import DefinitionError
from impasto.sdk.node_type import CATEGORIES, Category, Cost

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_UNCATEGORIZED = "uncategorized"
_FLAGS: dict[str, t.Any] = {
    "generative": False,
    "seeded": False,
    "fingerprint": None,
    "limit": None,
    "beta": False,
    "deprecated": False,
    "replaced_by": None,
    "check": None,
    "keywords": (),
}
_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "title": ((str,), "a str"),
    "limit": ((str,), "the name of a limit, a str"),
    "replaced_by": ((str,), "the id of a node type, a str"),
    "timeout": ((int, float), "a number of seconds"),
    "retries": ((int,), "an int"),
    "cpu": ((bool,), "True or False"),
    "generative": ((bool,), "True or False"),
    "seeded": ((bool,), "True or False"),
    "beta": ((bool,), "True or False"),
    "deprecated": ((bool,), "True or False"),
}
_OPTIONAL = ("title", "limit", "replaced_by", "timeout")
_FUNCTIONS = ("check", "fingerprint")


class Place:
    """The place in the source that an error belongs to."""

    def __init__(self, function: Callable[..., t.Any]) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"

    def error(
        self, fault: str, fix: str, parameter: str | None = None, output: str | None = None
    ) -> DefinitionError:
        """Return the error to raise: where, what is wrong, and how to fix it."""
        where = f"node '{self.name}'"
        if parameter:
            where = f"parameter '{parameter}' of {where}"
        elif output:
            where = f"{output} of {where}"
        return DefinitionError(f"In {where}: {fault}. {fix}")


def flags_of(flags: dict[str, t.Any], place: Place) -> dict[str, t.Any]:
    """Return the flags with their defaults. Raises DefinitionError for a name that `@node` does not take."""
    unknown = sorted(set(flags) - set(_FLAGS))
    if unknown:
        fix = "help(impasto.node) lists its arguments."
        raise place.error(f"@node has no argument '{unknown[0]}'", fix)
    return _FLAGS | flags | {"keywords": _keywords_of(flags.get("keywords", ()), place)}


def _keywords_of(keywords: t.Any, place: Place) -> tuple[str, ...]:
    """Return the keywords. Raises DefinitionError for one text, or for a keyword that is none or empty."""
    listed = keywords if isinstance(keywords, list | tuple) else None
    if listed is None or not all(isinstance(word, str) and word.strip() for word in listed):
        raise place.error(f"keywords={keywords!r} has a wrong type", "Give a list of words, each a str.")
    return tuple(word.strip() for word in listed)


def category_of(category: t.Any, place: Place) -> str:
    """Return the id of a category. Raises DefinitionError for one that is neither built in nor declared."""
    if isinstance(category, Category):
        if not isinstance(category.id, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", category.id):
            fix = "Use lower-case letters, digits and underscores, a letter first."
            raise place.error(f"{category.id!r} cannot be a category's id", fix)
        return category.id
    if category not in (*CATEGORIES, _UNCATEGORIZED):
        listed = ", ".join(repr(each) for each in CATEGORIES)
        fix = f"Use {listed}, or declare one of your own: Category({category!r})."
        raise place.error(f"there is no category {category!r}", fix)
    return str(category)


def check_arguments(place: Place, type_id: t.Any, arguments: Mapping[str, t.Any]) -> None:
    """Raise DefinitionError for arguments of a wrong type or range."""
    version, migrations = arguments["version"], arguments["migrations"] or {}
    if not isinstance(migrations, Mapping):
        raise place.error(
            f"migrations={migrations!r} is not a mapping", "Give a function for each old version."
        )
    if not isinstance(type_id, str) or not re.fullmatch(r"[^\s./]+", type_id) or not type_id.isprintable():
        raise place.error(f"{type_id!r} cannot be an id", "Use letters, digits and underscores.")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise place.error(f"version must be an int of at least 1, got {version!r}", "Count versions 1, 2, 3.")
    _check_types(place, arguments)
    timeout = arguments["timeout"]
    if arguments["retries"] < 0 or (timeout is not None and not timeout > 0):
        raise place.error("retries must be at least 0 and timeout above 0", "Leave them out for none.")
    if any(start not in range(1, version) for start in migrations):
        fault = f"its migrations start at {[*migrations]}"
        raise place.error(fault, f"Migrations start at versions 1..{version - 1}.")


def _check_types(place: Place, arguments: Mapping[str, t.Any]) -> None:
    for name, (types, expected) in _TYPES.items():
        value = arguments.get(name)
        if name not in arguments or (value is None and name in _OPTIONAL):
            continue
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise place.error(f"{name}={value!r} has a wrong type", f"Give {expected}.")
    functions = {name: arguments.get(name) for name in _FUNCTIONS}
    functions |= {f"migrations[{start!r}]": each for start, each in (arguments["migrations"] or {}).items()}
    for name, value in functions.items():
        if value is not None and not callable(value):
            raise place.error(f"{name}={value!r} is not callable", "Give a function.")
    cost = arguments["cost"]
    if cost is not None and not callable(cost) and not (isinstance(cost, int | float) and cost >= 0):
        fix = "Give a number of dollars of at least 0, or a function."
        raise place.error(f"cost={cost!r} is neither", fix)


def cost_of(cost: Callable[..., t.Any] | float | None) -> Cost | None:
    """Return the estimate as a function of (settings, inputs, configured).

    The given function may take these three by name, or single settings and inputs by theirs.
    """
    if cost is None:
        return None
    if not callable(cost):
        return lambda settings, inputs, configured: cost
    parameters = list(inspect.signature(cost).parameters.values())
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
        return lambda settings, inputs, configured: cost(**{**inputs, **settings})
    names = [parameter.name for parameter in parameters]
    if names in (["settings", "inputs", "configured"], ["settings", "inputs"], ["settings"], ["inputs"], []):
        return lambda settings, inputs, configured: cost(
            *({"settings": settings, "inputs": inputs, "configured": configured}[name] for name in names)
        )
    return lambda settings, inputs, configured: _cost_by_name(cost, parameters, settings, inputs)


def _cost_by_name(
    cost: Callable[..., t.Any],
    parameters: list[inspect.Parameter],
    settings: Mapping[str, t.Any],
    inputs: Mapping[str, t.Any],
) -> t.Any:
    known = {**inputs, **settings}
    if not any(parameter.name in known for parameter in parameters):
        positional = [parameter for parameter in parameters if parameter.kind in _POSITIONAL]
        return cost(*(settings, inputs)[: len(positional)])
    given = {p.name: known.get(p.name, None if p.default is p.empty else p.default) for p in parameters}
    return cost(**given)
