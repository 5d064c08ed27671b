"""The four areas that mutants are drawn from: their modules, and the tests that cover a module."""

import json
import math
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from mutation import Mutant, python_mutants
from suites import ROOT, PytestSuite, Suite, VitestSuite

NEAR_LINES = 12
# Written by tools, or needing what no test starts.
LEFT_OUT = re.compile(r"/migrations/|__main__\.py$|__init__\.py$|\.test\.tsx?$|\.gen\.ts$")


@dataclass(frozen=True)
class Area:
    """A part of the project. `modules` lists its sources, `mutate` the mutants of one of them.

    `tests` orders the files of tests for a mutant. `recorded` lists those of which it is recorded which lines
    they execute: none of TypeScript.
    """

    name: str
    modules: Callable[[], list[Path]]
    mutate: Callable[[Path], list[Mutant]]
    tests: Callable[[Mutant], list[str]]
    open_suite: Callable[[Path], Suite]
    recorded: Callable[[], tuple["TestFile", ...]]


def _python_area(name: str, package: str, preload: tuple[str, ...], tests: tuple[str, ...]) -> Area:
    def modules() -> list[Path]:
        paths = sorted((ROOT / name / package).rglob("*.py"))
        return [path for path in paths if not LEFT_OUT.search(path.as_posix())]

    roots = [ROOT / "tests" / part for part in tests]
    files = cache(partial(_test_files, roots))
    return Area(
        name,
        modules,
        cache(python_mutants),
        _python_tests(files),
        partial(PytestSuite, preload=preload),
        files,
    )


@dataclass(frozen=True)
class TestFile:
    """A file of tests. `place` is the one of the module that it mirrors: area, folders, name."""

    path: str
    place: tuple[str, ...]
    source: str
    words: frozenset[str]

    @classmethod
    def read(cls, path: Path) -> "TestFile":
        """Read a test file below tests/."""
        *folders, name = path.relative_to(ROOT / "tests").with_suffix("").parts
        place = (*folders, name.removeprefix("test_"))
        source = path.read_text()
        return cls(str(path.relative_to(ROOT)), place, source, _words(source + path.stem))

    def distance(self, module: tuple[str, ...]) -> int:
        """Return 0 if the file mirrors a module, 1 if it imports it; else more, the less their places share.

        A module is given as its path's parts without suffix, from the area on.
        """
        area, _, *rest = module
        if self.place == (area, *rest):
            return 0
        return 1 if self.imports(module[1:]) else 2 + len(module) - len({*rest} & {*self.place})

    def is_named_by(self, code: str) -> bool:
        """Whether the code has all words of the file's name: `test_rates.py`, `Rate()`."""
        words = {_singular(word) for word in re.findall(r"[A-Z]?[a-z]+", code)}
        return {_singular(word) for word in re.findall(r"[a-z]+", Path(self.path).stem)[1:]} <= words

    def imports(self, module: tuple[str, ...]) -> bool:
        """Whether the file names the module in an import, itself or as a member of its package."""
        package, name = re.escape(".".join(module[:-1])), re.escape(module[-1])
        whole = rf"(?:from|import) {package}\.{name}\b"
        member = rf"from {package} import (?:\([^)]*|[^(\n]*)\b{name}\b"
        return re.search(rf"^\s*(?:{whole}|{member})", self.source, re.MULTILINE) is not None


def _test_files(roots: list[Path]) -> tuple[TestFile, ...]:
    paths = sorted(path for root in roots for path in ([root] if root.is_file() else root.rglob("test_*.py")))
    return tuple(TestFile.read(path) for path in paths)


def _python_tests(files: Callable[[], tuple[TestFile, ...]]) -> Callable[[Mutant], list[str]]:
    """Return the test files: those that mirror the module, those that import it, others.

    Within each group they are ordered by the words that they share with the mutant's place.
    """

    def tests(mutant: Mutant) -> list[str]:
        lines = mutant.module.read_text().splitlines()
        place = mutant.module.relative_to(ROOT).with_suffix("").parts
        near = _words("\n".join(lines[max(0, mutant.line - NEAR_LINES) : mutant.line + NEAR_LINES]))
        module = _words("\n".join(lines)) | _words(" ".join(place))
        common = Counter(word for file in files() for word in file.words)

        def similarity(file: TestFile) -> float:
            shared = sum(
                math.log(len(files()) / common[word]) * (3 if word in near else 1)
                for word in file.words & module
            )
            mirrored = 1 + len(set(place[2:]) & {*file.place})
            return mirrored * shared / math.sqrt(len(file.words))

        def rank(file: TestFile) -> tuple[int, float]:
            return -min(file.distance(place), 2), similarity(file)

        return [file.path for file in sorted(files(), key=rank, reverse=True)]

    return tests


def _singular(word: str) -> str:
    return word.lower().removesuffix("s")


def _words(text: str) -> frozenset[str]:
    return frozenset(word for name in re.findall(r"[A-Za-z_]{3,}", text) for word in (name, *name.split("_")))


def _editor_modules() -> list[Path]:
    """Return the modules that need no document: the graph, the run's state and the launch's inputs."""
    sources = ROOT / "editor" / "src"
    paths = [
        path for part in ("graph", "lib/run", "lib/launch") for path in sorted((sources / part).rglob("*.ts"))
    ]
    return [path for path in paths if not LEFT_OUT.search(path.name) and not path.name.startswith("use-")]


@cache
def _editor_mutants(module: Path) -> list[Mutant]:
    script = ROOT / "tools" / "mutants" / "typescript.mjs"
    command = ["node", str(script), str(module)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [Mutant(module=module, **mutant) for mutant in json.loads(found)]


def _related(mutant: Mutant) -> list[str]:
    """Return the module itself, from the editor's folder: vitest finds the tests that import it."""
    return [str(mutant.module.relative_to(ROOT / "editor"))]


AREAS = (
    _python_area(
        "engine",
        "impasto",
        ("impasto.cli.main",),
        ("engine", "security", "contract/test_cache.py", "contract/test_journal.py"),
    ),
    _python_area(
        "nodes",
        "impasto_nodes",
        ("impasto_nodes.ai", "litellm", "replicate", "elevenlabs", "fastapi"),
        ("nodes", "security"),
    ),
    _python_area(
        "server",
        "impasto_server",
        ("impasto_server.app",),
        ("server", "security", "contract/test_database_journal.py"),
    ),
    Area("editor", _editor_modules, _editor_mutants, _related, VitestSuite, tuple),
)
