"""Finding what generated a file: from the library if the bytes are the same, else from embedded metadata.

A file without metadata is compared with the images of the library by what they show.
"""

import asyncio
from typing import Any

from fastapi import UploadFile
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import metadata, repository, service, similarity
from impasto_server.assets.media import images
from impasto_server.assets.models import AssetRow
from impasto_server.assets.origin.credentials import link_sources
from impasto_server.assets.schemas import MadeBy, Match, Trace
from impasto_server.assets.upload import ReceivedFile, receive_upload
from impasto_server.container import AppState
from impasto_server.content_credentials.schemas import AssetCredentials
from impasto_server.flows import access
from impasto_server.flows.models import FlowRow
from impasto_server.runs.models import RunRow
from impasto_server.users.models import User

_MAX_TEXT = 200
_MAX_MATCHES = 3


async def trace(app_state: AppState, user: User, file: UploadFile) -> Trace:
    """Return what generated an uploaded file. The file is not stored."""
    async with receive_upload(file, app_state.settings.upload_bytes) as upload:
        embedded = await asyncio.to_thread(metadata.read, upload.path)
        async with app_state.database.reading() as session:
            result = await _find(session, user, upload, embedded)
        report = await app_state.content_credentials.read(user.id, upload.path)
        if report is not None:
            result.credentials = AssetCredentials.from_report(report, location="embedded")
            await link_sources(app_state, user, result.credentials.sources)
        megapixels = app_state.settings.image_megapixels
        result.watermark = await asyncio.to_thread(images.has_watermark, upload.path, megapixels)
        if not result.found:
            result.matches = await _matches(app_state, user, upload)
        return result


async def _matches(app_state: AppState, user: User, upload: ReceivedFile) -> list[Match]:
    megapixels = app_state.settings.image_megapixels
    wanted = await asyncio.to_thread(similarity.image_hash, upload.path, megapixels)
    if wanted is None:
        return []
    found = await similarity.find_similar(app_state.database, user.id, wanted)
    async with app_state.database.reading() as session:
        assets = await service.list_some(session, app_state, user, [asset_id for asset_id, _ in found])
    certainty = dict(found)
    # Home uploads a dropped file as an input at the same time: it is not its own copy.
    others = [asset for asset in assets if asset.sha256 != upload.sha256]
    return [Match(asset=asset, certainty=certainty[asset.id]) for asset in others[:_MAX_MATCHES]]


async def _find(
    session: AsyncSession, user: User, upload: ReceivedFile, embedded: dict[str, Any] | None
) -> Trace:
    row = await repository.by_digest(session, user.id, upload.sha256)
    if row is not None and row.run_id is not None:
        result = _from_row(row)
    elif embedded is not None:
        result = _from_metadata(embedded)
        result.asset_id = row.id if row is not None else None
    else:
        return Trace(found=False, asset_id=row.id if row is not None else None)
    return await _with_access(session, user, result)


async def _with_access(session: AsyncSession, user: User, result: Trace) -> Trace:
    flow = await session.get(FlowRow, result.flow_id) if result.flow_id else None
    result.can_open = flow is not None and access.is_visible(flow, user)
    run = await session.get(RunRow, result.run_id) if result.run_id else None
    if run is not None and run.owner_id == user.id and run.deleted_at is None:
        result.inputs, result.can_open = run.inputs, True
    else:
        result.run_id = None
    return result


def _from_row(row: AssetRow) -> Trace:
    return Trace(
        found=True,
        asset_id=row.id,
        flow_id=row.flow_id,
        flow_name=row.flow_name,
        version=row.version or "draft",
        run_id=row.run_id,
        step=row.step,
        node_type=row.node_type,
        made_by=MadeBy.from_untrusted(row.made_by),
    )


def _from_metadata(embedded: dict[str, Any]) -> Trace:
    """Return what a file claims. The values are untrusted, so only their types are checked."""
    version = embedded.get("version")
    return Trace(
        found=True,
        flow_id=_text(embedded, "flow_id"),
        flow_name=_text(embedded, "flow_name"),
        version=version if version == "draft" or type(version) is int else None,
        run_id=_text(embedded, "run_id"),
        step=_text(embedded, "step"),
        node_type=_text(embedded, "node_type"),
        made_by=MadeBy.from_untrusted(embedded),
    )


def _text(embedded: dict[str, Any], key: str) -> str | None:
    value = embedded.get(key)
    return value[:_MAX_TEXT] if isinstance(value, str) else None
