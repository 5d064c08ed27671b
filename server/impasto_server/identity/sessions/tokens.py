"""Signed JWTs: identity tokens (15 minutes by default) and challenge tokens."""

import base64
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from joserfc import jwt
from joserfc.errors import JoseError

from impasto_server.container import AppState
from impasto_server.identity.errors import TokenInvalid
from impasto_server.security.crypto import SIGNING_ALGORITHM
from impasto_server.users.models import User
from impasto_server.utils import new_id

AUDIENCE = "impasto"
IDENTITY = "identity"
_LEEWAY_SECONDS = 5


@dataclass(frozen=True)
class Claims:
    """The claims of an identity token."""

    user_id: str
    session_id: str


def issue(app_state: AppState, user: User, session_id: str) -> tuple[str, datetime]:
    """Return an identity token for a session, and its expiry."""
    expires_at = app_state.clock() + timedelta(seconds=app_state.settings.identity_token_seconds)
    claims = {"sub": user.id, "sid": session_id, "username": user.username, "email": user.email}
    return sign(app_state, claims, IDENTITY, expires_at), expires_at


def sign(app_state: AppState, claims: dict[str, Any], use: str, expires_at: datetime) -> str:
    """Return a token with these claims for one use, valid until `expires_at`."""
    key = app_state.signing_keys.signer
    header = {"alg": SIGNING_ALGORITHM, "kid": key.kid, "typ": "JWT"}
    payload = {
        **claims,
        "iss": app_state.settings.origin,
        "aud": AUDIENCE,
        "use": use,
        "iat": int(app_state.clock().timestamp()),
        "exp": int(expires_at.timestamp()),
        "jti": new_id(),
    }
    return jwt.encode(header, payload, key, algorithms=[SIGNING_ALGORITHM])


def read(app_state: AppState, token: str, use: str) -> dict[str, Any]:
    """Verify a token of this server for one use and return its claims. Raises `TokenInvalid`."""
    try:
        claims = app_state.signing_keys.verify(token)
    except (JoseError, ValueError) as error:
        raise TokenInvalid from error
    is_valid = (
        claims.get("iss") == app_state.settings.origin
        and claims.get("aud") == AUDIENCE
        and claims.get("use") == use
        and _is_current(claims.get("exp"), app_state.clock())
    )
    if not is_valid:
        raise TokenInvalid
    return claims


def read_identity(app_state: AppState, token: str) -> Claims:
    """Verify an identity token and return its claims. Raises `TokenInvalid`."""
    claims = read(app_state, token, IDENTITY)
    return Claims(str(claims.get("sub")), str(claims.get("sid")))


def issuer_of(token: str) -> str | None:
    """Return the issuer that a token claims, without verifying it; None if it has none."""
    try:
        part = token.split(".")[1]
        issuer = orjson.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))["iss"]
    except (IndexError, KeyError, TypeError, ValueError):
        return None
    return issuer if isinstance(issuer, str) else None


def _is_current(expiry: object, now: datetime) -> bool:
    return isinstance(expiry, int) and now.timestamp() < expiry + _LEEWAY_SECONDS
