"""The parts of a flow document: a node and an edge, read from plain data and written as it."""

import typing as t
from dataclasses import dataclass, field

import orjson

from impasto.errors import FlowInvalid, Problem
from impasto.serialization import json_error
from impasto.types import encode

_NODE_KEYS = frozenset(("id", "type", "version", "title", "settings", "position", "result", "extra"))
_PLAIN = frozenset((str, int, float, bool, type(None)))
_EDGE_KEYS = frozenset(("from", "to", "extra"))


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
            data["settings"] = in_order(self.settings)
        if self.position is not None:
            data["position"] = in_order(self.position)
        if self.result is not None:
            data["result"] = self.result
        if self.extra:
            data["extra"] = in_order(self.extra)
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
            data["extra"] = in_order(self.extra)
        return data


def read_nodes(items: t.Any, problems: list[Problem]) -> list[FlowNode]:
    """A document's nodes; what is wrong with them is added to the problems."""
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
    title, result = item.get("title"), item.get("result")
    if title is not None and type(title) is not str:
        raise TypeError(f"('{node_id}') has a title that is not text")
    if result is not None and type(result) is not bool:
        raise TypeError(f"('{node_id}') has a result that is neither true nor false")
    position = item.get("position")
    if position is not None and type(position) is not dict:
        raise TypeError(f"('{node_id}') has a position that is not an object")
    extra = {} if item.keys() <= _NODE_KEYS and "extra" not in item else extra_of(item, _NODE_KEYS)
    held = own(settings) if settings else {}
    return FlowNode(node_id, type_id, version, title, held, own(position), result, extra)


def read_edges(items: t.Any, problems: list[Problem]) -> list[FlowEdge]:
    """A document's edges; what is wrong with them is added to the problems."""
    if not isinstance(items, list | tuple):
        problems.append(Problem("bad_document", "The flow's edges must be a list."))
        return []
    edges = []
    for index, item in enumerate(items):
        try:
            source, target = item["from"], item["to"]
            if type(source) is not str or type(target) is not str:
                raise TypeError
            extra = {} if len(item) == 2 else extra_of(item, _EDGE_KEYS)
            edges.append(FlowEdge(source, target, extra))
        except (KeyError, TypeError, AttributeError):
            sentence = f'Edge {index + 1} of the flow must be {{"from": "node.port", "to": "node.port"}}.'
            problems.append(Problem("bad_document", sentence))
    return edges


def misshapen(nodes: t.Any, edges: t.Any) -> list[Problem]:
    """What a program has put into a flow that no document could: compiling goes by the types."""
    problems = []
    if not isinstance(nodes, list) or not isinstance(edges, list):
        problems.append(Problem("bad_document", "A flow's nodes and edges are lists."))
        nodes = edges = ()
    for index, node in enumerate(nodes):
        if not _is_node(node):
            named = getattr(node, "id", None)
            sentence = (
                f"Node {index + 1} of the flow must be a FlowNode: its id, type and title are texts, its "
                "settings an object, its version is a whole number, its result true or false."
            )
            problems.append(Problem("bad_document", sentence, named if isinstance(named, str) else None))
    for index, edge in enumerate(edges):
        # Most are just what they should be: to see that is cheaper than to ask what else would do.
        if type(edge) is FlowEdge and type(edge.source) is str and type(edge.target) is str:
            continue
        if not _is_edge(edge):
            sentence = f"Edge {index + 1} of the flow must be a FlowEdge from one text to another."
            problems.append(Problem("bad_document", sentence))
    return problems


def _is_edge(edge: t.Any) -> bool:
    return isinstance(edge, FlowEdge) and isinstance(edge.source, str) and isinstance(edge.target, str)


def _is_node(node: t.Any) -> bool:
    return (
        isinstance(node, FlowNode)
        and isinstance(node.id, str)
        and isinstance(node.type, str)
        and isinstance(node.settings, dict)
        and (node.title is None or isinstance(node.title, str))
        and (node.version is None or isinstance(node.version, int))
        and (node.result is None or isinstance(node.result, bool))
    )


def extra_of(data: dict[str, t.Any], known: frozenset[str]) -> dict[str, t.Any]:
    """What a document holds beside the keys that are known."""
    if data.keys() <= known and "extra" not in data:
        return {}
    kept = data.get("extra")
    extra = dict(kept) if isinstance(kept, dict) else {} if kept is None else {"extra": kept}
    extra.update((key, value) for key, value in data.items() if key not in known)
    return extra


def own(value: t.Any) -> t.Any:
    """A copy of plain data, so that editing a flow does not edit the document that it was read from."""
    if value is None:
        return None
    return dict(value) if _is_flat(value) else _through_json(value, 0)


def in_order(value: t.Any) -> t.Any:
    """The same data with the keys of every object sorted."""
    if _is_flat(value):
        return {key: value[key] for key in sorted(value)} if len(value) > 1 else dict(value)
    return _through_json(value, orjson.OPT_SORT_KEYS)


def _is_flat(value: t.Any) -> bool:
    """Whether it is an object with nothing inside that has an inside of its own: most settings are."""
    if type(value) is not dict:
        return False
    for item in value.values():  # noqa: SIM110 - as an expression it costs twice as much
        if type(item) not in _PLAIN:
            return False
    return True


def dumped(value: t.Any, options: int = 0) -> bytes:
    """The data as JSON; FlowInvalid says why it cannot be that."""
    try:
        return orjson.dumps(value, encode, orjson.OPT_PASSTHROUGH_DATACLASS | options)
    except TypeError:
        sentence = f"This flow cannot be written as JSON: {json_error(value)}."
        raise FlowInvalid([Problem("bad_document", sentence)]) from None


def _through_json(value: t.Any, order: int) -> t.Any:
    return orjson.loads(dumped(value, order))
