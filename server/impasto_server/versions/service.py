"""The history of an agent: saves, published versions, and the differences between them."""

import re
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.db.types import json_bytes
from impasto_server.flows.models import FlowRow
from impasto_server.http.errors import Conflict, NotFound
from impasto_server.http.pagination import PageQuery
from impasto_server.users.models import User
from impasto_server.versions import repository
from impasto_server.versions.models import VersionRow
from impasto_server.versions.schemas import Version, VersionAuthor, VersionDetail, VersionPage
from impasto_server.versions.thinning import superfluous

MERGE_SAVES_WITHIN = timedelta(minutes=5)
_MAX_NUMBER = 2**31 - 1  # the largest value of the column; a larger one in a query is a database error
_REFERENCE = re.compile(r"(?P<number>[1-9]\d{0,8})|r(?P<revision>[1-9]\d{0,8})")


class VersionNotFound(NotFound):
    """The agent's history has no such entry, or none that the user may see."""

    def __init__(self, ref: str) -> None:
        super().__init__("version", ref)


class VersionWithdrawn(Conflict):
    """The version was withdrawn by the agent's owner."""

    code = "version_withdrawn"

    def __init__(self, number: int) -> None:
        super().__init__(
            f"Version {number} was withdrawn. Restore it as the draft and publish that to run it again."
        )


async def get_launchable(session: AsyncSession, row: FlowRow, user: User, number: int) -> VersionRow:
    """Return a version that the user may launch, with its document.

    Raises `VersionNotFound` if there is none that the user may see, `VersionWithdrawn` for the owner's own.
    """
    entry = await get_published(session, row.id, number)
    if not _is_visible(entry, row, user):
        raise VersionNotFound(str(number))
    if entry.withdrawn_at is not None:
        raise VersionWithdrawn(number)
    return entry


async def withdraw(session: AsyncSession, row: FlowRow, user: User, ref: str, now: datetime) -> Version:
    """Withdraw a published version of the user's agent, which must be locked. Repeating it changes nothing.

    Launches of the newest version then use the newest remaining one. An agent without one is a draft again.
    Runs that have started go on, and published agents keep the copy that they include.
    """
    entry = await _find(session, row, user, ref)
    if entry.number is None:
        raise VersionNotFound(ref)
    entry.withdrawn_at = entry.withdrawn_at or now
    if row.version == entry.number:
        remaining = await repository.newest_runnable(session, row.id, public=row.visibility == "public")
        row.version = remaining.number if remaining else None
        row.published_revision = remaining.revision if remaining else None
        row.status = row.status if remaining else "draft"
        row.updated_at = now
    return _version(entry, await repository.author_name(session, entry.author_id))


async def share_newest(session: AsyncSession, row: FlowRow) -> None:
    """Make the newest version of an agent that becomes public visible. Older private ones stay private."""
    newest = await repository.newest_runnable(session, row.id, public=False)
    if newest is not None:
        newest.public = True


async def get_published(session: AsyncSession, flow_id: str, number: int) -> VersionRow:
    """Return a published version with its document. Raises `VersionNotFound`."""
    row = await repository.find_published(session, flow_id, number) if number <= _MAX_NUMBER else None
    if row is None:
        raise VersionNotFound(str(number))
    return row


async def record_save(
    session: AsyncSession, row: FlowRow, user: User, now: datetime, *, keep: bool, max_entries: int
) -> None:
    """Add the draft to the history.

    Saves of one user within `MERGE_SAVES_WITHIN` are merged into one entry, unless one is to be kept. Older
    saves are thinned (see `thinning`), so that the history has at most `max_entries` entries.
    """
    last = await repository.newest(session, row.id)
    if last is not None and _can_merge(last, row, user, now, keep=keep):
        last.document, last.revision, last.created_at = row.draft, row.revision, now
        last.bytes = json_bytes(row.draft)
        last.kept = last.kept or keep
        return
    session.add(
        VersionRow(
            flow_id=row.id,
            revision=row.revision,
            document=row.draft,
            bytes=json_bytes(row.draft),
            author_id=user.id,
            created_at=now,
            kept=keep,
        )
    )
    saves = await repository.saves(session, row.id)
    published = await repository.count_published(session, row.id)
    await repository.delete_entries(session, superfluous(saves, now, max_entries - published))


