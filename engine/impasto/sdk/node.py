"""The `@node` decorator: a function's signature declares a node type.

The decorator reads the signature once, at import, and returns the function unchanged, so that a plugin's unit
test can call it directly. `node_type_of(function)` returns the `NodeType` that was read.
"""

import inspect
import typing as t
from collections.abc import Callable, Mapping

from impasto.errors import DefinitionError
from impasto.sdk.node_type import Category, Check, Fingerprint, Migration
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
    category: str | Category = "uncategorized",
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
    keywords: t.Sequence[str] = (),
    cpu: bool = False,
) -> Callable[[F], F]: ...
def node(function: t.Any = None, /, **arguments: t.Any) -> t.Any:
    """Declare that a function is a node type; the function itself is returned unchanged.

    Args:
        id: The id in flow documents; the function's name by default.
        version: 1 or more. Raise it, with a migration, when settings change incompatibly.
        title: The name in the editor; derived from `id` by default.
        category: The palette's section: a built-in category ("inputs", "ai_models", "advanced_models",
            "transform_assets") or a `Category` of the plugin's own.
        generative: The result differs from call to call, so a launch generates a new one.
        seeded: The run's seed is part of the step's key.
        fingerprint: A function of the settings whose string is part of the step's key: the state of
            something outside.
        timeout: Seconds after which a call fails; none by default.
        retries: How often a call is repeated after a retryable error.
        limit: The name of a concurrency limit that the node type shares with others.
        beta: Only users with beta access see it.
        deprecated: Existing flows compile with a warning; the palette hides it.
        replaced_by: The id of the node type to use instead of a deprecated one.
        cost: An estimate before the run: US dollars, or a function of `(settings, inputs)` that returns
            dollars or `{"usd": …, "seconds": …, "items": …, "provider": …}`. A third parameter `configured`
            gets the ids of the providers that can be called; `provider` is the one that will be paid.
            `value` is the result, where it is known in advance; `notices`, a list of
            `{"code": …, "message": …, "hint": …}`, is what the user should know before the launch.
        check: A function of `(settings, configured)` that yields problems when a flow is compiled;
            `configured` are the ids of the providers with a key.
        migrations: `migrations[n]` converts settings of version n to version n + 1.
        variables: The settings whose `{{names}}` become optional Text inputs, passed to the function as
            the keyword argument `variables`.
        subflow: The setting that holds a flow, or its id, to run in the node's place.
        keywords: Other words that the palette finds the node type by: `("tts", "narration")`.
        cpu: Run a plain function in a process of its own.

    Raises:
        DefinitionError: The declaration or the signature is wrong; the message names the fix.
    """

    def declare(target: F) -> F:
        if not inspect.isroutine(target):
            raise DefinitionError(f"@node takes a function, got {target!r}.")
        t.cast("t.Any", target).__impasto_node__ = read(target, **arguments)
        return target

    return declare if function is None else declare(function)
