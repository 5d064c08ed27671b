"""The lower bound: counters of missing inputs and coroutines that are started in place, without an engine."""

import asyncio
from graphlib import TopologicalSorter
from hashlib import blake2b

from workloads import NAP, compute

NAME = "bare asyncio (limit)"


async def node(constant, values):
    return {"v": compute(constant, values)}


async def sleepy(constant, values):
    await asyncio.sleep(NAP)
    return {"v": compute(constant, values)}


def build(graph, workload):
    TopologicalSorter(dict(enumerate(graph.sources))).prepare()
    return graph


async def run(graph, workload="", cache=None):
    function = sleepy if workload == "W4" else node
    missing = [len(sources) for sources in graph.sources]
    results = [None] * len(graph)
    ready = [index for index, count in enumerate(missing) if not count]
    keys = _keys(graph) if cache is not None else None
    tasks = {}
    while ready or tasks:
        while ready:
            index = ready.pop()
            if keys is not None and keys[index] in cache:
                results[index] = cache[keys[index]]
                _settle(graph, index, missing, ready)
                continue
            coroutine = function(
                graph.constants[index], [results[source]["v"] for source in graph.sources[index]]
            )
            if workload == "W4":
                tasks[asyncio.ensure_future(coroutine)] = index
                continue
            try:
                coroutine.send(None)
            except StopIteration as stop:
                results[index] = stop.value
            if keys is not None:
                cache[keys[index]] = results[index]
            _settle(graph, index, missing, ready)
        if tasks:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                index = tasks.pop(task)
                results[index] = task.result()
                _settle(graph, index, missing, ready)
    return results[-1]["v"]


def _settle(graph, index, missing, ready):
    for follower in graph.followers[index]:
        missing[follower] -= 1
        if not missing[follower]:
            ready.append(follower)


def _keys(graph):
    keys = []
    for constant, sources in zip(graph.constants, graph.sources, strict=True):
        data = b"node%d" % constant + b"".join([keys[source] for source in sources])
        keys.append(blake2b(data, digest_size=16).digest())
    return keys


class Peer:
    """The interface of everything that is measured."""

    name = NAME
    workloads = ("W1", "W2", "W3", "W4", "W5", "W6", "W7")

    def build(self, graph, workload):
        return build(graph, workload)

    async def run(self, built, workload):
        return await run(built, workload)

    async def warm(self, built):
        self.cache = {}
        return await run(built, "W5", self.cache)

    async def again(self, graph, node):
        return await run(graph, "W5", self.cache)
