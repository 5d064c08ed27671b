"""The mutation tester changes one place at a time, and counts only tests that pass without the change."""

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "mutants"
SOURCE = '''"""A module."""

import logging

log = logging.getLogger("x")


def clamp(value: int, low: int = 0) -> int:
    """Return the value, at least `low`."""
    if not value >= low:
        log.info("clamped %s", value)
        raise ValueError(f"{value} is below {low + 1}")
    return value + 1
'''


@pytest.fixture
def tool(monkeypatch):
    """The tool's modules: `main`, `mutation` and `suites`."""
    monkeypatch.syspath_prepend(str(TOOL))
    spec = importlib.util.spec_from_file_location("mutants_main", TOOL / "__main__.py")
    assert spec is not None
    assert spec.loader is not None
    main = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(main)
    import mutation
    import reach
    import suites
    import swap

    yield SimpleNamespace(main=main, mutation=mutation, reach=reach, suites=suites, swap=swap)
    for name in ("areas", "cpu_time", "mutation", "reach", "record", "suites", "swap", "warm"):
        sys.modules.pop(name, None)


@pytest.fixture
def mutants(tool, tmp_path):
    module = tmp_path / "module.py"
    module.write_text(SOURCE)
    return tool.mutation.python_mutants(module)


def test_every_mutant_is_a_module_that_differs_in_one_line(mutants):
    for mutant in mutants:
        ast.parse(mutant.source)
        changed = [
            number
            for number, (before, after) in enumerate(
                zip(SOURCE.splitlines(), mutant.source.splitlines(), strict=True), 1
            )
            if before != after
        ]
        assert changed == [mutant.line]


def test_conditions_operators_and_results_are_changed(mutants):
    changes = {(mutant.before, mutant.after) for mutant in mutants}
    assert changes == {
        ("not value >= low", "(not (not value >= low))"),
        ("not value >= low", "bool(value >= low)"),
        ("value >= low", "((value) > (low))"),
        ("value + 1", "((value) - (1))"),
        ("value + 1", "None"),
        ("1", "2"),
    }


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        ("''", {'"x"'}),
        ("False", {"True"}),
        ("0", {"1"}),
        ("[]", set()),
        ("{}", set()),
        ("(0,)", {"None", "1"}),
    ],
)
def test_no_empty_value_becomes_none_which_conditions_take_for_it(tool, tmp_path, value, changes):
    module = tmp_path / "module.py"
    module.write_text(f"def empty():\n    return {value}\n")
    assert {mutant.after for mutant in tool.mutation.python_mutants(module)} == changes


class ScriptedSuite:
    """Returns one outcome with the mutant in place and another one without it."""

    def __init__(self, module, with_mutant, without):
        self.module, self.with_mutant, self.without = module, with_mutant, without

    def run(self, tests, cpu_seconds=0):
        return self.without if self.module.read_text() == SOURCE else self.with_mutant

    def close(self):
        pass


def session_of(tool, suite, mutants, tests):
    """A session that tries these mutants, each with these tests."""
    area = SimpleNamespace(name="engine", tests=lambda _: tests, open_suite=lambda _: suite, recorded=tuple)
    session = tool.main.Session([area], lambda _: iter(()), minutes=1, verbose=False)
    session.next = iter([*((area, mutant) for mutant in mutants), None]).__next__
    return session


@pytest.mark.parametrize(
    ("with_mutant", "without", "verdict"),
    [
        ("failed", "passed", "failed"),
        ("stuck", "passed", "stuck"),
        ("passed", "passed", "survived"),
        ("unfinished", "passed", "undecided"),
        ("failed", "failed", "undecided"),
        ("stuck", "unfinished", "undecided"),
    ],
)
def test_mutant_is_killed_only_by_a_test_that_passes_without_it(
    tool, mutants, tmp_path, monkeypatch, with_mutant, without, verdict
):
    outcome = tool.suites.Outcome
    suite = ScriptedSuite(
        tmp_path / "module.py", outcome(with_mutant, "test_it.py"), outcome(without, "test_it.py")
    )
    monkeypatch.setattr(tool.main, "ROOT", tmp_path)
    session = session_of(tool, suite, mutants[:1], ["test_it.py"])
    tool.main.Tester(tmp_path, session, None).run()
    assert session.verdicts["engine"] == Counter([verdict])
    assert (tmp_path / "module.py").read_text() == SOURCE


