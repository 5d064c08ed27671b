"""Taking one's data along, and leaving for good."""

import asyncio
import tempfile
import zipfile
from pathlib import Path

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.garbage import mark_for_deletion, sweep
from impasto_server.container import AppState
from impasto_server.http.errors import FieldInvalid
from impasto_server.identity import service as identity
from impasto_server.users import avatars, repository
from impasto_server.users.data_owners import Entry
from impasto_server.users.models import User


class PasswordWrong(FieldInvalid):
    """The password that was asked again is not right."""

    status, code, title = 403, "password_wrong", "Not allowed"

    def __init__(self) -> None:
        super().__init__("password", "This is not your password.", "password_wrong")


async def export(app_state: AppState, user: User) -> Path:
    """Write everything a person owns into a zip; the caller removes it."""
    path = await asyncio.to_thread(_new_file)
    try:
        with zipfile.ZipFile(path, "w") as archive:
            async with app_state.database.reading() as session:
                await _fill(archive, app_state, session, user)
    except BaseException:
        await asyncio.to_thread(path.unlink, missing_ok=True)
        raise
    return path


async def delete(app_state: AppState, user: User, password: str) -> None:
    """Delete a person and all that is theirs, once the password is given again. Raises `PasswordWrong`."""
    if await identity.has_password(app_state, user) and not await identity.check_password(
        app_state, user, password
    ):
        raise PasswordWrong
    await erase(app_state, user.id)


async def erase(app_state: AppState, user_id: str) -> None:
    """Delete a person, what is theirs in every feature, and their files."""
    async with app_state.database.writing() as session:
        user = await repository.by_id(session, user_id)
        if user is None:
            return
        erasures = [await owner.erase(app_state, session, user_id) for owner in app_state.data_owners]
        keys = [*avatars.object_keys(user), *(key for each in erasures for key in each.object_keys)]
        await mark_for_deletion(session, keys)
        await session.delete(user)
    for topic in (topic for each in erasures for topic in each.topics):
        app_state.signals.ring(topic)
    await sweep(app_state, keys)


async def _fill(archive: zipfile.ZipFile, app_state: AppState, session: AsyncSession, user: User) -> None:
    await _add(archive, app_state, Entry("account.json", _account(user)))
    for key in avatars.object_keys(user):
        await _add(archive, app_state, Entry("avatar.webp", object_key=key))
    for owner in app_state.data_owners:
        async for entry in owner.export(app_state, session, user.id):
            await _add(archive, app_state, entry)


async def _add(archive: zipfile.ZipFile, app_state: AppState, entry: Entry) -> None:
    if entry.object_key is None:
        await asyncio.to_thread(archive.writestr, entry.path, entry.data, zipfile.ZIP_DEFLATED)
        return
    try:
        async with app_state.storage.path(entry.object_key) as file:
            # Media are compressed already.
            await asyncio.to_thread(archive.write, file, entry.path, zipfile.ZIP_STORED)
    except FileNotFoundError:
        await _add(
            archive, app_state, Entry(f"{entry.path}.missing.txt", b"The file was not in the store.\n")
        )


def _new_file() -> Path:
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
