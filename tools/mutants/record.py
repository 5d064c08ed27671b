"""Runs tests and records the lines that each executes: `record.py DATA TESTS...`, from the project's root.

Writes DATA, a file of coverage.py whose contexts are the ids of the tests, the fixtures that tests share
("fixture NAME") and "import"; DATA.json, of each test its seconds, its fixtures, and how many lines it
executes by itself; and DATA.sources.json, the content of each module.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import coverage
import pytest
from warm import OneDatabase

IMPORT = "import"


def fixture_context(name: str) -> str:
    """Return the context of the lines that a fixture shared by tests executes."""
    return f"fixture {name}"


class Contexts:
    """A pytest plugin that tells coverage.py which test, or which shared fixture, runs."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.tests: dict[str, dict[str, object]] = {}
        self._measured = measured
        self._context = IMPORT

    def _enter(self, context: str) -> None:
        self._context = context
        self._measured.switch_context(context)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record a test with its own fixtures."""
        self._enter(item.nodeid)
        began = time.monotonic()
        try:
            return (yield)
        finally:
            names = list(getattr(item, "fixturenames", ()))
            self.tests[item.nodeid] = {"seconds": time.monotonic() - began, "fixtures": names}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        """Record a fixture that other tests use too for all of them, not for the test that is the first."""
        if fixturedef.scope == "function":
            return (yield)
        test = self._context
        self._enter(fixture_context(fixturedef.argname))
        try:
            return (yield)
        finally:
            self._enter(test)


def _lines_of_contexts(data: coverage.CoverageData) -> Counter[str]:
    return Counter(
        context
        for file in data.measured_files()
        for contexts in data.contexts_by_lineno(file).values()
        for context in contexts
    )


def main(data: str, tests: list[str]) -> int:
    """Run the tests; return pytest's exit code."""
    measured = coverage.Coverage(
        data_file=data,
        source_pkgs=["impasto", "impasto_nodes", "impasto_server"],
        branch=False,
        config_file=False,
        concurrency=["greenlet", "thread"],
    )
    measured.set_option("run:relative_files", True)  # the recordings hold in other clones
    measured.start()
    measured.switch_context(IMPORT)
    contexts = Contexts(measured)
    arguments = ["-q", "-n", "0", "-p", "no:cacheprovider", "-W", "ignore", *tests]
    code = pytest.main(arguments, plugins=[contexts, OneDatabase()])
    measured.stop()
    measured.save()
    lines = _lines_of_contexts(measured.get_data())
    recorded = {test: {**each, "lines": lines[test]} for test, each in contexts.tests.items()}
    Path(f"{data}.json").write_text(json.dumps(recorded))
    sources = {file: Path(file).read_text() for file in measured.get_data().measured_files()}
    Path(f"{data}.sources.json").write_text(json.dumps(sources))
    return int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
