"""A node type is a function: its signature is the node.

`@node` reads the signature once, at import, and leaves the function as it was, so that a plugin's
unit test just calls it. What it read stands in a `NodeType`, found by `node_type_of(function)`.
"""

import inspect
import typing as t
from collections.abc import Callable, Mapping

from impasto.errors import DefinitionError
from impasto.sdk.node_type import Check, Fingerprint, Migration
from impasto.sdk.signature import read

F = t.TypeVar("F", bound=Callable[..., t.Any])


@t.overload
def node(function: F, /) -> F: ...
@t.overload
def node(
    function: None = None,
    /,
    *,
    id: str | None = None,
    version: int = 1,
    title: str | None = None,
    category: str = "uncategorized",
    generative: bool = False,
    seeded: bool = False,
    fingerprint: Fingerprint | None = None,
    timeout: float | None = None,
    retries: int = 0,
    limit: str | None = None,
    beta: bool = False,
    deprecated: bool = False,
    replaced_by: str | None = None,
    cost: Callable[..., t.Any] | float | None = None,
    check: Check | None = None,
    migrations: Mapping[int, Migration] | None = None,
    variables: str | t.Sequence[str] = (),
    subflow: str | None = None,
    cpu: bool = False,
) -> Callable[[F], F]: ...
def node(function: t.Any = None, /, **declared: t.Any) -> t.Any:
    """Declare a function to be a node type; it stays a plain function.

    `id` (default: the function's name) and `version` name it in documents. `generative`: a fresh result
    is wanted each time. `seeded`: the run's seed is part of its key. `fingerprint(settings)`: some outside
    state is part of its key. `timeout`, `retries`, `limit` (the name of a shared limit) say how it is run;
    `cpu=True` runs it in a process of its own. `cost(settings, inputs)` estimates dollars before a run:
    a number, or `{"usd": …, "seconds": …}`; a third parameter `configured` gets the ids of the providers
    that can be called. `check(settings, configured)` finds problems at compile time.
    `migrations[n]` turns settings of version n into those of n + 1. `variables` names the settings whose
    `{{names}}` become optional Text inputs, handed over as the keyword `variables`. `subflow` names the
    setting that holds a flow (or its id) to be run in the node's place.
    """

    def declare(target: F) -> F:
        if not inspect.isroutine(target):
            raise DefinitionError(f"@node declares functions; {target!r} is not one.")
        t.cast("t.Any", target).__impasto_node__ = read(target, **declared)
        return target

    return declare if function is None else declare(function)
