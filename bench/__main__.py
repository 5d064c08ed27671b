"""Benchmarks: `python bench` runs every workload on every installed engine and prints a table.

Times are CPU time of the process. The bare loop runs alternately with each engine; `x` is the ratio to it.
"""

import argparse
import asyncio
import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))  # so that `python bench` and `python -m bench` are the same

import bare
import engine
import peers
from workloads import GRAPHS, RUNS, SIZES, a_leaf

IMPORT = "import time; t = time.process_time(); import impasto; print(time.process_time() - t)"


def cpu(work):
    """Return the CPU seconds of one call, and its result."""
    gc.collect()
    begun = time.process_time()
    answer = work()
    return time.process_time() - begun, answer


class Measure:
    """Measures one engine on one workload, alternately with the bare loop."""

    def __init__(self, loop, peer, workload, size, samples):
        self.run = loop.run_until_complete
        self.peer = peer
        self.workload = workload
        self.samples = samples
        self.graph = GRAPHS[workload](size or SIZES[workload])
        self.answer = self.graph.answer()

    def median(self):
        """Return microseconds per node (W4: wall seconds; W5: ms; W7: runs per CPU second), and the ratio."""
        limit = bare.Peer()
        one = {"W4": self._wall, "W5": self._again, "W6": self._build, "W7": self._many}.get(
            self.workload, self._once
        )
        pairs = [(one(self.peer, turn), one(limit, turn)) for turn in range(self.samples)]
        mine = statistics.median(pair[0] for pair in pairs)
        theirs = statistics.median(pair[1] for pair in pairs)
        if self.workload == "W7":
            return RUNS / mine, mine / theirs
        scale = {"W4": 1, "W5": 1e3}.get(self.workload, 1e6 / len(self.graph))
        return mine * scale, mine / theirs

    def _checked(self, answer, graph):
        if answer != graph.answer():
            raise AssertionError(f"{self.peer.name} gave {answer} on {self.workload}")

    def _once(self, peer, turn):
        built = peer.build(self.graph, self.workload)
        self.run(peer.run(built, self.workload))
        seconds, answer = cpu(lambda: self.run(peer.run(built, self.workload)))
        self._checked(answer, self.graph)
        return seconds

    def _wall(self, peer, turn):
        built = peer.build(self.graph, self.workload)
        begun = time.perf_counter()
        self._checked(self.run(peer.run(built, self.workload)), self.graph)
        return time.perf_counter() - begun

    def _again(self, peer, turn):
        self.run(peer.warm(peer.build(self.graph, self.workload)))
        leaf = a_leaf(self.graph)
        changed = self.graph.changed(leaf, 5000 + turn)
        seconds, answer = cpu(lambda: self.run(peer.again(changed, leaf)))
        self._checked(answer, changed)
        return seconds

    def _build(self, peer, turn):
        return cpu(lambda: peer.build(self.graph, self.workload))[0]

    def _many(self, peer, turn):
        built = peer.build(self.graph, self.workload)

        async def many():
            return await asyncio.gather(*(peer.run(built, self.workload) for _ in range(RUNS)))

        seconds, answers = cpu(lambda: self.run(many()))
        self._checked(answers[0], self.graph)
        return seconds


def cell(loop, peer, workload, samples):
    """Return one engine's result on one workload as text."""
    if workload not in peer.workloads:
        return ""
    value, ratio = Measure(loop, peer, workload, None, samples).median()
    shown = f"{value:,.3f} s" if workload == "W4" else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"
    return f"{shown} ({ratio:.1f}x)"


def growth(loop, samples):
    """Yield the cost of a node in a graph of 10,000 nodes relative to a graph of 100."""
    for workload in ("W1", "W2", "W3"):
        small, large = (
            Measure(loop, engine.Peer(), workload, size, samples).median()[0] for size in (100, 10_000)
        )
        yield f"{workload} {large / small:.2f}"


def import_time(folder):
    """Return the median CPU milliseconds of `import impasto` in five new processes, with bytecode cached."""
    ours = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder)}
    ours.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", IMPORT]
    ran = [subprocess.run(command, capture_output=True, text=True, check=True, env=ours) for _ in range(6)]
    return statistics.median(float(each.stdout) for each in ran[1:]) * 1e3


def main():
    parser = argparse.ArgumentParser(description="Measure the engine, the bare event loop and other engines.")
    parser.add_argument("--only", default="W1,W2,W3,W4,W5,W6,W7", help="workloads")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="measure the engine alone, without growth")
    given = parser.parse_args()
    workloads = given.only.split(",")
    units = {"W4": "s", "W5": "ms", "W7": "runs/CPU s"}
    table = Table("", *(f"{name} {units.get(name, 'µs/node')}" for name in workloads))
    loop = asyncio.new_event_loop()
    with tempfile.TemporaryDirectory(prefix="impasto-bench-") as folder:
        durable = engine.Durable(Path(folder))
        others = [] if given.quick else [engine.Silent(), durable, *peers.installed()]
        for peer in (bare.Peer(), engine.Peer(), *others):
            table.add_row(peer.name, *(cell(loop, peer, workload, given.samples) for workload in workloads))
        loop.run_until_complete(durable.close())
        console = Console(width=150)
        console.print(table)
        console.print(f"import impasto: {import_time(Path(folder)):.0f} ms of CPU")
    if not given.quick:
        console.print(f"growth, 10,000 nodes over 100: {', '.join(growth(loop, given.samples))}")


if __name__ == "__main__":
    main()
