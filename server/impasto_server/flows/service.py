"""Creating, reading, saving, publishing, deprecating and deleting agents."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import images
from impasto_server.assets.garbage import mark_for_deletion, put_object, sweep
from impasto_server.container import AppState
from impasto_server.db.engine import advisory_lock
from impasto_server.flows import access, import_export, presenter, repository
from impasto_server.flows.compilation import CompiledFlow, compile_document
from impasto_server.flows.errors import FlowInvalid, FlowNotFound, StatusTransitionInvalid
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import (
    DraftSaved,
    FlowCheck,
    FlowCreate,
    FlowDetail,
    FlowPatch,
    FlowSummary,
)
from impasto_server.flows.subflows import Subflows, load_subflows
from impasto_server.http.etags import IfMatch
from impasto_server.users.models import User
from impasto_server.versions import service as versions
from impasto_server.versions.schemas import Version


async def list_visible(
    session: AsyncSession, app_state: AppState, user: User, *, include_all: bool
) -> list[FlowSummary]:
    """List the agents of Home, or with `include_all` those of the Agents page."""
    rows = await repository.visible_to(session, user.id, include_all=include_all)
    return [presenter.summary(app_state, row, user) for row in rows]


async def get(session: AsyncSession, app_state: AppState, user: User, flow_id: str) -> FlowDetail:
    """Return an agent, with its draft for its owner and its published document for others."""
    row = await access.get_visible(session, user, flow_id)
    document, pinned = await _visible_document(session, row, user)
    subflows = await load_subflows(session, app_state.catalog, user, document, pinned)
    return presenter.detail(
        app_state, row, user, document, compile_document(document, app_state.catalog, subflows)
    )


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


async def create(session: AsyncSession, app_state: AppState, user: User, body: FlowCreate) -> FlowDetail:
    """Create a draft: empty, from a document, or from another agent."""
    document = (
        import_export.validate_document(body.flow)
        if body.flow is not None
        else import_export.empty_document(body.name)
    )
    if body.flow is None and body.from_template:
        template = await access.get_visible(session, user, body.from_template)
        document = await visible_document(session, template, user)
    row = _new_row(user, body, document)
    return await _save_new(session, app_state, row, user, document)


async def patch(
    session: AsyncSession, app_state: AppState, user: User, flow_id: str, body: FlowPatch
) -> FlowSummary:
    """Change an agent's name, description, category or visibility."""
    row = await access.get_owned(session, user, flow_id)
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
    session: AsyncSession,
    app_state: AppState,
    user: User,
    flow_id: str,
    if_match: IfMatch,
    document: dict[str, Any],
    *,
    keep: bool,
) -> DraftSaved:
    """Save a draft, complete or not. Raises `StaleRevision` if it has changed since `if_match`."""
    row = await access.get_owned(session, user, flow_id)
    if_match.check(row.revision)
    document = import_export.validate_size(document)
    compiled = await _compile(session, app_state, user, document)
    changed = document != row.draft
    if changed:
        row.draft, row.revision = document, row.revision + 1
        row.kinds = list(compiled.kinds) or row.kinds
        row.updated_at = app_state.clock()
    if changed or keep:
        most = app_state.limits.of(user).versions
        await versions.record_save(session, row, user, app_state.clock(), keep=keep, max_entries=most)
    return DraftSaved(revision=row.revision, problems=compiled.problems, saved_at=row.updated_at)


async def publish(
    session: AsyncSession, app_state: AppState, user: User, flow_id: str, note: str, if_match: IfMatch | None
) -> Version:
    """Publish the draft as a new version. Raises `FlowInvalid` if it does not compile, or `LimitReached`."""
    row = await access.get_owned(session, user, flow_id)
    if if_match is not None:
        if_match.check(row.revision)
    limits = app_state.limits.of(user)
    app_state.limits.check_published(limits, await versions.count_published(session, row.id))
    subflows = await load_subflows(session, app_state.catalog, user, row.draft)
    compiled = compile_document(row.draft, app_state.catalog, subflows, flow_id=row.id)
    if compiled.plan is None:
        raise FlowInvalid(compiled.problems)
    row.kinds = list(compiled.kinds)
    return await versions.record_publish(session, row, user, note, app_state.clock(), subflows)


async def restore(
    session: AsyncSession, app_state: AppState, user: User, flow_id: str, ref: str, if_match: IfMatch | None
) -> DraftSaved:
    """Save the document of a history entry as the draft, with a new revision."""
    row = await access.get_owned(session, user, flow_id)
    document = await versions.document_at(session, row, user, ref)
    if_match = if_match or IfMatch(str(row.revision))
    return await save_draft(session, app_state, user, flow_id, if_match, document, keep=True)


