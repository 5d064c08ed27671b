"""Kills and restarts the processes of an installation while runs are executed, and counts what went wrong.

`python -m tests.chaos.monkey --seconds 480 --seed 1` starts two servers, two workers, PostgreSQL, Redis and
an S3-compatible store. The seed decides on the faults and their times; how the processes run in between is
left to the machine. It ends with status 1 if any figure is not 0.
"""

import argparse
import asyncio
import math
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from tests.chaos.installation import ENDED, LEASE_SECONDS, SETTLE_SECONDS, Installation, Process
from tests.chaos.paid_nodes import PRICE_USD
from tests.chaos.services import Service

_ENDS = {"run.finished", "run.failed", "run.cancelled"}
_START_SECONDS = 200
_LAUNCH_INTERVAL_SECONDS = 0.5
_MAX_LAUNCHES = 20
_MIN_RUNS = 5
_CHECKS_AT_ONCE = 4

Fault = Callable[[float], Coroutine[Any, Any, None]]


@dataclass
class Figures:
    """What went wrong: the launches concerned. Nothing in their agent fails, so a failed run is an error."""

    runs: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    parked: list[str] = field(default_factory=list)
    died: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    launched_twice: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    ended_twice: list[str] = field(default_factory=list)
    paid_twice: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    charge_differences: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)

    @property
    def problems(self) -> dict[str, list[str]]:
        return {
            "processes that ended by themselves": self.died,
            "lost": self.lost,
            "launched twice": self.launched_twice,
            "stuck": self.stuck,
            "failed": self.failed,
            "ended twice": self.ended_twice,
            "paid twice": self.paid_twice,
            "gaps": self.gaps,
            "charge differences": self.charge_differences,
            "not checked within the time limit": self.unchecked,
        }

    @property
    def is_clean(self) -> bool:
        return self.runs > 0 and not any(self.problems.values())

    def __str__(self) -> str:
        faults = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        lines = [f"runs: {self.runs}", f"faults: {self.faults.total()} ({faults})"]
        lines.append(f"runs parked after two kills during one step, and resumed: {len(self.parked)}")
        for name, found in self.problems.items():
            lines += [f"{name}: {len(found)}", *(f"  {each}" for each in found[:20])]
        return "\n".join(lines)


class Monkey:
    """Inflicts a fault after another, each time on something that works."""

    def __init__(self, installation: Installation, chance: random.Random) -> None:
        self._installation = installation
        self._chance = chance
        self._repairs: dict[str, asyncio.Task[None]] = {}
        self._processes: dict[str, Process] = {}
        self._processes |= {f"server {number}": each for number, each in enumerate(installation.servers)}
        self._processes |= {f"worker {number}": each for number, each in enumerate(installation.workers)}
        self.faults: Counter[str] = Counter()
        self.died: list[str] = []

    async def run(self, seconds: float) -> None:
        """Inflict faults for this long, then wait until everything works again."""
        until = time.monotonic() + seconds
        try:
            while time.monotonic() < until:
                await self._inflict(until)
            await asyncio.gather(*self._repairs.values())
            self._find_dead()
        finally:
            for repair in self._repairs.values():
                repair.cancel()

    async def _inflict(self, until: float) -> None:
        self._find_dead()
        name, target, fault = self._chance.choice(self._faults())
        pause, down = self._chance.uniform(0.5, 4), self._chance.uniform(0, 3)
        if target not in self._repairs or self._repairs[target].done():
            self.faults[name] += 1
            self._repairs[target] = asyncio.create_task(fault(down))
        await asyncio.sleep(min(pause, max(0, until - time.monotonic())))

    def _find_dead(self) -> None:
        for name, process in self._processes.items():
            repair = self._repairs.get(name)
            if repair is not None:
                if not repair.done():
                    continue
                repair.result()
            ended = process.process is None or process.process.returncode is not None
            if ended and name not in self.died:
                self.died.append(name)

    def _faults(self) -> list[tuple[str, str, Fault]]:
        """Return the name, the target and the function of each fault; it takes the seconds of the outage."""
        place = self._installation
        found: list[tuple[str, str, Fault]] = [
            ("redis killed", "redis", partial(self._restart, place.redis, signal.SIGKILL)),
            ("database killed", "database", partial(self._restart, place.database, signal.SIGQUIT)),
            ("store cut off", "store", self._cut_store),
        ]
        for target, process in self._processes.items():
            found += [
                (f"{target} killed", target, partial(self._restart, process, signal.SIGKILL)),
                (f"{target} stopped", target, partial(self._restart, process, signal.SIGTERM)),
                (f"{target} suspended", target, partial(self._suspend, process)),
            ]
        return found

    async def _restart(self, process: Process | Service, how: signal.Signals, down: float) -> None:
        await process.end(how)
        await asyncio.sleep(down)
        async with asyncio.timeout(_START_SECONDS):
            while True:  # a server does not start while its database is down
                try:
                    await process.start()
                except (AssertionError, TimeoutError):
                    await process.end(signal.SIGKILL)  # one that is still starting would keep the port
                    await asyncio.sleep(0.5)
                else:
                    return

    async def _suspend(self, process: Process, down: float) -> None:
        running = process.process
        if running is None or running.returncode is not None:
            return
        running.send_signal(signal.SIGSTOP)
        await asyncio.sleep(LEASE_SECONDS + down)
        running.send_signal(signal.SIGCONT)

    async def _cut_store(self, down: float) -> None:
        self._installation.store.cut()
        await asyncio.sleep(down)
        await self._installation.store.open()


