"""The graphs of the workloads, and the expected value of each sink.

Every node computes `{"v": (31 * c + sum of its inputs' v) % M}` from its one setting `c`.
"""

import random
from dataclasses import dataclass, field

M = 1_000_003
NAP = 0.05


@dataclass
class Graph:
    """Nodes 0..n-1 in topological order, each with its sources and its constant. The last one is the sink."""

    sources: list[list[int]]
    constants: list[int] = field(default_factory=list)

    def __post_init__(self):
        self.constants = self.constants or list(range(len(self.sources)))
        self.followers = [[] for _ in self.sources]
        for node, sources in enumerate(self.sources):
            for source in sources:
                self.followers[source].append(node)

    def __len__(self):
        return len(self.sources)

    def answer(self):
        """Return the expected value of the sink."""
        values = []
        for constant, sources in zip(self.constants, self.sources, strict=True):
            values.append(compute(constant, [values[source] for source in sources]))
        return values[-1]

    def changed(self, node, constant):
        """Return the same graph with one constant changed."""
        constants = list(self.constants)
        constants[node] = constant
        return Graph(self.sources, constants)


def compute(constant, values):
    return (31 * constant + sum(values)) % M


def chain(n):
    return Graph([[]] + [[node - 1] for node in range(1, n)])


def wide(n):
    return Graph([[]] + [[0]] * n + [list(range(1, n + 1))])


def layered(n, edges=3, seed=11):
    """Return square layers: three edges into each node, some across layers, and one sink for all leaves."""
    draw = random.Random(seed)
    width = max(3, round(n**0.5))
    sources = []
    for node in range(n - 1):
        first = node // width * width
        near = range(max(0, first - width), first)
        chosen = set(draw.sample(near, edges)) if first else set()
        if first > width and draw.random() < 0.25:
            chosen.pop()
            chosen.add(draw.randrange(0, first - width))
        sources.append(sorted(chosen))
    fed = {source for each in sources for source in each}
    sources.append([node for node in range(n - 1) if node not in fed])
    return Graph(sources)


def a_leaf(graph):
    """Return a node that feeds only the sink."""
    return graph.sources[-1][-1]


GRAPHS = {"W1": chain, "W2": wide, "W3": layered, "W4": wide, "W5": layered, "W6": layered, "W7": chain}
SIZES = {"W1": 1000, "W2": 1000, "W3": 2000, "W4": 100, "W5": 2000, "W6": 10_000, "W7": 10}
RUNS = 500
