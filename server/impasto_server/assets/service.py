"""Uploading, storing, listing, describing and deleting assets."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fastapi import UploadFile
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import repository, similarity
from impasto_server.assets.errors import AssetNotFound
from impasto_server.assets.garbage import mark_for_deletion, put_object, sweep
from impasto_server.assets.media import thumbnails
from impasto_server.assets.media.probe import kind_of, probe
from impasto_server.assets.media.thumbnails import keys_of, sidecar_key
from impasto_server.assets.models import AssetRow
from impasto_server.assets.origin.signing import marks_of_upload
from impasto_server.assets.schemas import Asset, AssetPage, MadeBy
from impasto_server.assets.upload import ReceivedFile, receive_upload
from impasto_server.collections import repository as collections
from impasto_server.collections.errors import CollectionNotFound
from impasto_server.container import AppState
from impasto_server.http.errors import Conflict, NotAuthenticated
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.http.schemas import money
from impasto_server.limits.errors import LimitReached
from impasto_server.security.signed_urls import sign_url
from impasto_server.storage.object_storage import content_key
from impasto_server.users.models import User

record_costs = repository.record_costs
find_many = repository.find_many
find_for_update = repository.find_for_update
font_with_content = repository.font_with_content
by_digest = repository.by_digest
old_fonts = repository.old_fonts
release_run = repository.release_run
replace = repository.replace
undo_replacement = repository.undo_replacement
append_version = repository.append_version

SAME_FOR_SAME_BYTES = (
    *("bytes", "sha256", "object_key", "credentials", "source_type", "ai_made"),
    *("mark_exports", "image_hash"),
)
"""The columns that rows with the same stored file share."""
OnStored = Callable[[AsyncSession], Awaitable[None]]

_MAX_NEWEST = 100
_WITH_THUMBNAIL = ("image", "video")


async def upload(app_state: AppState, user: User, file: UploadFile, *, intermediate: bool = False) -> Asset:
    """Store an uploaded file as an asset. The library leaves an intermediate one out.

    Raises `FileInvalid`, `ImageTooLarge`, `UploadTooLarge` or `LimitReached`.
    """
    async with receive_upload(file, app_state.settings.upload_bytes) as received:
        row = await store_received(
            app_state, user, received, file.content_type or "", intermediate=intermediate
        )
    return describe(app_state, row)


async def store_received(
    app_state: AppState, user: User, received: ReceivedFile, declared: str, *, intermediate: bool = False
) -> AssetRow:
    """Store a file that a user brought as an asset. `declared` is the media type that it is said to have.

    Raises `FileInvalid`, `ImageTooLarge` or `LimitReached`.
    """
    row = await received_row(app_state, user, received, declared, intermediate=intermediate)
    await store_file(app_state, received.path, row)
    return row


async def received_row(
    app_state: AppState, user: User, received: ReceivedFile, declared: str, *, intermediate: bool = False
) -> AssetRow:
    """Return the row of a file that a user brought, without storing either.

    Raises `FileInvalid` or `ImageTooLarge`.
    """
    megapixels = app_state.settings.image_megapixels
    detected = await asyncio.to_thread(probe, received.path, received.name, megapixels, declared)
    return AssetRow(
        owner_id=user.id,
        kind=kind_of(detected.media_type),
        media_type=detected.media_type,
        name=received.name,
        bytes=received.bytes,
        sha256=received.sha256,
        object_key=content_key(received.sha256),
        width=detected.width,
        height=detected.height,
        seconds=detected.seconds,
        source="upload",
        intermediate=intermediate,
        **asdict(await marks_of_upload(app_state, user.id, received.path)),
        input_asset_ids=[],
        created_at=app_state.clock(),
    )


async def store_file(
    app_state: AppState,
    path: Path,
    row: AssetRow,
    sidecar: bytes | None = None,
    on_stored: OnStored | None = None,
) -> None:
    """Store a file with its row, its credentials if they are a sidecar, and the thumbnail of a video.

    `on_stored` is called in the transaction that writes the row; nothing is stored if it raises. Raises
    `LimitReached` and stores nothing if its owner may not store it.
    """
    database, storage, limits = app_state.database, app_state.storage, app_state.limits

    async def write(session: AsyncSession) -> None:
        await limits.check_asset(session, row.owner_id, row.bytes)
        session.add(row)
        if on_stored is not None:
            await on_stored(session)

    async with database.reading() as session:
        await limits.check_asset(session, row.owner_id, row.bytes, lock=False)
    if row.kind == "image":
        megapixels = app_state.settings.image_megapixels
        row.image_hash = await asyncio.to_thread(similarity.image_hash, path, megapixels)
    video_thumbnail = await thumbnails.make_video_thumbnail(path, row.kind)
    try:
        await put_object(database, row.object_key, lambda: storage.put_file(path, row.sha256), write)
    except (LimitReached, Conflict):
        # Another file of the owner was stored since the first check, or `on_stored` refused this one.
        await sweep(app_state, [row.object_key])
        raise
    if sidecar is not None:
        await thumbnails.store_beside(database, storage, sidecar_key(row.sha256), sidecar)
    if video_thumbnail is not None:
        await thumbnails.store_thumbnail(database, storage, row.sha256, video_thumbnail)


async def store_again(app_state: AppState, row: AssetRow, on_stored: OnStored | None = None) -> bool:
    """Store a row whose file is stored already; return False if the file is missing.

    `on_stored` is called in the transaction that writes the row. Raises `LimitReached`.
    """

    async def check() -> None:
        if not await app_state.storage.exists(row.object_key):
            raise FileNotFoundError(row.object_key)

    async def write(session: AsyncSession) -> None:
        await app_state.limits.check_asset(session, row.owner_id, row.bytes)
        session.add(row)
        if on_stored is not None:
            await on_stored(session)

    try:
        await put_object(app_state.database, row.object_key, check, write)
    except FileNotFoundError:
        return False
    return True


async def get(session: AsyncSession, app_state: AppState, user: User, asset_id: str) -> Asset:
    """Return one of the user's assets. Raises `AssetNotFound`."""
    return describe(app_state, await _owned(session, user, asset_id))


