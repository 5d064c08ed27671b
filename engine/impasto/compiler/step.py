"""Steps of a plan and their connections. Pure data: runs share plans and never change them."""

import typing as t
from collections.abc import Callable, Sequence

from impasto.compiler.exposed import ExposedSetting
from impasto.sdk.node_type import InputPort, NodeType
from impasto.sdk.settings import SettingSpec
from impasto.types import ANY, JSON, ValueType

Prepare = Callable[[t.Any], t.Any]


class Source(t.NamedTuple):
    """The source of a value: the output `port` of a step, and the conversion on the way (or None).

    `joins` applies to unconverted values that go into a list port: False appends the value, True
    concatenates it if it is a list, None means that a conversion is needed.
    """

    step: int
    port: int
    prepare: Prepare | None
    joins: bool | None


class Binding(t.NamedTuple):
    """The connections of one input port or setting.

    `fan_out`: over how many list levels the step fans out. `gather`: several edges form one list.
    """

    sources: tuple[Source, ...]
    fan_out: int
    lazy: bool
    gather: bool


class Feed(t.NamedTuple):
    """An input port that takes values unconverted: of one source, of several (`many`), or its default."""

    step: int
    port: int
    many: tuple[Source, ...] | None
    default: t.Any


class Step:
    """One node of a plan.

    `settings` are decoded values. `inputs` has the binding of each of `ports`, or None; `dynamic` has the
    settings that edges drive. `sources` are the indices of the steps to wait for. `feeds` is set if every
    input takes values unconverted. `exposed` has the settings that a run's inputs may set. `type_part` and
    `static` are parts of the step's key. `tracked`: an input may be a value of which the run records what the
    step reads.
    """

    __slots__ = (
        "configured", "dynamic", "exposed", "fan_out", "feeds", "id", "index", "inputs", "ports", "settings",
        "sources", "static", "title", "tracked", "type", "type_part",
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
        self.exposed: tuple[ExposedSetting, ...] = ()
        self.inputs: tuple[Binding | None, ...] = ()
        self.dynamic: tuple[tuple[SettingSpec, Binding], ...] = ()
        self.fan_out = 0
        self.sources: tuple[int, ...] = ()
        self.feeds: tuple[Feed, ...] | None = None
        self.tracked = False

    def __repr__(self) -> str:
        return f"<Step {self.id}>"

    def bind_like(self, other: "Step") -> None:
        """Copy the connections of another step with the same ports."""
        self.inputs = other.inputs
        self.dynamic = other.dynamic
        self.fan_out = other.fan_out
        self.sources = other.sources
        self.feeds = other.feeds
        self.tracked = other.tracked

    def bindings(self) -> list[Binding]:
        """Return the bindings of all connected ports and settings."""
        found = [binding for binding in self.inputs if binding is not None]
        return found + [binding for _, binding in self.dynamic] if self.dynamic else found


class ResultPort(t.NamedTuple):
    """An output that is a result of the flow; `step` is the step's index."""

    node: str
    port: str
    type: str
    list: bool
    title: str
    step: int


def mark_tracked(steps: Sequence[Step]) -> bool:
    """Mark the steps that may get values of tracked types; return whether the plan has such types at all."""
    if not any(_has_tracked_ports(kind) for kind in {step.type for step in steps}):
        return False
    for step in steps:
        bound = zip(step.ports, step.inputs, strict=True)
        if any(binding and not binding.lazy and _may_hold_tracked(port.type.base) for port, binding in bound):
            step.tracked = True
            step.feeds = None
    return True


def _has_tracked_ports(kind: NodeType) -> bool:
    types = [*(port.type for port in kind.inputs), *(port.type for port in kind.outputs)]
    return any(found.base.is_tracked for found in types)


def _may_hold_tracked(found: ValueType) -> bool:
    return found.is_tracked or found in (ANY, JSON)
