"""Settings of every test: asyncio, no models from the network, failed and slow tests named at once."""

import asyncio
import functools
import gc
import inspect
import itertools
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.fork_server import fork_servers

os.environ.setdefault("IMPASTO_LOCAL_DOWNLOAD", "0")
# The same examples in each run, and no failure because a busy machine is slow, whichever tests are run.
settings.register_profile(
    "tests", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
# Of `make test-thorough`: ten times as many, and others in each run.
settings.register_profile("thorough", settings.get_profile("tests"), derandomize=False, max_examples=600)
settings.load_profile("tests")
gc.disable()  # until the tests are imported, which takes a fifth longer with collections

# The engine's tests wait for tasks and futures: a step that is never admitted shows only as a hang.
BOUNDED = tuple(Path(__file__).parent / name for name in ("engine", "contract"))
MAX_SECONDS = max(60.0, float(os.environ.get("PYTEST_TIMEOUT", "0")))
SLOW_SECONDS = 25
# Files that wait for other processes most of their time, the longest first.
WAITING = (
    "chaos/test_kill.py",
    "contract/test_run_backends.py",
    "examples/test_agents.py",
    "tools/test_wheel.py",
    "chaos/test_monkey.py",
    "deploy/test_rolling_upgrade.py",
    "chaos/test_killed_import.py",
    "security/test_crashing_runs.py",
    "chaos/test_outages.py",
    "security/test_compilation.py",
    "tools/test_sbom.py",
    "security/test_slow_clients.py",
    "server/core/test_migrations.py",
    "server/core/test_additive_migrations.py",
    "server/flows/test_flow_list.py",
    "server/identity/test_oidc.py",
    "server/marking/test_watermark.py",
)
FILES_BETWEEN = 8
_stderr = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep the real standard error: that of a running test is captured."""
    config.stash[_stderr] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close the copy of standard error."""
    os.close(config.stash[_stderr])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Name a test that has run for 25 s: a stuck one is known before its time limit."""
    line = f"\nSLOW {item.nodeid} has been running for {SLOW_SECONDS} s\n".encode()
    timer = threading.Timer(SLOW_SECONDS, os.write, (item.config.stash[_stderr], line))
    timer.daemon = True
    timer.start()
    try:
        return (yield)
    finally:
        timer.cancel()


def is_bounded(item: pytest.Item) -> bool:
    """Return whether the test is one of the engine or of a contract."""
    return any(item.path.is_relative_to(folder) for folder in BOUNDED)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Fail a stuck engine or contract test after a minute, unless it has a `timeout` mark of its own.

    An asynchronous test is cancelled shortly before its time limit: the alarm of pytest-timeout leaves its
    coroutine behind, and the event loop that its fixtures and all later tests need with it.
    """
    items[:] = [item for file in in_good_order(by_file(items)) for item in file]
    usual = float(os.environ.get("PYTEST_TIMEOUT") or config.getini("timeout"))
    for item in items:
        if is_bounded(item) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(MAX_SECONDS))
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            mark = item.get_closest_marker("timeout")
            item.obj = with_timeout(item.obj, 0.9 * (float(mark.args[0]) if mark else usual))


def by_file(items: list[pytest.Item]) -> dict[Path, list[pytest.Item]]:
    """Return the tests of each file, in their order."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    return files


def in_good_order(files: dict[Path, list[pytest.Item]]) -> Iterator[list[pytest.Item]]:
    """Yield the tests of each file so that no worker has a long file left when the others have ended.

    The files of WAITING come early, with some others between two of them, which use the idle processor.
    """
    root = Path(__file__).parent
    waiting = [files.pop(root / name) for name in WAITING if root / name in files]
    others = iter(list(files.values()))
    for file in waiting:
        yield file
        yield from itertools.islice(others, FILES_BETWEEN)
    yield from others


def with_timeout(
    function: Callable[..., Coroutine[Any, Any, None]], seconds: float
) -> Callable[..., Coroutine[Any, Any, None]]:
    """Return the test function with a time limit: it is cancelled, and raises TimeoutError."""

    @functools.wraps(function)
    async def limited(*args: Any, **values: Any) -> None:
        async with asyncio.timeout(seconds):
            await function(*args, **values)

    return limited


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> Generator[None, object, object]:
    """Repeat the alarm of a stuck engine test: cancelling its run to clean up may be stuck too."""
    result = yield
    if settings.method == "signal" and is_bounded(item):
        signal.setitimer(signal.ITIMER_REAL, settings.timeout, 5)
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Hold the alarm while a report is made: an exception there would end the whole session."""
    remaining, interval = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, remaining, interval)


def pytest_collection_finish() -> None:
    """Fork the servers that start processes, which have imported what the tests have, before threads start.

    Collect garbage from now on, but rarely: `freeze_heap` collects that of each module's tests.
    """
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()
    fork_servers()


@pytest.fixture(autouse=True, scope="module")
def freeze_heap() -> None:
    """Leave what earlier modules imported out of garbage collections, which otherwise take a second each."""
    gc.collect()
    gc.freeze()


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
