"""The four areas that mutants are drawn from: their modules, and the tests that cover a module."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mutation import Mutant, python_mutants

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "nodes", "server")
# Written by tools, or needing what no test starts.
LEFT_OUT = re.compile(r"/migrations/|__main__\.py$|__init__\.py$|\.test\.tsx?$|\.gen\.ts$")


@dataclass(frozen=True)
class Area:
    """A part of the project. `modules` lists its sources, `mutate` the mutants of one of them."""

    name: str
    folder: Path
    modules: Callable[[], list[Path]]
    mutate: Callable[[Path], list[Mutant]]
    prepare: Callable[[Path], None]
    place: Callable[[Mutant, Path], Path]
    tests: Callable[[Path, Path], tuple[list[str], dict[str, str]]]


def _python_area(name: str, package: str) -> Area:
    def modules() -> list[Path]:
        paths = sorted((ROOT / name / package).rglob("*.py"))
        return [path for path in paths if not LEFT_OUT.search(path.as_posix())]

    return Area(name, ROOT, modules, python_mutants, _copy_packages, _in_copy, _pytest)


def _copy_packages(workspace: Path) -> None:
    for name in PACKAGES:
        if not (workspace / name).exists():
            shutil.copytree(ROOT / name, workspace / name, ignore=shutil.ignore_patterns("__pycache__"))


def _in_copy(mutant: Mutant, workspace: Path) -> Path:
    return workspace / mutant.module.relative_to(ROOT)


def _pytest(module: Path, workspace: Path) -> tuple[list[str], dict[str, str]]:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "--dist", "loadfile", "--timeout", "60"]
    command += ["-p", "no:cacheprovider", *(str(path) for path in _tests_of(module))]
    path = os.pathsep.join(str(workspace / name) for name in PACKAGES)
    return command, {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def _tests_of(module: Path) -> list[Path]:
    """Return the test files that import the module or carry its name, then those of its mirrored folder."""
    relative = module.relative_to(ROOT)
    dotted = ".".join(relative.with_suffix("").parts[1:])
    package, _, stem = dotted.rpartition(".")
    imports = re.compile(rf"\b{re.escape(dotted)}\b|from {re.escape(package)} import .*\b{stem}\b")
    own = [path for path, text in _test_files() if imports.search(text) or path.stem == f"test_{stem}"]
    mirror = ROOT / "tests" / relative.parts[0]
    for part in relative.parts[2:-1]:
        if (mirror / part).is_dir():
            mirror = mirror / part
    return [*own, *(path for path, _ in _test_files() if mirror in path.parents and path not in own)]


@cache
def _test_files() -> tuple[tuple[Path, str], ...]:
    return tuple((path, path.read_text()) for path in sorted((ROOT / "tests").rglob("test_*.py")))


def _editor_modules() -> list[Path]:
    """Return the modules that need no document: the graph, the run's state and the launch's inputs."""
    sources = ROOT / "editor" / "src"
    paths = [
        path for part in ("graph", "lib/run", "lib/launch") for path in sorted((sources / part).rglob("*.ts"))
    ]
    return [path for path in paths if not LEFT_OUT.search(path.name) and not path.name.startswith("use-")]


def _editor_mutants(module: Path) -> list[Mutant]:
    script = ROOT / "tools" / "mutants" / "typescript.mjs"
    command = ["node", str(script), str(module)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [Mutant(module=module, **mutant) for mutant in json.loads(found)]


def _copy_editor(workspace: Path) -> None:
    target = workspace / "editor"
    kept_out = shutil.ignore_patterns("node_modules", "dist", "e2e", "test-results")
    shutil.copytree(ROOT / "editor", target, ignore=kept_out)
    (workspace / "node_modules").symlink_to(ROOT / "node_modules")


def _vitest(module: Path, workspace: Path) -> tuple[list[str], dict[str, str]]:
    copied = workspace / module.relative_to(ROOT)
    command = [
        "npx",
        "vitest",
        "related",
        "--run",
        "--bail",
        "1",
        "--root",
        str(workspace / "editor"),
        str(copied),
    ]
    return command, dict(os.environ)


AREAS = (
    _python_area("engine", "impasto"),
    _python_area("nodes", "impasto_nodes"),
    _python_area("server", "impasto_server"),
    Area("editor", ROOT / "editor", _editor_modules, _editor_mutants, _copy_editor, _in_copy, _vitest),
)
