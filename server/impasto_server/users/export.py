"""Export of everything that a user owns, as a zip file."""

import asyncio
import tempfile
import zipfile
from pathlib import Path

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.users import avatars
from impasto_server.users.data_owners import Entry
from impasto_server.users.models import User


async def write_export(app_state: AppState, user: User) -> Path:
    """Write the user's data to a temporary zip file, which the caller must delete; return its path."""
    path = await asyncio.to_thread(_create_file)
    try:
        with zipfile.ZipFile(path, "w") as archive:
            async with app_state.database.reading() as session:
                await _fill(archive, app_state, session, user)
    except BaseException:
        await asyncio.to_thread(path.unlink, missing_ok=True)
        raise
    return path


async def _fill(archive: zipfile.ZipFile, app_state: AppState, session: AsyncSession, user: User) -> None:
    await _add(archive, app_state, Entry("account.json", _account(user)))
    for key in avatars.object_keys(user):
        await _add(archive, app_state, Entry("avatar.webp", object_key=key))
    for owner in app_state.data_owners:
        async for entry in owner.export(session, user.id):
            await _add(archive, app_state, entry)


async def _add(archive: zipfile.ZipFile, app_state: AppState, entry: Entry) -> None:
    if entry.object_key is None:
        await asyncio.to_thread(archive.writestr, entry.path, entry.data, zipfile.ZIP_DEFLATED)
        return
    try:
        async with app_state.storage.path(entry.object_key) as file:
            # Media files are compressed already.
            await asyncio.to_thread(archive.write, file, entry.path, zipfile.ZIP_STORED)
    except FileNotFoundError:
        note = Entry(f"{entry.path}.missing.txt", b"This file is missing from the storage.\n")
        await _add(archive, app_state, note)


def _create_file() -> Path:
    with tempfile.NamedTemporaryFile(prefix="impasto-export-", suffix=".zip", delete=False) as file:
        return Path(file.name)


def _account(user: User) -> bytes:
    members = {
        "id": user.id,
        "username": user.username,
        "email": user.email,
        "created_at": user.created_at,
        "confirmed_at": user.confirmed_at,
        "info": user.info,
        "betas": user.betas,
        "daily_quota": user.daily_quota,
        "client_metadata": user.client_metadata,
    }
    return orjson.dumps(members, option=orjson.OPT_INDENT_2)
