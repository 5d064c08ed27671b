"""The flow document: nodes, edges and what the canvas keeps beside them.

One canonical form (`dumps`): fixed key order, settings sorted, defaults left out, so that two versions
differ only where they mean something else. Keys that this version does not know survive under `extra`.
"""

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from impasto._gc import gc_paused
from impasto.document.diff import diff
from impasto.document.model import (
    FlowEdge,
    FlowNode,
    dumped,
    extra_of,
    in_order,
    misshapen,
    own,
    read_edges,
    read_nodes,
)
from impasto.document.upgrades import FORMAT, upgraded
from impasto.errors import FlowInvalid, Problem
from impasto.serialization import json_error

_MARK = b"\xef\xbb\xbf"  # what some editors put before a text to say that it is UTF-8
_FLOW_KEYS = frozenset(("format", "name", "description", "nodes", "edges", "canvas", "extra"))


@dataclass(slots=True)
class Flow:
    """A document in memory; `compile` decides whether it can run."""

    name: str = ""
    nodes: list[FlowNode] = field(default_factory=list)
    edges: list[FlowEdge] = field(default_factory=list)
    description: str = ""
    canvas: dict[str, t.Any] = field(default_factory=dict)
    extra: dict[str, t.Any] = field(default_factory=dict)
    format: int = FORMAT

    @classmethod
    def load(cls, path: str | Path) -> "Flow":
        """The flow in a file."""
        return cls.loads(Path(path).read_bytes())

    @classmethod
    def loads(cls, text: str | bytes) -> "Flow":
        """The flow in a JSON text; FlowInvalid says what is wrong with it."""
        try:
            data = orjson.loads(
                text.removeprefix("\ufeff") if isinstance(text, str) else text.removeprefix(_MARK)
            )
        except orjson.JSONDecodeError as error:
            raise _bad(f"This is not a JSON document: {error}") from None
        return cls.parse(data)

    @classmethod
    def parse(cls, data: t.Any) -> "Flow":
        """The flow in plain data, upgraded if it is of an older format; FlowInvalid if it is no flow."""
        if not isinstance(data, dict):
            raise _bad("A flow document is a JSON object.")
        why = json_error(data)
        if why is not None:
            raise _bad(f"This flow cannot be kept as JSON: {why}.")
        with gc_paused():
            return cls._parsed(upgraded(data))

    @classmethod
    def of(cls, given: "Flow | Mapping[str, t.Any] | str") -> "Flow":
        """The flow itself, or the one in plain data or in a text; FlowInvalid if it is no flow."""
        if isinstance(given, Flow):
            given.check()
            return given
        return cls.loads(given) if isinstance(given, str) else cls.parse(given)

    @classmethod
    def _parsed(cls, data: dict[str, t.Any]) -> "Flow":
        problems: list[Problem] = []
        if not isinstance(data.get("canvas") or {}, dict):
            problems.append(Problem("bad_document", "The flow's canvas must be an object."))
        flow = cls(
            name=_text(data, "name", problems),
            nodes=read_nodes(data.get("nodes", ()), problems),
            edges=read_edges(data.get("edges", ()), problems),
            description=_text(data, "description", problems),
            canvas=own(data.get("canvas")) or {},
            extra=own(extra_of(data, _FLOW_KEYS)),
        )
        if problems:
            raise FlowInvalid(problems)
        return flow

    def to_dict(self) -> dict[str, t.Any]:
        """The canonical document as plain data."""
        data: dict[str, t.Any] = {"format": self.format, "name": self.name}
        if self.description:
            data["description"] = self.description
        data["nodes"] = [node.to_dict() for node in self.nodes]
        data["edges"] = [
            {"from": edge.source, "to": edge.target} if not edge.extra else edge.to_dict()
            for edge in self.edges
        ]
        if self.canvas:
            data["canvas"] = in_order(self.canvas)
        if self.extra:
            data["extra"] = in_order(self.extra)
        return data

    def check(self) -> None:
        """Raise FlowInvalid if a program has put into it what no document holds."""
        problems = misshapen(self.nodes, self.edges)
        if problems:
            raise FlowInvalid(problems)

    def dumps(self) -> str:
        """The canonical text: equal flows give equal texts."""
        return dumped(self.to_dict(), orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()

    def dump(self, path: str | Path) -> None:
        """Write the canonical text to a file."""
        Path(path).write_text(self.dumps(), encoding="utf-8")

    def diff(self, after: "Flow") -> dict[str, t.Any]:
        """What a later version changes, as data: nodes and edges added, removed, changed."""
        return diff(self, after)

    def node(self, node_id: str) -> FlowNode:
        """The node with this id; KeyError if there is none."""
        for node in self.nodes:
            if node.id == node_id:
                return node
        raise KeyError(node_id)


def _bad(sentence: str, code: str = "bad_document") -> FlowInvalid:
    return FlowInvalid([Problem(code, sentence)])


def _text(data: dict[str, t.Any], key: str, problems: list[Problem]) -> str:
    value = data.get(key) or ""
    if not isinstance(value, str):
        problems.append(Problem("bad_document", f"The flow's {key} must be text."))
        return ""
    return value
