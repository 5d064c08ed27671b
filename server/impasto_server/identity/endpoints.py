"""HTTP endpoints of sign-up, sign-in, sessions and passwords."""

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Body, Cookie, Depends, Request, Response

from impasto_server.container import AppState, AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.db.text_normalization import normalize_login
from impasto_server.http.errors import NotAuthenticated
from impasto_server.http.pagination import Paging
from impasto_server.identity import emails, notices, password_reset, schemas, service
from impasto_server.identity.errors import SessionEnded
from impasto_server.identity.sessions import cookies
from impasto_server.identity.sessions import service as sessions
from impasto_server.identity.sessions.devices import CurrentDevice, Device, set_device_cookie
from impasto_server.identity.sign_up import invitations, rules
from impasto_server.identity.sign_up import service as sign_up
from impasto_server.security.auth import Bearer, SignedInCaller
from impasto_server.users import service as users

router = APIRouter(prefix="/identity", tags=["identity"])
jwks_router = APIRouter(tags=["identity"])
RefreshCookie = Annotated[str | None, Cookie(alias=cookies.NAME, include_in_schema=False)]


class _RateLimit:
    """Counts a request against the limits of its IP address (IPv6: /64) and of the account that it names."""

    def __init__(self, app_state: AppStateDep, request: Request, device: CurrentDevice) -> None:
        self._app_state = app_state
        self._path = request.url.path
        self._ip = device.block

    async def check(self, account: str = "") -> None:
        settings, limiter = self._app_state.settings, self._app_state.rate_limiter
        await limiter.hit(settings.rate_limit_address, "identity", self._ip)
        for name in await self._counters(account) if account else ():
            await limiter.hit(settings.rate_limit_account, self._path, self._ip, name)

    async def check_sign_up(self) -> None:
        # Its answer tells whether an account exists, as the specification asks: few questions are answered.
        settings, limiter = self._app_state.settings, self._app_state.rate_limiter
        await limiter.hit(settings.rate_limit_sign_up, self._path, self._ip)

    async def _counters(self, account: str) -> list[str]:
        """Return the counters of an account: the given name, and its id whichever name was given."""
        async with self._app_state.database.reading() as session:
            user = await users.find_by_login(session, account)
        name = normalize_login(account)[:320]
        return [name, user.id] if user else [name]


RateLimit = Annotated[_RateLimit, Depends()]


@router.get("/registration")
async def get_registration(app_state: AppStateDep) -> schemas.Registration:
    """Return who may create an account."""
    return rules.describe(app_state.settings)


@router.post("/invitation")
async def read_invitation(
    body: schemas.InvitationToken, app_state: AppStateDep, rate_limit: RateLimit
) -> schemas.InvitedEmail:
    """Return the address that an invitation is for. 400 `invitation_invalid` if it is used or expired."""
    await rate_limit.check()
    return await invitations.read(app_state, body.token)


@router.post("/accept-invitation", status_code=201)
async def accept_invitation(
    body: schemas.AcceptInvitation,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
) -> schemas.SessionAnswer:
    """Create an account for the address of an invitation and sign in. 400 `invitation_invalid`."""
    await rate_limit.check()
    issued = await invitations.accept(app_state, body, device)
    return schemas.SessionAnswer(session=session_response(app_state, response, issued, device))


@router.post("/sign-up", status_code=201)
async def sign_up_(
    body: schemas.SignUp,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
) -> schemas.SignUpAnswer:
    """Create an account and send its confirmation code by e-mail."""
    await rate_limit.check(body.username)
    await rate_limit.check_sign_up()
    message = await sign_up.sign_up(app_state, body, device)
    set_device_cookie(app_state, response, device)
    delayed = await sign_up.send(app_state, message, device)
    delivery = schemas.Delivery(medium="email", destination=emails.mask(body.email), delayed=delayed)
    return schemas.SignUpAnswer(confirmed=False, delivery=delivery)


@router.post("/confirm-sign-up")
async def confirm_sign_up(
    body: schemas.ConfirmSignUp,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
) -> schemas.ConfirmSignUpAnswer:
    """Confirm an account with its code and sign in."""
    await rate_limit.check(body.username)
    issued = await sign_up.confirm(app_state, body.username, body.code, body.token, device)
    return schemas.ConfirmSignUpAnswer(
        session=session_response(app_state, response, issued, device) if issued else None
    )


@router.post("/resend-code", status_code=202)
async def resend_code(
    body: schemas.ResendCode,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
    tasks: BackgroundTasks,
) -> None:
    """Send a new confirmation code. Does nothing for unknown and confirmed accounts."""
    await rate_limit.check(body.username)
    set_device_cookie(app_state, response, device)
    tasks.add_task(sign_up.resend, app_state, body.username, device)


@router.post("/sign-in")
async def sign_in(
    body: schemas.SignIn,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
    tasks: BackgroundTasks,
) -> schemas.SignInAnswer:
    """Sign in, or return the challenge that must be completed first."""
    await rate_limit.check(body.username)
    outcome = await service.sign_in(app_state, body.username, body.password, device)
    if isinstance(outcome, schemas.SignInAnswer):
        set_device_cookie(app_state, response, device)  # the second factor must come from the same device
        return outcome
    await notify_new_device(app_state, tasks, outcome)
    return schemas.SignInAnswer(session=session_response(app_state, response, outcome, device))


