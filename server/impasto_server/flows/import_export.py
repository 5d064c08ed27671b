"""Validation, import and export of flow documents."""

from typing import Any, cast, get_args

from impasto_server.flows.beta import ORIGINS_KEY, origins_after_copy
from impasto_server.flows.errors import DocumentInvalid
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import Category, FlowCreate
from impasto_server.http.schemas import plain_text

_METADATA_KEYS = ("description", "category", "order", "beta", ORIGINS_KEY)


def empty_document(name: str) -> dict[str, Any]:
    """Return a flow document without nodes."""
    return {"format": 1, "name": name, "nodes": [], "edges": []}


def require_lists(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document that may be incomplete, without bidi controls in titles and descriptions.

    Raises `DocumentInvalid` if it lacks the lists of nodes and edges.
    """
    nodes, edges = document.get("nodes"), document.get("edges", [])
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise DocumentInvalid("This is not a flow document: it needs lists of nodes and edges.")
    plain = {**document, "nodes": [_with_plain(node, "title") for node in nodes]}
    variables = document.get("variables")
    if isinstance(variables, list):
        plain["variables"] = [_with_plain(variable, "description") for variable in variables]
    return plain


def _with_plain(item: Any, key: str) -> Any:
    text = item.get(key) if isinstance(item, dict) else None
    return {**item, key: plain_text(text)} if isinstance(text, str) else item


def export_document(row: FlowRow, document: dict[str, Any]) -> dict[str, Any]:
    """Return a document that includes the agent's name, description, category and origins."""
    head = {"format": document.get("format", 1), "name": row.name}
    metadata: dict[str, Any] = {"description": row.description, "category": row.category}
    metadata[ORIGINS_KEY] = origins_after_copy(row)
    return {
        **head,
        **metadata,
        **{key: value for key, value in document.items() if key not in head | metadata},
    }


def split_import(document: dict[str, Any]) -> tuple[FlowCreate, dict[str, Any]]:
    """Split an exported agent into its metadata and its flow document. Raises `DocumentInvalid`."""
    flow = {key: value for key, value in document.items() if key not in _METADATA_KEYS}
    name = plain_text(_text(document, "name")).strip()[:120] or "Imported agent"
    flow["name"] = name
    category = document.get("category")
    body = FlowCreate(
        name=name,
        description=_text(document, "description")[:2000],
        category=cast("Category", category) if category in get_args(Category) else "uncategorized",
    )
    return body, require_lists(flow)


def _text(document: dict[str, Any], key: str) -> str:
    """Return a text of a document; empty for any other value."""
    value = document.get(key)
    return value if isinstance(value, str) else ""
