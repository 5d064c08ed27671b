"""A plugin's process reads the installation and what its package declares, and nothing of the user's."""

import sys
import tempfile
from pathlib import Path

import pytest

import impasto
from impasto.plugins.capabilities import Capabilities, Plugin
from impasto.runtime.sandbox.policy import SandboxPolicy


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A home, a working folder and a folder of temporary files, each with a folder of code beside it."""
    for name in ("home/ana/project", "tmp", "opt/code"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home/ana"))
    monkeypatch.chdir(tmp_path / "home/ana/project")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path


@pytest.mark.parametrize(
    ("entry", "is_readable"),
    [
        ("opt/code", True),
        ("home/ana/project/lib", True),
        ("home/ana/project", False),
        ("home/ana", False),
        ("home", False),
        ("tmp", False),
        ("", False),
    ],
)
def test_folders_of_code_are_readable_unless_they_hold_the_home_or_temporary_files(
    folders, monkeypatch, entry, is_readable
):
    folder = str(folders / entry) if entry else ""
    monkeypatch.setattr(sys, "path", [folder])
    policy = SandboxPolicy.of(
        Plugin(package="studio", version="1.0", capabilities=None), folders / "scratch", []
    )
    assert (str(Path(folder).absolute()) in policy.read) is is_readable


def test_process_may_use_what_the_plugin_declares_and_its_own_folder(tmp_path):
    declared = Capabilities(network=("a.example",), read=("/srv/fonts", "/usr"), write=("/srv/out",))
    plugin = Plugin(
        package="studio",
        version="1.0",
        capabilities=declared,
        roots=(Path("/site/studio"), Path("/site/extra")),
    )
    policy = SandboxPolicy.of(plugin, tmp_path, ["SECRET", "OTHER"])
    assert (policy.package, policy.capabilities, policy.scratch) == ("studio", declared, str(tmp_path))
    assert policy.write == (str(tmp_path), "/dev/null", "/srv/out")
    assert policy.hidden == {"SECRET", "OTHER"}
    assert {"/site/studio", "/site/extra", "/srv/fonts", "/usr", sys.prefix, "/proc/self"} <= set(policy.read)
    assert len(set(policy.read)) == len(policy.read)
    assert str(Path(impasto.__file__).parent) in policy.read
    assert not {str(tmp_path), "/srv/out", "/etc", "/proc", "/"} & set(policy.read)
    plain = SandboxPolicy.of(Plugin(package="studio", version="1.0", capabilities=None), tmp_path, [])
    assert (plain.capabilities, plain.write) == (Capabilities(), (str(tmp_path), "/dev/null"))
