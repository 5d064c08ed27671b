"""Sign-up and confirmation of the e-mail address."""

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.email.transport import EmailMessage
from impasto_server.identity import codes, emails, repository
from impasto_server.identity.errors import CodeInvalid, UserExists
from impasto_server.identity.models import Password
from impasto_server.identity.schemas import SignUp
from impasto_server.identity.sessions import devices
from impasto_server.identity.sessions import service as sessions
from impasto_server.identity.sessions.devices import Device
from impasto_server.identity.sign_up import rules
from impasto_server.users import service as users


async def sign_up(app_state: AppState, wanted: SignUp, device: Device) -> EmailMessage:
    """Create an unconfirmed account; return the e-mail with its code.

    Raises `SignUpRefused` or `UserExists`.
    """
    async with rules.recorded_refusals(app_state, wanted.email):
        rules.check_allowed(app_state.settings, wanted.email, invited=False)
        hashed = await app_state.password_hasher.hash(wanted.password)
        try:
            async with app_state.database.writing() as session:
                await _delete_abandoned(app_state, session, wanted, device)
                return await _create(app_state, session, wanted, hashed, device)
        except IntegrityError as error:
            raise UserExists from error


async def resend(app_state: AppState, username: str, device: Device) -> None:
    """Send a new confirmation code. Does nothing for unknown and confirmed accounts."""
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, username)
        if user is None or user.confirmed_at is not None or user.email is None:
            return
        target, message = Target("user", user.id), None
        if await codes.may_send(app_state, session, user, device):
            live = await repository.live_codes(session, user.id, app_state.clock())
            auto_sign_in = all(code.auto_sign_in for code in live)
            issued = await codes.create(
                app_state, session, user, codes.SIGN_UP, device, auto_sign_in=auto_sign_in
            )
            message = emails.confirmation(app_state.settings, user, issued)
            await audit.record(app_state, session, "account.confirm_request", target=target)
    if message is None:
        await audit.record_refusal(app_state, "account.confirm_request", "denied", target=target)
    else:
        await app_state.mailer.send(message)


async def confirm(
    app_state: AppState, username: str, code: str, token: str, device: Device
) -> sessions.IssuedSession | None:
    """Confirm an account; return its first session if `auto_sign_in` was set. Raises `CodeInvalid`."""
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, username)
        stored = user and await codes.check(app_state, session, user, codes.SIGN_UP, code, device, token)
        if user is not None and stored:
            await codes.delete(session, stored)
            user.confirmed_at = user.confirmed_at or app_state.clock()
            target = Target("user", user.id)
            await audit.record(app_state, session, "account.confirm", actor_id=user.id, target=target)
            return await sessions.start(app_state, session, user, device) if stored.auto_sign_in else None
    refused = Target("user", user.id) if user else None
    await audit.record_refusal(app_state, "account.confirm", "failure", target=refused)
    raise CodeInvalid


async def send(app_state: AppState, message: EmailMessage, device: Device) -> bool:
    """Send the e-mail of a new account unless a rate limit is exceeded. Returns whether it is delayed."""
    if not await codes.may_send_to(app_state, message.to, device):
        return False
    return await app_state.mailer.send_or_queue(message)


async def _delete_abandoned(
    app_state: AppState, session: AsyncSession, wanted: SignUp, device: Device
) -> None:
    """Delete unconfirmed sign-ups that occupy the username or the address. Raises `UserExists`.

    A sign-up with a valid code stays, except that its own device may correct its username or e-mail address.
    """
    for taken in await users.find_conflicting(session, wanted.username, wanted.email):
        is_pending = await codes.is_held_elsewhere(app_state, session, taken, device)
        if is_pending or not await users.delete_unconfirmed(app_state, session, taken.id):
            raise UserExists


async def _create(
    app_state: AppState, session: AsyncSession, wanted: SignUp, hashed: str, device: Device
) -> EmailMessage:
    user = await users.create(session, wanted.username, wanted.email, app_state.clock())
    await audit.record(app_state, session, "account.create", target=Target("user", user.id))
    user.client_metadata = wanted.client_metadata or None
    session.add(Password(user_id=user.id, hash=hashed, temporary=False, changed_at=app_state.clock()))
    await devices.remember(session, user.id, device, app_state.clock())
    issued = await codes.create(
        app_state, session, user, codes.SIGN_UP, device, auto_sign_in=wanted.auto_sign_in
    )
    return emails.confirmation(app_state.settings, user, issued)
