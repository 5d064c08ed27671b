"""Nodes and edges of a flow document: reading them from plain data and writing them."""

import typing as t
from dataclasses import dataclass, field

import orjson

from impasto.encoding import encode
from impasto.errors import FlowInvalid, Problem
from impasto.serialization import json_error

_NODE_KEYS = frozenset(
    (
        "id", "type", "version", "title", "settings", "variables", "exposed", "position", "result", "mode",
        "pin", "extra",
    )
)  # fmt: skip
Mode = t.Literal["disabled", "bypassed"]
MODES: t.Final[tuple[Mode, ...]] = ("disabled", "bypassed")
_EXPOSED_TYPES: t.Final[dict[str, tuple[type, ...]]] = {
    "label": (str,),
    "help": (str,),
    "minimum": (int, float),
    "maximum": (int, float),
    "choices": (list,),
    "order": (int, float),
}
_MAX_PIN_DEPTH: t.Final = 16
_PLAIN = frozenset((str, int, float, bool, type(None)))
_EDGE_KEYS = frozenset(("from", "to", "extra"))


@dataclass(slots=True, kw_only=True)
class FlowNode:
    """One use of a node type in a flow.

    `result` marks the node's outputs as results of the flow (True) or hides them (False); None decides by
    whether anything is connected to them. `version` None means the newest version of the type.

    A run does not call a node with a `mode` or a `pin`. "disabled": it is skipped, with what needs it.
    "bypassed": its outputs are its inputs of the same types. `pin` holds outputs that a run takes instead of
    calling it: `{"outputs": {port: {"type": a value type's id, "depth": levels of lists, "value": JSON}}}`.

    `variables` has the settings that variables of the flow set, with the names of those. It goes before
    `settings`, and after an edge into the setting. Under `inputs.name` it sets one value of a node that runs
    another flow.

    `exposed` has the settings that launchers of the flow may set, each with any of `label`, `help`,
    `minimum`, `maximum`, `choices` (the allowed values) and `order` (its place in the form).
    """

    id: str
    type: str
    version: int | None = None
    title: str | None = None
    settings: dict[str, t.Any] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    exposed: dict[str, dict[str, t.Any]] = field(default_factory=dict)
    position: dict[str, float] | None = None
    result: bool | None = None
    mode: Mode | None = None
    pin: dict[str, t.Any] | None = None
    extra: dict[str, t.Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, t.Any]:
        """Return the node as the canonical document has it."""
        data: dict[str, t.Any] = {"id": self.id, "type": self.type}
        for name in ("version", "title"):
            if (value := getattr(self, name)) is not None:
                data[name] = value
        for name in ("settings", "variables", "exposed"):
            if own := getattr(self, name):
                data[name] = key_sorted(own)
        if self.position is not None:
            data["position"] = key_sorted(self.position)
        if self.result is not None:
            data["result"] = self.result
        if self.mode is not None:
            data["mode"] = self.mode
        if self.pin is not None:
            data["pin"] = key_sorted(self.pin)
        if self.extra:
            data["extra"] = key_sorted(self.extra)
        return data


@dataclass(slots=True)
class FlowEdge:
    """A connection from an output, `node.port`, to an input or setting, `node.port`."""

    source: str
    target: str
    extra: dict[str, t.Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, t.Any]:
        """Return the edge as the canonical document has it."""
        data: dict[str, t.Any] = {"from": self.source, "to": self.target}
        if self.extra:
            data["extra"] = key_sorted(self.extra)
        return data


def read_nodes(items: t.Any, problems: list[Problem]) -> list[FlowNode]:
    """Return a document's nodes; add what is wrong with them to `problems`."""
    if not isinstance(items, list | tuple):
        problems.append(Problem(code="bad_document", message="The flow's nodes must be a list."))
        return []
    nodes = []
    for index, item in enumerate(items):
        try:
            nodes.append(_node(item))
        except (KeyError, TypeError, ValueError) as error:
            why = f"has no {error}" if isinstance(error, KeyError) else str(error)
            named = item.get("id") if isinstance(item, dict) else None
            place = named if isinstance(named, str) else None
            problems.append(
                Problem(code="bad_document", message=f"Node {index + 1} of the flow {why}.", node=place)
            )
    return nodes


