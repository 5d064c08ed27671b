"""Invitations by e-mail: single use, expiring, stored as a hash."""

import hashlib
import secrets
from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Action, Target
from impasto_server.container import AppState
from impasto_server.db.text_normalization import normalize_login
from impasto_server.email.transport import EmailMessage
from impasto_server.http.errors import Conflict, FieldInvalid, NotFound, Problem
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.identity import emails, repository
from impasto_server.identity.errors import UserExists
from impasto_server.identity.models import Invitation, Password
from impasto_server.identity.schemas import (
    OTHER_EMAIL_SENTENCE,
    AcceptInvitation,
    InvitationState,
    InvitedEmail,
    names_other_email,
)
from impasto_server.identity.sessions import service as sessions
from impasto_server.identity.sessions.devices import Device
from impasto_server.identity.sign_up import rules
from impasto_server.users import service as users


class InvitationInvalid(Problem):
    """The token of an invitation is unknown, used, revoked or expired."""

    status, code, title = 400, "invitation_invalid", "Invitation not valid"

    def __init__(self) -> None:
        super().__init__("This invitation was used or has expired. Ask for a new one.")


class InvitationNotFound(NotFound):
    """There is no invitation with this id."""

    def __init__(self, invitation_id: str) -> None:
        super().__init__("invitation", invitation_id)


class InvitationEnded(Conflict):
    """The invitation was accepted or revoked: it can be neither sent again nor revoked."""

    code = "invitation_ended"

    def __init__(self, state: InvitationState) -> None:
        super().__init__(f"This invitation was {state} already.")


class AlreadyInvited(Conflict):
    """The address has an invitation that was neither accepted nor revoked."""

    code = "already_invited"

    def __init__(self) -> None:
        super().__init__("This address is invited already. Send that invitation again, or revoke it first.")


def state_of(app_state: AppState, invitation: Invitation) -> InvitationState:
    """Return whether an invitation is open, expired, accepted or revoked."""
    if invitation.accepted_at is not None:
        return "accepted"
    if invitation.revoked_at is not None:
        return "revoked"
    return "expired" if invitation.expires_at <= app_state.clock() else "open"


async def page(session: AsyncSession, paging: PageQuery) -> tuple[list[Invitation], str | None]:
    """Return a page of invitations, newest first, and the cursor of the next page."""
    rows, cursor = await fetch_page(session, repository.invitations(), paging, Invitation.id)
    return list(rows), cursor


async def create(app_state: AppState, email: str, admin_id: str | None) -> Invitation:
    """Invite an address and send the e-mail. `admin_id` is None for the operator at the command line.

    Raises `UserExists`, `AlreadyInvited`, or `SignUpRefused` if sign-up is closed.
    """
    rules.check_allowed(app_state.settings, email, invited=True)
    token, now = secrets.token_urlsafe(32), app_state.clock()
    async with app_state.database.writing() as session:
        known = await users.find_by_email(session, email)
        if known is not None and known.confirmed_at is not None:
            raise UserExists
        if await repository.pending_invitation(session, normalize_login(email)) is not None:
            raise AlreadyInvited
        invitation = Invitation(
            email=email,
            email_key=normalize_login(email),
            token_hash=_digest(token),
            created_by=admin_id,
            created_at=now,
            sent_at=now,
            expires_at=_expiry(app_state),
        )
        session.add(invitation)
        await session.flush()
        await _record(app_state, session, "invitation.create", invitation, admin_id)
    await app_state.mailer.send(_message(app_state, invitation, token))
    return invitation


async def resend(app_state: AppState, invitation_id: str, admin_id: str | None) -> Invitation:
    """Send an invitation again with a new token and expiry; the earlier link stops working.

    Raises `InvitationNotFound`, `InvitationEnded` or `SignUpRefused`.
    """
    token = secrets.token_urlsafe(32)
    async with app_state.database.writing() as session:
        invitation = await _pending(app_state, session, invitation_id)
        rules.check_allowed(app_state.settings, invitation.email, invited=True)
        invitation.token_hash, invitation.sent_at = _digest(token), app_state.clock()
        invitation.expires_at = _expiry(app_state)
        await _record(app_state, session, "invitation.resend", invitation, admin_id)
    await app_state.mailer.send(_message(app_state, invitation, token))
    return invitation


