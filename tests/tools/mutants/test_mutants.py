"""The mutation tester changes one place at a time, and counts only tests that pass without the change."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest
from tests.tools.mutants.project import TOOL, mutant_of

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


def test_no_assertion_of_equal_lengths_is_dropped(tool, tmp_path):
    module = tmp_path / "module.py"
    module.write_text("def pairs(a, b):\n    return zip(a, b, strict=True)\n")
    assert [mutant.after for mutant in tool.mutation.python_mutants(module)] == ["None"]


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


def test_call_of_a_base_class_is_taken_away(tool, tmp_path, monkeypatch):
    source = """
class Base:
    def __init__(self, size):
        self.size = size


class Box(Base):
    size = 0

    def __init__(self, size):
        self.asked = size
        super().__init__(size)
"""
    module = tmp_path / "mutated_bases.py"
    module.write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    import mutated_bases as bases

    functions = tool.swap.Functions((str(tmp_path),))
    mutant = mutant_of(tool, module, "super().__init__(size)", "pass")
    assert functions.replace(module, "mutated_bases", mutant.source) == 1
    box = bases.Box(5)
    assert (box.asked, box.size) == (5, 0)
    sys.modules.pop("mutated_bases")


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
