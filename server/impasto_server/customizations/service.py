"""Reading and changing the launch inputs that a user has set for an agent."""

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.customizations import repository
from impasto_server.customizations.errors import MAX_BYTES, CustomizationTooLarge
from impasto_server.customizations.models import CustomizationRow
from impasto_server.customizations.schemas import Customization, CustomizationUpdate
from impasto_server.db.types import json_bytes
from impasto_server.flows import access
from impasto_server.users.models import User


async def get(session: AsyncSession, user: User, flow_id: str) -> Customization:
    """Return what the user has set for an agent. Raises `FlowNotFound`."""
    await access.get_visible(session, user, flow_id)
    return _describe(await repository.find(session, user.id, flow_id))


async def update(
    session: AsyncSession, app_state: AppState, user: User, flow_id: str, body: CustomizationUpdate
) -> Customization:
    """Store values for an agent beside the earlier ones. The request can be repeated.

    Raises `FlowNotFound` or `CustomizationTooLarge`.
    """
    # Two tabs may store a first value at the same time.
    await app_state.limits.lock(session, user.id)
    await access.get_visible(session, user, flow_id)
    row = await repository.find(session, user.id, flow_id)
    changed = {**(row.values if row else {}), **body.values}
    values = {name: value for name, value in changed.items() if value is not None}
    if json_bytes(values) > MAX_BYTES:
        raise CustomizationTooLarge
    if row is None:
        row = CustomizationRow(user_id=user.id, flow_id=flow_id)
        session.add(row)
    row.values, row.updated_at = values, app_state.clock()
    return _describe(row)


async def reset(session: AsyncSession, user: User, flow_id: str) -> None:
    """Delete what the user has set for an agent. Raises `FlowNotFound`."""
    await access.get_visible(session, user, flow_id)
    await repository.remove(session, user.id, flow_id)


def _describe(row: CustomizationRow | None) -> Customization:
    if row is None:
        return Customization(values={}, updated_at=None)
    return Customization(values=row.values, updated_at=row.updated_at)