async def deprecate(session: AsyncSession, app_state: AppState, user: User, flow_id: str) -> FlowSummary:
    """Deprecate a published agent: only its owner can run it, and it leaves Home."""
    return await _change_status(session, app_state, user, flow_id, "published", "deprecated")


async def restore_status(session: AsyncSession, app_state: AppState, user: User, flow_id: str) -> FlowSummary:
    """Publish a deprecated agent again."""
    return await _change_status(session, app_state, user, flow_id, "deprecated", "published")


async def duplicate(session: AsyncSession, app_state: AppState, user: User, flow_id: str) -> FlowDetail:
    """Copy an agent that the user can see into a draft of their own."""
    row = await access.get_visible(session, user, flow_id)
    document = await visible_document(session, row, user)
    body = FlowCreate.model_construct(
        name=f"{row.name[:113]} (copy)",
        description=row.description,
        category=row.category,
        visibility="private",
    )
    copy = _new_row(user, body, document)
    copy.avatar_key = await _existing_key(session, app_state, row.avatar_key)
    return await _save_new(session, app_state, copy, user, document)


async def check(
    session: AsyncSession, app_state: AppState, user: User, document: dict[str, Any]
) -> FlowCheck:
    """Return the problems, input form, results and estimate of a document without saving it."""
    compiled = await _compile(session, app_state, user, import_export.validate_size(document))
    return FlowCheck(
        problems=compiled.problems,
        inputs=compiled.inputs,
        results=compiled.results,
        estimate=compiled.estimate,
        steps=compiled.steps,
    )


async def export(session: AsyncSession, user: User, flow_id: str) -> dict[str, Any]:
    """Return an agent as one document, which `import` and `impasto run` accept."""
    row = await access.get_visible(session, user, flow_id)
    return import_export.export_document(row, await visible_document(session, row, user))


async def import_document(
    session: AsyncSession, app_state: AppState, user: User, document: dict[str, Any]
) -> FlowDetail:
    """Create a draft from an exported agent or any flow document."""
    body, flow = import_export.split_import(document)
    row = _new_row(user, body, flow)
    return await _save_new(session, app_state, row, user, flow)


async def set_avatar(app_state: AppState, user: User, flow_id: str, cover: bytes) -> FlowSummary:
    """Set an agent's cover image."""
    key, unused = images.cover_key(cover), list[str]()

    async def write(session: AsyncSession) -> FlowSummary:
        row = await access.get_owned(session, user, flow_id)
        unused.extend([row.avatar_key] if row.avatar_key else [])
        await mark_for_deletion(session, unused)
        row.avatar_key, row.updated_at = key, app_state.clock()
        await session.flush()
        return presenter.summary(app_state, row, user)

    async def put() -> None:
        await app_state.storage.put_at(key, cover)

    changed = await put_object(app_state.database, app_state.storage, key, put, write)
    await sweep(app_state, unused)
    return changed


async def avatar_key(session: AsyncSession, flow_id: str, suffix: str) -> str:
    """Return the storage key of an agent's cover. Raises `FlowNotFound` if it was replaced.

    `suffix` is the end of the key that the signed URL was made for.
    """
    row = await repository.find(session, flow_id)
    if row is None or row.avatar_key is None or not row.avatar_key.endswith(suffix):
        raise FlowNotFound(flow_id)
    return row.avatar_key


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


def _new_row(user: User, body: FlowCreate, document: dict[str, Any]) -> FlowRow:
    return FlowRow(
        owner_id=user.id,
        name=body.name.strip(),
        description=body.description,
        category=body.category,
        visibility=body.visibility,
        status="draft",
        draft=document,
        kinds=[],
        revision=1,
    )


async def _save_new(
    session: AsyncSession, app_state: AppState, row: FlowRow, user: User, document: dict[str, Any]
) -> FlowDetail:
    compiled = await _compile(session, app_state, user, document)
    row.kinds = list(compiled.kinds)
    await app_state.limits.check_agent(session, user.id)
    session.add(row)
    await session.flush()
    return presenter.detail(app_state, row, user, document, compiled)


async def _compile(
    session: AsyncSession, app_state: AppState, user: User, document: dict[str, Any]
) -> CompiledFlow:
    return compile_document(
        document, app_state.catalog, await load_subflows(session, app_state.catalog, user, document)
    )


async def _change_status(
    session: AsyncSession, app_state: AppState, user: User, flow_id: str, before: str, after: str
) -> FlowSummary:
    row = await access.get_owned(session, user, flow_id)
    if row.status != before:
        raise StatusTransitionInvalid(row.status, after)
    row.status, row.updated_at = after, app_state.clock()
    return presenter.summary(app_state, row, user)
