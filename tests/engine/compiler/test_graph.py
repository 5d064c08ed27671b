"""Graph algorithms on flows and plans."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from impasto import Catalog, Integer, Lazy, Text, compile, node
from impasto.compiler.graph import ancestors, critical_path, descendants, edges_of
from impasto.testing import flow_of, words

GRAPHS = st.integers(1, 8).flatmap(
    lambda count: st.tuples(
        st.lists(st.floats(0, 10), min_size=count, max_size=count),
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=16).map(
            lambda pairs: [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]
        ),
    )
)


@given(GRAPHS)
def test_critical_path_is_the_longest_of_all_paths(graph):
    durations, edges = graph
    found = nx.DiGraph(edges)
    found.add_nodes_from(range(len(durations)))
    paths = [[node] for node in found]
    paths += [path for one in found for other in found for path in nx.all_simple_paths(found, one, other)]
    longest = max(sum(durations[node] for node in path) for path in paths)
    assert abs(critical_path(durations, edges) - longest) < 1e-9


@given(GRAPHS, st.data())
def test_ancestors_and_descendants_follow_every_edge(graph, data):
    durations, edges = graph
    nodes = data.draw(st.sets(st.integers(0, len(durations) - 1)))
    closure = nx.transitive_closure(nx.DiGraph(edges))
    assert ancestors(nodes, edges) == nodes | {one for one, other in closure.edges if other in nodes}
    assert descendants(nodes, edges) == nodes | {other for one, other in closure.edges if one in nodes}


@node
async def choose(*, number: Integer = 1) -> Integer:
    return number


@node
async def pick(first: Lazy[Text], *, times: int = 1) -> Text:
    return await first


def test_edges_of_a_plan_include_lazy_inputs_and_driven_settings():
    flow = flow_of(
        {"w": "words", "c": "choose", "p": "pick"}, [("w.output", "p.first"), ("c.output", "p.times")]
    )
    plan = compile(flow, Catalog([words, choose, pick]))
    assert sorted(edges_of(plan.steps)) == [(0, 2), (1, 2)]