@router.post("/new-password")
async def new_password(
    body: schemas.SetNewPassword,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
    tasks: BackgroundTasks,
) -> schemas.SessionAnswer:
    """Replace a temporary password and sign in."""
    await rate_limit.check()
    issued = await password_reset.verify_challenge(app_state, body.challenge_token, body.new_password, device)
    await notify_new_device(app_state, tasks, issued)
    return schemas.SessionAnswer(session=session_response(app_state, response, issued, device))


@router.post("/refresh")
async def refresh(
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
    token: RefreshCookie = None,
) -> schemas.SessionAnswer:
    """Exchange the refresh cookie for a new identity token and a new refresh cookie."""
    await rate_limit.check()
    if token is None:
        raise SessionEnded
    issued = await sessions.refresh(app_state, token, device)
    return schemas.SessionAnswer(session=session_response(app_state, response, issued))


@router.post("/sign-out", status_code=204)
async def sign_out(
    app_state: AppStateDep,
    response: Response,
    bearer: Bearer,
    body: Annotated[schemas.SignOut | None, Body()] = None,
    token: RefreshCookie = None,
) -> None:
    """End this session, or all sessions of the user."""
    everywhere = bool(body and body.everywhere)
    target = await service.session_to_end(app_state, token, bearer.credentials if bearer else None)
    if target is None and everywhere:
        raise NotAuthenticated
    if target is not None:
        await service.sign_out(app_state, target[0], target[1], everywhere=everywhere)
    cookies.delete_refresh_cookie(response)


@router.post("/forgot-password", status_code=202)
async def forgot_password(
    body: schemas.ForgotPassword,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
    tasks: BackgroundTasks,
) -> None:
    """Send a code that resets the password by e-mail. Does nothing for unknown accounts."""
    await rate_limit.check(body.username)
    set_device_cookie(app_state, response, device)
    tasks.add_task(password_reset.request_reset, app_state, body.username, device)


@router.post("/confirm-forgot-password", status_code=204)
async def confirm_forgot_password(
    body: schemas.ConfirmForgotPassword,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
    tasks: BackgroundTasks,
) -> None:
    """Set a new password with the code from the e-mail. All sessions end and all API keys are revoked."""
    await rate_limit.check(body.username)
    user = await password_reset.confirm_reset(app_state, body, device)
    set_device_cookie(app_state, response, device)
    await notices.schedule(app_state, tasks, user, notices.PASSWORD_RESET)


@router.post("/change-password", status_code=204)
async def change_password(
    body: schemas.ChangePassword,
    caller: SignedInCaller,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    tasks: BackgroundTasks,
) -> None:
    """Change the password. The other sessions end, and the API keys are revoked if the user wants it."""
    await rate_limit.check(caller.user.username)
    await password_reset.change(app_state, caller.user, caller.session_id, body, device)
    await notices.schedule(app_state, tasks, caller.user, notices.PASSWORD_CHANGED)


@router.get("/sessions")
async def list_sessions(caller: SignedInCaller, session: SessionDep, paging: Paging) -> schemas.SessionPage:
    """List the active sessions of the user, with device, IP address and last use."""
    return await sessions.list_active(session, caller.user, caller.session_id, paging)


@router.delete("/sessions", status_code=204)
async def end_other_sessions(caller: SignedInCaller, app_state: AppStateDep, session: SessionDep) -> None:
    """End all sessions of the user but the one of this request."""
    await sessions.end_others(app_state, session, caller.user, caller.session_id)


@router.delete("/sessions/{session_id}", status_code=204)
async def end_one_session(
    session_id: str, caller: SignedInCaller, app_state: AppStateDep, session: SessionDep
) -> None:
    """End one session of the user. Its open streams end within a few seconds."""
    await sessions.end_one(app_state, session, caller.user, session_id)


@jwks_router.get("/.well-known/jwks.json")
async def jwks(app_state: AppStateDep, response: Response) -> schemas.JsonWebKeySet:
    """Return the public keys that verify identity tokens: two, so that the signing key can be rotated."""
    response.headers["Cache-Control"] = "public, max-age=300"
    return schemas.JsonWebKeySet(**app_state.signing_keys.public())


async def notify_new_device(
    app_state: AppState, tasks: BackgroundTasks, issued: sessions.IssuedSession
) -> None:
    """Send the notice of a sign-in on a device that is new to the user."""
    if issued.is_new_device:
        await notices.schedule(app_state, tasks, issued.user, notices.NEW_DEVICE)


def session_response(
    app_state: AppState, response: Response, issued: sessions.IssuedSession, device: Device | None = None
) -> schemas.Session:
    """Return the session for the body and set the cookies of the response."""
    cookies.set_refresh_cookie(app_state, response, issued.refresh_token)
    if device is not None:
        set_device_cookie(app_state, response, device)
    return schemas.Session(identity_token=issued.identity_token, expires_at=issued.expires_at)
