"""Sign-up and confirmation of the e-mail address."""

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.db.text_normalization import normalize_login
from impasto_server.email.mailer import EmailMessage
from impasto_server.identity import codes, emails, registration, repository, sessions
from impasto_server.identity.errors import CodeInvalid, UserExists
from impasto_server.identity.models import Password
from impasto_server.identity.schemas import SignUp
from impasto_server.users import service as users


async def sign_up(app_state: AppState, wanted: SignUp) -> EmailMessage:
    """Create an unconfirmed account; return the e-mail with its code.

    Raises `SignUpRefused` or `UserExists`.
    """
    registration.check_allowed(app_state.settings, wanted.email, invited=False)
    hashed = await app_state.password_hasher.hash(wanted.password)
    try:
        async with app_state.database.writing() as session:
            await _delete_abandoned(app_state, session, wanted)
            return await _create(app_state, session, wanted, hashed)
    except IntegrityError as error:
        raise UserExists from error


async def resend(app_state: AppState, username: str) -> None:
    """Send a new confirmation code. Does nothing for unknown and confirmed accounts."""
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, username)
        if user is None or user.confirmed_at is not None or user.email is None:
            return
        if not await may_send(app_state, user.email):
            return
        old = await repository.code_of(session, user.id, codes.SIGN_UP)
        auto_sign_in = old is None or old.auto_sign_in
        code = await codes.create(app_state, session, user.id, codes.SIGN_UP, auto_sign_in=auto_sign_in)
        message = emails.confirmation(user.email, user.username, code, _minutes(app_state))
    await app_state.mailer.send(message)


async def confirm(app_state: AppState, username: str, code: str) -> sessions.IssuedSession | None:
    """Confirm an account; return its first session if `auto_sign_in` was set. Raises `CodeInvalid`."""
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, username)
        redeemed = user and await codes.redeem(app_state, session, user.id, codes.SIGN_UP, code)
        if user is not None and redeemed:
            user.confirmed_at = user.confirmed_at or app_state.clock()
            return await sessions.start(app_state, session, user) if redeemed.auto_sign_in else None
    raise CodeInvalid


async def send(app_state: AppState, message: EmailMessage) -> None:
    """Send an e-mail unless the recipient's rate limit is exceeded."""
    if await may_send(app_state, message.to):
        await app_state.mailer.send(message)


async def may_send(app_state: AppState, address: str) -> bool:
    """Count an e-mail to an address; return whether it is within the rate limit.

    Call this before creating a code: a new code resets the attempts, so unlimited codes would allow
    unlimited guesses, and would invalidate the code that the user received last.
    """
    return await app_state.rate_limiter.allows(
        app_state.settings.rate_limit_mails, "mails", normalize_login(address)
    )


async def _delete_abandoned(app_state: AppState, session: AsyncSession, wanted: SignUp) -> None:
    """Delete unconfirmed sign-ups that occupy the username or the address. Raises `UserExists`."""
    for taken in await users.find_conflicting(session, wanted.username, wanted.email):
        age = app_state.clock() - taken.created_at
        is_recent = (
            taken.email_key == normalize_login(wanted.email)
            and age.total_seconds() < app_state.settings.code_seconds
        )
        if is_recent or not await users.delete_unconfirmed(session, taken.id):
            raise UserExists


async def _create(app_state: AppState, session: AsyncSession, wanted: SignUp, hashed: str) -> EmailMessage:
    user = await users.create(session, wanted.username, wanted.email, app_state.clock())
    user.client_metadata = wanted.client_metadata or None
    session.add(Password(user_id=user.id, hash=hashed, temporary=False, changed_at=app_state.clock()))
    code = await codes.create(app_state, session, user.id, codes.SIGN_UP, auto_sign_in=wanted.auto_sign_in)
    return emails.confirmation(wanted.email, user.username, code, _minutes(app_state))


def _minutes(app_state: AppState) -> int:
    return max(1, app_state.settings.code_seconds // 60)
