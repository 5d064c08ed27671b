"""Answers of restricted processes: data of ports and plugins is read, everything else refused."""

import dataclasses
import datetime as dt
import enum
import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from impasto import SKIP, FolderStore, Image, NodeError
from impasto.plugins.capabilities import Plugin
from impasto.runtime.sandbox.unpickling import UnexpectedData, loads

PLUGIN = Plugin(package="acme", version="1.0", capabilities=None, roots=(Path("/site/acme"),))


@dataclasses.dataclass(frozen=True)
class Verse:
    lines: tuple[str, ...]


class Mood(enum.Enum):
    CALM = "calm"


class Parts(NamedTuple):
    first: str


class Opener:
    def __init__(self, path):
        path.touch()


class Call:
    """Pickled as the call of a function or class."""

    def __init__(self, function, *arguments):
        self.parts = (function, arguments)

    def __reduce__(self):
        return self.parts


@pytest.fixture(autouse=True)
def acme(monkeypatch):
    """The classes of this module belong to the module "acme", which has imported `subprocess`."""
    module = ModuleType("acme")
    import subprocess

    module.subprocess, module.Popen = subprocess, subprocess.Popen
    for each in (Verse, Mood, Parts, Opener):
        monkeypatch.setattr(each, "__module__", "acme")
        setattr(module, each.__name__, each)
    monkeypatch.setitem(sys.modules, "acme", module)


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, 2.5, None, b"x", {3}, frozenset({4})]}, Path("/a"), dt.date(2026, 1, 2), SKIP,
        Image(asset_id="i", media_type="image/png", bytes=1, sha256="0"),
        Verse(("a", "b")), Mood.CALM, Parts("one"),
    ],
    ids=str,
)  # fmt: skip
def test_data_is_read(value):
    assert loads(pickle.dumps(value), PLUGIN) == value


def test_member_of_an_enumeration_that_an_older_python_has_pickled_is_read():
    assert loads(pickle.dumps(Call(getattr, Mood, "CALM")), PLUGIN) is Mood.CALM
    for owner, name in ((Mood, "mro"), (Path, "touch"), ("text", "join")):
        with pytest.raises(UnexpectedData, match=f"the attribute {name} of"):
            loads(pickle.dumps(Call(getattr, owner, name)), PLUGIN)


def test_error_of_a_node_is_read():
    found = loads(pickle.dumps(NodeError("No.", code="no")), PLUGIN)
    assert (found.message, found.code) == ("No.", "no")


def test_calls_are_refused(tmp_path):
    mark = tmp_path / "made"
    for call in (Call(Opener, mark), Call(FolderStore, mark), Call(Path.touch, mark), Call(eval, "1")):
        with pytest.raises((UnexpectedData, AttributeError)):
            loads(pickle.dumps(call), PLUGIN)
    assert not mark.exists()


@pytest.mark.parametrize("name", ["Popen", "subprocess.Popen", "subprocess", "missing"])
def test_what_a_plugin_has_imported_is_refused(name):
    with pytest.raises(UnexpectedData, match="which is no data"):
        loads(b"\x80\x04\x8c\x04acme\x8c" + bytes([len(name)]) + name.encode() + b"\x93.", PLUGIN)


def test_classes_of_another_plugin_are_refused():
    other = dataclasses.replace(PLUGIN, package="other", roots=(Path("/site/other"),))
    with pytest.raises(UnexpectedData, match=r"acme\.Verse"):
        loads(pickle.dumps(Verse(())), other)
