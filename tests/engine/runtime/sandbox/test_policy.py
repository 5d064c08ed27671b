"""A plugin's process reads the installation and what its package declares, and nothing of the user's."""

import sys
import tempfile
from pathlib import Path

import pytest

from impasto.plugins.capabilities import Plugin
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
