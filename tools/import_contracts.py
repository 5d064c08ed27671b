"""Contract types for import-linter that it does not bring itself."""

from collections.abc import Iterator

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

Cycle = tuple[str, ...]


class AcyclicModules(Contract):
    """No module imports itself through other modules.

    import-linter's `acyclic_siblings` compares whole packages; this contract compares modules.
    """

    type_name = "acyclic_modules"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Fail if the graph has a cycle."""
        cycles = list(find_cycles(graph))
        return ContractCheck(kept=not cycles, metadata={"cycles": cycles})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each cycle as a chain of imports."""
        for cycle in check.metadata["cycles"]:
            output.print_error(" -> ".join(cycle))


def find_cycles(graph: ImportGraph) -> Iterator[Cycle]:
    """Yield the shortest cycle through each module that is in one; a cycle is yielded once."""
    seen: set[frozenset[str]] = set()
    for module in sorted(graph.modules):
        chains = [
            (module, *chain)
            for imported in graph.find_modules_directly_imported_by(module)
            if (chain := graph.find_shortest_chain(importer=imported, imported=module))
        ]
        if chains:
            cycle = min(chains, key=len)
            if frozenset(cycle) not in seen:
                seen.add(frozenset(cycle))
                yield cycle
