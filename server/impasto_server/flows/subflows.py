"""Loading the agents that an agent runs as nodes. The compiler is synchronous, so they are loaded before."""

from collections.abc import Iterator
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Catalog
from impasto.compiler.subflows.holders import flow_id_of, holder_of, reference_of
from impasto_server.compiler.errors import FlowTooLarge
from impasto_server.container import AppState
from impasto_server.flows import access, repository
from impasto_server.flows.models import FlowRow
from impasto_server.users.models import User
from impasto_server.versions import service as versions

Subflows = dict[str, dict[str, Any]]
_MAX_DEPTH = 20
_INSIDE = "/"  # `A@3/B`: agent B as version 3 of agent A was published with it


async def load_subflows(
    session: AsyncSession,
    app_state: AppState,
    user: User,
    document: dict[str, Any],
    pinned: Subflows | None = None,
) -> Subflows:
    """Return the documents of the agents that a document runs, at any depth, by reference (`holder_of`).

    Agents that the user may not see are left out. A node that names a version gets that version with the
    agents that it was published with; another one gets the newest published version, or the draft if there
    is none. A published version has its subflows `pinned`: they are returned as they are. Raises
    `FlowTooLarge` if there are too many agents, or if their documents are too large together.
    """
    if pinned is not None:
        return pinned
    loading = _Loading(session, app_state, user)
    await loading.load(document)
    return loading.found


def flow_ids_in(holder: str) -> list[str]:
    """Return the ids of the agents on the path of a reference."""
    return [flow_id_of(part) for part in holder.split(_INSIDE)]


class _Loading:
    def __init__(self, session: AsyncSession, app_state: AppState, user: User) -> None:
        self.found: Subflows = {}
        self._session = session
        self._settings, self._catalog = app_state.settings, app_state.catalog
        self._user = user
        self._size = 0

    async def load(self, document: dict[str, Any]) -> None:
        missing = set(holders_in(self._catalog, document))
        typed = set(missing)
        for _ in range(_MAX_DEPTH):
            if not missing:
                break
            self._count(len(missing))
            documents = []
            for holder in sorted(missing):  # one by one: each is parsed while the event loop is held
                documents += await self._one(holder)
            inner = {name for one in documents for name in holders_in(self._catalog, one)}
            typed |= inner
            missing = inner - self.found.keys()
        # A document may not name what was published inside another agent: only that agent runs it.
        for holder in typed:
            if _INSIDE in holder:
                self.found.pop(holder, None)

    async def _one(self, holder: str) -> list[dict[str, Any]]:
        """Load one agent; return the documents that name further ones."""
        flow_id, number = reference_of(holder)
        if _INSIDE in holder:
            return []
        row = await repository.without_draft(self._session, flow_id)
        if row is None or not access.is_visible(row, self._user):
            return []
        if number is not None:
            return await self._version(row, holder, number)
        size = await repository.document_bytes(self._session, row)
        if size is None:
            return []
        self._weigh(size)
        self.found[row.id] = await _document(self._session, row)
        return [self.found[row.id]]

    async def _version(self, row: FlowRow, holder: str, number: int) -> list[dict[str, Any]]:
        try:
            entry = await versions.get_launchable(self._session, row, self._user, number)
        except (versions.VersionNotFound, versions.VersionWithdrawn):
            return []
        self._weigh(entry.bytes)
        if entry.subflows is None:  # published before versions included their agents
            self.found[holder] = entry.document
            return [entry.document]
        self._count(len(entry.subflows) + 1)
        self.found[holder] = inside(self._catalog, holder, entry.document)
        for name, document in entry.subflows.items():
            self.found[f"{holder}{_INSIDE}{name}"] = inside(self._catalog, holder, document)
        return []

    def _count(self, more: int) -> None:
        count = len(self.found) + more
        if count > self._settings.max_flow_agents:
            raise _too_many(self._settings.max_flow_agents, count)

    def _weigh(self, size: int) -> None:
        self._size += size
        if self._size > self._settings.max_flow_bytes:
            raise _too_large(self._settings.max_flow_bytes, self._size)


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


def holders_in(catalog: Catalog, document: Any) -> Iterator[str]:
    """Yield the references to other agents in a document and in the documents inside its nodes."""
    for settings, subflow in _runners(catalog, document):
        holder = holder_of(settings, subflow)
        if isinstance(holder, str) and holder:
            yield holder
        elif isinstance(holder, dict):
            yield from holders_in(catalog, holder)


def subflow_ids(catalog: Catalog, document: Any) -> Iterator[str]:
    """Yield the ids of the agents that a document runs as nodes, also inside of its inline flows."""
    return (flow_id_of(holder) for holder in holders_in(catalog, document))


def inside(catalog: Catalog, outer: str, document: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of a document that was published with `outer`, with references to that one's copies."""
    copied: dict[str, Any] = orjson.loads(orjson.dumps(document))
    documents = [copied]
    for one in documents:  # grows during the loop
        for settings, subflow in _runners(catalog, one):
            holder = holder_of(settings, subflow)
            if isinstance(holder, str) and holder:
                settings[subflow] = f"{outer}{_INSIDE}{holder}"
                settings.pop("version", None)
            elif isinstance(holder, dict):
                documents.append(holder)
    return copied


def _runners(catalog: Catalog, document: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the settings of each node that runs a flow, and the one that names it."""
    nodes = document.get("nodes") if isinstance(document, dict) else None
    for node in nodes if isinstance(nodes, list) else ():
        if not isinstance(node, dict) or not isinstance(node.get("type"), str):
            continue
        node_type, settings = catalog.get(node["type"]), node.get("settings")
        if node_type is not None and node_type.subflow and isinstance(settings, dict):
            yield settings, node_type.subflow
