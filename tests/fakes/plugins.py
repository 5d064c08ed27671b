"""Installs plugins into a folder as an installer does: a package, its metadata and its RECORD."""

import base64
import hashlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path


def install(
    site: Path,
    name: str,
    source: str,
    *,
    version: str = "1.0",
    groups: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> metadata.Distribution:
    """Install the distribution `name` with one package, and return it.

    `source` is the package's module; `groups` maps groups of entry points to objects, by default the package
    has nodes; `files` are further files of the package.
    """
    package = name.replace("-", "_")
    info = site / f"{package}-{version}.dist-info"
    sections = groups or {"impasto.nodes": package}
    written = {
        f"{package}/__init__.py": source,
        **{f"{package}/{file}": content for file, content in (files or {}).items()},
        f"{info.name}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info.name}/entry_points.txt": "".join(
            f"[{group}]\n{package} = {target}\n" for group, target in sections.items()
        ),
    }
    for file, content in written.items():
        path = site / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    rows = [f"{file},sha256={_digest(site / file)},{(site / file).stat().st_size}" for file in written]
    (info / "RECORD").write_text("\n".join([*rows, f"{info.name}/RECORD,,"]) + "\n")
    (info / "INSTALLER").write_text("tests\n")
    return metadata.PathDistribution(info)


@contextmanager
def imported_by(*names: str) -> Iterator[None]:
    """Forget the modules of installed plugins after the block."""
    try:
        yield
    finally:
        for module in [each for each in sys.modules if each.partition(".")[0] in names]:
            del sys.modules[module]


def _digest(path: Path) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
