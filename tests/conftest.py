"""What every test stands on: one asyncio loop kind, no models from the network, failures named at once."""

import os

import pytest

os.environ.setdefault("IMPASTO_LOCAL_DOWNLOAD", "0")


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as the product does."""
    return "asyncio"


def pytest_report_teststatus(
    report: pytest.TestReport | pytest.CollectReport,
) -> tuple[str, str, str] | None:
    """Name each failure at once, so that a run that is cut off still shows it.

    Collection reports come here too; they have neither a phase nor a duration.
    """
    if not report.failed or not isinstance(report, pytest.TestReport):
        return None
    name, word = ("failed", "FAILED") if report.when == "call" else ("error", "ERROR")
    return name, f"\n{word} {report.nodeid} after {report.duration:.0f} s\n", word
