"""Signing in through an outside provider: authorization code with PKCE, people made on first sight."""

import base64
import hashlib
import secrets
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeVar
from urllib.parse import urlencode

import orjson
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.db.text_normalization import normalize_login
from impasto_server.identity import repository, sessions
from impasto_server.identity.models import OidcIdentity
from impasto_server.identity.tokens import TokenInvalid
from impasto_server.users import service as users
from impasto_server.users.models import User

CALLBACK = "/api/v1/identity/outside/callback"
_PURPOSE = "outside sign-in"
_LONGEST_NAME, _LONGEST_ADDRESS = 100, 320
Result = TypeVar("Result")
_PATIENCE = timedelta(minutes=10)


async def begin(app_state: AppState, return_to: str) -> tuple[str, str]:
    """Return the provider's page to go to, and what the browser must bring back in its cookie."""
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    metadata = await app_state.oidc_client.metadata()
    query = {
        "response_type": "code",
        "client_id": app_state.settings.oidc_client_id,
        "redirect_uri": app_state.settings.origin + CALLBACK,
        "scope": app_state.settings.oidc_scopes,
        "state": state,
        "nonce": nonce,
        "code_challenge": _challenge(verifier),
        "code_challenge_method": "S256",
    }
    kept = {
        "state": state,
        "nonce": nonce,
        "verifier": verifier,
        "return_to": return_to if _is_ours(return_to) else "/",
        "until": (app_state.clock() + _PATIENCE).timestamp(),
    }
    sealed = base64.urlsafe_b64encode(app_state.encryptor.encrypt(orjson.dumps(kept), _PURPOSE)).decode()
    return f"{metadata['authorization_endpoint']}?{urlencode(query)}", sealed


async def finish(app_state: AppState, sealed: str, state: str, code: str) -> tuple[sessions.Opened, str]:
    """Return the new session and where to go on. Raises `TokenInvalid`."""
    kept = _unseal(app_state, sealed)
    if (
        not secrets.compare_digest(kept["state"].encode(), state.encode())
        or kept["until"] < app_state.clock().timestamp()
    ):
        raise TokenInvalid
    token = await app_state.oidc_client.exchange(code, kept["verifier"], app_state.settings.origin + CALLBACK)
    claims = await app_state.oidc_client.claims(token, app_state.settings.oidc_client_id)
    if claims.get("nonce") != kept["nonce"]:
        raise TokenInvalid

    async def begin(session: AsyncSession) -> sessions.Opened:
        return await sessions.begin(app_state, session, await _person(app_state, session, claims))

    return await _once_more(app_state, begin), kept["return_to"]


async def authenticate(app_state: AppState, token: str) -> User:
    """Return the person a bearer token of the provider speaks for. Raises `TokenInvalid`."""
    claims = await app_state.oidc_client.claims(token, app_state.settings.api_audience)
    async with app_state.database.reading() as session:
        user = await repository.outside_identity(session, claims["iss"], claims["sub"])
    if user is not None:
        return user
    return await _once_more(app_state, lambda session: _person(app_state, session, claims))


async def _once_more(app_state: AppState, work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    try:
        async with app_state.database.writing() as session:
            return await work(session)
    except IntegrityError:
        # Somebody's first two calls came at once, and the other one made the person: now they are known.
        async with app_state.database.writing() as session:
            return await work(session)


async def _person(app_state: AppState, session: AsyncSession, claims: dict[str, Any]) -> User:
    """Find the person the provider speaks of, by its own id first, then by a verified address."""
    known = await repository.outside_identity(session, claims["iss"], claims["sub"])
    if known is not None:
        return known
    user = await _by_address(session, claims) or await _newcomer(app_state, session, claims)
    session.add(OidcIdentity(user_id=user.id, issuer=claims["iss"], subject=claims["sub"]))
    return user


async def _by_address(session: AsyncSession, claims: dict[str, Any]) -> User | None:
    email = _verified_email(claims)
    user = await users.find_by_email(session, email) if email else None
    if user is not None and await users.drop_unconfirmed(session, user.id):
        # Whoever signed up with this address never proved it; their password must not open the account.
        return None
    return user


async def _newcomer(app_state: AppState, session: AsyncSession, claims: dict[str, Any]) -> User:
    email = _verified_email(claims)
    wanted = str(claims.get("preferred_username") or email or claims["sub"])[:100]
    if "@" in normalize_login(wanted) and normalize_login(wanted) != normalize_login(email or ""):
        # As at the sign-up: nobody's username is somebody else's address, however its letters are written.
        wanted = normalize_login(wanted).partition("@")[0]
    user = await users.create(session, await _free_name(session, wanted), email, app_state.clock())
    user.confirmed_at = app_state.clock()
    return user


async def _free_name(session: AsyncSession, wanted: str) -> str:
    while len(normalize_login(wanted)) > _LONGEST_NAME:
        wanted = wanted[:-1]
    name = wanted if len(wanted) > 1 else f"user-{wanted}"
    while await users.find_by_username(session, name):
        name = f"{wanted}-{secrets.token_hex(3)}"
    return name


def _verified_email(claims: dict[str, Any]) -> str | None:
    email = claims.get("email")
    if not isinstance(email, str) or not 0 < max(len(email), len(normalize_login(email))) <= _LONGEST_ADDRESS:
        return None
    return email if claims.get("email_verified") is True else None


def _unseal(app_state: AppState, sealed: str) -> dict[str, Any]:
    try:
        kept: dict[str, Any] = orjson.loads(
            app_state.encryptor.decrypt(base64.urlsafe_b64decode(sealed), _PURPOSE)
        )
    except ValueError as error:
        raise TokenInvalid from error
    return kept


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def _is_ours(path: str) -> bool:
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
