"""Changing an asset: each change is a new version of it, signed as an edit of the one before."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.asset_versions.composition import describe as describe_layout
from impasto_server.asset_versions.composition import read_composition
from impasto_server.asset_versions.errors import NotChangeable, NotNewest, TooManyVersions
from impasto_server.asset_versions.recompose import compose
from impasto_server.asset_versions.schemas import AssetVersions, Crop, LayoutChange, VersionRequest
from impasto_server.assets import service as assets
from impasto_server.assets.media import images
from impasto_server.assets.models import AssetRow
from impasto_server.assets.origin import signing
from impasto_server.assets.schemas import Asset
from impasto_server.assets.upload import size_and_digest
from impasto_server.container import AppState
from impasto_server.marking.options import read_options
from impasto_server.storage.object_storage import content_key
from impasto_server.users.models import User
from impasto_server.utils import new_id

MAX_VERSIONS = 50
_AT_ONCE = 2
_ENHANCED = {"method": "enhanced"}
_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


async def list_versions(app_state: AppState, user: User, asset_id: str) -> AssetVersions:
    """Return all versions of an asset and what can be changed in the newest. Raises `AssetNotFound`."""
    async with app_state.database.reading() as session:
        rows = await assets.versions_of(session, user, asset_id)
    newest = rows[-1]
    composition = await read_composition(app_state, user, _base(rows))
    return AssetVersions(
        items=[assets.describe(app_state, row) for row in rows],
        can_crop=_can_crop(newest),
        can_undo=_is_change(newest) and len(rows) > 1,
        layout=describe_layout(composition, _change_of(newest)) if composition else None,
    )


async def create(app_state: AppState, user: User, asset_id: str, request: VersionRequest) -> Asset:
    """Store a changed copy of an asset as its newest version.

    Raises `AssetNotFound`, `NotNewest`, `TooManyVersions`, `NotChangeable`, `FileInvalid`, `ImageTooLarge` or
    `LimitReached`.
    """
    async with app_state.database.reading() as session:
        rows = await assets.versions_of(session, user, asset_id)
    if rows[-1].id != asset_id:
        raise NotNewest
    if len(rows) >= MAX_VERSIONS:
        raise TooManyVersions(MAX_VERSIONS)
    if request.restore is not None:
        return await _restore(app_state, user, rows, request.restore)
    async with app_state.slots.hold(user, "uploads"), _slot():
        with tempfile.TemporaryDirectory(prefix="impasto-version-") as folder:
            if request.crop is not None:
                row, path = await _crop(app_state, rows[-1], request.crop, Path(folder))
            else:
                change = request.layout or LayoutChange()
                row, path = await _compose(app_state, user, rows, change, Path(folder))
            await _store(app_state, user, rows[-1], row, path)
    return assets.describe(app_state, row)


@asynccontextmanager
async def _slot() -> AsyncIterator[None]:
    """Wait for one of the few places for changes of a process: each decodes a whole image."""
    loop = asyncio.get_running_loop()
    async with _slots.setdefault(loop, asyncio.Semaphore(_AT_ONCE)):
        yield


async def _crop(app_state: AppState, source: AssetRow, box: Crop, folder: Path) -> tuple[AssetRow, Path]:
    if not _can_crop(source):
        raise NotChangeable("Only still images can be cropped.")
    path, megapixels = folder / "file", app_state.settings.image_megapixels
    edges = (box.x, box.y, box.x + box.width, box.y + box.height)
    async with app_state.storage.path(source.object_key) as original:
        media_type = await asyncio.to_thread(images.cut, original, path, edges, megapixels)
    row = _copy(source, media_type, box.width, box.height)
    row.made_by = {**(source.made_by or {}), "change": "crop"}
    return row, path


async def _compose(
    app_state: AppState, user: User, rows: Sequence[AssetRow], change: LayoutChange, folder: Path
) -> tuple[AssetRow, Path]:
    composition = await read_composition(app_state, user, _base(rows))
    if composition is None:
        raise NotChangeable("The composition of this image is not known. It can be cropped.")
    newest = rows[-1]
    before = _change_of(newest)
    combined = before.model_copy(
        update={
            "aspect_ratio": change.aspect_ratio or before.aspect_ratio,
            "texts": before.texts | change.texts,
            "images": before.images | change.images,
        }
    )
    path, image = await compose(app_state, user, composition, combined, folder)
    row = _copy(newest, image.media_type, image.width, image.height)
    made_by = {**(_base(rows).made_by or {}), "change": "layout", "layout": combined.model_dump(mode="json")}
    row.made_by = made_by
    row.input_asset_ids = [newest.id, *dict.fromkeys(change.images.values())]
    return row, path


async def _restore(app_state: AppState, user: User, rows: Sequence[AssetRow], asset_id: str) -> Asset:
    """Make an older version the newest again, as a copy that shares its file."""
    older = next((row for row in rows[:-1] if row.id == asset_id), None)
    if older is None:
        raise NotChangeable("This is no older version of the asset.")
    row = _copy(older, older.media_type, older.width, older.height)
    row.made_by = {**(older.made_by or {}), "change": "restore"}
    row.input_asset_ids = [older.id]
    for name in assets.SAME_FOR_SAME_BYTES:
        setattr(row, name, getattr(older, name))
    if not await assets.store_again(app_state, row, _link(user, rows[-1], row)):
        raise NotChangeable("The file of this version is gone.")
    return assets.describe(app_state, row)


async def _store(app_state: AppState, user: User, source: AssetRow, row: AssetRow, path: Path) -> None:
    """Embed the provenance in the file, sign it as an edit of `source`, and store it."""
    async with app_state.database.reading() as session:
        found = await assets.find_many(session, user.id, row.input_asset_ids)
    by_id = {each.id: each for each in found}
    inputs = [by_id[each] for each in row.input_asset_ids if each in by_id]
    generation = {**(row.made_by or {}), **_ENHANCED}
    provenance = _provenance(row)
    marking = await read_options(app_state.database, user.id, row.flow_id)
    nature = signing.nature_of(row.kind, generation, inputs)
    row.mark_exports = marking.marks_exports and nature.ai_made != "no"
    unsigned = await signing.embed(
        app_state, path, row.kind, provenance, nature, has_watermark=marking.has_watermark
    )
    row.source_type, row.ai_made = source.source_type, source.ai_made
    sidecar = None
    if unsigned is not None:
        marks, sidecar = await signing.sign(
            app_state, unsigned, user.id, provenance, generation, inputs, marking.creator
        )
        row.credentials, row.source_type, row.ai_made = marks.credentials, marks.source_type, marks.ai_made
    row.bytes, row.sha256 = await asyncio.to_thread(size_and_digest, path)
    row.object_key = content_key(row.sha256)
    await assets.store_file(app_state, path, row, sidecar, _link(user, source, row))


def _link(user: User, source: AssetRow, row: AssetRow) -> assets.OnStored:
    async def link(session: AsyncSession) -> None:
        if not await assets.append_version(session, user.id, source.id, row.id):
            raise NotNewest
        newest = await session.get_one(AssetRow, source.id)
        row.favourite, row.tags = newest.favourite, list(newest.tags)
        row.set_words()

    return link


def _provenance(row: AssetRow) -> dict[str, Any]:
    made_by = {name: value for name, value in (row.made_by or {}).items() if name not in ("change", "layout")}
    return {
        "run_id": row.run_id,
        "flow_id": row.flow_id,
        "flow_name": row.flow_name or "",
        "version": row.version or "draft",
        "step": row.step,
        "node_type": row.node_type,
        **made_by,
    }


def _copy(source: AssetRow, media_type: str, width: int | None, height: int | None) -> AssetRow:
    """Return a row for a changed copy of an asset, without its file and its labels."""
    name = source.name if media_type == source.media_type else f"{Path(source.name).stem}.png"
    return AssetRow(
        id=new_id(),
        owner_id=source.owner_id,
        kind=source.kind,
        media_type=media_type,
        name=name,
        width=width,
        height=height,
        source=source.source,
        run_id=source.run_id,
        step=source.step,
        node_type=source.node_type,
        flow_id=source.flow_id,
        flow_name=source.flow_name,
        version=source.version,
        prompt=source.prompt,
        input_asset_ids=[source.id],
    )


def _base(rows: Sequence[AssetRow]) -> AssetRow:
    """Return the newest version that a run made, and no change."""
    return next((row for row in reversed(rows) if not _is_change(row)), rows[0])


def _is_change(row: AssetRow) -> bool:
    return "change" in (row.made_by or {})


def _change_of(row: AssetRow) -> LayoutChange:
    stored = (row.made_by or {}).get("layout")
    return LayoutChange.model_validate(stored) if isinstance(stored, dict) else LayoutChange()


def _can_crop(row: AssetRow) -> bool:
    return row.kind == "image" and row.media_type not in ("image/gif", "image/svg+xml")
