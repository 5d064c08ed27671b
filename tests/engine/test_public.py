import ast
import subprocess
import sys
from pathlib import Path

import impasto

LIGHT = "import sys, impasto; print(' '.join(sys.modules))"
HEAVY = {"pydantic", "httpx", "networkx", "rich", "typer", "fastapi", "sqlalchemy", "PIL", "numpy", "litellm"}


def test_the_public_surface_is_what_it_says():
    tree = ast.parse(Path(impasto.__file__).read_text())
    imported = {
        alias.asname or alias.name
        for item in tree.body
        if isinstance(item, ast.ImportFrom)
        for alias in item.names
    }
    assert imported == set(impasto.__all__)
    assert len(impasto.__all__) == len(set(impasto.__all__))


def test_importing_the_library_loads_nothing_heavy():
    ran = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert not HEAVY & {name.partition(".")[0] for name in ran.stdout.split()}


def test_every_module_stays_readable():
    long = [
        path.name
        for path in Path(impasto.__file__).parent.rglob("*.py")
        if len(path.read_text().splitlines()) > 400
    ]
    assert long == []
