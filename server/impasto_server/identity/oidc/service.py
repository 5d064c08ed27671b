"""Sign-in with an OpenID Connect provider: authorization code with PKCE; accounts are created on demand."""

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

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.db.text_normalization import normalize_login, without_bidi_controls
from impasto_server.identity import repository
from impasto_server.identity.errors import AccountSuspended, TokenInvalid
from impasto_server.identity.models import OidcIdentity
from impasto_server.identity.sessions import service as sessions
from impasto_server.identity.sessions.devices import Device
from impasto_server.identity.sign_up import invitations, rules
from impasto_server.users import service as users
from impasto_server.users.models import User

_PURPOSE = "outside sign-in"
_MAX_USERNAME, _MAX_EMAIL = 100, 320
_TIME_LIMIT = timedelta(minutes=10)
Result = TypeVar("Result")


async def start_sign_in(app_state: AppState, return_to: str, callback: str) -> tuple[str, str]:
    """Begin a sign-in that ends at `callback`.

    Returns the provider's URL to redirect to, and the encrypted state that the browser keeps in a cookie.
    A `return_to` that is not a path of this server becomes "/". Raises `ProviderUnavailable`.
    """
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    metadata = await app_state.oidc_client.metadata()
    query = {
        "response_type": "code",
        "client_id": app_state.settings.oidc_client_id,
        "redirect_uri": callback,
        "scope": app_state.settings.oidc_scopes,
        "state": state,
        "nonce": nonce,
        "code_challenge": _code_challenge(verifier),
        "code_challenge_method": "S256",
    }
    pending = {
        "state": state,
        "nonce": nonce,
        "verifier": verifier,
        "callback": callback,
        "return_to": return_to if _is_local_path(return_to) else "/",
        "until": (app_state.clock() + _TIME_LIMIT).timestamp(),
    }
    sealed = base64.urlsafe_b64encode(app_state.encryptor.encrypt(orjson.dumps(pending), _PURPOSE)).decode()
    return f"{metadata['authorization_endpoint']}?{urlencode(query)}", sealed


async def complete_sign_in(
    app_state: AppState, sealed: str, state: str, code: str, device: Device
) -> tuple[sessions.IssuedSession, str]:
    """Exchange the provider's code for a session. Returns it and the path to return to.

    Raises `TokenInvalid` for a forged, replayed or expired sign-in, `ProviderUnavailable`,
    `AccountSuspended`, and `SignUpRefused` for a new user who may not create an account.
    """
    pending = _decrypt(app_state, sealed)
    is_expired = pending["until"] < app_state.clock().timestamp()
    if is_expired or not secrets.compare_digest(pending["state"].encode(), state.encode()):
        raise TokenInvalid
    client = app_state.oidc_client
    token = await client.exchange(code, pending["verifier"], pending["callback"])
    claims = await client.claims(token, app_state.settings.oidc_client_id)
    if claims.get("nonce") != pending["nonce"]:
        raise TokenInvalid

    async def start_session(session: AsyncSession) -> sessions.IssuedSession:
        user = await _find_or_create(app_state, session, claims)
        return await sessions.start(app_state, session, user, device)

    try:
        async with rules.recorded_refusals(app_state, _verified_email(claims)):
            return await _retry_once(app_state, start_session), pending["return_to"]
    except AccountSuspended:
        await audit.record_refusal(app_state, "sign_in", "denied")
        raise


async def authenticate(app_state: AppState, token: str) -> User:
    """Return the user of a bearer token that the provider signed, creating the account if needed.

    Raises `TokenInvalid` or `SignUpRefused`.
    """
    claims = await app_state.oidc_client.claims(token, app_state.settings.api_audience)
    async with app_state.database.reading() as session:
        user = await repository.user_by_oidc_subject(session, claims["iss"], claims["sub"])
    if user is not None:
        return user
    async with rules.recorded_refusals(app_state, _verified_email(claims)):
        return await _retry_once(app_state, lambda session: _find_or_create(app_state, session, claims))


async def _retry_once(app_state: AppState, work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    try:
        async with app_state.database.writing() as session:
            return await work(session)
    except IntegrityError:
        # A concurrent first request of the same user created the account; the second attempt finds it.
        async with app_state.database.writing() as session:
            return await work(session)


async def _find_or_create(app_state: AppState, session: AsyncSession, claims: dict[str, Any]) -> User:
    """Find the user by the provider's subject, then by a verified e-mail address; else create one."""
    known = await repository.user_by_oidc_subject(session, claims["iss"], claims["sub"])
    if known is not None:
        return known
    user = await _find_by_email(app_state, session, claims) or await _create(app_state, session, claims)
    session.add(OidcIdentity(user_id=user.id, issuer=claims["iss"], subject=claims["sub"]))
    return user


async def _find_by_email(app_state: AppState, session: AsyncSession, claims: dict[str, Any]) -> User | None:
    email = _verified_email(claims)
    user = await users.find_by_email(session, email) if email else None
    if user is not None and await users.delete_unconfirmed(app_state, session, user.id):
        # That sign-up never proved the address: its password must not open this account.
        return None
    return user


async def _create(app_state: AppState, session: AsyncSession, claims: dict[str, Any]) -> User:
    email = _verified_email(claims)
    invitation = await invitations.find_open(app_state, session, email)
    rules.check_allowed(app_state.settings, email, invited=invitation is not None)
    claimed = str(claims.get("preferred_username") or email or claims["sub"])
    wanted = without_bidi_controls(claimed)[:_MAX_USERNAME]
    if "@" in normalize_login(wanted) and normalize_login(wanted) != normalize_login(email or ""):
        # As at sign-up: a username must not equal another user's e-mail address in any spelling.
        wanted = normalize_login(wanted).partition("@")[0]
    user = await users.create(session, await _free_username(session, wanted), email, app_state.clock())
    user.confirmed_at = app_state.clock()
    target = Target("user", user.id)
    await audit.record(app_state, session, "account.create", actor_id=user.id, target=target)
    if invitation is not None:
        await invitations.complete(app_state, session, invitation, user.id)
    return user


async def _free_username(session: AsyncSession, wanted: str) -> str:
    while len(normalize_login(wanted)) > _MAX_USERNAME:
        wanted = wanted[:-1]
    name = wanted if len(wanted) > 1 else f"user-{wanted}"
    while await users.find_by_username(session, name):
        name = f"{wanted}-{secrets.token_hex(3)}"
    return name


def _verified_email(claims: dict[str, Any]) -> str | None:
    email = claims.get("email")
    if not isinstance(email, str) or not 0 < max(len(email), len(normalize_login(email))) <= _MAX_EMAIL:
        return None
    return email if claims.get("email_verified") is True else None


def _decrypt(app_state: AppState, sealed: str) -> dict[str, Any]:
    try:
        data = app_state.encryptor.decrypt(base64.urlsafe_b64decode(sealed), _PURPOSE)
        pending: dict[str, Any] = orjson.loads(data)
    except ValueError as error:
        raise TokenInvalid from error
    return pending


def _code_challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def _is_local_path(path: str) -> bool:
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
