"""The identity calls."""

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Body, Cookie, Depends, Request, Response

from impasto_server.container import AppState, AppStateDep
from impasto_server.db.text_normalization import normalize_login
from impasto_server.http.errors import NotAuthenticated
from impasto_server.identity import cookies, password_reset, schemas, service, sessions, sign_up
from impasto_server.identity.errors import SessionEnded
from impasto_server.security.auth import Bearer, Person
from impasto_server.users import service as users

router = APIRouter(prefix="/identity", tags=["identity"])
jwks_router = APIRouter(tags=["identity"])
RefreshCookie = Annotated[str | None, Cookie(alias=cookies.NAME, include_in_schema=False)]


class _Guard:
    """Counts a call against the limits of its caller's address and of the account it names."""

    def __init__(self, app_state: AppStateDep, request: Request) -> None:
        self._app_state = app_state
        self._call = request.url.path
        self._address = request.client.host if request.client else "unknown"

    async def check(self, account: str = "") -> None:
        settings, limiter = self._app_state.settings, self._app_state.rate_limiter
        await limiter.hit(settings.rate_limit_address, "identity", self._address)
        for name in await self._names(account) if account else ():
            await limiter.hit(settings.rate_limit_account, self._call, self._address, name)

    async def _names(self, account: str) -> list[str]:
        """What an account is counted by: the name that was given, and itself whichever name that was."""
        async with self._app_state.database.reading() as session:
            user = await users.find_by_login(session, account)
        named = normalize_login(account)[:320]
        return [named, user.id] if user else [named]


Guard = Annotated[_Guard, Depends()]


@router.post("/sign-up", status_code=201)
async def sign_up_(
    body: schemas.SignUp, app_state: AppStateDep, guard: Guard, tasks: BackgroundTasks
) -> schemas.SignUpAnswer:
    """Make an account and mail its code."""
    await guard.check(body.username)
    letter = await sign_up.sign_up(app_state, body)
    tasks.add_task(sign_up.send, app_state, letter)
    delivery = schemas.Delivery(medium="email", destination=_mask(body.email))
    return schemas.SignUpAnswer(confirmed=False, delivery=delivery)


@router.post("/confirm-sign-up")
async def confirm_sign_up(
    body: schemas.ConfirmSignUp, app_state: AppStateDep, guard: Guard, response: Response
) -> schemas.ConfirmSignUpAnswer:
    """Confirm an account with its code, and sign in."""
    await guard.check(body.username)
    opened = await sign_up.confirm(app_state, body.username, body.code)
    return schemas.ConfirmSignUpAnswer(session=_give(app_state, response, opened) if opened else None)


@router.post("/resend-code", status_code=202)
async def resend_code(
    body: schemas.ResendCode, app_state: AppStateDep, guard: Guard, tasks: BackgroundTasks
) -> None:
    """Mail a new code, if such an account waits for one."""
    await guard.check(body.username)
    tasks.add_task(sign_up.resend, app_state, body.username)


@router.post("/sign-in")
async def sign_in(
    body: schemas.SignIn, app_state: AppStateDep, guard: Guard, response: Response
) -> schemas.SignInAnswer:
    """Sign in, or learn what must be done first."""
    await guard.check(body.username)
    outcome = await service.sign_in(app_state, body.username, body.password)
    if isinstance(outcome, schemas.SignInAnswer):
        return outcome
    return schemas.SignInAnswer(session=_give(app_state, response, outcome))


@router.post("/new-password")
async def new_password(
    body: schemas.SetNewPassword, app_state: AppStateDep, guard: Guard, response: Response
) -> schemas.SessionAnswer:
    """Meet the challenge of a temporary password."""
    await guard.check()
    opened = await password_reset.verify_challenge(app_state, body.challenge_token, body.new_password)
    return schemas.SessionAnswer(session=_give(app_state, response, opened))


@router.post("/refresh")
async def refresh(
    app_state: AppStateDep, guard: Guard, response: Response, token: RefreshCookie = None
) -> schemas.SessionAnswer:
    """Trade the refresh cookie for a new session token and the next cookie."""
    await guard.check()
    if token is None:
        raise SessionEnded
    opened = await sessions.refresh(app_state, token)
    return schemas.SessionAnswer(session=_give(app_state, response, opened))


@router.post("/sign-out", status_code=204)
async def sign_out(
    app_state: AppStateDep,
    response: Response,
    bearer: Bearer,
    body: Annotated[schemas.SignOut | None, Body()] = None,
    token: RefreshCookie = None,
) -> None:
    """End this session, or every session of its owner."""
    everywhere = bool(body and body.everywhere)
    who = await service.who_signs_out(app_state, token, bearer.credentials if bearer else None)
    if who is None and everywhere:
        raise NotAuthenticated
    if who is not None:
        await service.sign_out(app_state, who[0], who[1], everywhere=everywhere)
    cookies.delete_refresh_cookie(response)


@router.post("/forgot-password", status_code=202)
async def forgot_password(
    body: schemas.ForgotPassword, app_state: AppStateDep, guard: Guard, tasks: BackgroundTasks
) -> None:
    """Mail a code for a new password, if there is such an account."""
    await guard.check(body.username)
    tasks.add_task(password_reset.forgot, app_state, body.username)


@router.post("/confirm-forgot-password", status_code=204)
async def confirm_forgot_password(
    body: schemas.ConfirmForgotPassword, app_state: AppStateDep, guard: Guard
) -> None:
    """Set a new password with the mailed code; every session ends."""
    await guard.check(body.username)
    await password_reset.confirm_forgot(app_state, body.username, body.confirmation_code, body.new_password)


@router.post("/change-password", status_code=204)
async def change_password(
    body: schemas.ChangePassword, person: Person, app_state: AppStateDep, guard: Guard
) -> None:
    """Change one's password; the other sessions end."""
    await guard.check(person.user.username)
    await password_reset.change(
        app_state, person.user, person.session_id, body.old_password, body.new_password
    )


@jwks_router.get("/.well-known/jwks.json")
async def jwks(app_state: AppStateDep, response: Response) -> schemas.JsonWebKeySet:
    """Return the public keys that verify identity tokens: two, so that the signing key can be rotated."""
    response.headers["Cache-Control"] = "public, max-age=300"
    return schemas.JsonWebKeySet(**app_state.signing_keys.public())


def _give(app_state: AppState, response: Response, opened: sessions.IssuedSession) -> schemas.Session:
    cookies.set_refresh_cookie(app_state, response, opened.refresh_token)
    return schemas.Session(identity_token=opened.identity_token, expires_at=opened.expires_at)


def _mask(email: str) -> str:
    name, _, domain = email.partition("@")
    return f"{name[0]}***@{domain[0]}***"
