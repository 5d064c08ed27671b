"""Assets: listing, keeping, describing and removing files."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import UploadFile
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import repository, thumbnails
from impasto_server.assets.errors import AssetNotFound
from impasto_server.assets.garbage import mark_for_deletion, put_object, sweep
from impasto_server.assets.models import AssetRow
from impasto_server.assets.probe import kind_of, probe
from impasto_server.assets.schemas import Asset, AssetPage, MadeBy
from impasto_server.assets.thumbnails import thumbnail_key
from impasto_server.assets.upload import receive_upload
from impasto_server.container import AppState
from impasto_server.db.engine import Database
from impasto_server.http.errors import NotAuthenticated
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.http.schemas import money
from impasto_server.security.signed_urls import sign_url
from impasto_server.storage.object_storage import Storage, content_key
from impasto_server.users.models import User

record_costs = repository.record_costs
find_many = repository.find_many

_NEWEST = 100
_WITH_THUMBNAIL = ("image", "video")


async def upload(app_state: AppState, user: User, file: UploadFile) -> Asset:
    """Keep an uploaded file. Raises `FileInvalid`, `ImageTooLarge` or `UploadTooLarge`."""
    async with receive_upload(file, app_state.settings.upload_bytes) as intake:
        megapixels = app_state.settings.image_megapixels
        declared = file.content_type or ""
        found = await asyncio.to_thread(probe, intake.path, intake.name, megapixels, declared)
        row = AssetRow(
            owner_id=user.id,
            kind=kind_of(found.media_type),
            media_type=found.media_type,
            name=intake.name,
            bytes=intake.bytes,
            sha256=intake.sha256,
            object_key=content_key(intake.sha256),
            width=found.width,
            height=found.height,
            seconds=found.seconds,
            source="upload",
            input_asset_ids=[],
            created_at=app_state.clock(),
        )
        await store_file(app_state.database, app_state.storage, intake.path, row)
    return describe(app_state, row)


async def store_file(database: Database, storage: Storage, path: Path, row: AssetRow) -> None:
    """Keep a file and the row that describes it, and what a video looks like."""

    async def write(session: AsyncSession) -> None:
        session.add(row)
        await session.flush()

    small = await thumbnails.make_video_thumbnail(path, row.kind)
    await put_object(database, storage, row.object_key, lambda: storage.put_file(path, row.sha256), write)
    if small is not None:
        await thumbnails.store_thumbnail(database, storage, row.sha256, small)


async def get(session: AsyncSession, app_state: AppState, user: User, asset_id: str) -> Asset:
    """Return one asset. Raises `AssetNotFound`."""
    return describe(app_state, await _owned(session, user, asset_id))


async def list_some(
    session: AsyncSession, app_state: AppState, user: User, asset_ids: Sequence[str] | None
) -> list[Asset]:
    """Return the named assets in the order asked, unknown ones left out; without names the newest."""
    if asset_ids is None:
        return [describe(app_state, row) for row in await repository.newest(session, user.id, _NEWEST)]
    found = {row.id: row for row in await repository.find_many(session, user.id, asset_ids)}
    return [describe(app_state, found[name]) for name in dict.fromkeys(asset_ids) if name in found]


async def library(
    session: AsyncSession,
    app_state: AppState,
    user: User,
    wanted: repository.LibraryFilter,
    paging: PageQuery,
) -> AssetPage:
    """Return a page of one's own assets, newest first."""
    query = repository.library_query(user.id, wanted)
    rows, cursor = await fetch_page(session, query, paging, AssetRow.id)
    return AssetPage(items=[describe(app_state, row) for row in rows], next_cursor=cursor)


async def delete(app_state: AppState, user: User, asset_id: str) -> None:
    """Remove an asset, and its file when nothing else needs it. Raises `AssetNotFound`."""
    async with app_state.database.writing() as session:
        row = await _owned(session, user, asset_id)
        keys = (row.object_key, thumbnail_key(row.sha256))
        await session.delete(row)
        await mark_for_deletion(session, keys)
    await sweep(app_state, keys)


async def needs(session: AsyncSession, object_key: str) -> bool:
    """Whether an asset of anybody needs a stored object: its file, or its thumbnail."""
    digest = object_key.rpartition("/")[2]
    if object_key not in (content_key(digest), thumbnail_key(digest)):
        return False
    return await repository.has_content(session, digest)


async def readable(session: AsyncSession, user: User | None, asset_id: str, *, signed: bool) -> AssetRow:
    """Return an asset whose file may be read: by its signed address, or by its owner."""
    if signed:
        row = await repository.find_any(session, asset_id)
        if row is None:
            raise AssetNotFound(asset_id)
        return row
    if user is None:
        raise NotAuthenticated
    return await _owned(session, user, asset_id)


async def references(
    session: AsyncSession, user_id: str, asset_ids: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return the user's assets as media references of the engine, by id."""
    rows = await repository.find_many(session, user_id, asset_ids)
    return {row.id: reference(row) for row in rows}


def reference(row: AssetRow) -> dict[str, Any]:
    """Return an asset as a media reference of the engine."""
    tag = {"image": "Image", "video": "Video", "audio": "Audio"}.get(row.kind, "File")
    media = {
        "$type": tag,
        "asset_id": row.id,
        "media_type": row.media_type,
        "bytes": row.bytes,
        "sha256": row.sha256,
        "name": row.name,
    }
    if tag in ("Image", "Video"):
        media |= {"width": row.width, "height": row.height}
    if tag in ("Video", "Audio"):
        media["seconds"] = row.seconds
    return media


def describe(app_state: AppState, row: AssetRow) -> Asset:
    """Return an asset with newly signed URLs."""
    path, now = f"/api/v1/assets/{row.id}", app_state.clock()
    has_thumbnail = row.kind in _WITH_THUMBNAIL
    return _asset(
        row,
        url=sign_url(app_state.encryptor, f"{path}/content", now),
        thumbnail_url=sign_url(app_state.encryptor, f"{path}/thumbnail", now) if has_thumbnail else None,
    )


def metadata(row: AssetRow) -> dict[str, Any]:
    """Return an asset as JSON without its URLs, which expire."""
    excluded = {"url", "thumbnail_url"}
    return _asset(row, url="", thumbnail_url=None).model_dump(mode="json", exclude=excluded)


def _asset(row: AssetRow, *, url: str, thumbnail_url: str | None) -> Asset:
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
        source=row.source,
        run_id=row.run_id,
        step=row.step,
        flow_id=row.flow_id,
        flow_name=row.flow_name,
        version=row.version if row.version is not None or row.run_id is None else "draft",
        node_type=row.node_type,
        made_by=MadeBy.told(row.made_by),
        cost_usd=None if row.cost_usd is None else money(row.cost_usd),
        input_asset_ids=row.input_asset_ids,
        created_at=row.created_at,
    )


async def _owned(session: AsyncSession, user: User, asset_id: str) -> AssetRow:
    row = await repository.find(session, user.id, asset_id)
    if row is None:
        raise AssetNotFound(asset_id)
    return row