async def versions_of(session: AsyncSession, user: User, asset_id: str) -> list[AssetRow]:
    """Return all versions of one of the user's assets, oldest first. Raises `AssetNotFound`."""
    return await repository.versions_of(session, await _owned(session, user, asset_id))


async def list_some(
    session: AsyncSession,
    app_state: AppState,
    user: User,
    asset_ids: Sequence[str] | None,
    *,
    with_newer: bool = False,
) -> list[Asset]:
    """Return the user's assets with these ids, in this order, without unknown ones; by default the newest.

    `with_newer` adds their newer versions.
    """
    if asset_ids is None:
        return [describe(app_state, row) for row in await repository.newest(session, user.id, _MAX_NEWEST)]
    if with_newer:
        asset_ids = [*asset_ids, *await repository.newer_versions(session, user.id, asset_ids)]
    rows = {row.id: row for row in await repository.find_many(session, user.id, asset_ids)}
    return [describe(app_state, rows[asset_id]) for asset_id in dict.fromkeys(asset_ids) if asset_id in rows]


async def library(
    session: AsyncSession,
    app_state: AppState,
    user: User,
    library_filter: repository.LibraryFilter,
    paging: PageQuery,
    search: str | None = None,
) -> AssetPage:
    """Return a page of the user's assets that have the words of a search, newest first.

    Raises `CollectionNotFound`.
    """
    collection_id = library_filter.collection_id
    if collection_id is not None and not await collections.find(session, user.id, collection_id):
        raise CollectionNotFound(collection_id)
    words = await repository.TEXT_INDEX.conditions(session, user.id, search)
    query = repository.library_query(user.id, library_filter).where(*words)
    rows, cursor = await fetch_page(session, query, paging, AssetRow.id)
    return AssetPage(items=[describe(app_state, row) for row in rows], next_cursor=cursor)


async def delete(app_state: AppState, user: User, asset_id: str) -> None:
    """Delete an asset, and its file if nothing else refers to it.

    Raises `AssetNotFound`, also for a font file of a brand, which is deleted when no brand has it.
    """
    async with app_state.database.writing() as session:
        row = await _owned(session, user, asset_id)
        if row.source == "font":
            raise AssetNotFound(asset_id)
        keys = await delete_row(session, row)
    await sweep(app_state, keys)


