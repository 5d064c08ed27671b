"""Who may see, run and change an agent. An agent that a user may not see is reported as not found."""

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.db import prepared
from impasto_server.flows import repository
from impasto_server.flows.errors import FlowNotFound, NotFlowOwner
from impasto_server.flows.models import FlowRow
from impasto_server.flows.schemas import FlowPermissions
from impasto_server.users.models import User

ALL_BETAS = "*"


def is_owner(row: FlowRow, user: User) -> bool:
    """Whether the agent belongs to the user."""
    return row.owner_id == user.id


def is_visible(row: FlowRow, user: User) -> bool:
    """Whether the user may see and run the agent."""
    return is_owner(row, user) or is_public(row)


def is_public(row: FlowRow) -> bool:
    """Whether every user may see and run the agent."""
    return row.visibility == "public" and row.status == "published" and row.withheld_at is None


def permissions(row: FlowRow, user: User) -> FlowPermissions:
    """Return what the user may do with an agent that is visible to them."""
    own = is_owner(row, user)
    may_run = own or row.version is not None
    return FlowPermissions(edit=own, run=may_run, publish=own, beta=has_access(user, row))


def has_beta(user: User, *names: str) -> bool:
    """Whether the user has access to a private beta under any of these names."""
    return ALL_BETAS in user.betas or any(name in user.betas for name in names)


def has_access(user: User, row: FlowRow) -> bool:
    """Whether an agent in private beta is open to the user; for any other agent this has no meaning."""
    names = [row.id, *([row.built_in] if row.built_in else [])]
    return is_owner(row, user) or has_beta(user, *names)


async def get_visible(session: AsyncSession, user: User, flow_id: str) -> FlowRow:
    """Return an agent with its draft. Raises `FlowNotFound` if the user may not see it."""
    return _require_visible(await repository.find(session, flow_id), user, flow_id)


async def read_to_launch(
    session: AsyncSession, user: User, flow_id: str, *queries: prepared.Query
) -> tuple[FlowRow, bool, list[list[prepared.Row]]]:
    """Return an agent with its draft, in no session, and whether any agent is in beta.

    The rows of other `queries` are read with them. Raises `FlowNotFound` as `get_visible` does.
    """
    in_beta: prepared.Query = (repository.ANY_IN_BETA, {})
    found, beta, *others = await prepared.rows_of(session, repository.detached(flow_id), in_beta, *queries)
    return _require_visible(repository.detached_in(found), user, flow_id), bool(beta), others


def _require_visible(row: FlowRow | None, user: User, flow_id: str) -> FlowRow:
    if row is None or not is_visible(row, user):
        raise FlowNotFound(flow_id)
    return row


async def get_owned(session: AsyncSession, user: User, flow_id: str) -> FlowRow:
    """Return an agent of the user's, locked until the transaction ends.

    Raises `FlowNotFound` if the user may not see it, `NotFlowOwner` if it belongs to another user.
    """
    row = await repository.find_for_update(session, flow_id)
    if row is None or not is_visible(row, user):
        raise FlowNotFound(flow_id)
    if not is_owner(row, user):
        raise NotFlowOwner
    return row
