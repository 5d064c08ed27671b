"""The Python that the documentation shows imports what exists, and the tests that it shows pass."""

import ast
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python(?: title=\"([^\"]+)\")?\n(.*?)^```", re.DOTALL | re.MULTILINE)


def code_of(page: Path) -> str:
    """The Python blocks of a page, joined."""
    return "\n\n".join(code for _, code in BLOCK.findall(page.read_text("utf-8")))


def run_pytest(folder: Path) -> str:
    """Run the tests in a folder, and return what pytest prints if they pass."""
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "anyio",
        "--import-mode=importlib",
        "--rootdir",
        str(folder),
    ]
    # pytest would import every plugin of the development tools.
    added = {
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=folder,
        env={**os.environ, **added},
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_parse_and_import_existing_names(page: Path) -> None:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST
    for found in ast.walk(compile(code_of(page), str(page), "exec", flags)):
        if isinstance(found, ast.ImportFrom) and (found.module or "").startswith("impasto"):
            module = importlib.import_module(str(found.module))
            missing = [name.name for name in found.names if not hasattr(module, name.name)]
            assert not missing, f"{page.name} imports {missing} from {found.module}"


def test_plugin_guide_runs_and_its_tests_pass(tmp_path: Path) -> None:
    (tmp_path / "test_guide.py").write_text(code_of(ROOT / "docs" / "guides" / "plugins.md"), "utf-8")
    assert "9 passed" in run_pytest(tmp_path)


def test_plugin_tutorial_works_after_each_step(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "tutorial" / "plugin-author.md").read_text("utf-8")
    printed = []
    for title, code in BLOCK.findall(text):
        file = tmp_path / title
        file.parent.mkdir(exist_ok=True)
        file.write_text(code, "utf-8")
        if title.startswith("tests/"):
            printed.append(run_pytest(tmp_path))
    assert ["2 passed" in printed[0], "4 passed" in printed[1]] == [True, True]
