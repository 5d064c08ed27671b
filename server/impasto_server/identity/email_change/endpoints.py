"""HTTP endpoints of a change of the e-mail address."""

from fastapi import APIRouter, BackgroundTasks, Response

from impasto_server.container import AppStateDep
from impasto_server.identity import notices
from impasto_server.identity.email_change import service
from impasto_server.identity.email_change.schemas import ConfirmEmailChange, EmailChange
from impasto_server.identity.emails import mask
from impasto_server.identity.endpoints import RateLimit
from impasto_server.identity.schemas import Delivery
from impasto_server.identity.sessions.devices import CurrentDevice, set_device_cookie
from impasto_server.security.auth import SignedInCaller

router = APIRouter(prefix="/identity", tags=["identity"])


@router.post("/change-email", status_code=202)
async def change_email(
    body: EmailChange,
    caller: SignedInCaller,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
    tasks: BackgroundTasks,
) -> Delivery:
    """Send a code to a new e-mail address, which replaces the address when the code is confirmed.

    The answer is the same if the address has an account: then it gets an e-mail without a code. 403
    `password_wrong`; 409 `email_managed` for users of the OpenID Connect provider.
    """
    await rate_limit.check(caller.user.username)
    message = await service.request(app_state, caller.user, body, device)
    set_device_cookie(app_state, response, device)
    delayed = await app_state.mailer.send_or_queue(message)
    await notices.schedule(app_state, tasks, caller.user, notices.EMAIL_CHANGE_REQUESTED)
    return Delivery(medium="email", destination=mask(body.email), delayed=delayed)


@router.post("/confirm-change-email", status_code=204)
async def confirm_change_email(
    body: ConfirmEmailChange,
    caller: SignedInCaller,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    tasks: BackgroundTasks,
) -> None:
    """Replace the e-mail address with the one that the code was sent to. Sessions and API keys stay.

    A username that is the old address becomes the new one. 400 `code_invalid`, 409 `email_taken`.
    """
    await rate_limit.check(caller.user.username)
    await service.confirm(app_state, caller.user, body, device)
    await notices.schedule(app_state, tasks, caller.user, notices.EMAIL_CHANGED)
