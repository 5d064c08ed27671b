"""Validation, import and export of flow documents."""

from typing import Any, cast, get_args

from impasto import Flow
from impasto.errors import ImpastoError
from impasto_server.flows.compilation import MAX_NODES
from impasto_server.flows.errors import DocumentInvalid
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Category, FlowCreate
from impasto_server.http.schemas import plain_text

_METADATA_KEYS = ("description", "category", "order", "beta")
_MAX_EDGES = 4 * MAX_NODES


def empty_document(name: str) -> dict[str, Any]:
    """Return a flow document without nodes."""
    return {"format": 1, "name": name, "nodes": [], "edges": []}


def validate_size(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document that may be incomplete, without bidi controls in the titles of nodes.

    Raises `DocumentInvalid` if it lacks the lists of nodes and edges or exceeds the limits.
    """
    nodes, edges = document.get("nodes"), document.get("edges", [])
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise DocumentInvalid("This is not a flow document: it needs lists of nodes and edges.")
    if len(nodes) > MAX_NODES or len(edges) > _MAX_EDGES:
        raise DocumentInvalid(f"A flow may have at most {MAX_NODES:,} nodes and {_MAX_EDGES:,} edges.")
    return {**document, "nodes": [_with_plain_title(node) for node in nodes]}


def _with_plain_title(node: Any) -> Any:
    title = node.get("title") if isinstance(node, dict) else None
    return {**node, "title": plain_text(title)} if isinstance(title, str) else node


def validate_document(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document that parses as a flow. Raises `DocumentInvalid`."""
    document = validate_size(document)
    try:
        Flow.parse(document)
    except ImpastoError as error:
        raise DocumentInvalid(str(error)) from error
    return document


def export_document(row: FlowRow, document: dict[str, Any]) -> dict[str, Any]:
    """Return a document that includes the agent's name, description and category."""
    head = {"format": document.get("format", 1), "name": row.name}
    metadata = {"description": row.description, "category": row.category}
    return {
        **head,
        **metadata,
        **{key: value for key, value in document.items() if key not in head | metadata},
    }


def split_import(document: dict[str, Any]) -> tuple[FlowCreate, dict[str, Any]]:
    """Split an exported agent into its metadata and its flow document. Raises `DocumentInvalid`."""
    flow = {key: value for key, value in document.items() if key not in _METADATA_KEYS}
    name = plain_text(str(document.get("name") or "")).strip()[:120] or "Imported agent"
    flow["name"] = name
    category = document.get("category")
    body = FlowCreate(
        name=name,
        description=str(document.get("description") or "")[:2000],
        category=cast("Category", category) if category in get_args(Category) else "uncategorized",
    )
    return body, validate_document(flow)
