"""Installed distributions and their files, found without importing their code."""

import ast
import hashlib
import json
import re
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importing it takes a tenth of the time of importing the engine
    from importlib.metadata import Distribution

BUILT_IN = "impasto"
GROUPS = ("impasto.nodes", "impasto.providers", "impasto.commands", "impasto.preload", "impasto.warm")
# What installers write: it differs between two installations of the same wheel.
_WRITTEN_BY_INSTALLERS = (
    "INSTALLER", "RECORD", "REQUESTED", "direct_url.json", "uv_build.json", "uv_cache.json",
)  # fmt: skip
_MAX_SOURCE_BYTES = 2**20


def normalized(name: str) -> str:
    """Return a distribution's name as package indexes compare it: `Acme.Nodes` is `acme-nodes`."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def plugins() -> "list[Distribution]":
    """Return the other installed distributions that have entry points for Impasto, sorted by name."""
    from importlib import metadata

    found: dict[str, Distribution] = {}
    for distribution in metadata.distributions():
        name = normalized(distribution.metadata["Name"] or "")
        # The first on the path wins, as it does for entry points.
        if name and name not in found:
            found[name] = distribution
    return [
        distribution
        for name, distribution in sorted(found.items())
        if name != BUILT_IN and any(entry.group in GROUPS for entry in distribution.entry_points)
    ]


def files_of(distribution: "Distribution") -> dict[str, Path]:
    """Return the distribution's files by name: what its RECORD lists, and its packages as they are on disk.

    Its packages are those that its entry points name. They are read as well because an editable installation
    does not list its sources, and because a file that was added later could replace a listed one at import.
    Left out are compiled bytecode, files outside of the installation folder such as scripts, and the notes of
    installers.
    """
    found: dict[str, Path] = {}
    for file in distribution.files or ():
        name = file.as_posix()
        if not (file.is_absolute() or ".." in file.parts or _is_ignored(name)):
            found[name] = Path(str(distribution.locate_file(file)))
    for root in package_roots(distribution):
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            name = path.relative_to(root.parent).as_posix()
            if not _is_ignored(name):
                found[name] = path
    return {name: path for name, path in sorted(found.items()) if path.is_file()}


def hash_of(distribution: "Distribution") -> str:
    """Return the SHA-256 of the distribution's files (`files_of`), in hexadecimal.

    It is the hash of a JSON list of `[name, SHA-256 of the content]`, sorted by name, without spaces. Raises
    OSError if a file cannot be read.
    """
    listed = []
    for name, path in files_of(distribution).items():
        with path.open("rb") as file:
            listed.append([name, hashlib.file_digest(file, "sha256").hexdigest()])
    return hashlib.sha256(json.dumps(listed, separators=(",", ":")).encode()).hexdigest()


def node_types_in(distribution: "Distribution") -> frozenset[str]:
    """Return the ids of the node types that its sources declare with `@node`, read without running them."""
    found: set[str] = set()
    for name, path in files_of(distribution).items():
        if name.endswith(".py"):
            found.update(_declared_ids(path))
    return frozenset(found)


def package_roots(distribution: "Distribution") -> list[Path]:
    """Return the folders, or single modules, of the packages that the distribution's entry points name."""
    modules = {entry.module for entry in distribution.entry_points if entry.group in GROUPS}
    roots = {root for module in modules for root in _roots(module)}
    return sorted(roots)


def _roots(module: str) -> Iterator[Path]:
    top, _, rest = module.partition(".")
    spec = _spec_of(top)
    if spec is None:
        return
    if spec.origin is not None:
        origin = Path(spec.origin)
        yield origin.parent if spec.submodule_search_locations else origin
        return
    # A namespace package, which several distributions share: the part below it is this distribution's.
    for folder in spec.submodule_search_locations or ():
        part = Path(folder) / rest.partition(".")[0]
        yield from (path for path in (part, part.with_suffix(".py")) if rest and path.exists())


def _spec_of(module: str) -> ModuleSpec | None:
    from importlib.util import find_spec

    try:
        return find_spec(module)  # of a top-level module: imports nothing
    except (ImportError, ValueError):
        return None


def _is_ignored(name: str) -> bool:
    folder, _, last = name.rpartition("/")
    if "__pycache__" in name.split("/") or last.endswith(".pyc"):
        return True
    return folder.endswith(".dist-info") and last in _WRITTEN_BY_INSTALLERS


def _declared_ids(path: Path) -> Iterator[str]:
    try:
        if path.stat().st_size > _MAX_SOURCE_BYTES:
            return
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return  # it could not be imported either
    for item in ast.walk(tree):
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (_id_of(item.name, mark) for mark in item.decorator_list if _is_node(mark))


def _is_node(mark: ast.expr) -> bool:
    called = mark.func if isinstance(mark, ast.Call) else mark
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)
    return name == "node"


def _id_of(function: str, mark: ast.expr) -> str:
    for keyword in mark.keywords if isinstance(mark, ast.Call) else ():
        if keyword.arg == "id" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    return function