async def run_monkey(seconds: float, seed: int, limit: float = math.inf) -> Figures:
    """Launch runs under faults for this many seconds, wait until all have ended, and return the figures.

    After `limit` seconds nothing more is checked.
    """
    deadline = time.monotonic() + limit
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="impasto-chaos-") as folder:
        # PostgreSQL refuses to run as root.
        Path(folder).chmod(0o755)
        async with Installation(Path(folder), random.Random(seed)).running() as installation:
            monkey = Monkey(installation, chance)
            faults = asyncio.create_task(monkey.run(seconds))
            launched: dict[str, str | None] = {}
            launches: list[asyncio.Task[None]] = []

            async def launch(name: str) -> None:
                launched[name] = await installation.launch(name)

            try:
                while (
                    not faults.done() or len([run_id for run_id in launched.values() if run_id]) < _MIN_RUNS
                ):
                    if sum(not task.done() for task in launches) < _MAX_LAUNCHES:
                        launches.append(asyncio.create_task(launch(f"launch {len(launches)}")))
                    await asyncio.sleep(_LAUNCH_INTERVAL_SECONDS)
                    if any(task.done() and task.exception() for task in launches):
                        break
                await asyncio.gather(faults, *launches)
            finally:
                for task in (faults, *launches):
                    task.cancel()
                await asyncio.wait([faults, *launches])
            figures = Figures(faults=monkey.faults, died=monkey.died)
            until = time.monotonic() + SETTLE_SECONDS
            runs = await installation.runs()
            figures.runs = sum(len(ids) for ids in runs.values())
            figures.lost = [name for name, run_id in launched.items() if run_id and run_id not in runs[name]]
            figures.launched_twice = [name for name, ids in runs.items() if len(ids) > 1]
            await _check_all(installation, runs, (until, deadline), figures)
            return figures


async def _check_all(
    installation: Installation, runs: dict[str, list[str]], times: tuple[float, float], figures: Figures
) -> None:
    """Check all runs, a few at once. `times` are those until which runs may go on, and checks may."""
    until, deadline = times
    places = asyncio.Semaphore(_CHECKS_AT_ONCE)

    async def check(name: str, run_id: str) -> None:
        async with places:
            await _check(installation, name, run_id, until, figures)

    checks = {asyncio.create_task(check(name, run_id)): name for name, ids in runs.items() for run_id in ids}
    if not checks:
        return
    left = None if math.isinf(deadline) else max(0.0, deadline - time.monotonic())
    done, late = await asyncio.wait(checks, timeout=left, return_when=asyncio.FIRST_EXCEPTION)
    for task in late:
        task.cancel()
        figures.unchecked.append(checks[task])
    for task in done:
        task.result()


async def _check(installation: Installation, name: str, run_id: str, until: float, figures: Figures) -> None:
    run = await installation.ended(run_id, until)
    ends_expected = 1
    while (run["error"] or {}).get("code") == "crashed":
        # Two processes were killed during one step: such a run waits for its user.
        figures.parked.append(name)
        ends_expected += 1
        await installation.call("POST", f"/runs/{run_id}/resume")
        run = await installation.ended(run_id, until)
    if run["status"] not in ENDED:
        figures.stuck.append(f"{name}: {run['status']}")
        return
    if run["status"] != "finished":
        figures.failed.append(f"{name}: {run['status']} {run['error']}")
    events = await installation.events(run_id, run["last_seq"])
    ends = Counter((event["type"], event["step"]) for event in events)
    if sum(ends[end, None] for end in _ENDS) != ends_expected or any(
        count > 1 for (kind, _), count in ends.items() if kind == "step.finished"
    ):
        figures.ended_twice.append(name)
    if [event["seq"] for event in events] != list(range(1, len(events) + 1)):
        figures.gaps.append(name)
    keys = {step: keys for (launch, step), keys in installation.provider.paid.items() if launch == name}
    figures.paid_twice += [f"{name}, {step}: {len(found)}" for step, found in keys.items() if len(found) > 1]
    paid = sum(len(found) for found in keys.values()) * Decimal(str(PRICE_USD))
    shown = Decimal(run["cost_usd"])
    steps = sum(Decimal(step["cost_usd"] or 0) for step in run["steps"])
    if not paid == shown == steps:
        figures.charge_differences.append(f"{name}: paid {paid}, run {shown}, steps {steps}")


def main() -> None:
    """Print the figures; status 1 if one of them is not 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=480, help="for how long there are faults")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument(
        "--limit", type=float, default=math.inf, help="seconds after which nothing is checked"
    )
    options = parser.parse_args()
    print(f"seed: {options.seed}", flush=True)
    figures = asyncio.run(run_monkey(options.seconds, options.seed, options.limit))
    print(figures)
    sys.exit(0 if figures.is_clean else 1)


if __name__ == "__main__":
    main()
