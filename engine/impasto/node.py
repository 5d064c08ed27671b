"""A node type is a function: its signature is the node.

`@node` reads the signature once, at import, and leaves the function as it was, so that a plugin's
unit test just calls it. What it read stands in a `NodeType`, found by `node_type_of(function)`.
"""

import inspect
import re
import typing as t
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from impasto.errors import DefinitionError
from impasto.settings import REQUIRED, SettingSpec
from impasto.types import PortType, ValueType

Kind = t.Literal["async", "stream", "thread", "process"]
Cost = Callable[[Mapping[str, t.Any], Mapping[str, t.Any]], t.Any]
Migration = Callable[[dict[str, t.Any]], dict[str, t.Any]]
Check = Callable[[dict[str, t.Any], frozenset[str] | None], t.Iterable[Mapping[str, t.Any]]]
Fingerprint = Callable[[Mapping[str, t.Any]], str | Awaitable[str]]
F = t.TypeVar("F", bound=Callable[..., t.Any])

VARIABLE = re.compile(r"\{\{\s*([A-Za-z_]\w*)\s*\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """What an annotation may say of an input or output port: `Annotated[Text, Port(title="Words")]`."""

    title: str | None = None
    help: str = ""


@dataclass(frozen=True, slots=True)
class InputPort:
    """One input of a node type. `spread` marks the port of a `*parameter`."""

    name: str
    type: PortType
    title: str
    help: str = ""
    default: t.Any = REQUIRED
    lazy: bool = False
    spread: bool = False
    variable: bool = False

    @property
    def required(self) -> bool:
        """Whether a step cannot run without a value for it."""
        return self.default is REQUIRED


@dataclass(frozen=True, slots=True)
class OutputPort:
    """One output of a node type."""

    name: str
    type: PortType
    title: str
    help: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class NodeType:
    """A function's declaration, read from its signature: everything the engine and the editor know."""

    id: str
    version: int
    title: str
    category: str
    summary: str
    help: str
    function: Callable[..., t.Any]
    kind: Kind
    inputs: tuple[InputPort, ...]
    outputs: tuple[OutputPort, ...]
    settings: tuple[SettingSpec, ...]
    single: bool
    context: str | None
    input: str | None
    variables: tuple[str, ...]
    generative: bool
    seeded: bool
    fingerprint: Fingerprint | None
    timeout: float | None
    retries: int
    limit: str | None
    beta: bool
    deprecated: bool
    replaced_by: str | None
    cost: Cost | None
    check: Check | None
    migrations: Mapping[int, Migration]
    subflow: str | None
    package: str | None = None
    value_types: tuple[ValueType, ...] = ()
    setting_names: Mapping[str, SettingSpec] = field(default_factory=dict)
    input_names: Mapping[str, int] = field(default_factory=dict)
    output_names: Mapping[str, int] = field(default_factory=dict)
    positional: bool = True

    direct: bool = True
    outside: bool = False
    effects: bool = False

    def __repr__(self) -> str:
        return f"<NodeType {self.id} v{self.version}>"


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
    a number, or `{"usd": …, "seconds": …}`. `check(settings, configured)` finds problems at compile time.
    `migrations[n]` turns settings of version n into those of n + 1. `variables` names the settings whose
    `{{names}}` become optional Text inputs, handed over as the keyword `variables`. `subflow` names the
    setting that holds a flow (or its id) to be run in the node's place.
    """
    from impasto.signature import read

    def declare(target: F) -> F:
        if not inspect.isroutine(target):
            raise DefinitionError(f"@node declares functions; {target!r} is not one.")
        t.cast("t.Any", target).__impasto_node__ = read(target, **declared)
        return target

    return declare if function is None else declare(function)


def node_type_of(candidate: t.Any) -> NodeType | None:
    """The node type of a declared function (or of itself), None for anything else."""
    if isinstance(candidate, NodeType):
        return candidate
    found = getattr(candidate, "__impasto_node__", None) if callable(candidate) else None
    return found if isinstance(found, NodeType) else None


def variables_in(text: t.Any) -> list[str]:
    """The `{{names}}` of a setting's text, each once, in order."""
    return list(dict.fromkeys(VARIABLE.findall(text))) if isinstance(text, str) else []
