"""Flow documents as files and bodies: taken in, given out, never trusted."""

from typing import Any, cast, get_args

from impasto import Flow
from impasto.errors import ImpastoError
from impasto_server.flows.compilation import MAX_NODES
from impasto_server.flows.errors import DocumentInvalid
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Category, FlowCreate
from impasto_server.http.schemas import without_nul

_ABOUT = ("description", "category", "order", "beta")
_MAX_EDGES = 4 * MAX_NODES


def empty_document(name: str) -> dict[str, Any]:
    """Return a document with no node."""
    return {"format": 1, "name": name, "nodes": [], "edges": []}


def validate_size(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document if it can be stored, complete or not. Raises `DocumentInvalid`."""
    nodes, edges = document.get("nodes"), document.get("edges", [])
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise DocumentInvalid("This is not a flow document: it needs lists of nodes and edges.")
    if len(nodes) > MAX_NODES or len(edges) > _MAX_EDGES:
        raise DocumentInvalid(f"A flow may have at most {MAX_NODES:,} nodes and {_MAX_EDGES:,} edges.")
    return document


def validate_document(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document if it is a flow that this version reads. Raises `DocumentInvalid`."""
    validate_size(document)
    try:
        Flow.parse(document)
    except ImpastoError as error:
        raise DocumentInvalid(str(error)) from error
    return document


def export_document(row: FlowRow, document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the agent's name, description and category in it."""
    head = {"format": document.get("format", 1), "name": row.name}
    about = {"description": row.description, "category": row.category}
    return {**head, **about, **{key: value for key, value in document.items() if key not in head | about}}


def split_import(document: dict[str, Any]) -> tuple[FlowCreate, dict[str, Any]]:
    """Return what an export_document agent says about itself, and its flow document."""
    flow = {key: value for key, value in document.items() if key not in _ABOUT}
    name = without_nul(str(document.get("name") or "")).strip()[:120] or "Imported agent"
    flow["name"] = name
    category = document.get("category")
    body = FlowCreate(
        name=name,
        description=str(document.get("description") or "")[:2000],
        category=cast("Category", category) if category in get_args(Category) else "uncategorized",
    )
    return body, validate_document(flow)
