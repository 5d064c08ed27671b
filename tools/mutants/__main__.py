"""Sampled mutation testing: `python tools/mutants [--minutes M] [--seed S] [--area NAME ...] [--verbose]`.

Each round changes one place of one module (an operator, a constant, a condition, a call) in a copy of the
sources and runs the tests that cover the module. A mutant is killed if a test fails or hangs. The sample
is drawn with the seed, one mutant per area in turn, until the time is up; the survivors are printed with
their line, then the rate of each area. The working tree is never changed.

The method: R. A. DeMillo, R. J. Lipton, F. G. Sayward, "Hints on Test Data Selection", IEEE Computer, 1978.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from areas import AREAS, Area
from mutation import Mutant

MAX_SECONDS = 240  # for one mutant; its tests take less when nothing hangs


@dataclass
class Tally:
    """What became of one area's mutants."""

    killed: int = 0
    survived: list[Mutant] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many mutants were tried."""
        return self.killed + len(self.survived)

    def row(self, name: str) -> str:
        """One line of the report."""
        rate = f"{100 * self.killed / self.total:.0f} %" if self.total else "none tried"
        return f"{name:8} {self.killed:3} of {self.total:3} killed  {rate}"


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


def is_killed(area: Area, mutant: Mutant, workspace: Path, log: Path) -> bool:
    """Run the tests of the mutant's module with the mutant in place; True if they fail or hang."""
    target = area.place(mutant, workspace)
    original = target.read_text()
    target.write_text(mutant.source)
    try:
        with log.open("wb") as output:
            command, environment = area.tests(mutant.module, workspace)
            process = subprocess.run(
                command,
                stdout=output,
                stderr=output,
                timeout=MAX_SECONDS,
                env=environment,
                cwd=area.folder,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return True
    finally:
        target.write_text(original)
    return process.returncode != 0


def run(areas: list[Area], minutes: float, seed: int, *, verbose: bool) -> dict[str, Tally]:
    """Try mutants of each area in turn until the time is up."""
    tallies = {area.name: Tally() for area in areas}
    samples = {area.name: sample(area, seed) for area in areas}
    ends = time.monotonic() + 60 * minutes
    with tempfile.TemporaryDirectory() as folder:
        workspace, log = Path(folder), Path(folder) / "tests.log"
        for area in areas:
            area.prepare(workspace)
        while time.monotonic() < ends:
            # The area that was tried least is next: quick tests must not fill the table.
            area = min(areas, key=lambda each: tallies[each.name].total)
            mutant = next(samples[area.name])
            killed = is_killed(area, mutant, workspace, log)
            if killed:
                tallies[area.name].killed += 1
            else:
                tallies[area.name].survived.append(mutant)
            if verbose or not killed:
                print(f"{'killed  ' if killed else 'SURVIVED'} {mutant}", flush=True)
    return tallies


def main() -> int:
    """Print the survivors and the rates."""
    parser = argparse.ArgumentParser(description="Sampled mutation testing.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", action="append", choices=[area.name for area in AREAS])
    parser.add_argument("--verbose", action="store_true", help="print killed mutants too")
    given = parser.parse_args()
    areas = [area for area in AREAS if not given.area or area.name in given.area]
    tallies = run(areas, given.minutes, given.seed, verbose=given.verbose)
    print(f"\nMutation score, seed {given.seed}:")
    for name, tally in tallies.items():
        print(tally.row(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
