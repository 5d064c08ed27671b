"""The flow document: nodes, edges and what the canvas keeps beside them.

One canonical form (`dumps`): fixed key order, settings sorted, defaults left out, so that two versions
differ only where they mean something else. Keys that this version does not know survive under `extra`.
"""

import typing as t
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from impasto.collector import collector_paused
from impasto.errors import FlowInvalid, Problem
from impasto.upgrades import FORMAT, upgraded

_NODE_KEYS = frozenset(("id", "type", "version", "title", "settings", "position", "result", "extra"))
_EDGE_KEYS = frozenset(("from", "to", "extra"))
_FLOW_KEYS = frozenset(("format", "name", "description", "nodes", "edges", "canvas", "extra"))


@dataclass(slots=True)
class FlowNode:
    """One use of a node type."""

    id: str
    type: str
    version: int | None = None
    title: str | None = None
    settings: dict[str, t.Any] = field(default_factory=dict)
    position: dict[str, float] | None = None
    result: bool | None = None
    extra: dict[str, t.Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, t.Any]:
        """The node as it stands in a document."""
        data: dict[str, t.Any] = {"id": self.id, "type": self.type}
        if self.version is not None:
            data["version"] = self.version
        if self.title is not None:
            data["title"] = self.title
        if self.settings:
            data["settings"] = _sorted(self.settings)
        if self.position is not None:
            data["position"] = _sorted(self.position)
        if self.result is not None:
            data["result"] = self.result
        if self.extra:
            data["extra"] = _sorted(self.extra)
        return data


@dataclass(slots=True)
class FlowEdge:
    """A connection from `node.port` to `node.port` (or `node.setting`)."""

    source: str
    target: str
    extra: dict[str, t.Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, t.Any]:
        """The edge as it stands in a document."""
        data: dict[str, t.Any] = {"from": self.source, "to": self.target}
        if self.extra:
            data["extra"] = _sorted(self.extra)
        return data


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
            data = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise _bad(f"This is not a JSON document: {error}") from None
        return cls.parse(data)

    @classmethod
    def parse(cls, data: t.Any) -> "Flow":
        """The flow in plain data, upgraded if it is of an older format; FlowInvalid if it is no flow."""
        if not isinstance(data, dict):
            raise _bad("A flow document is a JSON object.")
        with collector_paused():
            return cls._parsed(upgraded(data))

    @classmethod
    def _parsed(cls, data: dict[str, t.Any]) -> "Flow":
        problems: list[Problem] = []
        flow = cls(
            name=_text(data, "name", problems),
            nodes=_nodes(data.get("nodes", ()), problems),
            edges=_edges(data.get("edges", ()), problems),
            description=_text(data, "description", problems),
            canvas=data.get("canvas") or {},
            extra=_extra(data, _FLOW_KEYS),
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
        data["edges"] = [edge.to_dict() for edge in self.edges]
        if self.canvas:
            data["canvas"] = _sorted(self.canvas)
        if self.extra:
            data["extra"] = _sorted(self.extra)
        return data

    def dumps(self) -> str:
        """The canonical text: equal flows give equal texts."""
        return orjson.dumps(self.to_dict(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()

    def dump(self, path: str | Path) -> None:
        """Write the canonical text to a file."""
        Path(path).write_text(self.dumps(), encoding="utf-8")

    def diff(self, after: "Flow") -> dict[str, t.Any]:
        """What a later version changes, as data: nodes and edges added, removed, changed."""
        from impasto.diff import diff

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


def _extra(data: dict[str, t.Any], known: frozenset[str]) -> dict[str, t.Any]:
    if data.keys() <= known and "extra" not in data:
        return {}
    kept = data.get("extra")
    extra = dict(kept) if isinstance(kept, dict) else {} if kept is None else {"extra": kept}
    extra.update((key, value) for key, value in data.items() if key not in known)
    return extra


def _nodes(items: t.Any, problems: list[Problem]) -> list[FlowNode]:
    if not isinstance(items, list | tuple):
        problems.append(Problem("bad_document", "The flow's nodes must be a list."))
        return []
    nodes = []
    for index, item in enumerate(items):
        try:
            nodes.append(_node(item))
        except (KeyError, TypeError, ValueError) as error:
            why = f"has no {error}" if isinstance(error, KeyError) else str(error)
            named = item.get("id") if isinstance(item, dict) else None
            place = named if isinstance(named, str) else None
            problems.append(Problem("bad_document", f"Node {index + 1} of the flow {why}.", place))
    return nodes


def _node(item: t.Any) -> FlowNode:
    if type(item) is not dict:
        raise TypeError("is not an object")
    node_id, type_id, settings = item["id"], item["type"], item.get("settings")
    if type(node_id) is not str or type(type_id) is not str or not node_id:
        raise TypeError("must have texts as its id and type")
    if "/" in node_id:
        raise ValueError(f"has an id with a slash ('{node_id}'), which only paths of subflows have")
    if settings is not None and type(settings) is not dict:
        raise TypeError(f"('{node_id}') has settings that are not an object")
    version = item.get("version")
    if version is not None and type(version) is not int:
        raise TypeError(f"('{node_id}') has a version that is not a whole number")
    extra = {} if item.keys() <= _NODE_KEYS and "extra" not in item else _extra(item, _NODE_KEYS)
    position, result = item.get("position"), item.get("result")
    return FlowNode(node_id, type_id, version, item.get("title"), settings or {}, position, result, extra)


def _edges(items: t.Any, problems: list[Problem]) -> list[FlowEdge]:
    if not isinstance(items, list | tuple):
        problems.append(Problem("bad_document", "The flow's edges must be a list."))
        return []
    edges = []
    for index, item in enumerate(items):
        try:
            source, target = item["from"], item["to"]
            if type(source) is not str or type(target) is not str:
                raise TypeError
            extra = {} if len(item) == 2 else _extra(item, _EDGE_KEYS)
            edges.append(FlowEdge(source, target, extra))
        except (KeyError, TypeError, AttributeError):
            sentence = f'Edge {index + 1} of the flow must be {{"from": "node.port", "to": "node.port"}}.'
            problems.append(Problem("bad_document", sentence))
    return edges


def _sorted(value: t.Any) -> t.Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value