async def stored_bytes(session: AsyncSession, flow_id: str) -> int:
    """Return the size of the documents in an agent's history, in bytes."""
    return await repository.stored_bytes(session, flow_id)


async def count_published(session: AsyncSession, flow_id: str) -> int:
    """Return how many published versions an agent has."""
    return await repository.count_published(session, flow_id)


async def record_publish(
    session: AsyncSession,
    row: FlowRow,
    user: User | None,
    note: str,
    now: datetime,
    subflows: dict[str, Any],
) -> Version:
    """Publish the draft as a new version, with a copy of its subflows."""
    number = await repository.highest_number(session, row.id) + 1
    entry = VersionRow(
        flow_id=row.id,
        number=number,
        revision=row.revision,
        note=note,
        document=row.draft,
        subflows=subflows,
        bytes=json_bytes(row.draft) + json_bytes(subflows),
        public=row.visibility == "public",
        author_id=user.id if user else None,
        created_at=now,
    )
    session.add(entry)
    row.version, row.published_revision, row.status, row.updated_at = number, row.revision, "published", now
    await session.flush()
    return _version(entry, user.username if user else None)


async def list_versions(session: AsyncSession, row: FlowRow, user: User, paging: PageQuery) -> VersionPage:
    """Return a page of the history, newest first. Only the owner sees saves and private versions."""
    entries, cursor = await repository.history(session, row.id, paging, own=row.owner_id == user.id)
    return VersionPage(items=[_version(entry, name) for entry, name in entries], next_cursor=cursor)


async def get(session: AsyncSession, row: FlowRow, user: User, ref: str) -> VersionDetail:
    """Return one entry with its document. Raises `VersionNotFound`."""
    entry = await _find(session, row, user, ref)
    name = await repository.author_name(session, entry.author_id)
    return VersionDetail(**_version(entry, name).model_dump(), flow=entry.document)


async def document_at(session: AsyncSession, row: FlowRow, user: User, ref: str) -> dict[str, Any]:
    """Return the document of an entry; its owner can also ask for "draft". Raises `VersionNotFound`."""
    if ref == "draft" and row.owner_id == user.id:
        return row.draft
    return (await _find(session, row, user, ref)).document


async def document_with_subflows(
    session: AsyncSession, row: FlowRow, user: User, ref: str
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the document of an entry, and the agents that it was published with; None for a save.

    Raises `VersionNotFound`.
    """
    entry = await _find(session, row, user, ref)
    return entry.document, None if entry.number is None else entry.subflows


async def documents_at(
    session: AsyncSession, row: FlowRow, user: User, before: str, after: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the documents of two entries. Raises `VersionNotFound`."""
    return await document_at(session, row, user, before), await document_at(session, row, user, after)


async def _find(session: AsyncSession, row: FlowRow, user: User, ref: str) -> VersionRow:
    match = _REFERENCE.fullmatch(ref)
    entry = None
    if match and match["number"]:
        entry = await repository.find_published(session, row.id, int(match["number"]))
    elif match and row.owner_id == user.id:
        entry = await repository.save_at(session, row.id, int(match["revision"]))
    if entry is None or not _is_visible(entry, row, user):
        raise VersionNotFound(ref)
    return entry


def _is_visible(entry: VersionRow, row: FlowRow, user: User) -> bool:
    return row.owner_id == user.id or (entry.public and entry.withdrawn_at is None)


def _can_merge(last: VersionRow, row: FlowRow, user: User, now: datetime, *, keep: bool) -> bool:
    if last.number is not None or last.author_id != user.id:
        return False
    if last.revision == row.revision:
        return True
    return not (keep or last.kept) and now - last.created_at < MERGE_SAVES_WITHIN


def _version(row: VersionRow, author: str | None) -> Version:
    return Version(
        ref=f"r{row.revision}" if row.number is None else str(row.number),
        number=row.number,
        kind="save" if row.number is None else "published",
        note=row.note,
        created_at=row.created_at,
        author=VersionAuthor(id=row.author_id, username=author) if row.author_id and author else None,
        revision=row.revision,
        public=row.public,
        withdrawn_at=row.withdrawn_at,
    )
