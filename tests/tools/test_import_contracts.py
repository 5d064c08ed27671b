"""The contract that forbids import cycles."""

from grimp import ImportGraph
from tools.import_contracts import find_cycles


def graph_of(*imports: tuple[str, str]) -> ImportGraph:
    graph = ImportGraph()
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported)
    return graph


def test_acyclic_imports_pass() -> None:
    assert list(find_cycles(graph_of(("a", "b"), ("b", "c"), ("a", "c")))) == []


def test_cycle_is_reported_once_as_a_chain() -> None:
    found = list(find_cycles(graph_of(("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"))))
    assert found == [("a", "b", "c", "a")]


def test_two_modules_that_import_each_other_are_a_cycle() -> None:
    assert list(find_cycles(graph_of(("a", "b"), ("b", "a")))) == [("a", "b", "a")]
