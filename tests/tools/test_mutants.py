"""The mutation tester changes one place at a time, and only what a test can notice."""

import ast
import sys
from pathlib import Path

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
def mutants(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(TOOL))
    from mutation import python_mutants

    module = tmp_path / "module.py"
    module.write_text(SOURCE)
    yield python_mutants(module)
    sys.modules.pop("mutation", None)


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
        ("value >= low", "(value > low)"),
        ("value + 1", "(value - 1)"),
        ("value + 1", "None"),
        ("1", "2"),
    }
