"""A process that has collected tests and forks for each mutant, whose functions the fork puts in place.

`collected.py LOG SECONDS TESTS...`, with the longest time of a test, reads one JSON object a line from
standard input, with the fields of `Trial`; one line answers, as `warm.py` does.
"""

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest
from suites import PACKAGES, ROOT
from swap import Functions
from warm import NOT_REPLACED, Limits, OneDatabase, Recorder, run_forked

FOLDERS = tuple(str(ROOT / name) + os.sep for name in PACKAGES)


@dataclass(frozen=True)
class Trial:
    """A run of tests, with a mutant if `module` is given: the module's file, name and changed source."""

    tests: list[str]
    folder: str
    limits: dict[str, float]
    module: str | None = None
    name: str = ""
    source: str = ""


class Trials:
    """A pytest plugin: instead of the collected tests it runs those of each trial, in a fork."""

    def __init__(self, requests: IO[str], answers: IO[str], recorder: Recorder) -> None:
        self._requests, self._answers, self._recorder = requests, answers, recorder

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Answer trials until the requests end."""
        items = {item.nodeid: item for item in session.items}
        functions = Functions(FOLDERS)
        for line in self._requests:
            trial = Trial(**json.loads(line))
            limits = Limits(**trial.limits)

            def body(trial: Trial = trial) -> int:
                return _try(trial, [items[test] for test in trial.tests if test in items], functions, session)

            outcome = run_forked(body, self._recorder.file, limits)
            print(json.dumps(outcome), file=self._answers, flush=True)
        return True


def _try(trial: Trial, items: list[pytest.Item], functions: Functions, session: pytest.Session) -> int:
    os.environ |= {"TMPDIR": trial.folder, "PYTEST_DEBUG_TEMPROOT": trial.folder}
    tempfile.tempdir = None
    if trial.module is not None and not functions.replace(Path(trial.module), trial.name, trial.source):
        return NOT_REPLACED
    from tests import fork_server  # pytest has put the root into the import path

    # Those that were forked with the tests' collection have the functions without the change.
    fork_server.fork_servers(again=True)
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return int(pytest.ExitCode.TESTS_FAILED)
    return int(pytest.ExitCode.OK)


def main(log: str, test_seconds: str, tests: list[str]) -> int:
    """Collect the tests; the answers go to the process's standard output, all else to `log`."""
    requests = os.fdopen(os.dup(0))
    answers = os.fdopen(os.dup(1), "w")
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for target, source in ((0, os.open(os.devnull, os.O_RDONLY)), (1, output), (2, output)):
        os.dup2(source, target)
    recorder = Recorder(Path(f"{log}.outcome"))
    arguments = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-W", "ignore", f"--timeout={test_seconds}"]
    plugins = [recorder, OneDatabase(), Trials(requests, answers, recorder)]
    return int(pytest.main([*arguments, *tests], plugins=plugins))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
