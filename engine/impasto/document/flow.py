"""The flow document: nodes, edges and the state of the canvas.

`dumps` writes one canonical form (fixed key order, sorted settings, no defaults), so that two versions differ
only where their meaning differs. Keys that this version does not know are kept under `extra`.
"""

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from impasto.document.diff import diff
from impasto.document.model import (
    FlowEdge,
    FlowNode,
    copied,
    dump_json,
    extra_of,
    key_sorted,
    read_edges,
    read_nodes,
    type_problems,
)
from impasto.document.upgrades import FORMAT, PLAIN_FORMAT, upgraded
from impasto.document.variables import FlowVariable, read_variables, variable_problems
from impasto.errors import FlowInvalid, Problem
from impasto.garbage_collection import gc_paused
from impasto.serialization import json_error, read_json

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_FLOW_KEYS = frozenset(("format", "name", "description", "variables", "nodes", "edges", "canvas", "extra"))


@dataclass(slots=True, kw_only=True)
class Flow:
    """A flow document in memory. It may be invalid: `compile` finds the problems.

    `canvas` holds notes, groups and other editor state; it changes neither plans nor cache keys.
    """

    name: str = ""
    nodes: list[FlowNode] = field(default_factory=list)
    edges: list[FlowEdge] = field(default_factory=list)
    variables: list[FlowVariable] = field(default_factory=list)
    description: str = ""
    canvas: dict[str, t.Any] = field(default_factory=dict)
    extra: dict[str, t.Any] = field(default_factory=dict)

    @property
    def format(self) -> int:
        """The oldest format that has all of the document: versions that do not know it refuse it."""
        uses_variables = self.variables or any(node.variables for node in self.nodes)
        return FORMAT if uses_variables else PLAIN_FORMAT

    @classmethod
    def load(cls, path: str | Path) -> "Flow":
        """Return the flow in a JSON file. Raises FlowInvalid, or OSError if it cannot be read."""
        return cls.loads(Path(path).read_bytes())

    @classmethod
    def loads(cls, text: str | bytes) -> "Flow":
        """Return the flow in a JSON text. Raises FlowInvalid."""
        try:
            data = read_json(
                text.removeprefix("\ufeff") if isinstance(text, str) else text.removeprefix(_BYTE_ORDER_MARK)
            )
        except ValueError as error:
            raise _invalid(f"This is not a JSON document: {error}") from None
        return cls.parse(data)

    @classmethod
    def parse(cls, data: t.Any) -> "Flow":
        """Return the flow in plain data, upgraded from older formats. Raises FlowInvalid."""
        if not isinstance(data, dict):
            raise _invalid("A flow document is a JSON object.")
        why = json_error(data)
        if why is not None:
            raise _invalid(f"This flow cannot be stored as JSON: {why}.")
        with gc_paused():
            return cls._parsed(upgraded(data))

    @classmethod
    def of(cls, given: "Flow | Mapping[str, t.Any] | str") -> "Flow":
        """Return a flow as it is, or the one in plain data or in a JSON text. Raises FlowInvalid."""
        if isinstance(given, Flow):
            given.check()
            return given
        return cls.loads(given) if isinstance(given, str) else cls.parse(given)

    @classmethod
    def _parsed(cls, data: dict[str, t.Any]) -> "Flow":
        problems: list[Problem] = []
        if not isinstance(data.get("canvas") or {}, dict):
            problems.append(Problem(code="bad_document", message="The flow's canvas must be an object."))
        flow = cls(
            name=_text(data, "name", problems),
            nodes=read_nodes(data.get("nodes", ()), problems),
            edges=read_edges(data.get("edges", ()), problems),
            variables=read_variables(data.get("variables") or (), problems),
            description=_text(data, "description", problems),
            canvas=copied(data.get("canvas")) or {},
            extra=copied(extra_of(data, _FLOW_KEYS)),
        )
        if problems:
            raise FlowInvalid(problems)
        return flow

    def to_dict(self) -> dict[str, t.Any]:
        """Return the canonical document as plain data."""
        data: dict[str, t.Any] = {"format": self.format, "name": self.name}
        if self.description:
            data["description"] = self.description
        if self.variables:
            data["variables"] = [variable.to_dict() for variable in self.variables]
        data["nodes"] = [node.to_dict() for node in self.nodes]
        data["edges"] = [edge.to_dict() for edge in self.edges]
        if self.canvas:
            data["canvas"] = key_sorted(self.canvas)
        if self.extra:
            data["extra"] = key_sorted(self.extra)
        return data

    def check(self) -> None:
        """Raise FlowInvalid if a program has set attributes to types that no document has."""
        problems = type_problems(self.nodes, self.edges) + variable_problems(self.variables)
        if problems:
            raise FlowInvalid(problems)

    def dumps(self) -> str:
        """Return the canonical JSON text. Equal flows give equal texts."""
        return dump_json(self.to_dict(), orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()

    def dump(self, path: str | Path) -> None:
        """Write the canonical text to a file."""
        Path(path).write_text(self.dumps(), encoding="utf-8")

    def diff(self, after: "Flow") -> dict[str, t.Any]:
        """Return what a later version adds, removes and changes, as data: nodes, edges and variables."""
        return diff(self, after)

    def node(self, node_id: str) -> FlowNode:
        """Return the node with this id. Raises KeyError."""
        for node in self.nodes:
            if node.id == node_id:
                return node
        raise KeyError(node_id)


def _invalid(message: str) -> FlowInvalid:
    return FlowInvalid([Problem(code="bad_document", message=message)])


def _text(data: dict[str, t.Any], key: str, problems: list[Problem]) -> str:
    value = data.get(key) or ""
    if isinstance(value, str):
        return value
    problems.append(Problem(code="bad_document", message=f"The flow's {key} must be text."))
    return ""
