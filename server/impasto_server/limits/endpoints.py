"""HTTP endpoint of a user's own limits."""

from fastapi import APIRouter

from impasto_server.container import AppStateDep
from impasto_server.limits.schemas import Usage
from impasto_server.security.auth import CurrentUser

router = APIRouter(prefix="/users", tags=["users"])


@router.get("/me/usage")
async def usage(user: CurrentUser, app_state: AppStateDep) -> Usage:
    """Return your limits and how much of each you use. Event streams are those of this server process."""
    return await app_state.limits.usage(user.id, app_state.streams.count(user.id))
