"""Pictures of people: one size, re-encoded, so that nothing of the upload's own survives."""

import asyncio
import secrets

from fastapi import UploadFile
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import images
from impasto_server.assets.garbage import mark_for_deletion, put_object, sweep
from impasto_server.container import AppState
from impasto_server.http.errors import FieldInvalid, NotFound, Problem
from impasto_server.users import repository
from impasto_server.users.models import User

SIZE = (512, 512)
MEDIA_TYPE = "image/webp"
_MOST_BYTES = 20 * 2**20


class AvatarNotFound(NotFound):
    """No person has this picture."""

    def __init__(self) -> None:
        super().__init__("picture of that name")


async def change(app_state: AppState, user: User, file: UploadFile) -> User:
    """Give a person a new picture; raises a 422 in words when the file is not one."""
    data = await file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise FieldInvalid("file", "This picture is too large: at most 20 MiB can be used.", "too_large")
    square = await _square(data, app_state.settings.image_megapixels)
    fresh = secrets.token_urlsafe(18)

    async def write(session: AsyncSession) -> tuple[User, list[str]]:
        current = await repository.by_id(session, user.id)
        assert current is not None
        gone = object_keys(current)
        current.avatar_key = fresh
        await mark_for_deletion(session, gone)
        return current, gone

    changed, gone = await put_object(
        app_state.database,
        app_state.storage,
        _key(fresh),
        lambda: app_state.storage.put_at(_key(fresh), square),
        write,
    )
    await sweep(app_state, gone)
    return changed


async def read(app_state: AppState, avatar_key: str) -> bytes:
    """Return a picture by its unguessable key. Raises `AvatarNotFound`."""
    if not avatar_key.replace("-", "").replace("_", "").isalnum():
        raise AvatarNotFound
    try:
        return await app_state.storage.read(_key(avatar_key))
    except FileNotFoundError as error:
        raise AvatarNotFound from error


def url(user: User) -> str | None:
    """Return where the picture of a person is, if they gave one."""
    return f"/api/v1/users/avatars/{user.avatar_key}" if user.avatar_key else None


def object_keys(user: User) -> list[str]:
    """List the stored objects of a person's picture."""
    return [_key(user.avatar_key)] if user.avatar_key else []


async def _square(data: bytes, megapixels: int) -> bytes:
    try:
        return await asyncio.to_thread(images.cover, data, SIZE, megapixels)
    except Problem as problem:
        raise FieldInvalid("file", problem.detail, problem.code) from problem


def _key(avatar_key: str) -> str:
    return f"avatars/{avatar_key}"
