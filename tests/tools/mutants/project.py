"""A module of the project, its file of tests, and a mutant of it."""

from pathlib import Path

TOOL = Path(__file__).resolve().parents[3] / "tools" / "mutants"
LRU, TEST_LRU = "engine/impasto/compiler/lru.py", "tests/engine/compiler/test_lru.py"


def mutant_of(tool, module, before, after):
    """The first mutant that makes this change in a module of the project."""
    found = tool.mutation.python_mutants(TOOL.parents[1] / module)
    return next(mutant for mutant in found if (mutant.before, mutant.after) == (before, after))
