"""Which tests execute a line: recorded once for each file of tests, and again when the file changes."""

import ast
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest
from coverage import CoverageData
from mutation import Mutant
from record import IMPORT, fixture_context
from suites import OFFLINE, ROOT

MAX_RECORDED_SECONDS = 20.0
FURTHER_FACTOR = 3.0  # a mutant that would survive gets further tests, of so many times `max_seconds`
COMPLETE = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
MIN_TEST_SECONDS = 10.0  # a test that takes longer, and four times as long as usual, is stuck


@dataclass(frozen=True)
class Reached:
    """The tests that execute a mutant's line, the nearest files first, in each those that execute the least.

    If there are none, `tests` are those of its function. `more` are those that are run if `tests` pass: few
    mutants need them, and they take longer.
    `test_seconds` is the longest that one of them may take before it counts as stuck.
    `is_missed` says that tests execute other lines of its function, and importing the module not this one.
    `is_imported` says that the line of a function was executed while modules were imported, as those of a
    decorator are: of files that have been imported, a change in place comes too late.
    """

    tests: list[str]
    more: list[str]
    test_seconds: float
    is_missed: bool
    is_imported: bool


@dataclass(frozen=True)
class RecordedTest:
    """What a test took: its seconds, its fixtures, and how many lines it executed by itself."""

    seconds: float
    fixtures: list[str]
    lines: int


@dataclass(frozen=True)
class Recording:
    """One run of `record.py`, with the tests of the files that have not changed since."""

    data: CoverageData
    tests: dict[str, RecordedTest]
    sources: dict[str, str]

    def contexts(self, module: Path) -> dict[int, set[str]]:
        """Return what executes each line of a module.

        A line that has changed since the recording has what executes any other line of its function.
        """
        name, now = str(module.relative_to(ROOT)), module.read_text().splitlines()
        executed = self.data.contexts_by_lineno(name)
        before = self.sources.get(name, "").splitlines()
        unchanged: dict[int, set[str]] = {}
        for block in SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks():
            for line in range(1, block.size + 1):
                unchanged[block.b + line] = set(executed.get(block.a + line, ()))
        changed = set(range(1, len(now) + 1)) - unchanged.keys()
        return unchanged | {line: _all_of(unchanged, _body_around(module, line)) for line in changed}


class RecordedFile(Protocol):
    """A file of tests, its path from the project's root."""

    @property
    def path(self) -> str:
        """The path."""
        ...

    @property
    def source(self) -> str:
        """The content."""
        ...


