"""Changing the e-mail address: a code proves that the user reads the new one; the old one gets notices.

Until the code is confirmed, the account keeps its address. A password change or reset cancels the request.
"""

from sqlalchemy.exc import IntegrityError

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.db.text_normalization import normalize_login
from impasto_server.email.transport import EmailMessage
from impasto_server.http.errors import FieldInvalid, NotAuthenticated, RateLimited
from impasto_server.identity import codes, emails, repository
from impasto_server.identity.email_change.schemas import ConfirmEmailChange, EmailChange
from impasto_server.identity.errors import CodeInvalid, EmailManaged, EmailTaken, WrongPassword
from impasto_server.identity.schemas import MAX_USERNAME
from impasto_server.identity.second_factors import service as second_factors
from impasto_server.identity.sessions.devices import Device
from impasto_server.identity.sign_up import rules
from impasto_server.users import service as users
from impasto_server.users.models import User

_RETRY_SECONDS = 3600


class EmailUnchanged(FieldInvalid):
    """The account has this e-mail address already."""

    def __init__(self) -> None:
        super().__init__("email", "This is your email address already.", "email_unchanged")


class EmailTooLong(FieldInvalid):
    """The username, which is the e-mail address, would be too long."""

    def __init__(self) -> None:
        super().__init__(
            "email",
            f"Your username is your email address, so it can have at most {MAX_USERNAME} characters.",
            "email_too_long",
        )


async def request(app_state: AppState, user: User, body: EmailChange, device: Device) -> EmailMessage:
    """Create the code of a change; return the e-mail to the new address.

    A newer request replaces an older one. If the address has an account, the e-mail says so instead, which
    only its reader learns. Raises `EmailManaged`, `WrongPassword`, `EmailUnchanged`, `EmailTooLong`,
    `AddressRefused` or `RateLimited`.
    """
    await _check_password(app_state, user, body.password, device)
    _check_address(app_state, user, body.email)
    target = Target("user", user.id)
    if not await codes.may_send_to(app_state, body.email, device):
        await audit.record_refusal(
            app_state, "email.change_request", "denied", actor_id=user.id, target=target
        )
        raise RateLimited(_RETRY_SECONDS)
    async with app_state.database.writing() as session:
        await codes.delete_changes(session, user.id)
        taken = await users.find_by_email(session, body.email)
        if taken is not None and taken.confirmed_at is not None:
            message = emails.address_taken(app_state.settings, body.email)
        else:
            purpose = codes.change_to(body.email)
            issued = await codes.create(app_state, session, user, purpose, device, address=body.email)
            message = emails.email_change(app_state.settings, user, body.email, issued)
        details = {"to": body.email}
        await audit.record(
            app_state, session, "email.change_request", actor_id=user.id, target=target, details=details
        )
    return message


async def confirm(app_state: AppState, user: User, body: ConfirmEmailChange, device: Device) -> None:
    """Give the user the address that the code was sent to, and delete the codes sent to the old one.

    Raises `CodeInvalid` or `EmailTaken`.
    """
    try:
        if await _change(app_state, user, body, device):
            return
    except IntegrityError as error:
        raise EmailTaken from error
    target = Target("user", user.id)
    await audit.record_refusal(app_state, "email.change", "failure", actor_id=user.id, target=target)
    raise CodeInvalid


async def _change(app_state: AppState, user: User, body: ConfirmEmailChange, device: Device) -> bool:
    """Change the address if the code is correct; return whether it is. A wrong one is counted."""
    async with app_state.database.writing() as session:
        current = await users.find_for_update(session, user.id)
        if current is None:
            raise NotAuthenticated
        purpose = codes.change_to(body.email)
        stored = await codes.check(
            app_state, session, current, purpose, body.code, device, body.token, address=body.email
        )
        if stored is None:
            return False
        taken = await users.find_by_email(session, body.email)
        if taken is not None and not await users.delete_unconfirmed(app_state, session, taken.id):
            raise EmailTaken
        details = {"from": current.email, "to": body.email}
        await users.change_email(session, current, body.email)
        await repository.delete_all_codes(session, user.id)
        target = Target("user", user.id)
        await audit.record(
            app_state, session, "email.change", actor_id=user.id, target=target, details=details
        )
        return True


async def _check_password(app_state: AppState, user: User, password: str, device: Device) -> None:
    async with app_state.database.reading() as session:
        if await repository.password_of(session, user.id) is None:
            raise EmailManaged
    try:
        await second_factors.confirm_password(app_state, user, password, device)
    except WrongPassword:
        target = Target("user", user.id)
        await audit.record_refusal(
            app_state, "email.change_request", "failure", actor_id=user.id, target=target
        )
        raise


def _check_address(app_state: AppState, user: User, email: str) -> None:
    key = normalize_login(email)
    if key == user.email_key:
        raise EmailUnchanged
    if user.username_key == user.email_key and len(key) > MAX_USERNAME:
        raise EmailTooLong
    rules.check_address(app_state.settings, email)
