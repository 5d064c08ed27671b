"""Flow documents as files and bodies: taken in, given out, never trusted."""

from typing import Any, cast, get_args

from impasto import Flow
from impasto.errors import ImpastoError
from impasto_server.flows.compilation import MOST_NODES
from impasto_server.flows.errors import DocumentRefused
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Category, FlowCreate
from impasto_server.http.schemas import without_nul

_ABOUT = ("description", "category", "order", "beta")
_MOST_EDGES = 4 * MOST_NODES


def empty(name: str) -> dict[str, Any]:
    """Return a document with no node."""
    return {"format": 1, "name": name, "nodes": [], "edges": []}


def storable(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document if it can be stored, complete or not. Raises `DocumentRefused`."""
    nodes, edges = document.get("nodes"), document.get("edges", [])
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise DocumentRefused("This is not a flow document: it needs lists of nodes and edges.")
    if len(nodes) > MOST_NODES or len(edges) > _MOST_EDGES:
        raise DocumentRefused(f"A flow may have at most {MOST_NODES:,} nodes and {_MOST_EDGES:,} edges.")
    return document


def readable(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document if it is a flow that this version reads. Raises `DocumentRefused`."""
    storable(document)
    try:
        Flow.parse(document)
    except ImpastoError as error:
        raise DocumentRefused(str(error)) from error
    return document


def exported(row: FlowRow, document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the agent's name, description and category in it."""
    head = {"format": document.get("format", 1), "name": row.name}
    about = {"description": row.description, "category": row.category}
    return {**head, **about, **{key: value for key, value in document.items() if key not in head | about}}


def imported(document: dict[str, Any]) -> tuple[FlowCreate, dict[str, Any]]:
    """Return what an exported agent says about itself, and its flow document."""
    flow = {key: value for key, value in document.items() if key not in _ABOUT}
    name = without_nul(str(document.get("name") or "")).strip()[:120] or "Imported agent"
    flow["name"] = name
    category = document.get("category")
    body = FlowCreate(
        name=name,
        description=str(document.get("description") or "")[:2000],
        category=cast("Category", category) if category in get_args(Category) else "uncategorized",
    )
    return body, readable(flow)
