"""Export of everything that a user owns, as a zip file that is sent while it is written."""

from collections.abc import AsyncIterator

import orjson

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.storage.zip_stream import ZipStream, one_piece
from impasto_server.users import avatars
from impasto_server.users.data_owners import Entry
from impasto_server.users.models import User

_MISSING = b"This file is missing from the storage.\n"


async def stream_export(app_state: AppState, user: User) -> AsyncIterator[bytes]:
    """Yield a zip with the user's data. Neither memory nor disk holds the whole of it.

    The audit log records the export before its first byte is sent.
    """
    await audit.record_now(app_state, "account.export", actor_id=user.id, target=Target("user", user.id))
    archive = ZipStream()
    async for entry in _entries(app_state, user):
        async for data in _add(archive, app_state, entry):
            yield data
    yield archive.finish()


async def _entries(app_state: AppState, user: User) -> AsyncIterator[Entry]:
    yield Entry("account.json", _account(user))
    for key in avatars.object_keys(user):
        yield Entry("avatar.webp", object_key=key)
    for owner in app_state.data_owners:
        async for entry in owner.export(app_state.database, user.id):
            yield entry


async def _add(archive: ZipStream, app_state: AppState, entry: Entry) -> AsyncIterator[bytes]:
    if entry.object_key is None:
        pieces = entry.pieces if entry.pieces is not None else one_piece(entry.data)
        async for data in archive.add(entry.path, pieces, compress=True):
            yield data
        return
    try:
        size = await app_state.storage.size(entry.object_key)
        pieces = app_state.storage.stream(entry.object_key, 0, size)
        async for data in archive.add(entry.path, pieces):
            yield data
    except FileNotFoundError:
        async for data in archive.add(f"{entry.path}.missing.txt", one_piece(_MISSING)):
            yield data


def _account(user: User) -> bytes:
    members = {
        "id": user.id,
        "username": user.username,
        "email": user.email,
        "created_at": user.created_at,
        "confirmed_at": user.confirmed_at,
        "info": user.info,
        "credentials_name": user.credentials_name,
        "betas": user.betas,
        "daily_quota": user.daily_quota,
        "limits": user.limits,
        "client_metadata": user.client_metadata,
    }
    return orjson.dumps(members, option=orjson.OPT_INDENT_2)
