"""The engine's inner modules are machine code wherever a C compiler is at hand."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools import native

# By `make test-interpreted`, or by who said `make interpreted`: which nobody does where all is tested.
INTERPRETED = "interpreted" in os.environ.get("PYTHONPATH", "") or (
    not native.made() and os.environ.get("CI") != "true"
)


@pytest.mark.skipif(INTERPRETED or native.lacking() is not None, reason="nothing was compiled here")
@pytest.mark.parametrize("name", native.MODULES)
def test_what_is_set_up_is_compiled(name):
    module = importlib.import_module(f"impasto.{name}")
    assert Path(str(module.__file__)) == native.target(name)


@pytest.mark.parametrize("name", native.MODULES)
def test_what_is_compiled_has_its_source_beside_it(name):
    assert native.source(name).is_file()


@pytest.mark.parametrize("name", native.MODULES)
def test_what_is_compiled_never_waits(name):
    """Coroutines are Python's own: compiled ones are cancelled by a call that newer Pythons warn of."""
    found = ast.walk(ast.parse(native.source(name).read_text()))
    assert not [node for node in found if isinstance(node, (ast.AsyncFunctionDef, ast.Await))]


def test_a_changed_source_is_named(tmp_path, monkeypatch):
    (tmp_path / "impasto").mkdir()
    monkeypatch.setattr(native, "ENGINE", tmp_path)
    for name in native.MODULES:
        native.source(name).touch()
    assert native.stale() == list(native.MODULES)  # none was compiled
    for name in native.MODULES:
        native.target(name).touch()
    assert native.stale() == []
    later = native.target("keys").stat().st_mtime + 10
    os.utime(native.source("keys"), (later, later))
    assert native.stale() == ["keys"]


def test_without_a_compiler_it_says_so_and_leaves_the_sources_alone(tmp_path):
    """A copy of the project, on a machine without a C compiler."""
    for folder in ("tools", "engine/impasto"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tools" / "native.py").write_bytes(Path(native.__file__).read_bytes())
    left = tmp_path / "engine" / "impasto" / f"keys{native.SUFFIX}"
    for name in native.MODULES:
        (tmp_path / "engine" / "impasto" / f"{name}.py").touch()
    left.touch()
    os.utime(left, (1, 1))
    ran = subprocess.run(
        [sys.executable, tmp_path / "tools" / "native.py"],
        env={**os.environ, "CC": "no-such-compiler", "CI": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "lacks a C compiler (no-such-compiler)" in ran.stdout
    assert not left.exists()  # what was compiled once must not stand for what is written now