async def delete_row(session: AsyncSession, row: AssetRow) -> Sequence[str]:
    """Delete an asset's row; return the keys of its objects, to be swept after the commit."""
    keys = keys_of(row.object_key, row.sha256)
    await repository.remove_version(session, row)
    await session.delete(row)
    await mark_for_deletion(session, keys)
    return keys


async def check_owned(session: AsyncSession, user: User, asset_ids: Sequence[str]) -> None:
    """Raise `AssetNotFound` unless all of the assets belong to the user."""
    known = {row.id for row in await repository.find_many(session, user.id, asset_ids)}
    for asset_id in asset_ids:
        if asset_id not in known:
            raise AssetNotFound(asset_id)


async def is_referenced(session: AsyncSession, object_key: str) -> bool:
    """Whether an asset of any user refers to a stored object, as its file or its thumbnail."""
    digest = object_key.rpartition("/")[2]
    if object_key not in keys_of(content_key(digest), digest):
        return False
    return await repository.has_content(session, digest)


async def get_readable(session: AsyncSession, user: User | None, asset_id: str, *, signed: bool) -> AssetRow:
    """Return an asset whose file may be read: by signed URL or by its owner.

    Raises `NotAuthenticated` or `AssetNotFound`.
    """
    if signed:
        row = await repository.find_any(session, asset_id)
        if row is None:
            raise AssetNotFound(asset_id)
        return row
    if user is None:
        raise NotAuthenticated
    return await _owned(session, user, asset_id)


async def text_of(app_state: AppState, row: AssetRow) -> bytes | None:
    """Return the content of a text result; None for any other asset, which is a file."""
    if row.excerpt is None:
        return None
    async with app_state.database.reading() as session:
        content = await repository.text_of(session, row.id)
    if content is None:
        raise AssetNotFound(row.id)
    return content.encode()


def describe(app_state: AppState, row: AssetRow) -> Asset:
    """Return an asset in the form of the API, with signed URLs."""
    path, now = f"/api/v1/assets/{row.id}", app_state.clock()
    has_thumbnail = row.kind in _WITH_THUMBNAIL
    return _asset(
        row,
        url=sign_url(app_state.encryptor, f"{path}/content", now),
        thumbnail_url=sign_url(app_state.encryptor, f"{path}/thumbnail", now) if has_thumbnail else None,
        export_url=sign_url(app_state.encryptor, f"{path}/export", now) if row.mark_exports else None,
        credentials_url=sign_url(app_state.encryptor, f"{path}/credentials/file", now)
        if row.credentials == "sidecar"
        else None,
    )


def metadata(row: AssetRow) -> dict[str, Any]:
    """Return an asset as JSON without its URLs, which expire."""
    excluded = {"url", "thumbnail_url", "export_url", "credentials_url"}
    return _asset(row, url="").model_dump(mode="json", exclude=excluded)


def _asset(
    row: AssetRow,
    *,
    url: str,
    thumbnail_url: str | None = None,
    export_url: str | None = None,
    credentials_url: str | None = None,
) -> Asset:
    return Asset(
        id=row.id,
        kind=row.kind,
        media_type=row.media_type,
        name=row.name,
        bytes=row.bytes,
        sha256=row.sha256,
        width=row.width,
        height=row.height,
        seconds=row.seconds,
        url=url,
        thumbnail_url=thumbnail_url,
        export_url=export_url,
        credentials_url=credentials_url,
        source=row.source,
        run_id=row.run_id,
        step=row.step,
        flow_id=row.flow_id,
        flow_name=row.flow_name,
        version=row.version if row.version is not None or row.run_id is None else "draft",
        node_type=row.node_type,
        made_by=MadeBy.from_untrusted(row.made_by),
        cost_usd=None if row.cost_usd is None else money(row.cost_usd),
        credentials=row.credentials,
        ai_made=row.ai_made,
        input_asset_ids=row.input_asset_ids,
        brief=row.brief,
        number=row.number,
        intermediate=row.intermediate,
        excerpt=row.excerpt,
        favourite=row.favourite,
        tags=row.tags,
        replaces_id=row.replaces_id,
        replaced_by_id=row.replaced_by_id,
        created_at=row.created_at,
    )


async def _owned(session: AsyncSession, user: User, asset_id: str) -> AssetRow:
    row = await repository.find(session, user.id, asset_id)
    if row is None:
        raise AssetNotFound(asset_id)
    return row
