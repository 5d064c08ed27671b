"""Telling what made a file: by the library, if it is one's own to the byte, else by what it carries."""

import asyncio
from typing import Any

from fastapi import UploadFile
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import metadata, repository
from impasto_server.assets.models import AssetRow
from impasto_server.assets.schemas import MadeBy, Trace
from impasto_server.assets.upload import ReceivedFile, receive_upload
from impasto_server.container import AppState
from impasto_server.flows import access
from impasto_server.flows.models import FlowRow
from impasto_server.runs.models import RunRow
from impasto_server.users.models import User

_TEXT = 200


async def trace(app_state: AppState, user: User, file: UploadFile) -> Trace:
    """Return what made an uploaded file. The file is not kept."""
    async with receive_upload(file, app_state.settings.upload_bytes) as upload:
        carried = await asyncio.to_thread(metadata.read, upload.path)
        async with app_state.database.reading() as session:
            return await _find(session, user, upload, carried)


async def _find(
    session: AsyncSession, user: User, upload: ReceivedFile, carried: dict[str, Any] | None
) -> Trace:
    row = await repository.by_digest(session, user.id, upload.sha256)
    if row is not None and row.run_id is not None:
        found = _of_row(row)
    elif carried is not None:
        found = _of_metadata(carried)
        found.asset_id = row.id if row is not None else None
    else:
        return Trace(found=False, asset_id=row.id if row is not None else None)
    return await _with_access(session, user, found)


async def _with_access(session: AsyncSession, user: User, found: Trace) -> Trace:
    flow = await session.get(FlowRow, found.flow_id) if found.flow_id else None
    found.can_open = flow is not None and access.is_visible(flow, user)
    run = await session.get(RunRow, found.run_id) if found.run_id else None
    if run is not None and run.owner_id == user.id:
        found.inputs, found.can_open = run.inputs, True
    else:
        found.run_id = None
    return found


def _of_row(row: AssetRow) -> Trace:
    return Trace(
        found=True,
        asset_id=row.id,
        flow_id=row.flow_id,
        flow_name=row.flow_name,
        version=row.version or "draft",
        run_id=row.run_id,
        step=row.step,
        node_type=row.node_type,
        made_by=MadeBy.told(row.made_by),
    )


def _of_metadata(carried: dict[str, Any]) -> Trace:
    """Return what a file says of itself; every value may be forged, so only its shape is trusted."""
    version = carried.get("version")
    return Trace(
        found=True,
        flow_id=_text(carried, "flow_id"),
        flow_name=_text(carried, "flow_name"),
        version=version if version == "draft" or type(version) is int else None,
        run_id=_text(carried, "run_id"),
        step=_text(carried, "step"),
        node_type=_text(carried, "node_type"),
        made_by=MadeBy.told(carried),
    )


def _text(carried: dict[str, Any], key: str) -> str | None:
    value = carried.get(key)
    return value[:_TEXT] if isinstance(value, str) else None
