"""The examples that the documentation refers to."""

import asyncio
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_library_example_runs(capsys):
    spec = importlib.util.spec_from_file_location("library_example", EXAMPLES / "library.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    results = asyncio.run(example.main())
    assert results == {"calm.output": "Coffee, but calm.", "wild.output": "Coffee, but wild."}
    assert "run.finished" in capsys.readouterr().out


@pytest.mark.timeout(120)  # starts a pytest of its own
def test_example_plugin_passes_its_tests():
    folder = EXAMPLES / "plugin"
    options = ["-q", "-p", "no:cacheprovider", "-p", "anyio", "-p", "pytest_timeout"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--rootdir", str(folder), "tests"],
        cwd=folder,
        # pytest would import every plugin of the development tools.
        env={
            **os.environ,
            "PYTHONPATH": str(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
