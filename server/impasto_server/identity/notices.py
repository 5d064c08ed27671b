"""E-mails about changes of an account, so that its owner notices those of an intruder.

A notice says what happened, when, on which device and from which address, and what to do if it was not the
owner. It contains no secret.
"""

from typing import NamedTuple

from fastapi import BackgroundTasks

from impasto_server.audit.origin import current_origin
from impasto_server.container import AppState
from impasto_server.email.transport import EmailMessage
from impasto_server.identity import emails
from impasto_server.identity.sessions.devices import name_of
from impasto_server.users.models import User

_MAX_OF_ONE_KIND = "20/hour"


class Notice(NamedTuple):
    """A kind of notice: the subject of the e-mail, and the sentence that says what happened.

    `can_reset` says that the owner can still reset the password with a code sent to the address.
    """

    subject: str
    sentence: str
    can_reset: bool = True


NEW_DEVICE = Notice("New sign-in to Impasto", "Your account was opened on a device that is new to it.")
PASSWORD_CHANGED = Notice("Your Impasto password was changed", "The password of your account was changed.")
PASSWORD_RESET = Notice(
    "Your Impasto password was reset",
    "The password of your account was reset. All sessions were ended and all API keys revoked.",
)
PASSWORD_RESET_BY_OPERATOR = Notice(
    "Your Impasto password was reset by the administrator",
    "The administrator of this server gave your account a temporary password. All sessions were ended and "
    "all API keys revoked.",
)
EMAIL_CHANGE_REQUESTED = Notice(
    "New email address for Impasto",
    "A change of the email address of your account was requested. It takes effect when the code that was "
    "sent to the new address is entered. A password reset cancels it.",
)
EMAIL_CHANGED = Notice(
    "Your Impasto email address was changed",
    "Your account has a new email address. This is the last e-mail about it to this address.",
    can_reset=False,
)
API_KEY_CREATED = Notice("New Impasto API key", "An API key was created for your account.")
API_KEY_REVOKED = Notice("Impasto API key revoked", "An API key of your account was revoked.")
PROVIDER_KEY_SET = Notice("Provider key saved in Impasto", "A provider key was saved for your account.")
PROVIDER_KEY_REMOVED = Notice(
    "Provider key removed from Impasto", "A provider key of your account was removed."
)
TOTP_ENABLED = Notice(
    "Authenticator app added to Impasto",
    "Your account now asks for a code of an authenticator app.",
)
TOTP_DISABLED = Notice(
    "Authenticator app removed from Impasto", "The authenticator app was removed from your account."
)
RECOVERY_CODES_CREATED = Notice(
    "New Impasto recovery codes",
    "New recovery codes were created for your account.",
)
RECOVERY_CODE_USED = Notice("Impasto recovery code used", "A recovery code of your account was used.")
PASSKEY_ADDED = Notice("Passkey added to Impasto", "A passkey was added to your account.")
PASSKEY_REMOVED = Notice("Passkey removed from Impasto", "A passkey was removed from your account.")


async def schedule(
    app_state: AppState, tasks: BackgroundTasks, user: User, notice: Notice, name: str = ""
) -> None:
    """Send a notice after the response, at most 20 of one kind an hour. `name` is that of a key."""
    message = await compose(app_state, user, notice, name)
    if message is not None:
        tasks.add_task(app_state.mailer.send, message)


async def compose(app_state: AppState, user: User, notice: Notice, name: str = "") -> EmailMessage | None:
    """Return the e-mail of a notice; None without an e-mail address, or over the limit of its kind."""
    if user.email is None or not await app_state.rate_limiter.allows(
        _MAX_OF_ONE_KIND, "notices", notice.subject, user.id
    ):
        return None
    origin = current_origin()
    facts = {
        "Name": emails.harmless(name),
        "Time": f"{app_state.clock():%d %B %Y, %H:%M} UTC",
        "Device": name_of(origin.user_agent or "") if origin.address else "the operator's command line",
        "Address": origin.address,
    }
    shown = {label: value for label, value in facts.items() if value}
    return emails.notice(
        app_state.settings, user, notice.subject, notice.sentence, shown, can_reset=notice.can_reset
    )
