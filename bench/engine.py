"""Impasto, with everything that the server uses: keys, validation, events, a listener, a journal."""

import asyncio

from workloads import NAP, compute

import impasto
from impasto import Catalog, Flow, Json, MemoryCache, MemoryJournal, SqliteJournal, execute, node


@node
async def work(inputs: list[Json] = [], *, c: int) -> Json:  # noqa: B006
    return {"v": compute(c, [value["v"] for value in inputs])}


@node
async def nap(inputs: list[Json] = [], *, c: int) -> Json:  # noqa: B006
    await asyncio.sleep(NAP)
    return {"v": compute(c, [value["v"] for value in inputs])}


def document(graph, kind="work"):
    nodes = [{"id": f"n{i}", "type": kind, "settings": {"c": c}} for i, c in enumerate(graph.constants)]
    edges = [
        {"from": f"n{source}.output", "to": f"n{i}.inputs"}
        for i, each in enumerate(graph.sources)
        for source in each
    ]
    return {"format": 1, "name": "bench", "nodes": nodes, "edges": edges}


class Peer:
    """The engine as the server uses it."""

    name = "impasto"
    workloads = ("W1", "W2", "W3", "W4", "W5", "W6", "W7")

    def __init__(self):
        self.heard = 0

    def listen(self, event):
        self.heard += 1

    def build(self, graph, workload):
        """Return the plan from a new catalog: one that has compiled the graph before would reuse its plan."""
        return self.compiled(document(graph, "nap" if workload == "W4" else "work"))[0]

    def compiled(self, data):
        catalog, flow = Catalog([work, nap]), Flow.parse(data)
        return impasto.compile(flow, catalog), flow, catalog

    async def run(self, built, workload):
        result = await execute(built, listener=self.listen, **self.options())
        return result.outputs[f"n{len(built.steps) - 1}.output"]["v"]

    def options(self):
        return {"journal": MemoryJournal(), "reuse": "changed"}

    async def warm(self, built):
        self.cache = MemoryCache()
        plan, self.flow, self.catalog = self.compiled(built.flow.to_dict())
        result = await execute(plan, cache=self.cache, listener=self.listen, **self.options())
        return result.outputs[f"n{len(built.steps) - 1}.output"]["v"]

    async def again(self, graph, node):
        """Do what the editor does: change a setting, compile, run."""
        self.flow.node(f"n{node}").settings["c"] = graph.constants[node]
        plan = impasto.compile(self.flow, self.catalog)
        result = await execute(plan, cache=self.cache, listener=self.listen, **self.options())
        return result.outputs[f"n{len(graph) - 1}.output"]["v"]


class Silent(Peer):
    """The engine without events, journal and reuse."""

    name = "impasto, events off"
    workloads = ("W1", "W2", "W3", "W4", "W7")

    async def run(self, built, workload):
        result = await execute(built, events=False, reuse="none")
        return result.outputs[f"n{len(built.steps) - 1}.output"]["v"]


class Durable(Peer):
    """The engine with the SQLite journal, synced to the disk."""

    name = "impasto, journal in SQLite"
    workloads = ("W1", "W2", "W3", "W7")

    def __init__(self, folder):
        super().__init__()
        self.journal = SqliteJournal(folder / "journal.db")

    def options(self):
        return {"journal": self.journal}

    async def close(self):
        await self.journal.close()