def _node(item: t.Any) -> FlowNode:
    if type(item) is not dict:
        raise TypeError("is not an object")
    node_id, type_id, settings = item["id"], item["type"], item.get("settings")
    if type(node_id) is not str or type(type_id) is not str or not node_id:
        raise TypeError("must have text as its id and type")
    if "/" in node_id:
        raise ValueError(f"has an id with a slash ('{node_id}'); only steps inside subflows have slashes")
    if settings is not None and type(settings) is not dict:
        raise TypeError(f"('{node_id}') has settings that are not an object")
    version = item.get("version")
    if version is not None and type(version) is not int:
        raise TypeError(f"('{node_id}') has a version that is not an integer")
    title, result = item.get("title"), item.get("result")
    if title is not None and type(title) is not str:
        raise TypeError(f"('{node_id}') has a title that is not text")
    if result is not None and type(result) is not bool:
        raise TypeError(f"('{node_id}') has a result that is neither true nor false")
    position = item.get("position")
    if position is not None and type(position) is not dict:
        raise TypeError(f"('{node_id}') has a position that is not an object")
    return FlowNode(
        id=node_id,
        type=type_id,
        version=version,
        title=title,
        settings=copied(settings) if settings else {},
        variables=_variables(item, node_id),
        exposed=_exposed(item, node_id),
        position=copied(position),
        result=result,
        mode=_mode(item, node_id),
        pin=_pin(item, node_id),
        extra=extra_of(item, _NODE_KEYS),
    )


def _mode(item: dict[str, t.Any], node_id: str) -> Mode | None:
    mode = item.get("mode")
    if mode is not None and mode not in MODES:
        raise ValueError(f"('{node_id}') has a mode that is neither 'disabled' nor 'bypassed'")
    return t.cast("Mode | None", mode)


def _variables(item: dict[str, t.Any], node_id: str) -> dict[str, str]:
    uses = item.get("variables")
    if uses is None:
        return {}
    if not _is_uses(uses):
        raise ValueError(f"('{node_id}') has variables that are not names by setting")
    return dict(uses)


def _is_uses(uses: t.Any) -> bool:
    return isinstance(uses, dict) and all(
        type(setting) is str and type(name) is str for setting, name in uses.items()
    )


def _exposed(item: dict[str, t.Any], node_id: str) -> dict[str, dict[str, t.Any]]:
    exposed = item.get("exposed")
    if exposed is None:
        return {}
    if not isinstance(exposed, dict) or not all(isinstance(limits, dict) for limits in exposed.values()):
        raise ValueError(f"('{node_id}') has exposed settings that are not objects by name")
    for name, limits in exposed.items():
        wrong = _wrong_limit(limits)
        if wrong:
            raise ValueError(f"('{node_id}') exposes '{name}' with {wrong}")
    return t.cast("dict[str, dict[str, t.Any]]", copied(exposed))


def _wrong_limit(limits: dict[str, t.Any]) -> str:
    """Return what is wrong with the limits of an exposed setting; "" if nothing is."""
    for key, value in limits.items():
        kinds = _EXPOSED_TYPES.get(key)
        if kinds is None:
            return f"an unknown '{key}' (it may have {', '.join(_EXPOSED_TYPES)})"
        if type(value) not in kinds:
            words = "text" if kinds == (str,) else "a list" if kinds == (list,) else "a number"
            return f"a '{key}' that is not {words}"
    if "choices" in limits and not limits["choices"]:
        return "an empty list of choices"
    return ""


def _pin(item: dict[str, t.Any], node_id: str) -> dict[str, t.Any] | None:
    pin = item.get("pin")
    if pin is not None and not _is_pin(pin):
        raise ValueError(f"('{node_id}') has a pinned result without a type, depth and value for each output")
    return t.cast("dict[str, t.Any] | None", copied(pin))


def _is_pin(pin: t.Any) -> bool:
    outputs = pin.get("outputs") if isinstance(pin, dict) else None
    return isinstance(outputs, dict) and all(
        isinstance(stored, dict)
        and isinstance(stored.get("type"), str)
        and type(stored.get("depth")) is int
        and 0 <= stored["depth"] <= _MAX_PIN_DEPTH
        and "value" in stored
        for stored in outputs.values()
    )


