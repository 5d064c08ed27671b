"""One node of a plan, and how values come to it. Pure data: `run` reads it and never writes to it."""

import typing as t
from collections.abc import Callable

from impasto.sdk.node_type import InputPort, NodeType
from impasto.sdk.settings import SettingSpec

Prepare = Callable[[t.Any], t.Any]


class Source(t.NamedTuple):
    """Where a value comes from: a step's output, and what must be done to it on the way (or None).

    `joins`: the value needs nothing but a place in a list: its own, or (True) one for each of its items.
    """

    step: int
    port: int
    prepare: Prepare | None
    joins: bool | None


class Binding(t.NamedTuple):
    """What is connected to one input port or setting."""

    sources: tuple[Source, ...]
    lift: int
    lazy: bool
    gather: bool


class Feed(t.NamedTuple):
    """An input port that takes values just as they come: of one source, of several (`many`), or none."""

    step: int
    port: int
    many: tuple[Source, ...] | None
    default: t.Any


class Step:
    """One node of the plan. `settings` are decoded; `inputs` stand in the order of `ports`."""

    __slots__ = (
        "configured", "dynamic", "feeds", "id", "index", "inputs", "lift", "ports", "settings", "sources",
        "static", "title", "type", "type_part",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        path: str,
        title: str | None,
        node_type: NodeType,
        ports: tuple[InputPort, ...],
        settings: dict[str, t.Any],
        type_part: bytes,
        static: bytes,
        configured: frozenset[str] = frozenset(),
    ) -> None:
        self.index = index
        self.id = path
        self.type = node_type
        self.title = title or node_type.title
        self.ports = ports
        self.settings = settings
        self.type_part = type_part
        self.static = static
        self.configured = configured
        self.inputs: tuple[Binding | None, ...] = ()
        self.dynamic: tuple[tuple[SettingSpec, Binding], ...] = ()
        self.lift = 0
        self.sources: tuple[int, ...] = ()
        self.feeds: tuple[Feed, ...] | None = None

    def __repr__(self) -> str:
        return f"<Step {self.id}>"

    def bind_like(self, other: "Step") -> None:
        """Be connected as another step of the same ports is."""
        self.inputs = other.inputs
        self.dynamic = other.dynamic
        self.lift = other.lift
        self.sources = other.sources
        self.feeds = other.feeds

    def bindings(self) -> list[Binding]:
        """Everything that is connected to the step."""
        found = [binding for binding in self.inputs if binding is not None]
        return found + [binding for _, binding in self.dynamic] if self.dynamic else found


class ResultPort(t.NamedTuple):
    """An output that a user is shown."""

    node: str
    port: str
    type: str
    list: bool
    title: str
    step: int
