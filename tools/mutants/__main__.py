"""Mutation testing: `python tools/mutants [--minutes M] [--seed S] [--area NAME ...] [--module EXPRESSION]`.

Each mutant changes one place of one module: an operator, a constant, a condition, a call. The sample is drawn
with the seed, one mutant per area in turn, until the time is up; with `--module`, every mutant of the modules
whose path matches is tried. The survivors are printed with their line, then the rates:

- failed: a test failed. The test then passed without the mutant: a flaky test kills nothing.
- stuck: the suite stopped a test that took too long. Without the mutant the test then took less than the
  limit, so the mutant and not the machine's load was the cause.
- survived: every test that was run passed, or no test executes the line.
- undecided: the tests failed or were not done in time without the mutant too, or the CPU time of a mutant was
  used up before all of them had run. It is not in the rate.

Python: the lines that each test executes are recorded first, and again for each file of tests that changed;
`.mutants` keeps them. A process collects an area's tests once. For each mutant it forks, the fork puts the
changed function in place, and runs the tests that execute its line: first those of the files that mirror its
module, that are named after what it changes or that import the module, and of each those that execute the
least besides, as many as took 20 s when recorded; if they pass, three times as many of its function, by the
words that their files share with it. Where no test executes the line (it runs only in processes that tests
start), or where these tests pass and the line also runs while modules are imported, the module is changed in
a copy of the sources, and the thirty most similar files of the area's tests are run. TypeScript: the tests
that import the module.

Left out is what no test should notice: logs, texts of errors, types, docstrings, assertions, and the numbers
that a module declares (a distance of a layout, a time limit), because a test of them would only repeat them.

The rate is (failed + stuck) / (failed + stuck + survived). The working tree is never changed.

The method: R. A. DeMillo, R. J. Lipton, F. G. Sayward, "Hints on Test Data Selection", IEEE Computer, 1978.
"""

import argparse
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from areas import AREAS, Area
from mutation import Mutant
from reach import MAX_RECORDED_SECONDS, Reach
from suites import MAX_CPU_SECONDS, MAX_TEST_SECONDS, ROOT, CollectedTests, Outcome, Suite
from tests.server.postgresql import DATABASE_URL, running_server

MAX_FILES = 30  # of tests that run a changed module: the nearest ones
VERDICTS = ("failed", "stuck", "survived", "undecided")


def sample(area: Area, seed: int) -> Iterator[Mutant]:
    """Yield the area's mutants in the seed's order: a random module, then a random place in it."""
    # Not for secrets: the same seed must draw the same sample.
    draw = random.Random(f"{seed}/{area.name}")  # noqa: S311
    modules = area.modules()
    weights = [len(module.read_bytes()) for module in modules]
    seen: set[tuple[Path, int, int, str]] = set()
    while True:
        module = draw.choices(modules, weights)[0]
        found = [mutant for mutant in area.mutate(module) if mutant.place not in seen]
        if found:
            mutant = draw.choice(found)
            seen.add(mutant.place)
            yield mutant


def every(area: Area, pattern: re.Pattern[str], survivors: set[str] | None) -> Iterator[Mutant]:
    """Yield the mutants of the area's modules whose path matches, in the order of the sources.

    With `survivors`, only those that an earlier run has named so.
    """
    for module in area.modules():
        if pattern.search(module.relative_to(ROOT).as_posix()):
            yield from (
                each for each in area.mutate(module) if survivors is None or without_line(each) in survivors
            )


def without_line(mutant: Mutant | str) -> str:
    """Return how a mutant is printed, without the line, which other edits move."""
    return re.sub(r":\d+: ", ": ", str(mutant), count=1)


def read_survivors(output: Path | None) -> set[str] | None:
    """Return the survivors that an output of the tool names, without their lines."""
    if output is None:
        return None
    lines = [line.split(maxsplit=1) for line in output.read_text().splitlines()]
    return {without_line(line[1]) for line in lines if len(line) == 2 and line[0] == "survived"}


