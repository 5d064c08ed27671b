"""The engine's inner modules are machine code wherever a C compiler is at hand."""

import ast
import copy
import importlib
import os
import pickle
import subprocess
import sys
import weakref
from pathlib import Path

import pytest
from tools import native

from impasto import Text, node
from impasto.testing import plan_of


@node
async def words() -> Text:
    return "hi"


@node
async def shout(text: Text) -> Text:
    return text.upper()


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


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_what_the_library_hands_out_can_be_copied_and_referred_to(copied):
    plan = plan_of([words, shout], {"a": "words", "b": "shout"}, [("a.output", "b.text")])
    found = copied(plan)
    assert [(step.id, step.inputs, step.settings) for step in found.steps] == [
        (step.id, step.inputs, step.settings) for step in plan.steps
    ]
    assert weakref.ref(plan)() is plan
    assert copied(plan.steps[1]).sources == plan.steps[1].sources
    assert copied(plan.steps[1].type).inputs[0].name == "text"
    port = plan.steps[1].type.outputs[0]
    assert pickle.loads(pickle.dumps(port)).name == port.name
