"""Graph analysis off the hot path, on networkx (imported when it is first needed)."""

import typing as t
from collections.abc import Iterable, Sequence

from impasto.compiler.step import Step


def cycles(nodes: Iterable[int], edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """One cycle of each strongly connected part, its nodes in order, beginning with the first of them."""
    import networkx as nx

    graph: t.Any = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    found = []
    for part in nx.strongly_connected_components(graph):
        first = min(part)
        if len(part) == 1 and not graph.has_edge(first, first):
            continue
        ring = [edge[0] for edge in nx.find_cycle(graph.subgraph(part), first)]
        start = ring.index(min(ring))
        found.append(ring[start:] + ring[:start])
    return sorted(found)


def to_networkx(name: str, steps: Sequence[Step]) -> t.Any:
    """A plan as a MultiDiGraph: steps by id, each edge with its ports."""
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