def read_edges(items: t.Any, problems: list[Problem]) -> list[FlowEdge]:
    """Return a document's edges; add what is wrong with them to `problems`."""
    if not isinstance(items, list | tuple):
        problems.append(Problem(code="bad_document", message="The flow's edges must be a list."))
        return []
    edges = []
    for index, item in enumerate(items):
        try:
            source, target = item["from"], item["to"]
            if type(source) is not str or type(target) is not str:
                raise TypeError
            edges.append(FlowEdge(source, target, extra_of(item, _EDGE_KEYS)))
        except (KeyError, TypeError, AttributeError):
            message = f'Edge {index + 1} of the flow must be {{"from": "node.port", "to": "node.port"}}.'
            problems.append(Problem(code="bad_document", message=message))
    return edges


def type_problems(nodes: t.Any, edges: t.Any) -> list[Problem]:
    """Return the attributes that a program has set to a wrong type; the compiler relies on the types."""
    problems = []
    if not isinstance(nodes, list) or not isinstance(edges, list):
        problems.append(Problem(code="bad_document", message="A flow's nodes and edges must be lists."))
        nodes = edges = ()
    for index, node in enumerate(nodes):
        if not _is_node(node):
            named = getattr(node, "id", None)
            message = (
                f"Node {index + 1} of the flow must be a FlowNode whose id, type and title are text, whose "
                "settings are an object, whose version is an integer and whose result is true or false."
            )
            problems.append(
                Problem(code="bad_document", message=message, node=named if isinstance(named, str) else None)
            )
    for index, edge in enumerate(edges):
        # Exact types are the usual case, and cheaper to check than subclasses.
        if type(edge) is FlowEdge and type(edge.source) is str and type(edge.target) is str:
            continue
        if not _is_edge(edge):
            message = f"Edge {index + 1} of the flow must be a FlowEdge with text as its source and target."
            problems.append(Problem(code="bad_document", message=message))
    return problems


def _is_edge(edge: t.Any) -> bool:
    return isinstance(edge, FlowEdge) and isinstance(edge.source, str) and isinstance(edge.target, str)


def _is_node(node: t.Any) -> bool:
    return (
        isinstance(node, FlowNode)
        and isinstance(node.id, str)
        and isinstance(node.type, str)
        and isinstance(node.settings, dict)
        and all(isinstance(name, str) for name in node.settings)
        and (node.title is None or isinstance(node.title, str))
        and (node.version is None or isinstance(node.version, int))
        and (node.result is None or isinstance(node.result, bool))
        and isinstance(node.exposed, dict)
        and all(isinstance(limits, dict) and not _wrong_limit(limits) for limits in node.exposed.values())
        and (node.mode is None or node.mode in MODES)
        and (node.pin is None or _is_pin(node.pin))
        and _is_uses(node.variables)
    )


def extra_of(data: dict[str, t.Any], known: frozenset[str]) -> dict[str, t.Any]:
    """Return what a document has besides the known keys."""
    if data.keys() <= known and "extra" not in data:
        return {}
    kept = data.get("extra")
    extra = dict(kept) if isinstance(kept, dict) else {} if kept is None else {"extra": kept}
    extra.update((key, value) for key, value in data.items() if key not in known)
    return extra


def copied(value: t.Any) -> t.Any:
    """Return a copy of plain data, so that editing a flow does not edit the document it was read from."""
    if value is None:
        return None
    return dict(value) if _is_flat(value) else _through_json(value)


def key_sorted(value: t.Any) -> t.Any:
    """Return the same data with the keys of every object sorted."""
    if _is_flat(value):
        return {key: value[key] for key in sorted(value)}
    return _through_json(value, orjson.OPT_SORT_KEYS)


def _is_flat(value: t.Any) -> bool:
    """Return whether it is an object of scalars only, as most settings are."""
    if type(value) is not dict:
        return False
    for item in value.values():  # noqa: SIM110 - any() takes twice as long
        if type(item) not in _PLAIN:
            return False
    return True


def dump_json(value: t.Any, options: int = 0) -> bytes:
    """Return the data as JSON. Raises FlowInvalid if it has no JSON form."""
    try:
        return orjson.dumps(value, encode, orjson.OPT_PASSTHROUGH_DATACLASS | options)
    except TypeError:
        message = f"This flow cannot be written as JSON: {json_error(value)}."
        raise FlowInvalid([Problem(code="bad_document", message=message)]) from None


def _through_json(value: t.Any, options: int = 0) -> t.Any:
    return orjson.loads(dump_json(value, options))