class Session:
    """One run of the tool: the samples, the verdicts so far and the time that is left."""

    def __init__(
        self, areas: list[Area], draw: Callable[[Area], Iterator[Mutant]], *, minutes: float, verbose: bool
    ) -> None:
        self.areas = areas
        self.verdicts = {area.name: Counter[str]() for area in areas}
        self._samples = {area.name: draw(area) for area in areas}
        self._ends = time.monotonic() + 60 * minutes
        self._started = Counter[str]()
        self._verbose = verbose
        self._lock = threading.Lock()

    def next(self) -> tuple[Area, Mutant] | None:
        """Draw a mutant of the area that was tried least; None when the time is up."""
        with self._lock:
            if time.monotonic() >= self._ends:
                return None
            # Quick tests must not fill the table.
            for area in sorted(self.areas, key=lambda each: self._started[each.name]):
                self._started[area.name] += 1
                if mutant := next(self._samples[area.name], None):
                    return area, mutant
            return None

    def add(self, area: Area, mutant: Mutant, verdict: str, outcome: Outcome) -> None:
        """Count a verdict; print it if it needs a look."""
        with self._lock:
            self.verdicts[area.name][verdict] += 1
            if self._verbose or verdict in {"survived", "undecided"}:
                print(f"{verdict:9} {mutant}", flush=True)
                if outcome.test:
                    print(f"          by {outcome.test}", flush=True)

    def report(self) -> str:
        """Return the table: one line for each area."""
        lines = [f"{'area':8}{''.join(f'{name:>11}' for name in VERDICTS)}       rate"]
        for name, verdicts in self.verdicts.items():
            killed = verdicts["failed"] + verdicts["stuck"]
            tried = killed + verdicts["survived"]
            rate = f"{100 * killed / tried:9.1f} %" if tried else " none tried"
            lines.append(f"{name:8}{''.join(f'{verdicts[each]:11}' for each in VERDICTS)}{rate}")
        return "\n".join(lines)


@cache
def _distances(area: Area, module: Path) -> dict[str, float]:
    place = module.relative_to(ROOT).with_suffix("").parts
    return {file.path: file.distance(place) for file in area.recorded()}


def distances(area: Area, mutant: Mutant) -> dict[str, float]:
    """Return how far each file of an area's tests is from a mutant's module, and from what it changes."""
    found = dict(_distances(area, mutant.module))
    for file in area.recorded():
        if file.is_named_by(mutant.before):
            found[file.path] = min(found[file.path], 0.5)
    return found


