"""The template of a new plugin: an installable package with one node and its tests."""

import keyword
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from string import Template

from impasto.errors import ImpastoError
from impasto.plugins.capabilities import FILE

_PYPROJECT = Template("""\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "$project"
version = "0.1.0"
description = "Nodes for Impasto."
requires-python = ">=3.11"
dependencies = ["impasto"]

[project.entry-points."impasto.nodes"]
$package = "$package"

[tool.hatch.build.targets.wheel]
packages = ["$package"]

[tool.pytest.ini_options]
testpaths = ["tests"]
""")

_NODES = Template('''\
"""Nodes of $project: each function with `@node` is one."""

from typing import Annotated

from impasto import Context, Setting, Text, node


@node(id="${package}_sparkle", title="Sparkle", category="transform_assets")
async def sparkle(
    text: Text,
    *,
    stars: Annotated[int, Setting(title="Stars", help="How many on each side.", ge=1, le=9, main=True)] = 3,
    context: Context,
) -> Text:
    """Put stars around a text.

    Positional parameters are inputs, keyword-only ones are settings, and the return type is the output.
    """
    context.progress(0.5, "Polishing")
    return f"{'✦' * stars} {text} {'✦' * stars}"
''')

_DECLARATION = Template("""\
# What the code of $project needs beyond computing. `impasto nodes` and the editor show it to operators and
# builders; for cpu=True nodes it is enforced.
[capabilities]
network = []  # hosts, such as "api.example.com" or "*.example.com"
subprocess = false  # whether it starts other programs
files = { read = [], write = [] }  # absolute paths; the temporary folder of a step needs no entry
environment = []  # names of environment variables
""")

_TEST = Template('''\
"""Tests of the nodes, as plain functions and as a flow runs them."""

import asyncio

from impasto.testing import FakeContext, run_node
from $package import sparkle


def test_sparkle_is_a_plain_function() -> None:
    assert asyncio.run(sparkle("tea", stars=1, context=FakeContext())) == "✦ tea ✦"


def test_sparkle_runs_as_a_node() -> None:
    result = asyncio.run(run_node(sparkle, {"text": "tea"}, {"stars": 2}))
    assert result.output == "✦✦ tea ✦✦"


def test_sparkle_runs_for_each_item_of_a_list() -> None:
    result = asyncio.run(run_node(sparkle, {"text": ["tea", "cake"]}, {"stars": 1}))
    assert result.output == ["✦ tea ✦", "✦ cake ✦"]
''')

_README = Template("""\
# $project

Nodes for Impasto. Install the package into the environment that runs Impasto, and the editor lists them:

    pip install -e .
    pytest
    impasto nodes
""")


_RESERVED = ("impasto", "impasto_nodes", "impasto_server", "tests")


class BadPluginName(ImpastoError):
    """The name is not a valid name for a Python package."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"'{name}' cannot be a plugin's name: use letters, digits and dashes, a letter first."
        )


class NameTaken(ImpastoError):
    """A package of this name would shadow an existing module."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"'{name}' is taken: Python or an installed package has a module of that name. "
            "Choose another name."
        )


class FolderExists(ImpastoError):
    """The folder of the new package exists already; nothing is overwritten."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"'{folder}' already exists. Choose another name, or another folder with --in.")


def create_plugin(name: str, into: Path) -> Path:
    """Create the package in a new folder and return it.

    Raises BadPluginName, NameTaken, FolderExists, or OSError if it cannot be written.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*", name):
        raise BadPluginName(name)
    project = name.lower().replace("_", "-")
    package = project.replace("-", "_")
    taken = package in sys.stdlib_module_names or package in _RESERVED or find_spec(package) is not None
    if taken or keyword.iskeyword(package):
        raise NameTaken(package)
    folder = into / project
    if folder.exists():
        raise FolderExists(folder)
    files = {
        "pyproject.toml": _PYPROJECT,
        "README.md": _README,
        f"{package}/__init__.py": _NODES,
        f"{package}/{FILE}": _DECLARATION,
        f"tests/test_{package}.py": _TEST,
    }
    for path, template in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(template.substitute(project=project, package=package), encoding="utf-8")
    return folder