async def revoke(app_state: AppState, invitation_id: str, admin_id: str | None) -> Invitation:
    """Revoke an invitation. Raises `InvitationNotFound` or `InvitationEnded`."""
    async with app_state.database.writing() as session:
        invitation = await _pending(app_state, session, invitation_id)
        invitation.revoked_at = app_state.clock()
        await _record(app_state, session, "invitation.revoke", invitation, admin_id)
    return invitation


async def read(app_state: AppState, token: str) -> InvitedEmail:
    """Return the address that a token invites. Raises `InvitationInvalid` or `SignUpRefused`."""
    async with app_state.database.reading() as session:
        invitation = await _by_token(app_state, session, token)
    rules.check_allowed(app_state.settings, invitation.email, invited=True)
    return InvitedEmail(email=invitation.email, expires_at=invitation.expires_at)


async def accept(app_state: AppState, wanted: AcceptInvitation, device: Device) -> sessions.IssuedSession:
    """Create a confirmed account for the invited address and sign in.

    The token proves that the person reads the mailbox, so the address needs no code. Raises
    `InvitationInvalid`, `UserExists` or `SignUpRefused`.
    """
    async with rules.recorded_refusals(app_state, None):
        try:
            return await _create_account(app_state, wanted, device)
        except IntegrityError as error:
            raise UserExists from error


async def _create_account(
    app_state: AppState, wanted: AcceptInvitation, device: Device
) -> sessions.IssuedSession:
    hashed = await app_state.password_hasher.hash(wanted.password)
    async with app_state.database.writing() as session:
        invitation = await _by_token(app_state, session, wanted.token)
        rules.check_allowed(app_state.settings, invitation.email, invited=True)
        if names_other_email(wanted.username, invitation.email):
            raise FieldInvalid("username", OTHER_EMAIL_SENTENCE, "username_invalid")
        for taken in await users.find_conflicting(session, wanted.username, invitation.email):
            is_own = taken.email_key == invitation.email_key
            if not is_own or not await users.delete_unconfirmed(app_state, session, taken.id):
                raise UserExists
        now = app_state.clock()
        user = await users.create(session, wanted.username, invitation.email, now)
        user.confirmed_at, user.client_metadata = now, wanted.client_metadata or None
        session.add(Password(user_id=user.id, hash=hashed, temporary=False, changed_at=now))
        target = Target("user", user.id)
        await audit.record(app_state, session, "account.create", actor_id=user.id, target=target)
        await complete(app_state, session, invitation, user.id)
        return await sessions.start(app_state, session, user, device)


async def find_open(app_state: AppState, session: AsyncSession, email: str | None) -> Invitation | None:
    """Find the open invitation of an address that is known to be the person's own."""
    found = await repository.pending_invitation(session, normalize_login(email)) if email else None
    return found if found and state_of(app_state, found) == "open" else None


async def complete(app_state: AppState, session: AsyncSession, invitation: Invitation, user_id: str) -> None:
    """Mark an invitation as accepted by a new user."""
    invitation.accepted_at, invitation.accepted_by = app_state.clock(), user_id
    await _record(app_state, session, "invitation.accept", invitation, user_id)


async def _by_token(app_state: AppState, session: AsyncSession, token: str) -> Invitation:
    found = await repository.invitation_by_token(session, _digest(token))
    if found is None or state_of(app_state, found) != "open":
        raise InvitationInvalid
    return found


async def _pending(app_state: AppState, session: AsyncSession, invitation_id: str) -> Invitation:
    found = await repository.invitation_by_id(session, invitation_id)
    if found is None:
        raise InvitationNotFound(invitation_id)
    state = state_of(app_state, found)
    if state in ("accepted", "revoked"):
        raise InvitationEnded(state)
    return found


async def _record(
    app_state: AppState,
    session: AsyncSession,
    action: Action,
    invitation: Invitation,
    actor_id: str | None,
) -> None:
    await audit.record(
        app_state,
        session,
        action,
        actor_id=actor_id,
        target=Target("invitation", invitation.id),
        details={"email": invitation.email},
    )


def _message(app_state: AppState, invitation: Invitation, token: str) -> EmailMessage:
    # In the fragment, which browsers do not send: the token is in no access log.
    link = f"{app_state.settings.origin}/invitation#{token}"
    return emails.invitation(invitation.email, link, app_state.settings.invitation_days)


def _expiry(app_state: AppState) -> datetime:
    return app_state.clock() + timedelta(days=app_state.settings.invitation_days)


def _digest(token: str) -> str:
    # The token has 256 random bits: an unsalted hash cannot be reversed by guessing.
    return hashlib.sha256(token.encode()).hexdigest()
