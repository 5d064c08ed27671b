"""Creating, reading, saving, publishing, deprecating and deleting agents."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.garbage import mark_for_deletion, sweep
from impasto_server.compiler.documents import CheckedFlow, Source
from impasto_server.compiler.errors import FlowTooLarge
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.db.engine import advisory_lock
from impasto_server.db.types import json_bytes
from impasto_server.flows import access, import_export, presenter, repository
from impasto_server.flows.beta import origins_after_copy, origins_in
from impasto_server.flows.errors import DocumentInvalid, FlowInvalid, FlowNotFound, StatusTransitionInvalid
from impasto_server.flows.models import FlowRow
from impasto_server.flows.repository import FlowFilter
from impasto_server.flows.schemas import (
    DraftSaved,
    FlowCreate,
    FlowPage,
    FlowPatch,
    FlowSummary,
    Problem,
    PublicAgentStatus,
    VersionPorts,
)
from impasto_server.flows.subflows import Subflows, load_subflows
from impasto_server.http.etags import IfMatch
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.users.models import User
from impasto_server.versions import service as versions
from impasto_server.versions.schemas import Version

avatar_url = presenter.avatar_url
count = repository.count
is_public = access.is_public


@dataclass(frozen=True)
class FlowResponse:
    """An agent with its document, as JSON of `FlowDetail`, and its revision."""

    body: bytes
    revision: int


Commit = Callable[[Callable[[AsyncSession], Awaitable[FlowResponse]]], Awaitable[FlowResponse]]
"""Calls what it is given in a transaction, and returns its result."""


async def list_visible(
    session: AsyncSession, app_state: AppState, user: User, flow_filter: FlowFilter
) -> list[FlowSummary]:
    """List the agents of Home, or with `include_all` those of the Agents page."""
    rows = await repository.visible_to(session, user.id, flow_filter)
    return [presenter.summary(app_state, row, user) for row in rows]


async def page_of_visible(
    session: AsyncSession, app_state: AppState, user: User, flow_filter: FlowFilter, paging: PageQuery
) -> FlowPage:
    """Return a page of what `list_visible` lists. Raises `FieldInvalid` for a cursor of another list."""
    rows, cursor = await repository.visible_page(session, user.id, flow_filter, paging)
    return FlowPage(items=[presenter.summary(app_state, row, user) for row in rows], next_cursor=cursor)


async def search_public(
    session: AsyncSession, text: str, status: PublicAgentStatus | None, paging: PageQuery
) -> tuple[list[FlowRow], str | None]:
    """Return a page of public agents that were published, newest first, and the next cursor."""
    rows, cursor = await fetch_page(session, repository.public_matching(text, status), paging, FlowRow.id)
    return list(rows), cursor


async def get_public(session: AsyncSession, flow_id: str) -> FlowRow:
    """Return a public agent that was published, locked until the transaction ends. Raises `FlowNotFound`."""
    row = await repository.find_for_update(session, flow_id)
    if row is None or row.visibility != "public" or row.status == "draft":
        raise FlowNotFound(flow_id)
    return row


async def get(app_state: AppState, user: User, flow_id: str) -> FlowResponse:
    """Return an agent, with its draft for its owner and its published document for others.

    An agent that exceeds the limits can still be opened: the limit is its problem.
    """
    async with app_state.database.reading() as session:
        row = await access.get_visible(session, user, flow_id)
        document, pinned = await _visible_document(session, row, user)
        try:
            subflows = await load_subflows(session, app_state, user, document, pinned)
        except FlowTooLarge as error:
            return _response(app_state, row, user, document, _refused(error))
    try:
        checked = await app_state.compiler.check(user.id, Source(document, subflows))
    except FlowTooLarge as error:
        checked = _refused(error)
    return _response(app_state, row, user, document, checked)


async def version_ports(app_state: AppState, user: User, flow_id: str, ref: str) -> VersionPorts:
    """Return the ports of a version of an agent. Raises `FlowNotFound` and `VersionNotFound`."""
    async with app_state.database.reading() as session:
        row = await access.get_visible(session, user, flow_id)
        document, pinned = await versions.document_with_subflows(session, row, user, ref)
        subflows = await load_subflows(session, app_state, user, document, pinned)
    checked = await app_state.compiler.check(user.id, Source(document, subflows))
    return VersionPorts(ref=ref, inputs=orjson.loads(checked.inputs), results=orjson.loads(checked.results))


async def visible_document(session: AsyncSession, row: FlowRow, user: User) -> dict[str, Any]:
    """Return the draft for the owner and the published document for others."""
    return (await _visible_document(session, row, user))[0]


async def _visible_document(
    session: AsyncSession, row: FlowRow, user: User
) -> tuple[dict[str, Any], Subflows | None]:
    if access.is_owner(row, user):
        return row.draft, None
    assert row.version is not None, "other users see published agents only"
    version = await versions.get_published(session, row.id, row.version)
    return version.document, version.subflows


async def create(app_state: AppState, user: User, body: FlowCreate) -> FlowResponse:
    """Create a draft: empty, from a document, or from another agent."""
    document, origins = import_export.empty_document(body.name), list[str]()
    if body.flow is not None:
        document = import_export.require_lists(body.flow)
        origins = origins_in(document)
    elif body.from_template:
        async with app_state.database.reading() as session:
            template = await access.get_visible(session, user, body.from_template)
            document = await visible_document(session, template, user)
            origins = origins_after_copy(template)
    row = _new_row(user, body, document, origins)
    return await _save_new(app_state, row, user, document, must_parse=body.flow is not None)


async def patch(
    session: AsyncSession, app_state: AppState, user: User, flow_id: str, body: FlowPatch
) -> FlowSummary:
    """Change what `FlowPatch` has of an agent."""
    row = await access.get_owned(session, user, flow_id)
    if body.visibility == "public" and row.visibility == "private":
        await versions.share_newest(session, row)
    for name, value in body.model_dump(exclude_none=True).items():
        setattr(row, name, value)
    row.updated_at = app_state.clock()
    return presenter.summary(app_state, row, user)


async def delete(app_state: AppState, user: User, flow_id: str) -> None:
    """Delete an agent, its history and its cover. Its runs and their assets stay."""
    async with app_state.database.writing() as session:
        row = await access.get_owned(session, user, flow_id)
        unused = [row.avatar_key] if row.avatar_key else []
        await session.delete(row)
        await mark_for_deletion(session, unused)
    await sweep(app_state, unused)


async def save_draft(
    app_state: AppState,
    user: User,
    flow_id: str,
    if_match: IfMatch | None,
    document: dict[str, Any],
    *,
    keep: bool,
) -> DraftSaved:
    """Save a draft, complete or not. Raises `StaleRevision` if it has changed since `if_match`.

    Without `if_match` the revision at the beginning counts.
    """
    document = import_export.require_lists(document)
    async with app_state.database.reading() as session:
        row = await access.get_owned(session, user, flow_id)
        if_match = if_match or IfMatch(str(row.revision))
        if_match.check(row.revision)
        subflows = await load_subflows(session, app_state, user, document)
    # No transaction is open while the document is compiled: writers would wait for it.
    checked = await app_state.compiler.check(user.id, Source(document, subflows))
    async with app_state.database.writing() as session:
        row = await access.get_owned(session, user, flow_id)
        if_match.check(row.revision)
        changed = document != row.draft
        if changed:
            row.draft, row.revision = document, row.revision + 1
            row.kinds = list(checked.kinds) or row.kinds
            row.takes = row.takes if checked.takes is None else checked.takes
            row.updated_at = app_state.clock()
        if changed or keep:
            max_entries = app_state.limits.of(user).versions
            await versions.record_save(
                session, row, user, app_state.clock(), keep=keep, max_entries=max_entries
            )
            await _count_bytes(session, app_state, row)
        return DraftSaved(revision=row.revision, problems=checked.problems, saved_at=row.updated_at)


async def publish(
    app_state: AppState, user: User, flow_id: str, note: str, if_match: IfMatch | None
) -> Version:
    """Publish the draft as a new version. Raises `FlowInvalid` if it does not compile, or `LimitReached`."""
    async with app_state.database.reading() as session:
        row = await access.get_owned(session, user, flow_id)
        if_match = if_match or IfMatch(str(row.revision))
        if_match.check(row.revision)
        subflows = await load_subflows(session, app_state, user, row.draft)
        source = Source(row.draft, subflows, flow_id=row.id)
    checked = await app_state.compiler.check(user.id, source)
    if not checked.can_run:
        raise FlowInvalid(checked.problems)
    async with app_state.database.writing() as session:
        row = await access.get_owned(session, user, flow_id)
        if_match.check(row.revision)
        limits = app_state.limits.of(user)
        app_state.limits.check_published(limits, await versions.count_published(session, row.id))
        row.kinds, row.takes = list(checked.kinds), checked.takes
        version = await versions.record_publish(session, row, user, note, app_state.clock(), subflows)
        await _count_bytes(session, app_state, row)
        return version


async def restore(
    app_state: AppState, user: User, flow_id: str, ref: str, if_match: IfMatch | None
) -> DraftSaved:
    """Save the document of a history entry as the draft, with a new revision."""
    async with app_state.database.reading() as session:
        row = await access.get_owned(session, user, flow_id)
        document = await versions.document_at(session, row, user, ref)
    return await save_draft(app_state, user, flow_id, if_match, document, keep=True)


async def deprecate(session: AsyncSession, app_state: AppState, user: User, flow_id: str) -> FlowSummary:
    """Deprecate a published agent: only its owner can run it, and it leaves Home."""
    return await _change_status(session, app_state, user, flow_id, "published", "deprecated")


async def restore_status(session: AsyncSession, app_state: AppState, user: User, flow_id: str) -> FlowSummary:
    """Publish a deprecated agent again."""
    return await _change_status(session, app_state, user, flow_id, "deprecated", "published")


async def duplicate(app_state: AppState, user: User, flow_id: str) -> FlowResponse:
    """Copy an agent that the user can see into a draft of their own."""
    async with app_state.database.reading() as session:
        row = await access.get_visible(session, user, flow_id)
        document = await visible_document(session, row, user)
    body = FlowCreate.model_construct(
        name=f"{row.name[:113]} (copy)",
        description=row.description,
        category=row.category,
        visibility="private",
        watermark=access.is_owner(row, user) and row.watermark,
        mark_exports=access.is_owner(row, user) and row.mark_exports,
    )
    copy = _new_row(user, body, document, origins_after_copy(row))
    return await _save_new(app_state, copy, user, document, avatar_key=row.avatar_key)


async def check(
    app_state: AppState, user: User, document: dict[str, Any], flow_id: str | None = None
) -> bytes:
    """Return what a run of the document by this user would find, without saving it: JSON of `FlowCheck`.

    `flow_id` is the id of the agent that the document belongs to, to find an agent that contains itself.
    """
    document = import_export.require_lists(document)
    async with app_state.database.reading() as session:
        subflows = await load_subflows(session, app_state, user, document)
        configured = await credentials.providers_of(session, user.id)
    source = Source(document, subflows, flow_id=flow_id, configured=configured)
    return presenter.check(await app_state.compiler.check(user.id, source))


async def export(session: AsyncSession, user: User, flow_id: str) -> dict[str, Any]:
    """Return an agent as one document, which `import` and `impasto run` accept."""
    row = await access.get_visible(session, user, flow_id)
    return import_export.export_document(row, await visible_document(session, row, user))


async def import_document(
    app_state: AppState, user: User, document: dict[str, Any], commit: Commit | None = None
) -> FlowResponse:
    """Create a draft from an exported agent or any flow document.

    `commit` calls what it is given, which writes the draft, in a transaction that writes more.
    """
    body, flow = import_export.split_import(document)
    row = _new_row(user, body, flow, origins_in(document))
    return await _save_new(app_state, row, user, flow, must_parse=True, commit=commit)


async def set_beta(session: AsyncSession, flow_id: str, beta: bool) -> None:
    """Set whether an agent is in private beta. Raises `FlowNotFound`."""
    row = await repository.find(session, flow_id)
    if row is None:
        raise FlowNotFound(flow_id)
    row.beta = beta


async def _existing_key(session: AsyncSession, app_state: AppState, object_key: str | None) -> str | None:
    if object_key is None:
        return None
    await advisory_lock(session, object_key)
    return object_key if await app_state.storage.exists(object_key) else None


def _new_row(user: User, body: FlowCreate, document: dict[str, Any], copied_from: list[str]) -> FlowRow:
    return FlowRow(
        owner_id=user.id,
        name=body.name.strip(),
        description=body.description,
        category=body.category,
        visibility=body.visibility,
        watermark=body.watermark,
        mark_exports=body.mark_exports,
        status="draft",
        draft=document,
        copied_from=copied_from or None,
        revision=1,
    )


async def _save_new(
    app_state: AppState,
    row: FlowRow,
    user: User,
    document: dict[str, Any],
    *,
    must_parse: bool = False,
    avatar_key: str | None = None,
    commit: Commit | None = None,
) -> FlowResponse:
    """Store a new agent. With `must_parse`, raises `DocumentInvalid` for what is no flow document."""
    async with app_state.database.reading() as session:
        subflows = await load_subflows(session, app_state, user, document)
    checked = await app_state.compiler.check(user.id, Source(document, subflows))
    if must_parse and checked.parse_error is not None:
        raise DocumentInvalid(checked.parse_error)

    async def write(session: AsyncSession) -> FlowResponse:
        row.kinds, row.takes = list(checked.kinds), checked.takes
        row.avatar_key = await _existing_key(session, app_state, avatar_key)
        await app_state.limits.check_agent(session, user.id)
        session.add(row)
        await session.flush()
        await _count_bytes(session, app_state, row)
        return _response(app_state, row, user, document, checked)

    if commit is not None:
        return await commit(write)
    async with app_state.database.writing() as session:
        return await write(session)


async def _count_bytes(session: AsyncSession, app_state: AppState, row: FlowRow) -> None:
    """Count the draft and the history as stored bytes of the owner. Raises `LimitReached`."""
    size = json_bytes(row.draft) + await versions.stored_bytes(session, row.id)
    await app_state.limits.count_documents(session, row, size)


def _response(
    app_state: AppState, row: FlowRow, user: User, document: dict[str, Any], checked: CheckedFlow
) -> FlowResponse:
    return FlowResponse(presenter.detail(app_state, row, user, document, checked), row.revision)


def _refused(error: FlowTooLarge) -> CheckedFlow:
    return CheckedFlow(False, [Problem(code="too_large", message=error.detail)])


async def _change_status(
    session: AsyncSession, app_state: AppState, user: User, flow_id: str, before: str, after: str
) -> FlowSummary:
    row = await access.get_owned(session, user, flow_id)
    if row.status != before:
        raise StatusTransitionInvalid(row.status, after)
    row.status, row.updated_at = after, app_state.clock()
    return presenter.summary(app_state, row, user)
