"""The work of checking one value against a JSON Schema, found before any value is checked.

References let a small schema ask for exponential work: twenty definitions that each name the next one twice
are checked a million times. The parts of a schema form a graph: a part applies others to the same value
(`allOf`, `$ref`) or to a value inside it (`properties`, `items`). A part is checked at one value at most as
often as there are paths to it. Where a part leads back to itself, the paths at one value stay bounded only if
it does so once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

MAX_CHECKS = 20_000
"""Parts of a schema that may be checked at one value."""
_MAX_EDGES = 100_000
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_SAME_VALUE = ("not", "if", "then", "else")
_SAME_VALUE_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_VALUE_MAPS = ("dependentSchemas", "dependencies")
_REST = ("additionalProperties", "items")
_ANY_INSIDE = ("unevaluatedProperties", "unevaluatedItems", "propertyNames", "contains", "additionalItems")


@dataclass(frozen=True)
class _Edge:
    """One part applies another.

    Two edges of one part never apply to the same value if each has its own place: a property, a position in a
    list, or all that the others leave.
    """

    target: int
    is_same_value: bool
    has_own_place: bool


def cost_error(schema: Mapping[str, Any]) -> str:
    """Return why checking values against the schema could take too long, or an empty text.

    Linear in the size of the schema, whose references all have to lead into it.
    """
    resolver = _Resolver(schema)
    if not resolver.has_references:
        return ""
    import networkx as nx

    edges = _edges(schema, resolver)
    if edges is None:
        return f"its references lead to more than {MAX_CHECKS:,} checks of one value"
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    graph.add_node(id(schema))
    graph.add_edges_from((source, edge.target) for source, found in edges.items() for edge in found)
    in_place = nx.DiGraph(
        (source, edge.target) for source, found in edges.items() for edge in found if edge.is_same_value
    )
    if not nx.is_directed_acyclic_graph(in_place):
        return "a part of it refers to itself for the same value, which never ends"
    components: dict[int, int] = {}
    for number, parts in enumerate(nx.strongly_connected_components(graph)):
        components |= dict.fromkeys(parts, number)
    for source, found in edges.items():
        if _can_coincide([edge for edge in found if components[edge.target] == components[source]]):
            return "a part of it leads back to itself in two ways for the same value: exponential time"
    if _checks(edges, components, id(schema)) > MAX_CHECKS:
        return f"its references lead to more than {MAX_CHECKS:,} checks of one value"
    return ""


def _can_coincide(edges: list[_Edge]) -> bool:
    """Return whether two of the edges can apply to one value."""
    return len(edges) > 1 and not all(edge.has_own_place for edge in edges)


def _checks(edges: Mapping[int, list[_Edge]], components: Mapping[int, int], root: int) -> int:
    """Count the paths from the root to all parts, a cycle as one part; stop above the limit."""
    import networkx as nx

    size: dict[int, int] = {}
    for number in components.values():
        size[number] = size.get(number, 0) + 1
    between: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    between.add_nodes_from(size)
    between.add_edges_from(
        (components[source], components[edge.target])
        for source, found in edges.items()
        for edge in found
        if components[source] != components[edge.target]
    )
    paths = dict.fromkeys(size, 0)
    paths[components[root]] = 1
    total = 0
    for number in nx.topological_sort(between):
        total += paths[number] * size[number]
        if total > MAX_CHECKS:
            break
        for _, target in between.out_edges(number):
            paths[target] += paths[number]
    return total


def _edges(schema: Mapping[str, Any], resolve: "_Resolver") -> dict[int, list[_Edge]] | None:
    """Return the edges of every part that the root leads to, by the part's id; None if there are too many."""
    edges: dict[int, list[_Edge]] = {}
    pending: list[Any] = [schema]
    count = 0
    while pending:
        part = pending.pop()
        if id(part) in edges:
            continue
        edges[id(part)] = []
        for target, is_same_value, has_own_place in _applied(part, resolve):
            if isinstance(target, Mapping):
                edges[id(part)].append(_Edge(id(target), is_same_value, has_own_place))
                pending.append(target)
                count += 1
        if count > _MAX_EDGES:
            return None
    return edges


def _applied(part: Mapping[str, Any], resolve: "_Resolver") -> Iterator[tuple[Any, bool, bool]]:
    """Yield what a part applies: the other part, whether to the same value, and whether to its own place."""
    for name in REFERENCES:
        for target in resolve(part.get(name), is_dynamic=name != "$ref"):
            yield target, True, False
    for name in _SAME_VALUE:
        yield part.get(name), True, False
    for name in _SAME_VALUE_LISTS:
        yield from ((each, True, False) for each in _items(part.get(name)))
    for name in _SAME_VALUE_MAPS:
        yield from ((each, True, False) for each in _values(part.get(name)))
    # Values of patternProperties may be those of properties too.
    is_alone = not part.get("patternProperties")
    yield from ((each, False, is_alone) for each in _values(part.get("properties")))
    yield from ((each, False, False) for each in _values(part.get("patternProperties")))
    yield from ((each, False, True) for each in _items(part.get("prefixItems")))
    for name in _REST:
        yield part.get(name), False, True
    for name in _ANY_INSIDE:
        yield part.get(name), False, False


class _Resolver:
    """Finds the parts that a reference may lead to."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._named: dict[str, list[Any]] = {}
        self._has_bases = False
        self.has_references = False
        pending: list[Any] = [root]
        while pending:
            part = pending.pop()
            if isinstance(part, Mapping):
                for key in ("$anchor", "$dynamicAnchor"):
                    if isinstance(part.get(key), str):
                        self._named.setdefault(f"#{part[key]}", []).append(part)
                self.has_references |= any(isinstance(part.get(name), str) for name in REFERENCES)
                self._has_bases |= part is not root and isinstance(part.get("$id"), str)
                pending.extend(part.values())
            elif isinstance(part, list):
                pending.extend(part)

    def __call__(self, reference: Any, *, is_dynamic: bool) -> list[Any]:
        """Return every part that it may lead to; the root where that is unknown."""
        if not isinstance(reference, str):
            return []
        named = self._named.get(reference, [])
        if named:
            return named if is_dynamic else named[:1]
        found = None if self._has_bases else resolve_pointer(self._root, reference)
        return [self._root if found is None else found]


def resolve_pointer(root: Any, reference: str) -> Any:
    """Return the part that a reference `#` or `#/a/b` leads to; None if there is none (RFC 6901)."""
    pointer = unquote(reference).removeprefix("#")
    if pointer and not pointer.startswith("/"):
        return None
    here = root
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(here, Mapping) and name in here:
            here = here[name]
        elif isinstance(here, list) and name.isdigit() and int(name) < len(here):
            here = here[int(name)]
        else:
            return None
    return here


def _items(part: Any) -> list[Any]:
    return part if isinstance(part, list) else []


def _values(part: Any) -> list[Any]:
    return list(part.values()) if isinstance(part, Mapping) else []
