"""A run of the tests names what is stuck or broken at once."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.fixtures.tables import thorough_except

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, content: str, *options: str) -> str:
    """Run a test file with the settings of every test, and return the output."""
    (folder / "test_it.py").write_text(content)
    (folder / "conftest.py").write_text("import tests.conftest\n\ntests.conftest.SLOW_SECONDS = 0.1\n")
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-c", str(ROOT / "pyproject.toml")]
    command += ["--rootdir", str(folder), "-p", "no:cacheprovider", *options, "test_it.py"]
    return subprocess.run(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100
    ).stdout


@pytest.mark.parametrize("workers", thorough_except([0, 1], 1))
def test_stuck_test_is_named_while_it_runs(tmp_path, workers):
    content = "import threading\n\ndef test_stuck():\n    threading.Event().wait(2)\n    print('woke up')\n"
    output = run(tmp_path, content, "-n", str(workers), "-rA")
    assert output.index("SLOW test_it.py::test_stuck has been running for 0.1 s") < output.index("woke up")


def test_file_that_cannot_be_collected_is_reported(tmp_path):
    output = run(tmp_path, "import no_such_module\n")
    assert "ERROR test_it.py" in output
    assert "ModuleNotFoundError" in output
    assert "INTERNALERROR" not in output


def test_stuck_asynchronous_test_is_cancelled_and_the_next_one_runs(tmp_path):
    content = """
import asyncio
import pytest

pytestmark = pytest.mark.anyio

@pytest.fixture
async def opened():
    yield
    print("closed")

@pytest.mark.timeout(2)
async def test_stuck(opened):
    await asyncio.Event().wait()

async def test_next(opened):
    pass
"""
    output = run(tmp_path, content, "-n", "0", "-rA")
    assert output.index("SLOW test_it.py::test_stuck") < output.index("TimeoutError")
    assert "1 failed, 1 passed" in output
    assert output.count("closed") == 2
