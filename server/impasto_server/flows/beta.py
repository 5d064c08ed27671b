"""Private beta: who may run agents and node types that are not open to everyone yet.

The rule holds for all that a run executes: every node type of the compiled plan, the agent itself, the agents
that it runs as nodes, and everything that any of them was copied from. An agent keeps the names of those
that it was copied from, and an exported document carries them. A document from which these names were removed
is recognized by its content, as long as half of what sets it apart from open agents is unchanged.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.compiler.documents import CheckedFlow, Source
from impasto_server.compiler.errors import FlowTooLarge
from impasto_server.compiler.service import Compiler
from impasto_server.container import AppState
from impasto_server.flows import access, repository
from impasto_server.flows.errors import PrivateBeta
from impasto_server.flows.models import FlowRow
from impasto_server.flows.subflows import flow_ids_in
from impasto_server.users.models import User
from impasto_server.versions import service as versions

ORIGINS_KEY = "copied_from"  # of an exported document
_MAX_ORIGINS = 50
_MAX_NAME_LENGTH = 120
_MAX_REMEMBERED = 1000
_MIN_STEPS = 2
_contents: WeakKeyDictionary[Compiler, dict[tuple[str, int], frozenset[str]]] = WeakKeyDictionary()


def origins_after_copy(row: FlowRow) -> list[str]:
    """Return the origins of a copy of an agent: those of the agent, and the agent itself."""
    return _bounded([*(row.copied_from or ()), row.built_in or row.id])


def origins_in(document: Mapping[str, Any]) -> list[str]:
    """Return the origins that an exported document names."""
    listed = document.get(ORIGINS_KEY)
    return _bounded(name for name in listed if isinstance(name, str)) if isinstance(listed, list) else []


async def require_access(
    app_state: AppState, user: User, source: Source, checked: CheckedFlow, *, has_agents: bool | None = None
) -> None:
    """Raise `PrivateBeta` if a run of the document would execute anything that the user has no access to.

    `has_agents`: whether any agent is in beta, if the caller has looked.
    """
    for type_id, is_beta in checked.node_types.items():
        if is_beta and not access.has_beta(user, type_id):
            raise PrivateBeta(f"The node '{app_state.catalog[type_id].title}'", app_state.settings)
    if has_agents is None:
        has_agents = await app_state.database.first(repository.ANY_IN_BETA, {}) is not None
    if not has_agents:
        return
    async with app_state.database.reading() as session:
        closed = [row for row in await repository.in_beta(session) if not access.has_access(user, row)]
        if not closed:
            return
        names = await _origins(session, source)
        built_ins = await repository.open_built_ins(session)
    contents = frozenset(orjson.loads(checked.contents))
    for row in closed:
        if (
            row.id in names
            or row.built_in in names
            or await _shares_content(app_state, row, contents, built_ins)
        ):
            subject = f"The agent '{row.name}'" if access.is_visible(row, user) else "A part of this agent"
            raise PrivateBeta(subject, app_state.settings)


async def _origins(session: AsyncSession, source: Source) -> set[str]:
    """Return the agents that a document is, runs, or was copied from: ids, and keys of built-in agents."""
    names = {flow_id for holder in source.subflows for flow_id in flow_ids_in(holder)}
    names |= {source.flow_id} if source.flow_id is not None else set()
    for row in await repository.without_drafts(session, names):
        names.update(origins_after_copy(row))
    for document in (source.document, *source.subflows.values()):
        names.update(origins_in(document))
    return names


async def _shares_content(
    app_state: AppState, row: FlowRow, contents: frozenset[str], built_ins: Sequence[FlowRow]
) -> bool:
    """Whether at least half of the agent's steps with settings of their own are among `contents`.

    Steps of the open `built_ins`, and of agents that it was copied from, do not count unless these agents are
    in beta themselves. An agent with fewer than `_MIN_STEPS` other steps is not recognized: others have the
    same.
    """
    async with app_state.database.reading() as session:
        origins = [each for each in await repository.named(session, row.copied_from or ()) if not each.beta]
    own = await _contents_of(app_state, row)
    for origin in (*origins, *built_ins):
        own -= await _contents_of(app_state, origin)
    return len(own) >= _MIN_STEPS and 2 * len(own & contents) >= len(own)


async def _contents_of(app_state: AppState, row: FlowRow) -> frozenset[str]:
    """Return what identifies an agent's newest published version, without the agents that it runs."""
    remembered = _contents.setdefault(app_state.compiler, {})
    key = (row.id, row.version or -row.revision)
    if key not in remembered:
        async with app_state.database.reading() as session:
            source = await _source(session, row)
        try:
            checked = await app_state.compiler.check_stored(row.id, source)
        except FlowTooLarge:
            return frozenset()
        if len(remembered) >= _MAX_REMEMBERED:
            remembered.clear()
        remembered[key] = frozenset(orjson.loads(checked.own_contents))
    return remembered[key]


async def _source(session: AsyncSession, row: FlowRow) -> Source:
    if row.version is None:
        return Source(await repository.draft_of(session, row.id), {})
    version = await versions.get_published(session, row.id, row.version)
    return Source(version.document, version.subflows or {})


def _bounded(names: Iterable[str]) -> list[str]:
    kept = dict.fromkeys(name for name in names if 0 < len(name) <= _MAX_NAME_LENGTH)
    return list(kept)[-_MAX_ORIGINS:]