@pytest.fixture(scope="module")
def warm():
    """The process with pytest loaded that forks for each run of tests."""
    with subprocess.Popen(
        [sys.executable, str(TOOL / "warm.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write(json.dumps({"libraries": []}) + "\n")
        yield process
        process.stdin.close()
        assert process.wait(100) == 0


@pytest.mark.parametrize(
    ("body", "cpu_seconds", "test_seconds", "status"),
    [
        ("while True: pass", 0.5, 100, "unfinished"),
        ("__import__('threading').Event().wait()", 100, 1, "stuck"),
        ("pass", 100, 100, "passed"),
        ("assert False", 100, 100, "failed"),
    ],
)
def test_run_of_tests_ends_by_its_cpu_time_or_as_a_hang(
    tool, warm, tmp_path, body, cpu_seconds, test_seconds, status
):
    source = f"def test_it():\n    {body}\n"
    outcome = outcome_of(tool, warm, tmp_path, source, cpu_seconds=cpu_seconds, test_seconds=test_seconds)
    assert outcome.status == status, (tmp_path / "tests.log").read_text()
    assert outcome.cpu > 0


@pytest.mark.parametrize(
    ("databases", "status"), [(["sqlite", "postgresql"], "passed"), (["postgresql"], "failed")]
)
def test_tests_run_on_postgresql_if_they_do_not_run_on_sqlite(tool, warm, tmp_path, databases, status):
    source = (
        f"import pytest\n\n@pytest.mark.parametrize('database', {databases})\n"
        "def test_it(database):\n    assert database == 'sqlite'\n"
    )
    outcome = outcome_of(tool, warm, tmp_path, source)
    assert outcome.status == status, (tmp_path / "tests.log").read_text()


def outcome_of(tool, warm, folder, source, cpu_seconds=100, test_seconds=100):
    test = folder / "test_it.py"
    test.write_text(source)
    request = {
        "arguments": ["-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(test)],
        "path": [],
        "environment": {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        "log": str(folder / "tests.log"),
        "limits": {"seconds": 100, "cpu_seconds": cpu_seconds, "test_seconds": test_seconds},
    }
    warm.stdin.write(json.dumps(request) + "\n")
    warm.stdin.flush()
    return tool.suites.Outcome(**json.loads(warm.stdout.readline()))


def test_mutant_is_undecided_if_its_cpu_time_ends_before_all_tests_have_run(
    tool, mutants, tmp_path, monkeypatch
):
    outcome = tool.suites.Outcome("passed", cpu=0.6 * tool.suites.MAX_CPU_SECONDS)
    suite = ScriptedSuite(tmp_path / "module.py", outcome, outcome)
    runs = []
    monkeypatch.setattr(suite, "run", lambda tests, seconds: runs.append((len(tests), seconds)) or outcome)
    session = session_of(tool, suite, mutants[:1], ["test_it.py"] * 40)
    monkeypatch.setattr(tool.main, "ROOT", tmp_path)
    tool.main.Tester(tmp_path, session, None).run()
    limit = tool.suites.MAX_CPU_SECONDS
    assert runs == [(3, limit), (7, pytest.approx(0.4 * limit))]
    assert session.verdicts["engine"] == Counter(["undecided"])


@pytest.mark.parametrize(("status", "verdict"), [("passed", "failed"), ("failed", "undecided")])
def test_tests_that_fail_are_run_once_without_a_mutant(tool, mutants, tmp_path, monkeypatch, status, verdict):
    outcome, module = tool.suites.Outcome, tmp_path / "module.py"
    suite = ScriptedSuite(module, outcome("failed", "test_it.py"), outcome(status))
    run, without = suite.run, []

    def count(tests, cpu_seconds=0):
        if module.read_text() == SOURCE:
            without.append(tests)
        return run(tests)

    monkeypatch.setattr(suite, "run", count)
    session = session_of(tool, suite, mutants[:2], ["test_it.py", "test_other.py"])
    monkeypatch.setattr(tool.main, "ROOT", tmp_path)
    tool.main.Tester(tmp_path, session, None).run()
    assert session.verdicts["engine"] == Counter([verdict] * 2)
    assert without == [["test_it.py"]]


@pytest.mark.parametrize(
    ("area", "module", "first"),
    [
        ("engine", "engine/impasto/cache/tracked_inputs.py", "tests/engine/cache/test_tracked_inputs.py"),
        ("nodes", "nodes/impasto_nodes/media/captions/render.py", "tests/nodes/media/test_caption_files.py"),
    ],
)
def test_tests_that_mirror_or_import_a_module_run_first(tool, area, module, first):
    (found,) = [each for each in tool.main.AREAS if each.name == area]
    assert found.tests(found.mutate(TOOL.parents[1] / module)[0])[0] == first


@pytest.mark.parametrize(
    ("area", "module", "test"),
    [
        ("engine", "engine/impasto/runtime/sandbox/landlock.py", "tests/security/test_plugin_processes.py"),
        ("server", "server/impasto_server/security/auth.py", "tests/security/test_stolen_access.py"),
    ],
)
def test_attacks_are_among_the_tests_of_the_code_that_they_attack(tool, area, module, test):
    (found,) = [each for each in tool.main.AREAS if each.name == area]
    mutant = found.mutate(TOOL.parents[1] / module)[0]
    assert test in found.tests(mutant)


LRU, TEST_LRU = "engine/impasto/compiler/lru.py", "tests/engine/compiler/test_lru.py"


def mutant_of(tool, module, before, after):
    """The first mutant that makes this change in a module of the project."""
    found = tool.mutation.python_mutants(TOOL.parents[1] / module)
    return next(mutant for mutant in found if (mutant.before, mutant.after) == (before, after))


@pytest.fixture
def files():
    """One file of tests to record."""
    return [SimpleNamespace(path=TEST_LRU, source=(TOOL.parents[1] / TEST_LRU).read_text())]


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """The folder of one recording, which takes a second, for all tests of this file."""
    return tmp_path_factory.mktemp("recordings")


@pytest.fixture
def recorded(tool, tmp_path, files, recordings):
    """A folder with a recording of the file."""
    if not any(recordings.iterdir()):
        tool.reach.Reach(recordings).record(files, jobs=1)
    return shutil.copytree(recordings, tmp_path / "recorded")


def test_tests_that_execute_the_line_of_a_mutant_are_known(tool, recorded, files):
    reach = tool.reach.Reach(recorded)
    reach.record(files, jobs=1)
    mutant = mutant_of(tool, LRU, "room < 0", "(not (room < 0))")
    reached = reach.of(mutant, {TEST_LRU})
    assert f"{TEST_LRU}::test_newest_items_stay_within_the_maximum_weight" in reached.tests
    assert not reached.is_missed
    assert reach.of(mutant, {"tests/engine/test_other.py"}).tests == []
    far = tool.mutation.python_mutants(TOOL.parents[1] / "engine/impasto/runtime/budget.py")[0]
    assert (reach.of(far, {TEST_LRU}).tests, reach.of(far, {TEST_LRU}).is_missed) == ([], False)


def test_mutant_is_tried_by_its_most_specific_tests_for_a_limited_time(tool, recorded, files):
    mutant = mutant_of(tool, LRU, "room < 0", "(not (room < 0))")
    found = {}
    for seconds in (0.0, 20.0):
        reach = tool.reach.Reach(recorded, seconds)
        reach.record(files, jobs=1)
        found[seconds] = reach.of(mutant, {TEST_LRU}).tests
    assert len(found[0.0]) == 1 < len(found[20.0])
    assert found[20.0][0] == found[0.0][0]


def test_lines_that_have_moved_or_changed_since_the_recording_are_found(tool, tmp_path):
    before = "def pick(a):\n    if a:\n        return 1\n    return 2\n"
    now = "import os\n\n\ndef pick(a):\n    if a:\n        return 3\n    return 2\n"
    module = tmp_path / "module.py"
    module.write_text(now)
    executed = {2: ["one", "two"], 3: ["one"], 4: ["two"]}
    data = SimpleNamespace(contexts_by_lineno=lambda name: executed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tool.reach, "ROOT", tmp_path)
        found = tool.reach.Recording(data, {}, {"module.py": before}).contexts(module)
    assert [found[line] for line in range(1, 8)] == [
        set(), set(), set(), set(), {"one", "two"}, {"one", "two"}, {"two"},
    ]  # fmt: skip


def test_only_changed_files_of_tests_are_recorded_again(tool, recorded, files):
    tool.reach.Reach(recorded).record(files, jobs=1)
    assert [path.name for path in recorded.glob("*.log")] == ["1-0.log"]
    files[0].source += "# changed"
    tool.reach.Reach(recorded).record(files, jobs=1)
    assert sorted(path.name for path in recorded.glob("*.log")) == ["2-0.log"]  # the first is of no use now


def test_a_recording_that_cannot_be_made_names_its_log(tool, tmp_path):
    missing = [SimpleNamespace(path="tests/engine/test_missing.py", source="")]
    with pytest.raises(SystemExit, match=r"1-0\.log"):
        tool.reach.Reach(tmp_path).record(missing, jobs=1)


def test_tests_that_cannot_be_collected_are_reported_with_their_log(tool, tmp_path):
    collected = tool.suites.CollectedTests(tmp_path / "collected", ["tests/engine/test_missing.py"])
    with pytest.raises(RuntimeError, match="file or directory not found"):
        collected.run(["x"], 30)
    collected.close()


def test_collected_tests_see_the_functions_of_a_mutant_in_place(tool, tmp_path):
    test = f"{TEST_LRU}::test_newest_items_stay_within_the_maximum_weight"
    mutant = mutant_of(tool, LRU, "room < 0", "(not (room < 0))")
    elsewhere = tool.mutation.python_mutants(TOOL.parents[1] / "engine/impasto/runtime/budget.py")[0]
    collected = tool.suites.CollectedTests(tmp_path / "collected", [TEST_LRU])
    try:
        outcomes = [collected.run([test], 30, each) for each in (None, mutant, elsewhere, None)]
    finally:
        collected.close()
    assert [outcome.status for outcome in outcomes] == ["passed", "failed", "passed", "passed"]
    assert outcomes[1].test == test


PLACES = """
from functools import cache, wraps


class Box:
    def method(self):
        return 1

    @property
    def size(self):
        return 1


def twice(function):
    @wraps(function)
    def call():
        return 2 * function()

    return call


@twice
def decorated():
    return 1


@cache
def cached():
    return 1


def outer():
    def inner():
        return 1

    return inner()
"""


def test_mutants_are_put_in_place_of_methods_decorated_cached_and_inner_functions(
    tool, tmp_path, monkeypatch
):
    module = tmp_path / "mutated_places.py"
    module.write_text(PLACES)
    monkeypatch.syspath_prepend(str(tmp_path))
    import mutated_places as places

    def results():
        box = places.Box()
        return [box.method(), box.size, places.decorated(), places.cached(), places.outer()]

    assert results() == [1, 1, 2, 1, 1]
    functions = tool.swap.Functions((str(tmp_path),))
    assert functions.replace(module, "mutated_places", PLACES.replace("return 1", "return 5")) == 5
    assert results() == [5, 5, 10, 5, 5]
    sys.modules.pop("mutated_places")


def test_survivors_of_an_earlier_output_are_tried_again_wherever_their_lines_are_now(
    tool, mutants, tmp_path, monkeypatch
):
    output = tmp_path / "output"
    lines = [f"survived  {mutants[2]}", f"undecided {mutants[3]}", "          by tests/test_it.py::test_it"]
    output.write_text("\n".join(lines))
    module = tmp_path / "module.py"
    module.write_text(f"\n\n{SOURCE}")
    monkeypatch.setattr(tool.main, "ROOT", tmp_path)
    area = SimpleNamespace(modules=lambda: [module], mutate=tool.mutation.python_mutants)
    again = [*tool.main.every(area, re.compile(""), tool.main.read_survivors(output))]
    assert [(each.line, each.after) for each in again] == [(mutants[2].line + 2, mutants[2].after)]
    assert len([*tool.main.every(area, re.compile("module"), None)]) == len(mutants)
    assert [*tool.main.every(area, re.compile("other"), None)] == []
