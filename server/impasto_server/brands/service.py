"""Creating, reading, changing, publishing and deleting brands."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service as assets
from impasto_server.brands import presenter, repository
from impasto_server.brands.contrast import contrast_pairs
from impasto_server.brands.diff import changes_between, summary_of
from impasto_server.brands.errors import (
    BrandNotFound,
    BrandVersionNotFound,
    ExampleBrand,
    FontInvalid,
    LogoInvalid,
    NeverPublished,
    NothingToPublish,
)
from impasto_server.brands.example import EXAMPLE, EXAMPLE_CREATED, EXAMPLE_ID, EXAMPLE_VERSION
from impasto_server.brands.models import BrandRow, BrandVersionRow
from impasto_server.brands.schemas import (
    BrandChange,
    BrandContent,
    BrandDetail,
    BrandDraftSaved,
    BrandPage,
    BrandVersion,
    BrandVersionDetail,
    BrandVersionPage,
)
from impasto_server.container import AppState
from impasto_server.db.types import json_bytes
from impasto_server.http.etags import IfMatch
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.users.models import User
from impasto_server.utils import new_id

_MAX_NAME = 80
_DRAFT = "draft"


async def list_own(session: AsyncSession, app_state: AppState, user: User, paging: PageQuery) -> BrandPage:
    """Return a page of the user's brands, newest first. The last page ends with the example."""
    rows, cursor = await fetch_page(session, repository.owned(user.id), paging, BrandRow.id)
    items = await presenter.summaries(session, app_state, user, list(rows))
    if cursor is None:
        items.append(presenter.example_summary(await _agents_with_example(session, user)))
    return BrandPage(items=items, next_cursor=cursor)


async def create(
    app_state: AppState, user: User, content: BrandContent, copied: BrandContent | None = None
) -> BrandDetail:
    """Create a brand with a first draft; it may have files of the content that it is copied from.

    Raises `LogoInvalid`, `FontInvalid` or `LimitReached`.
    """
    async with app_state.database.writing() as session:
        await _check_files(session, user, content, copied)
        row = await _add(session, app_state, user, content, new_id())
        return await presenter.detail(session, app_state, user, row)


async def add(
    session: AsyncSession, app_state: AppState, user: User, content: BrandContent, brand_id: str
) -> BrandRow:
    """Create a brand with this id in the caller's transaction, as `create` does."""
    await _check_files(session, user, content)
    return await _add(session, app_state, user, content, brand_id)


async def get(session: AsyncSession, app_state: AppState, user: User, brand_id: str) -> BrandDetail:
    """Return a brand of the user, or the example. Raises `BrandNotFound`."""
    if brand_id == EXAMPLE_ID:
        return presenter.example_detail(await _agents_with_example(session, user))
    row = await repository.find(session, user.id, brand_id)
    if row is None:
        raise BrandNotFound(brand_id)
    return await presenter.detail(session, app_state, user, row)


async def save_draft(
    app_state: AppState, user: User, brand_id: str, if_match: IfMatch, content: BrandContent
) -> BrandDraftSaved:
    """Save the draft.

    Raises `StaleRevision` if it has changed since `if_match`, `LogoInvalid` or `FontInvalid`.
    """
    async with app_state.database.writing() as session:
        row = await _owned(session, user, brand_id)
        if_match.check(row.revision)
        await _check_files(session, user, content, presenter.content_of(row))
        return await _write_draft(session, app_state, row, content)


async def publish(
    app_state: AppState, user: User, brand_id: str, note: str, if_match: IfMatch | None
) -> BrandVersion:
    """Publish the draft as a new version. The first version of a brand makes it the default if there is none.

    Raises `NothingToPublish`, `StaleRevision` or `LimitReached`.
    """
    async with app_state.database.writing() as session:
        row = await _owned(session, user, brand_id)
        if if_match is not None:
            if_match.check(row.revision)
        content, published = presenter.content_of(row), await _newest(session, row)
        changes = changes_between(published, content) if published else []
        if published is not None and not changes:
            raise NothingToPublish(row.version or 1)
        return await add_version(session, app_state, user, row, note, changes)