class Reach:
    """The lines that tests execute, kept in `folder`.

    `max_seconds` is what the tests of one mutant may have taken in the recording: most are noticed by the
    first few.
    """

    def __init__(self, folder: Path, max_seconds: float = MAX_RECORDED_SECONDS) -> None:
        self._folder, self._max_seconds = folder, max_seconds
        self._recordings: list[Recording] = []
        self._tests: dict[str, RecordedTest] = {}
        self._lines: Callable[[Path], dict[int, set[str]]] = cache(self._read_lines)

    def record(self, recorded: Iterable[RecordedFile], jobs: int) -> None:
        """Run the files of tests that are new or have changed, in `jobs` processes at a time."""
        self._folder.mkdir(parents=True, exist_ok=True)
        files = {file.path: hashlib.sha256(file.source.encode()).hexdigest() for file in recorded}
        index = self._folder / "files.json"
        known = json.loads(index.read_text()) if index.exists() else {}
        changed = [file for file, digest in files.items() if known.get(file, {}).get("digest") != digest]
        if changed:
            print(f"Recording which lines {len(changed)} files of tests execute", flush=True)
            earlier = [int(path.name.partition("-")[0]) for path in self._folder.glob("*.sources.json")]
            number = 1 + max(earlier, default=0)
            parts = [changed[part::jobs] for part in range(jobs) if changed[part::jobs]]
            names = [f"{number}-{part}" for part in range(len(parts))]
            with ThreadPoolExecutor(jobs) as pool:
                list(pool.map(self._run, names, parts))
            for name, part in zip(names, parts, strict=True):
                known |= {file: {"digest": files[file], "data": name} for file in part}
            index.write_text(json.dumps(known))
            self._delete_except({each["data"] for each in known.values()})
        for name in sorted({known[file]["data"] for file in files}):
            data = CoverageData(str(self._folder / name))
            data.read()
            tests = json.loads((self._folder / f"{name}.json").read_text())
            current = {
                test: RecordedTest(**each)
                for test, each in tests.items()
                if known[file_of(test)]["data"] == name
            }
            sources = json.loads((self._folder / f"{name}.sources.json").read_text())
            self._recordings.append(Recording(data, current, sources))
            self._tests |= current

    def _run(self, name: str, tests: list[str]) -> None:
        script = Path(__file__).with_name("record.py")
        path = self._folder / f"{name}.log"
        with path.open("wb") as log:
            command = [sys.executable, str(script), str(self._folder / name), *tests]
            environment = {**os.environ, **OFFLINE}
            done = subprocess.run(command, cwd=ROOT, env=environment, stdout=log, stderr=log, check=False)
        if done.returncode not in COMPLETE:
            raise SystemExit(f"The tests could not be recorded: see {path}.")

    def _delete_except(self, names: set[str]) -> None:
        """Delete the recordings all of whose files have been recorded again."""
        for path in self._folder.glob("*-*"):
            if path.name.partition(".")[0] not in names:
                path.unlink()

    def _read_lines(self, module: Path) -> dict[int, set[str]]:
        lines: dict[int, set[str]] = {}
        for recording in self._recordings:
            users: dict[str, set[str]] = {}
            for test, each in recording.tests.items():
                for name in each.fixtures:
                    users.setdefault(fixture_context(name), set()).add(test)
            for line, contexts in recording.contexts(module).items():
                found = lines.setdefault(line, set())
                for context in contexts:
                    if context in recording.tests or context == IMPORT:
                        found.add(context)
                    else:
                        found |= users.get(context, set())
        return lines

    def of(self, mutant: Mutant, files: Mapping[str, float], similar: Sequence[str] | None = None) -> Reached:
        """Return the tests that execute the mutant's line, no more than `max_seconds` allows.

        `files` are the files whose tests may run, each with its distance from the mutant's module. `similar`
        are the same files, those first that have most words in common with it.
        """
        lines = self._lines(mutant.module)
        last = mutant.line + mutant.before.count("\n")
        reaching = _all_of(lines, range(mutant.line, last + 1))
        inside = _all_of(lines, _body_around(mutant.module, mutant.line))
        is_missed = not reaching and bool(inside - {IMPORT})
        details = {
            test: self._tests[test] for test in (reaching | inside) - {IMPORT} if file_of(test) in files
        }
        # Under Python 3.11, coverage.py misses the line that follows an `await` which suspended.
        first = {test: each for test, each in details.items() if test in reaching} or details
        tests = _affordable(first, files, self._max_seconds)
        further = {test: each for test, each in details.items() if test not in tests}
        order = {file: place for place, file in enumerate(similar)} if similar is not None else files
        more = _affordable(further, order, self._max_seconds * FURTHER_FACTOR)
        slowest = max((details[test].seconds for test in (*tests, *more)), default=0.0)
        return Reached(tests, more, max(MIN_TEST_SECONDS, 4 * slowest), is_missed, IMPORT in reaching)


def _affordable(
    details: dict[str, RecordedTest], files: Mapping[str, float], max_seconds: float
) -> list[str]:
    """Return the nearest tests that execute the fewest lines and took `max_seconds` together, by file."""
    chosen: list[str] = []
    seconds = 0.0
    for test in sorted(details, key=lambda each: (files[file_of(each)], details[each].lines, each)):
        seconds += details[test].seconds
        if chosen and seconds > max_seconds:
            break
        chosen.append(test)
    places = {file: place for place, file in reversed([*enumerate(map(file_of, chosen))])}
    return sorted(chosen, key=lambda test: places[file_of(test)])


def _all_of(lines: Mapping[int, set[str]], chosen: Iterable[int]) -> set[str]:
    return set().union(*(lines.get(line, ()) for line in chosen))


def file_of(test: str) -> str:
    """Return the file of a test's id."""
    return test.partition("::")[0]


@cache
def _bodies(module: Path) -> list[tuple[int, int]]:
    """Return the first and the last line of the body of each function, inner functions after outer ones."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node.body for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, functions)]
    return sorted((body[0].lineno, body[-1].end_lineno or body[-1].lineno) for body in found)


def _body_around(module: Path, line: int) -> range:
    """Return the lines of the innermost function around a line."""
    around = [each for each in _bodies(module) if each[0] <= line <= each[1]]
    first, last = around[-1] if around else (line, line)
    return range(first, last + 1)
