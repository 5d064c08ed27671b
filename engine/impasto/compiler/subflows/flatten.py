"""One flow out of a flow and the flows inside it."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from impasto.compiler.catalog import Catalog
from impasto.compiler.subflows.expansion import Expansion, FlowLoader
from impasto.compiler.variables import VariableBinder
from impasto.document.flow import Flow
from impasto.document.model import FlowEdge
from impasto.garbage_collection import gc_paused


def flatten(
    flow: Flow | Mapping[str, Any] | str, catalog: Catalog, *, flows: FlowLoader | None = None
) -> Flow:
    """Return the nodes that a run of a flow calls, with the edges between them.

    The nodes of the flows inside it have the ids of their steps (`teaser/speak`), which documents may not
    have, and all have the values of variables in their settings. Takes linear time. What a run would refuse
    is left out: edges to ports and flows that do not exist.

    Args:
        flow: The flow, as a Flow, plain data or JSON text.
        catalog: The node types.
        flows: Returns the document of a flow that a node refers to by id; None if there is none.

    Raises:
        FlowInvalid: The flow is damaged, or it expands to too many steps.
    """
    with gc_paused():
        variables = VariableBinder(catalog)
        bound = variables.bind(Flow.of(flow))
        with closing(Expansion(catalog, flows, variables)) as expansion:
            drafts = expansion.expand(bound, None).drafts
            nodes = [replace(draft.node, id=draft.id) for draft in drafts]
            edges = [
                FlowEdge(f"{wire.source.id}.{wire.port}", f"{draft.id}.{name}")
                for draft in drafts
                for name, wires in draft.fed.items()
                for wire in wires
            ]
        return replace(bound, nodes=nodes, edges=edges)
