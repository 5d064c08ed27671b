"""The cover images of agents."""

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.garbage import mark_for_deletion, put_object, sweep
from impasto_server.assets.media import images
from impasto_server.container import AppState
from impasto_server.flows import access, presenter, repository
from impasto_server.flows.errors import FlowNotFound
from impasto_server.flows.schemas import FlowSummary
from impasto_server.users.models import User


async def set_cover(app_state: AppState, user: User, flow_id: str, cover: bytes) -> FlowSummary:
    """Set an agent's cover image."""
    key, unused = images.cover_key(cover), list[str]()

    async def write(session: AsyncSession) -> FlowSummary:
        row = await access.get_owned(session, user, flow_id)
        unused.extend([row.avatar_key] if row.avatar_key else [])
        await mark_for_deletion(session, unused)
        row.avatar_key, row.updated_at = key, app_state.clock()
        return presenter.summary(app_state, row, user)

    async def put() -> None:
        await app_state.storage.put_at(key, cover)

    changed = await put_object(app_state.database, key, put, write)
    await sweep(app_state, unused)
    return changed


async def cover_key(session: AsyncSession, flow_id: str, suffix: str) -> str:
    """Return the storage key of an agent's cover. Raises `FlowNotFound` if it was replaced.

    `suffix` is the end of the key that the signed URL was made for.
    """
    row = await repository.find(session, flow_id)
    if row is None or row.avatar_key is None or not row.avatar_key.endswith(suffix):
        raise FlowNotFound(flow_id)
    return row.avatar_key
