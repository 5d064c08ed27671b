"""What every test stands on: one asyncio loop kind, no models from the network, failures named at once."""

import os

import pytest
from tools import native

import impasto.scheduler

os.environ.setdefault("IMPASTO_LOCAL_DOWNLOAD", "0")


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as the product does."""
    return "asyncio"


def pytest_configure() -> None:
    """No test shall pass on machine code of what the sources said once."""
    if native.made() and (changed := native.stale()):
        pytest.exit(
            f"{', '.join(changed)}: changed since the engine was compiled. `make native` does it again.", 4
        )


def pytest_report_header() -> str:
    """Which engine is tested."""
    return f"engine: {impasto.scheduler.__file__}"


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Name what failed as soon as it does: a suite that is cut off never comes to its summary."""
    if not report.failed:
        return None
    name, word = ("failed", "FAILED") if report.when == "call" else ("error", "ERROR")
    return name, f"\n{word} {report.nodeid} after {report.duration:.0f} s\n", word
