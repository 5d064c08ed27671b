"""The admin role, checked at each request: revoking it counts from the next request on."""

from typing import Annotated

from fastapi import Depends

from impasto_server.http.errors import NotFound
from impasto_server.security.auth import SignedInUser
from impasto_server.users.models import User


async def require_admin(user: SignedInUser) -> User:
    """Return the signed-in user. For others than admins the endpoints do not exist: raises `NotFound`.

    API keys are refused, those of admins too.
    """
    if not user.is_admin:
        raise NotFound
    return user


AdminUser = Annotated[User, Depends(require_admin)]
