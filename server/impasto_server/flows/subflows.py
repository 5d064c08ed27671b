"""Loading the agents that an agent runs as nodes. The compiler is synchronous, so they are loaded before."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Catalog
from impasto_server.flows import access, repository
from impasto_server.flows.models import FlowRow
from impasto_server.users.models import User
from impasto_server.versions import service as versions

Subflows = dict[str, dict[str, Any]]
_MAX_DEPTH = 20


async def load_subflows(
    session: AsyncSession,
    catalog: Catalog,
    user: User,
    document: dict[str, Any],
    pinned: Subflows | None = None,
) -> Subflows:
    """Return the documents of the agents that a document runs, at any depth, by agent id.

    Agents that the user may not see are left out. The newest published version is used, or the draft if there
    is none. A published version has its subflows `pinned`: they are returned as they are.
    """
    if pinned is not None:
        return pinned
    loaded: Subflows = {}
    missing = set(_subflow_ids(catalog, document))
    for _ in range(_MAX_DEPTH):
        if not missing:
            break
        rows = [row for row in await repository.with_drafts(session, missing) if access.is_visible(row, user)]
        documents = [await _document(session, row) for row in rows]
        loaded |= {row.id: document for row, document in zip(rows, documents, strict=True)}
        missing = {name for document in documents for name in _subflow_ids(catalog, document)} - loaded.keys()
    return loaded


async def _document(session: AsyncSession, row: FlowRow) -> dict[str, Any]:
    if row.version is None:
        return row.draft
    return (await versions.get_published(session, row.id, row.version)).document


def _subflow_ids(catalog: Catalog, document: Any) -> Iterator[str]:
    nodes = document.get("nodes") if isinstance(document, dict) else None
    for node in nodes if isinstance(nodes, list) else ():
        if not isinstance(node, dict) or not isinstance(node.get("type"), str):
            continue
        node_type = catalog.get(node["type"])
        settings = node.get("settings")
        if node_type is None or not node_type.subflow or not isinstance(settings, dict):
            continue
        inner = settings.get(node_type.subflow)
        if isinstance(inner, str):
            yield inner
        elif isinstance(inner, dict):
            yield from _subflow_ids(catalog, inner)
