"""What a node type is: everything that its function's signature says, read once, at import."""

import typing as t
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from impasto.sdk.settings import REQUIRED, SettingSpec
from impasto.sdk.template import Template
from impasto.types import PortType, ValueType

Kind = t.Literal["async", "stream", "thread", "process"]
Cost = Callable[[Mapping[str, t.Any], Mapping[str, t.Any], frozenset[str]], t.Any]
Migration = Callable[[dict[str, t.Any]], dict[str, t.Any]]
Check = Callable[[dict[str, t.Any], frozenset[str] | None], t.Iterable[Mapping[str, t.Any]]]
Fingerprint = Callable[[Mapping[str, t.Any]], str | Awaitable[str]]


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
    """A function's declaration, read from its signature: everything the engine and the editor know.

    `open`: a setting may be a list or an object, which the function could change: each call gets its own.
    `simple`: nothing is to be done but to call the function with what its ports and settings hold.
    """

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

    plain: frozenset[type] = frozenset()
    direct: bool = True
    outside: bool = False
    open: bool = False
    simple: bool = False
    effects: bool = False

    def __repr__(self) -> str:
        return f"<NodeType {self.id} v{self.version}>"


def node_type_of(candidate: t.Any) -> NodeType | None:
    """The node type of a declared function (or of itself), None for anything else."""
    if isinstance(candidate, NodeType):
        return candidate
    found = getattr(candidate, "__impasto_node__", None) if callable(candidate) else None
    return found if isinstance(found, NodeType) else None


def variables_in(text: t.Any) -> list[str]:
    """Return the names of a template's placeholders, each once, in order; nothing for what is no text."""
    return list(Template.parse(text).names) if isinstance(text, str) else []
