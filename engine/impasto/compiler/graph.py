"""Graph algorithms of networkx on flows and plans, outside the paths that every compilation and run takes.

networkx is imported when it is first needed, because importing it takes longer than importing the engine.
"""

import typing as t
from collections.abc import Iterable, Sequence

from impasto.compiler.step import Step

Edge = tuple[int, int]
_VIRTUAL = -1  # a node beside the steps, whose indices count from 0


def edges_of(steps: Sequence[Step]) -> list[Edge]:
    """Return the edges between steps, by index, including those of lazy inputs and driven settings."""
    return [
        (source.step, step.index)
        for step in steps
        for binding in step.bindings()
        for source in binding.sources
    ]


def ancestors(nodes: Iterable[int], edges: Iterable[Edge]) -> set[int]:
    """Return the nodes and everything that they depend on."""
    import networkx as nx

    graph: t.Any = nx.DiGraph(list(edges))
    graph.add_edges_from((node, _VIRTUAL) for node in nodes)
    return set(nx.ancestors(graph, _VIRTUAL)) if _VIRTUAL in graph else set()


def descendants(nodes: Iterable[int], edges: Iterable[Edge]) -> set[int]:
    """Return the nodes and everything that depends on them."""
    return ancestors(nodes, ((target, source) for source, target in edges))


def critical_path(durations: Sequence[float], edges: Iterable[Edge]) -> float:
    """Return the length of the longest path, where each node takes its duration."""
    import networkx as nx

    graph: t.Any = nx.DiGraph()
    graph.add_weighted_edges_from((_VIRTUAL, node, duration) for node, duration in enumerate(durations))
    graph.add_weighted_edges_from((source, target, durations[target]) for source, target in edges)
    return float(nx.dag_longest_path_length(graph))


def cycles(nodes: Iterable[int], edges: Iterable[Edge]) -> list[list[int]]:
    """Return one cycle of each strongly connected component, its nodes in order from the smallest."""
    import networkx as nx

    graph: t.Any = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    found = []
    for component in nx.strongly_connected_components(graph):
        first = min(component)
        if len(component) == 1 and not graph.has_edge(first, first):
            continue
        ring = [edge[0] for edge in nx.find_cycle(graph.subgraph(component), first)]
        start = ring.index(min(ring))
        found.append(ring[start:] + ring[:start])
    return sorted(found)


def to_networkx(name: str, steps: Sequence[Step]) -> t.Any:
    """Return a plan as a MultiDiGraph: nodes by step id, edges with the names of their ports."""
    import networkx as nx

    graph: t.Any = nx.MultiDiGraph(name=name)
    for step in steps:
        graph.add_node(step.id, type=step.type.id, title=step.title)
    for step in steps:
        named = [(each.name, binding) for each, binding in zip(step.ports, step.inputs, strict=True)]
        named += [(spec.name, binding) for spec, binding in step.dynamic]
        for port, binding in named:
            for source in binding.sources if binding else ():
                origin = steps[source.step]
                output = origin.type.outputs[source.port].name
                graph.add_edge(origin.id, step.id, source=output, target=port)
    return graph
