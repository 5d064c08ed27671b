"""Loading the agents that an agent runs as nodes. The compiler is synchronous, so they are loaded before."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Catalog
from impasto_server.compiler.errors import FlowTooLarge
from impasto_server.container import AppState
from impasto_server.flows import access, repository
from impasto_server.flows.models import FlowRow
from impasto_server.users.models import User
from impasto_server.versions import service as versions

Subflows = dict[str, dict[str, Any]]
_MAX_DEPTH = 20


async def load_subflows(
    session: AsyncSession,
    app_state: AppState,
    user: User,
    document: dict[str, Any],
    pinned: Subflows | None = None,
) -> Subflows:
    """Return the documents of the agents that a document runs, at any depth, by agent id.

    Agents that the user may not see are left out. The newest published version is used, or the draft if there
    is none. A published version has its subflows `pinned`: they are returned as they are. Raises
    `FlowTooLarge` if there are too many agents, or if their documents are too large together.
    """
    if pinned is not None:
        return pinned
    settings, catalog = app_state.settings, app_state.catalog
    loaded: Subflows = {}
    size = 0
    missing = set(subflow_ids(catalog, document))
    for _ in range(_MAX_DEPTH):
        if not missing:
            break
        if len(loaded) + len(missing) > settings.max_flow_agents:
            raise _too_many(settings.max_flow_agents, len(loaded) + len(missing))
        documents = []
        for flow_id in sorted(missing):  # one by one: each is parsed while the event loop is held
            row = await repository.without_draft(session, flow_id)
            if row is None or not access.is_visible(row, user):
                continue
            size += await repository.document_bytes(session, row)
            if size > settings.max_flow_bytes:
                raise _too_large(settings.max_flow_bytes, size)
            loaded[row.id] = await _document(session, row)
            documents.append(loaded[row.id])
        missing = {name for document in documents for name in subflow_ids(catalog, document)} - loaded.keys()
    return loaded


def _too_many(maximum: int, actual: int) -> FlowTooLarge:
    message = f"This flow runs {actual:,} other agents; the limit is {maximum:,}. Run fewer of them as nodes."
    return FlowTooLarge(
        {"limit": "IMPASTO_MAX_FLOW_AGENTS", "max": maximum, "actual": actual, "message": message}
    )


def _too_large(maximum: int, actual: int) -> FlowTooLarge:
    message = (
        f"The agents that this flow runs have {actual:,} bytes or more together; the limit is {maximum:,}. "
        "Run fewer or smaller ones as nodes."
    )
    return FlowTooLarge(
        {"limit": "IMPASTO_MAX_FLOW_BYTES", "max": maximum, "actual": actual, "message": message}
    )


async def _document(session: AsyncSession, row: FlowRow) -> dict[str, Any]:
    if row.version is None:
        return await repository.draft_of(session, row.id)
    return (await versions.get_published(session, row.id, row.version)).document


def subflow_ids(catalog: Catalog, document: Any) -> Iterator[str]:
    """Yield the ids of the agents that a document runs as nodes, also inside of its inline flows."""
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
            yield from subflow_ids(catalog, inner)
