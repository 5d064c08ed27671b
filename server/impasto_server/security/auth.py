"""Authentication: a user by an identity token, or a program by an API key."""

from dataclasses import dataclass
from typing import Annotated

import structlog
from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.datastructures import Headers
from starlette.types import Scope

from impasto_server.api_keys import service as api_keys
from impasto_server.container import AppState, get_app_state
from impasto_server.http.errors import Forbidden, NotAuthenticated
from impasto_server.identity import service as identity
from impasto_server.identity.errors import AccountSuspended
from impasto_server.security.signed_urls import HasSignature
from impasto_server.users import service as users
from impasto_server.users.models import User

API_KEY_PREFIX = "imp_"
_bearer = HTTPBearer(
    auto_error=False, description="An identity token, or an API key where the endpoint accepts one."
)
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


class SignInRequired(Forbidden):
    """An API key was used for an endpoint that needs an identity token."""

    code = "key_not_allowed"

    def __init__(self) -> None:
        super().__init__("This needs a signed-in user; an API key is not enough.")


@dataclass(frozen=True)
class Caller:
    """The authenticated caller. `session_id` is None for API keys and for tokens of the OIDC provider."""

    user: User
    session_id: str | None
    api_key_id: str | None = None

    @property
    def is_api_key(self) -> bool:
        """Whether the caller is a program with an API key."""
        return self.api_key_id is not None


async def authenticate(app_state: AppState, token: str, method: str, path: str) -> Caller:
    """Return the caller of a bearer token, whose id the log lines of the request carry from here on.

    Raises `NotAuthenticated`, `AccountSuspended`, or `Forbidden` if the scopes of an API key do not
    cover the request.
    """
    caller = await _caller_of(app_state, token, method, path)
    structlog.contextvars.bind_contextvars(user_id=caller.user.id)
    return caller


async def _caller_of(app_state: AppState, token: str, method: str, path: str) -> Caller:
    if not token.startswith(API_KEY_PREFIX):
        user, session_id = await identity.authenticate(app_state, token)
        return Caller(_not_suspended(user), session_id)
    key = await api_keys.authenticate(app_state, token, method, path)
    async with app_state.database.reading() as session:
        owner = key and await users.find(session, key.owner_id)
    if not key or not owner:
        raise NotAuthenticated("This API key is unknown or was revoked.")
    return Caller(_not_suspended(owner), None, api_key_id=key.id)


async def is_active(app_state: AppState, caller: Caller) -> bool:
    """Return whether the session or the API key of a caller is still valid, for responses that last long."""
    async with app_state.database.reading() as session:
        if caller.api_key_id is not None:
            return await api_keys.is_active(app_state, session, caller.api_key_id)
        if caller.session_id is not None:
            return await identity.is_active(session, caller.session_id)
        user = await users.find(session, caller.user.id)
        return user is not None and user.suspended_at is None


def _not_suspended(user: User) -> User:
    if user.suspended_at is not None:
        raise AccountSuspended
    return user


async def authenticate_scope(app_state: AppState, scope: Scope) -> Caller:
    """Return the caller by the headers of an ASGI scope. Raises what `authenticate` raises."""
    scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NotAuthenticated
    return await authenticate(app_state, token.strip(), scope["method"], scope["path"])


async def _optional_caller(request: Request, bearer: Bearer) -> Caller | None:
    if bearer is None:
        if "authorization" in request.headers:
            raise NotAuthenticated
        return None
    return await authenticate(get_app_state(request), bearer.credentials, request.method, request.url.path)


OptionalCaller = Annotated[Caller | None, Depends(_optional_caller)]


async def _caller(caller: OptionalCaller) -> Caller:
    if caller is None:
        raise NotAuthenticated
    return caller


async def _signed_in_caller(caller: Annotated[Caller, Depends(_caller)]) -> Caller:
    if caller.is_api_key:
        raise SignInRequired
    return caller


SignedInCaller = Annotated[Caller, Depends(_signed_in_caller)]


async def _current_user(caller: Annotated[Caller, Depends(_caller)]) -> User:
    return caller.user


async def _signed_in_user(caller: SignedInCaller) -> User:
    return caller.user


async def _optional_user(caller: OptionalCaller) -> User | None:
    return caller.user if caller else None


async def _reader(request: Request, bearer: Bearer, signed: HasSignature) -> User | None:
    if signed:  # the URL alone permits the request: browsers and proxies may send any Authorization header
        return None
    return await _optional_user(await _optional_caller(request, bearer))


CurrentCaller = Annotated[Caller, Depends(_caller)]
CurrentUser = Annotated[User, Depends(_current_user)]
SignedInUser = Annotated[User, Depends(_signed_in_user)]
OptionalUser = Annotated[User | None, Depends(_optional_user)]
FileReader = Annotated[User | None, Depends(_reader)]
"""The user who reads a file, or None for a signed URL or an anonymous request."""