async def add_version(
    session: AsyncSession,
    app_state: AppState,
    user: User,
    row: BrandRow,
    note: str,
    changes: Sequence[BrandChange],
) -> BrandVersion:
    """Publish the draft of a brand in the caller's transaction. Raises `LimitReached`."""
    limits = await app_state.limits.lock(session, user.id)
    app_state.limits.check_published(limits, await repository.count_versions(session, row.id), of="brand")
    row.version, row.updated_at = (row.version or 0) + 1, app_state.clock()
    entry = BrandVersionRow(
        brand_id=row.id,
        number=row.version,
        note=note.strip(),
        summary=summary_of(list(changes)),
        content=row.draft,
        bytes=json_bytes(row.draft),
        created_at=app_state.clock(),
    )
    session.add(entry)
    if row.version == 1 and not await repository.has_default(session, user.id):
        row.is_default = True
    await _count_bytes(session, app_state, row)
    return presenter.version(entry)


async def discard_draft(app_state: AppState, user: User, brand_id: str) -> BrandDraftSaved:
    """Make the draft the same as the newest published version. Raises `NeverPublished`."""
    async with app_state.database.writing() as session:
        row = await _owned(session, user, brand_id)
        published = await _newest(session, row)
        if published is None:
            raise NeverPublished(presenter.content_of(row).name)
        return await _write_draft(session, app_state, row, published)


async def restore(app_state: AppState, user: User, brand_id: str, number: int) -> BrandDraftSaved:
    """Save the content of a published version as the draft. Raises `BrandVersionNotFound`."""
    async with app_state.database.writing() as session:
        row = await _owned(session, user, brand_id)
        entry = await repository.version(session, row.id, number)
        if entry is None:
            raise BrandVersionNotFound(str(number))
        return await _write_draft(session, app_state, row, BrandContent.model_validate(entry.content))


async def duplicate(app_state: AppState, user: User, brand_id: str) -> BrandDetail:
    """Copy the draft of a brand, or the example, into a brand of the user's own."""
    async with app_state.database.reading() as session:
        content = await content_at(session, user, brand_id, _DRAFT)
    copy = content.model_copy(update={"name": f"{content.name[: _MAX_NAME - 7]} (copy)"})
    return await create(app_state, user, copy, content)


async def delete(session: AsyncSession, user: User, brand_id: str) -> None:
    """Delete a brand with its versions. Runs keep the values that they used."""
    await session.delete(await _owned(session, user, brand_id))


async def set_default(session: AsyncSession, user: User, brand_id: str) -> None:
    """Make a published brand the one that new launches start with. Raises `NeverPublished`."""
    row = await _owned(session, user, brand_id)
    if row.version is None:
        raise NeverPublished(presenter.content_of(row).name)
    await repository.clear_default(session, user.id)
    row.is_default = True


async def unset_default(session: AsyncSession, user: User, brand_id: str) -> None:
    """Let new launches start without this brand."""
    row = await _owned(session, user, brand_id)
    row.is_default = False


async def list_versions(
    session: AsyncSession, user: User, brand_id: str, paging: PageQuery
) -> BrandVersionPage:
    """Return a page of a brand's published versions, newest first."""
    if brand_id == EXAMPLE_ID:
        return BrandVersionPage(items=[_example_version()], next_cursor=None)
    row = await repository.find(session, user.id, brand_id)
    if row is None:
        raise BrandNotFound(brand_id)
    entries, cursor = await fetch_page(session, repository.versions_of(row.id), paging, BrandVersionRow.id)
    return BrandVersionPage(items=[presenter.version(entry) for entry in entries], next_cursor=cursor)


async def get_version(session: AsyncSession, user: User, brand_id: str, number: int) -> BrandVersionDetail:
    """Return a published version with its content. Raises `BrandVersionNotFound`."""
    if brand_id == EXAMPLE_ID and number == EXAMPLE_VERSION:
        return BrandVersionDetail(**_example_version().model_dump(), content=EXAMPLE)
    row = await repository.find(session, user.id, brand_id)
    if row is None:
        raise BrandNotFound(brand_id)
    entry = await repository.version(session, row.id, number)
    if entry is None:
        raise BrandVersionNotFound(str(number))
    return presenter.version_detail(entry)


