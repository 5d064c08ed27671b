"""Commands, make targets, environment variables, modules and paths that the documentation names exist."""

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest
import typer

import impasto
from impasto.cli.main import app
from impasto.sdk.providers import installed_providers
from impasto_nodes import providers
from impasto_server.settings import Settings

ROOT = Path(__file__).parents[2]
# Records of decisions and the changelog also name what existed in their time.
PAGES = [
    *(page for page in sorted(ROOT.glob("*.md")) if page.name != "CHANGELOG.md"),
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "decisions"),
]
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
EXAMPLES = {"ECHO_API_KEY", "IMPASTO_ECHO_BASE_URL"}  # of the provider that the plugin guide declares
FOLDERS = "bench|deploy|docs|editor|engine|examples|nodes|server|tests|tools"
PATH = re.compile(rf"`((?:{FOLDERS})/[\w./-]*)`")
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def code_of(page: Path) -> str:
    """Everything that a page sets as code."""
    return "\n".join(CODE.findall(page.read_text("utf-8")))


def commands() -> set[str]:
    """Every command of the installed command line."""
    own = typer.main.get_command(app)
    assert isinstance(own, typer.core.TyperGroup)
    return {*own.commands, *(entry.name for entry in entry_points(group="impasto.commands"))}


def variables() -> set[str]:
    """Every environment variable that is read, by the tests too."""
    own = {f"IMPASTO_{name.upper()}" for name in Settings.model_fields}
    return {*own, *(variable.name for variable in installed_providers().variables), "IMPASTO_CHROMIUM"}


by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@by_page
def test_make_targets_exist(page: Path) -> None:
    assert set(re.findall(r"\bmake ([a-z][a-z-]*)", code_of(page))) <= TARGETS


@by_page
def test_commands_exist(page: Path) -> None:
    assert set(re.findall(r"(?:^|`|/)impasto ([a-z][a-z-]*)", code_of(page), re.MULTILINE)) <= commands()


@by_page
def test_environment_variables_exist(page: Path) -> None:
    named = re.findall(r"\b(?:IMPASTO_[A-Z_]+|[A-Z_]+_API_(?:KEY|TOKEN))\b(?!<)", code_of(page))
    assert set(named) - variables() - EXAMPLES == set()


@by_page
def test_paths_exist(page: Path) -> None:
    assert [path for path in PATH.findall(page.read_text("utf-8")) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize(
    ("package", "names"),
    [("impasto", {*impasto.__all__, "testing"}), ("impasto_nodes.providers", {*providers.__all__})],
)
def test_every_public_name_is_in_the_reference(package: str, names: set[str]) -> None:
    pages = (ROOT / "docs" / "reference" / "python").glob("*.md")
    text = "\n".join(page.read_text("utf-8") for page in pages)
    listed = re.findall(rf"^::: {package}\.([A-Za-z_]+)$", text, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) ^ names == set(), "add it to a page in docs/reference/python/, or remove it there"
