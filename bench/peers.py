"""Other engines that a user might choose, as far as they are installed."""

import asyncio
import importlib.util
import sys
from graphlib import TopologicalSorter

from workloads import NAP, compute


class Tasks:
    """A task for each node; graphlib gives the ready ones."""

    name = "asyncio, a task a node"
    workloads = ("W1", "W2", "W3", "W4", "W7")

    def build(self, graph, workload):
        TopologicalSorter(dict(enumerate(graph.sources))).prepare()
        return graph

    async def run(self, graph, workload):
        sorter = TopologicalSorter(dict(enumerate(graph.sources)))
        sorter.prepare()
        results, ended, running = {}, asyncio.Queue(), set()

        async def one(index):
            if workload == "W4":
                await asyncio.sleep(NAP)
            values = [results[source]["v"] for source in graph.sources[index]]
            results[index] = {"v": compute(graph.constants[index], values)}
            ended.put_nowait(index)

        while sorter.is_active():
            for index in sorter.get_ready():
                task = asyncio.ensure_future(one(index))
                running.add(task)
                task.add_done_callback(running.discard)
            sorter.done(await ended.get())
        return results[len(graph) - 1]["v"]


class Generations:
    """networkx gives the generations; asyncio.gather runs one generation after another."""

    name = "networkx generations"
    needs = "networkx"
    workloads = ("W1", "W2", "W3", "W4", "W6", "W7")

    def build(self, graph, workload):
        import networkx as nx

        built = nx.DiGraph()
        built.add_nodes_from(range(len(graph)))
        built.add_edges_from((a, b) for b, each in enumerate(graph.sources) for a in each)
        return graph, [list(generation) for generation in nx.topological_generations(built)]

    async def run(self, built, workload):
        graph, generations = built
        results = {}

        async def one(index):
            if workload == "W4":
                await asyncio.sleep(NAP)
            values = [results[source]["v"] for source in graph.sources[index]]
            results[index] = {"v": compute(graph.constants[index], values)}

        for generation in generations:
            await asyncio.gather(*(one(index) for index in generation))
        return results[len(graph) - 1]["v"]


class Langgraph:
    """A LangGraph StateGraph with a channel for each node."""

    name = "langgraph"
    needs = "langgraph"
    workloads = ("W1", "W2", "W3", "W4", "W6", "W7")

    def build(self, graph, workload):
        from typing import TypedDict

        from langgraph.graph import StateGraph

        state = TypedDict("state", {f"v{index}": int for index in range(len(graph))})
        built = StateGraph(state)
        for index, sources in enumerate(graph.sources):
            built.add_node(f"n{index}", self._node(index, sources, graph.constants[index], workload))
        for index, sources in enumerate(graph.sources):
            if sources:  # one edge from all sources: with an edge each, the node would run at the first
                built.add_edge([f"n{source}" for source in sources], f"n{index}")
            else:
                built.add_edge("__start__", f"n{index}")
        return built.compile(), len(graph) - 1

    def _node(self, index, sources, constant, workload):
        async def run(state):
            if workload == "W4":
                await asyncio.sleep(NAP)
            return {f"v{index}": compute(constant, [state[f"v{source}"] for source in sources])}

        return run

    async def run(self, built, workload):
        compiled, sink = built
        answer = await compiled.ainvoke({}, {"recursion_limit": 100_000})
        return answer[f"v{sink}"]


class Hamilton:
    """Hamilton: a function for each node, run by its synchronous driver."""

    name = "hamilton"
    needs = "hamilton"
    workloads = ("W1", "W2", "W3", "W6", "W7")

    def build(self, graph, workload):
        import types

        from hamilton import driver

        module = sys.modules["bench_functions"] = types.ModuleType("bench_functions")
        for index, sources in enumerate(graph.sources):
            function = self._function(index, sources, graph.constants[index])
            setattr(module, function.__name__, function)
        return driver.Builder().with_modules(module).build(), len(graph) - 1

    def _function(self, index, sources, constant):
        import inspect

        def function(**values):
            return compute(constant, values.values())

        names = [f"n{source}" for source in sources]
        kind = inspect.Parameter.KEYWORD_ONLY
        function.__signature__ = inspect.Signature(
            [inspect.Parameter(name, kind, annotation=int) for name in names], return_annotation=int
        )
        function.__annotations__ = {**dict.fromkeys(names, int), "return": int}
        function.__name__ = function.__qualname__ = f"n{index}"
        function.__module__ = "bench_functions"
        return function

    async def run(self, built, workload):
        drive, sink = built
        sys.setrecursionlimit(50_000)  # it traverses the graph recursively
        return drive.execute([f"n{sink}"])[f"n{sink}"]


def installed():
    """Return the engines that are installed."""
    found = (peer() for peer in (Tasks, Generations, Langgraph, Hamilton))
    return [peer for peer in found if importlib.util.find_spec(getattr(peer, "needs", "asyncio")) is not None]