async def diff(
    session: AsyncSession, user: User, brand_id: str, before: str, after: str
) -> list[BrandChange]:
    """Return the differences between two versions; "draft" stands for the draft."""
    old = await content_at(session, user, brand_id, before)
    return changes_between(old, await content_at(session, user, brand_id, after))


async def content_at(session: AsyncSession, user: User, brand_id: str, ref: str) -> BrandContent:
    """Return the draft ("draft") or a published version ("3"). Raises `BrandVersionNotFound`."""
    if ref != _DRAFT:
        if not ref.isascii() or not ref.isdigit() or len(ref) > 9:
            raise BrandVersionNotFound(ref)
        return (await get_version(session, user, brand_id, int(ref))).content
    if brand_id == EXAMPLE_ID:
        return EXAMPLE
    row = await repository.find(session, user.id, brand_id)
    if row is None:
        raise BrandNotFound(brand_id)
    return presenter.content_of(row)


async def _add(
    session: AsyncSession, app_state: AppState, user: User, content: BrandContent, brand_id: str
) -> BrandRow:
    await app_state.limits.check_brand(session, user.id)
    now = app_state.clock()
    row = BrandRow(
        id=brand_id,
        owner_id=user.id,
        draft=content.model_dump(mode="json"),
        revision=1,
        created_at=now,
        updated_at=now,
    )
    session.add(row)
    await _count_bytes(session, app_state, row)
    return row


async def _write_draft(
    session: AsyncSession, app_state: AppState, row: BrandRow, content: BrandContent
) -> BrandDraftSaved:
    document = content.model_dump(mode="json")
    if document != row.draft:
        row.draft, row.revision, row.updated_at = document, row.revision + 1, app_state.clock()
        await _count_bytes(session, app_state, row)
    published = await _newest(session, row)
    return BrandDraftSaved(
        revision=row.revision,
        changes=changes_between(published, content) if published else [],
        contrast=contrast_pairs(content.colors),
        saved_at=row.updated_at,
    )


async def _count_bytes(session: AsyncSession, app_state: AppState, row: BrandRow) -> None:
    """Count the draft and the published versions as stored bytes of the owner. Raises `LimitReached`."""
    size = json_bytes(row.draft) + await repository.stored_bytes(session, row.id)
    await app_state.limits.count_documents(session, row, size)


async def _newest(session: AsyncSession, row: BrandRow) -> BrandContent | None:
    entry = await repository.version(session, row.id, row.version) if row.version else None
    return BrandContent.model_validate(entry.content) if entry else None


async def _owned(session: AsyncSession, user: User, brand_id: str) -> BrandRow:
    if brand_id == EXAMPLE_ID:
        raise ExampleBrand
    row = await repository.find_for_update(session, user.id, brand_id)
    if row is None:
        raise BrandNotFound(brand_id)
    return row


async def _check_files(
    session: AsyncSession, user: User, content: BrandContent, before: BrandContent | None = None
) -> None:
    """Raise `LogoInvalid` for a new logo that is no image of the user's, `FontInvalid` for such a font.

    Deleted ones may stay in a draft.
    """
    known = set(presenter.file_ids(before)) if before else set()
    wanted = [asset_id for asset_id in presenter.file_ids(content) if asset_id not in known]
    # Locked, so that a font is not found unused and deleted before this brand mentions it.
    rows = await assets.find_for_update(session, user.id, wanted) if wanted else []
    images = {row.id for row in rows if row.kind == "image"}
    for field in ("light", "dark"):
        asset_id = getattr(content.logo, field)
        if asset_id in wanted and asset_id not in images:
            raise LogoInvalid(f"logo.{field}")
    fonts = {row.id for row in rows if row.source == "font"}
    for index, file in enumerate(content.font_files):
        if file.asset_id in wanted and file.asset_id not in fonts:
            raise FontInvalid(index)


async def _agents_with_example(session: AsyncSession, user: User) -> int:
    return (await repository.agents_with(session, user.id, [EXAMPLE_ID]))[EXAMPLE_ID]


def _example_version() -> BrandVersion:
    return BrandVersion(number=EXAMPLE_VERSION, note="", summary="", created_at=EXAMPLE_CREATED)
