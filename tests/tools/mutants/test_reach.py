"""The tests that execute a mutant's line are recorded, found and collected."""

import shutil
from types import SimpleNamespace

import pytest
from tests.tools.mutants.project import LRU, TEST_LRU, TOOL, mutant_of


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
    reached = reach.of(mutant, {TEST_LRU: 0})
    assert f"{TEST_LRU}::test_newest_items_stay_within_the_maximum_weight" in reached.tests
    assert (reached.is_missed, reached.is_imported) == (False, False)
    assert reach.of(mutant, {"tests/engine/test_other.py": 0}).tests == []
    far = tool.mutation.python_mutants(TOOL.parents[1] / "engine/impasto/runtime/budget.py")[0]
    assert (reach.of(far, {TEST_LRU: 0}).tests, reach.of(far, {TEST_LRU: 0}).is_missed) == ([], False)


def test_line_of_a_function_that_runs_while_modules_are_imported_is_known(tool, recorded, files):
    reach = tool.reach.Reach(recorded)
    reach.record(files, jobs=1)
    decorator = mutant_of(tool, "engine/impasto/tracking.py", "cls is None", "(not (cls is None))")
    assert reach.of(decorator, {TEST_LRU: 0}).is_imported


def test_mutant_is_tried_by_its_most_specific_tests_for_a_limited_time(tool, recorded, files):
    mutant = mutant_of(tool, LRU, "room < 0", "(not (room < 0))")
    found = {}
    for seconds in (0.0, 20.0):
        reach = tool.reach.Reach(recorded, seconds)
        reach.record(files, jobs=1)
        found[seconds] = reach.of(mutant, {TEST_LRU: 0})
    assert found[20.0].more == []
    first, second, *_ = found[20.0].tests
    assert (found[0.0].tests, found[0.0].more) == ([first], [second])


def test_tests_of_the_nearest_file_run_first(tool):
    details = {
        f"tests/{name}.py::test": tool.reach.RecordedTest(seconds, [], lines)
        for name, seconds, lines in (("near", 3.0, 90), ("middle", 3.0, 50), ("far", 3.0, 1))
    }
    distances = {"tests/far.py": 5, "tests/near.py": 0, "tests/middle.py": 1}
    chosen = tool.reach._affordable(details, distances, 7.0)
    assert chosen == ["tests/near.py::test", "tests/middle.py::test"]


def test_file_is_named_by_code_that_has_all_words_of_its_name(tool):
    code = "app.add_middleware(JsonLimitMiddleware, values=settings.json_values)"
    named = {
        name
        for name in ("json_limits", "middleware", "json_limits_nested", "compression", "setting")
        if tool.areas.TestFile(f"tests/test_{name}.py", (), "", frozenset()).is_named_by(code)
    }
    assert named == {"json_limits", "middleware", "setting"}


def test_tests_of_the_module_are_nearest_then_those_named_after_the_change(tool):
    mutant = mutant_of(tool, LRU, "room < 0", "(not (room < 0))")
    place = ("engine", "compiler", "lru")
    files = (
        tool.areas.TestFile("tests/engine/compiler/test_lru.py", place, "", frozenset()),
        tool.areas.TestFile("tests/engine/test_rooms.py", ("engine", "rooms"), "", frozenset()),
        tool.areas.TestFile("tests/engine/test_far.py", ("engine", "far"), "", frozenset()),
    )
    area = tool.areas.Area("engine", list, list, list, None, lambda: files)
    near, named, far = tool.main.distances(area, mutant).values()
    assert (near, named) == (0, 0.5)
    assert far > 1


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
