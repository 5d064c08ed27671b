"""The choices of the onboarding."""

from fastapi import APIRouter

from impasto_server.users.onboarding import REASONS, ROLES
from impasto_server.users.schemas import Choice

router = APIRouter(prefix="/user-info", tags=["users"])


@router.get("/roles")
async def roles() -> list[Choice]:
    """List the roles a person may have."""
    return ROLES


@router.get("/reasons")
async def reasons() -> list[Choice]:
    """List the reasons a person may give."""
    return REASONS