class Tester:
    """Tries mutants one after the other in a workspace of its own."""

    def __init__(self, workspace: Path, session: Session, reach: Reach) -> None:
        self._workspace, self._session, self._reach = workspace, session, reach
        self._suites: dict[str, Suite] = {}
        self._collected: dict[str, CollectedTests] = {}
        self._green: dict[tuple[str, ...], bool] = {}
        self._time = time.time()

    def run(self) -> None:
        """Try mutants until the session's time is up."""
        try:
            while drawn := self._session.next():
                area, mutant = drawn
                self._session.add(area, mutant, *self._judge(area, mutant))
        finally:
            for suite in self._suites.values():
                suite.close()
            for tests in self._collected.values():
                tests.close()

    def _judge(self, area: Area, mutant: Mutant) -> tuple[str, Outcome]:
        files = [file.path for file in area.recorded()]
        if not files:
            return self._judge_by_files(area, mutant)
        reached = self._reach.of(mutant, distances(area, mutant), area.tests(mutant))
        if area.name not in self._collected:
            self._collected[area.name] = CollectedTests(self._workspace / "collected" / area.name, files)
        tests = self._collected[area.name]
        outcome = Outcome("passed")
        for chosen in filter(None, (reached.tests, reached.more)):
            if outcome.status == "passed":
                outcome = tests.run(chosen, reached.test_seconds, mutant)
        match outcome.status:
            case "failed" | "stuck":
                is_green = self._is_green(
                    lambda: tests.run([outcome.test], reached.test_seconds), outcome.test
                )
                return outcome.status if is_green else "undecided", outcome
            case "passed" if not reached.is_imported and (reached.tests or reached.is_missed):
                return "survived", outcome
        return self._judge_by_files(area, mutant)

    def _judge_by_files(self, area: Area, mutant: Mutant) -> tuple[str, Outcome]:
        """Change the module's file and run the area's tests in a process that imports it."""
        if area.name not in self._suites:
            self._suites[area.name] = area.open_suite(self._workspace)
        suite, tests = self._suites[area.name], area.tests(mutant)[:MAX_FILES]
        outcome, left = Outcome("passed"), MAX_CPU_SECONDS
        # pytest collects every file before the first test.
        for batch in filter(None, (tests[:3], tests[3:10], tests[10:])):
            if left <= 0:
                outcome = Outcome("unfinished", batch[0])
                break
            outcome = self._with_mutant(suite, mutant, batch, left)
            left -= outcome.cpu
            if outcome.status != "passed":
                break
        if outcome.status == "passed":
            return "survived", outcome
        if outcome.status == "unfinished":
            return "undecided", outcome
        again = [outcome.test] if outcome.test else batch
        began = time.monotonic()
        if outcome.status == "failed":
            is_green = self._is_green(lambda: suite.run(again), *again)
            return "failed" if is_green else "undecided", outcome
        is_quick = suite.run(again).status == "passed" and time.monotonic() - began < MAX_TEST_SECONDS
        return "stuck" if is_quick else "undecided", outcome

    def _is_green(self, run: Callable[[], Outcome], *tests: str) -> bool:
        """Whether the tests pass without a mutant; the same tests are run once."""
        if tests not in self._green:
            self._green[tests] = run().status == "passed"
        return self._green[tests]

    def _with_mutant(self, suite: Suite, mutant: Mutant, tests: list[str], cpu_seconds: float) -> Outcome:
        target = self._workspace / mutant.module.relative_to(ROOT)
        original, times = target.read_text(), target.stat()
        target.write_text(mutant.source)
        # Each mutant has a second of its own: Python takes a source of the same size and second for compiled.
        self._time += 1
        os.utime(target, (self._time, self._time))
        try:
            return suite.run(tests, cpu_seconds)
        finally:
            target.write_text(original)
            os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))


def main() -> int:
    """Print the survivors and the rates."""
    parser = argparse.ArgumentParser(description="Sampled mutation testing.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="how many mutants to try at the same time")
    parser.add_argument("--area", action="append", choices=[area.name for area in AREAS])
    parser.add_argument(
        "--module", default="", help="try every mutant of the modules whose path matches this expression"
    )
    parser.add_argument(
        "--again", type=Path, help="try only the mutants that survived in this earlier output of the tool"
    )
    parser.add_argument(
        "--test-seconds",
        type=float,
        default=MAX_RECORDED_SECONDS,
        help="how long the tests of one mutant took when they were recorded; fewer find survivors sooner, "
        "some of which `--again` then kills",
    )
    parser.add_argument("--verbose", action="store_true", help="print killed mutants too")
    given = parser.parse_args()
    areas = [area for area in AREAS if not given.area or area.name in given.area]
    if given.module or given.again:
        draw = partial(every, pattern=re.compile(given.module), survivors=read_survivors(given.again))
    else:
        draw = partial(sample, seed=given.seed)
    reach = Reach(ROOT / ".mutants", given.test_seconds)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        Path(folder).chmod(0o711)  # tests that root runs start PostgreSQL as another user
        if any(area.name == "server" for area in areas):
            # Starting one for each mutant would take longer than its tests.
            os.environ[DATABASE_URL] = stack.enter_context(running_server())
        pool = stack.enter_context(ThreadPoolExecutor(given.jobs))
        reach.record({file.path: file for area in areas for file in area.recorded()}.values(), given.jobs)
        session = Session(areas, draw, minutes=given.minutes, verbose=given.verbose)
        testers = [Tester(Path(folder) / str(number), session, reach) for number in range(given.jobs)]
        for done in [pool.submit(tester.run) for tester in testers]:
            done.result()
    print(f"\nMutation score, seed {given.seed}:\n{session.report()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
