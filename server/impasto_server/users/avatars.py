"""Avatars: one size, re-encoded, so that metadata of the upload is removed."""

import asyncio
import secrets

from fastapi import UploadFile
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.garbage import mark_for_deletion, put_object, sweep
from impasto_server.assets.media import images
from impasto_server.container import AppState
from impasto_server.http.errors import FieldInvalid, NotFound, Problem
from impasto_server.users import repository
from impasto_server.users.models import User

SIZE = (512, 512)
MEDIA_TYPE = "image/webp"
_MAX_BYTES = 20 * 2**20


class AvatarNotFound(NotFound):
    """No user has this avatar."""

    def __init__(self) -> None:
        super().__init__("avatar with this name")


async def replace(app_state: AppState, user: User, file: UploadFile) -> User:
    """Replace the avatar of a user. Raises `FieldInvalid` if the file is not a usable image."""
    data = await file.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise FieldInvalid("file", "This image is too large: the limit is 20 MiB.", "too_large")
    square = await _square(data, app_state.settings.image_megapixels)
    new_key = secrets.token_urlsafe(18)

    async def write(session: AsyncSession) -> tuple[User, list[str]]:
        current = await repository.by_id(session, user.id)
        assert current is not None
        replaced_keys = object_keys(current)
        current.avatar_key = new_key
        await mark_for_deletion(session, replaced_keys)
        return current, replaced_keys

    changed, replaced_keys = await put_object(
        app_state.database,
        _key(new_key),
        lambda: app_state.storage.put_at(_key(new_key), square),
        write,
    )
    await sweep(app_state, replaced_keys)
    return changed


async def read(app_state: AppState, avatar_key: str) -> bytes:
    """Return an avatar by its key. Raises `AvatarNotFound`."""
    if not avatar_key.replace("-", "").replace("_", "").isalnum():
        raise AvatarNotFound
    try:
        return await app_state.storage.read(_key(avatar_key))
    except FileNotFoundError as error:
        raise AvatarNotFound from error


def url(user: User) -> str | None:
    """Return the path of a user's avatar, or None."""
    return f"/api/v1/users/avatars/{user.avatar_key}" if user.avatar_key else None


def object_keys(user: User) -> list[str]:
    """List the keys of the stored objects of a user's avatar."""
    return [_key(user.avatar_key)] if user.avatar_key else []


async def _square(data: bytes, megapixels: int) -> bytes:
    try:
        return await asyncio.to_thread(images.crop, data, SIZE, megapixels)
    except Problem as problem:
        raise FieldInvalid("file", problem.detail, problem.code) from problem


def _key(avatar_key: str) -> str:
    return f"avatars/{avatar_key}"
