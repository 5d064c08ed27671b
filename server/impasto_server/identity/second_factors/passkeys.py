"""Passkeys (WebAuthn): registration, and assertions for signing in and as a second factor.

The RP id is the host of the public URL. A challenge is valid once, for five minutes, for one purpose and for
the session or device that asked for it. The authenticator must verify its user (PIN, fingerprint, face): a
passkey alone counts as two factors.
"""

from datetime import timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit

import webauthn
from sqlalchemy.ext.asyncio import AsyncSession
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, generate_challenge, options_to_json_dict
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from impasto_server.container import AppState
from impasto_server.identity.errors import PasskeyInvalid, PasskeysUnavailable
from impasto_server.identity.second_factors import repository as factor_repository
from impasto_server.identity.second_factors.models import Passkey, PasskeyChallenge
from impasto_server.identity.second_factors.schemas import NewPasskey, PasskeyAnswer, PasskeyOptions
from impasto_server.settings import Settings
from impasto_server.users.models import User

MAX_PASSKEYS = 20
REGISTER, SIGN_IN, SECOND_FACTOR = "register", "sign_in", "second_factor"
_LIFETIME = timedelta(minutes=5)
_REQUIRED = UserVerificationRequirement.REQUIRED


def are_available(settings: Settings) -> bool:
    """Return whether browsers accept passkeys at the public URL: https and a host name, or localhost."""
    host = _rp_id(settings)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return settings.origin.startswith("https://") and not _is_ip_address(host)


async def registration_options(
    app_state: AppState, session: AsyncSession, user: User, binding: str
) -> PasskeyOptions:
    """Return what `navigator.credentials.create` needs. Raises `PasskeysUnavailable`."""
    known = await factor_repository.passkeys_of(session, user.id)
    if len(known) >= MAX_PASSKEYS:
        raise PasskeysUnavailable(f"You have {MAX_PASSKEYS} passkeys. Remove one first.")
    stored = await _new_challenge(app_state, session, REGISTER, binding)
    options = webauthn.generate_registration_options(
        rp_id=_rp_id(app_state.settings),
        rp_name="Impasto",
        user_id=user.id.encode(),
        user_name=user.email or user.username,
        user_display_name=user.username,
        challenge=stored.challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=_REQUIRED
        ),
        exclude_credentials=[_descriptor(passkey) for passkey in known],
    )
    return PasskeyOptions(challenge_id=stored.id, options=options_to_json_dict(options))


async def register(
    app_state: AppState, session: AsyncSession, user: User, answer: NewPasskey, challenge: bytes
) -> Passkey:
    """Store a new passkey. Raises `PasskeyInvalid`."""
    try:
        verified = webauthn.verify_registration_response(
            credential=answer.credential,
            expected_challenge=challenge,
            expected_rp_id=_rp_id(app_state.settings),
            expected_origin=app_state.settings.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise PasskeyInvalid from error
    credential_id = bytes_to_base64url(verified.credential_id)
    if await factor_repository.passkey_by_credential(session, credential_id):
        raise PasskeyInvalid
    passkey = Passkey(
        user_id=user.id,
        credential_id=credential_id,
        public_key=verified.credential_public_key,
        sign_count=verified.sign_count,
        name=answer.name.strip(),
        created_at=app_state.clock(),
    )
    session.add(passkey)
    await session.flush()
    return passkey


async def assertion_options(
    app_state: AppState, session: AsyncSession, purpose: str, binding: str, user_id: str | None = None
) -> PasskeyOptions:
    """Return what `navigator.credentials.get` needs: for the passkeys of a user, or for any passkey.

    Raises `PasskeysUnavailable`.
    """
    known = await factor_repository.passkeys_of(session, user_id) if user_id else []
    stored = await _new_challenge(app_state, session, purpose, binding)
    options = webauthn.generate_authentication_options(
        rp_id=_rp_id(app_state.settings),
        challenge=stored.challenge,
        allow_credentials=[_descriptor(passkey) for passkey in known],
        user_verification=_REQUIRED,
    )
    return PasskeyOptions(challenge_id=stored.id, options=options_to_json_dict(options))


async def verify(
    app_state: AppState, session: AsyncSession, answer: PasskeyAnswer, challenge: bytes
) -> Passkey:
    """Return the passkey that signed the challenge. Raises `PasskeyInvalid`."""
    passkey = await factor_repository.passkey_by_credential(session, str(answer.credential.get("id")))
    if passkey is None:
        raise PasskeyInvalid
    try:
        verified = webauthn.verify_authentication_response(
            credential=answer.credential,
            expected_challenge=challenge,
            expected_rp_id=_rp_id(app_state.settings),
            expected_origin=app_state.settings.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise PasskeyInvalid from error
    passkey.sign_count, passkey.last_used_at = verified.new_sign_count, app_state.clock()
    return passkey


async def take_challenge(app_state: AppState, challenge_id: str, purpose: str, binding: str) -> bytes:
    """Use up a challenge and return it. Raises `PasskeyInvalid`.

    It is deleted in a transaction of its own: it is used up also if the answer to it is wrong.
    """
    async with app_state.database.writing() as session:
        stored = await factor_repository.take_challenge(session, challenge_id)
    if (
        stored is None
        or (stored.purpose, stored.binding) != (purpose, binding)
        or stored.expires_at <= app_state.clock()
    ):
        raise PasskeyInvalid
    return stored.challenge


async def _new_challenge(
    app_state: AppState, session: AsyncSession, purpose: str, binding: str
) -> PasskeyChallenge:
    if not are_available(app_state.settings):
        raise PasskeysUnavailable("Passkeys need a public URL with https and a host name.")
    stored = PasskeyChallenge(
        challenge=generate_challenge(),
        purpose=purpose,
        binding=binding,
        expires_at=app_state.clock() + _LIFETIME,
    )
    session.add(stored)
    await session.flush()
    return stored


def _descriptor(passkey: Passkey) -> PublicKeyCredentialDescriptor:
    return PublicKeyCredentialDescriptor(id=base64url_to_bytes(passkey.credential_id))


def _rp_id(settings: Settings) -> str:
    return str(urlsplit(settings.origin).hostname)  # the setting is checked to have one


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
