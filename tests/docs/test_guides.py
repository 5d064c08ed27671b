"""What the guides show is run, so that no guide can fall behind the product."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(guide: Path) -> str:
    """The Python of a guide, one block below the other."""
    return "\n\n".join(BLOCK.findall(guide.read_text("utf-8")))


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_every_block_is_python_that_imports_what_exists(guide: Path) -> None:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST
    for found in ast.walk(compile(blocks(guide), str(guide), "exec", flags)):
        if isinstance(found, ast.ImportFrom) and (found.module or "").startswith("impasto"):
            module = importlib.import_module(str(found.module))
            missing = [name.name for name in found.names if not hasattr(module, name.name)]
            assert not missing, f"{guide.name} imports {missing} from {found.module}"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_every_link_inside_the_project_leads_somewhere(guide: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", guide.read_text("utf-8"))
    lost = [link for link in links if ":" not in link and not (guide.parent / link).exists()]
    assert not lost


def test_the_guide_to_nodes_runs_and_its_tests_pass(tmp_path: Path) -> None:
    (tmp_path / "test_guide.py").write_text(blocks(ROOT / "docs" / "guides" / "plugins.md"), "utf-8")
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(tmp_path),
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "6 passed" in ran.stdout
