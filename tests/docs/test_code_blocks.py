"""The Python that the documentation shows imports what exists, and the plugin guide's own tests pass."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def code_of(page: Path) -> str:
    """The Python blocks of a page, joined."""
    return "\n\n".join(BLOCK.findall(page.read_text("utf-8")))


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
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "8 passed" in ran.stdout
