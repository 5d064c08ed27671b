"""HTTP endpoints of second factors and of the sign-in with a passkey."""

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Response

from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.identity import notices, schemas, service
from impasto_server.identity.endpoints import RateLimit, notify_new_device, session_response
from impasto_server.identity.second_factors import passkeys, totp
from impasto_server.identity.second_factors import schemas as bodies
from impasto_server.identity.second_factors import service as second_factors
from impasto_server.identity.sessions.devices import CurrentDevice, set_device_cookie
from impasto_server.security.auth import Caller, SignedInCaller, SignedInUser

router = APIRouter(prefix="/identity", tags=["identity"])


async def _confirmed_user(
    body: bodies.PasswordConfirmation,
    caller: SignedInCaller,
    app_state: AppStateDep,
    device: CurrentDevice,
    rate_limit: RateLimit,
) -> Caller:
    await rate_limit.check(caller.user.username)
    await second_factors.confirm_password(app_state, caller.user, body.password, device)
    return caller


ConfirmedCaller = Annotated[Caller, Depends(_confirmed_user)]


@router.post("/second-factor/passkey-options")
async def second_factor_passkey_options(
    body: bodies.SecondFactorChallenge,
    app_state: AppStateDep,
    session: SessionDep,
    device: CurrentDevice,
    rate_limit: RateLimit,
) -> bodies.PasskeyOptions:
    """Return a challenge for the passkeys of the user of a second-factor challenge."""
    await rate_limit.check()
    user, _ = await second_factors.user_of_challenge(app_state, session, body.challenge_token, device)
    binding = f"{user.id} {device.digest}"
    return await passkeys.assertion_options(app_state, session, passkeys.SECOND_FACTOR, binding, user.id)


@router.post("/second-factor")
async def second_factor(
    body: bodies.SecondFactorSignIn,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
    tasks: BackgroundTasks,
) -> schemas.SignInAnswer:
    """Show the second factor after the password: sign in, or return the challenge of a temporary password."""
    await rate_limit.check()
    outcome, user, was_recovery = await service.sign_in_with_second_factor(
        app_state, body.challenge_token, body.proof, device
    )
    if was_recovery:
        await notices.schedule(app_state, tasks, user, notices.RECOVERY_CODE_USED)
    if isinstance(outcome, schemas.SignInAnswer):
        return outcome
    await notify_new_device(app_state, tasks, outcome)
    return schemas.SignInAnswer(session=session_response(app_state, response, outcome, device))


@router.post("/passkey-sign-in/options")
async def passkey_sign_in_options(
    app_state: AppStateDep,
    session: SessionDep,
    device: CurrentDevice,
    rate_limit: RateLimit,
    response: Response,
) -> bodies.PasskeyOptions:
    """Return a challenge for any passkey of this server, bound to this browser by a cookie."""
    await rate_limit.check()
    set_device_cookie(app_state, response, device)
    return await passkeys.assertion_options(app_state, session, passkeys.SIGN_IN, device.digest)


@router.post("/passkey-sign-in")
async def passkey_sign_in(
    body: bodies.PasskeyAnswer,
    app_state: AppStateDep,
    rate_limit: RateLimit,
    device: CurrentDevice,
    response: Response,
    tasks: BackgroundTasks,
) -> schemas.SessionAnswer:
    """Sign in with a passkey, which counts as both factors."""
    await rate_limit.check()
    issued = await service.sign_in_with_passkey(app_state, body, device)
    await notify_new_device(app_state, tasks, issued)
    return schemas.SessionAnswer(session=session_response(app_state, response, issued, device))


@router.get("/second-factors")
async def get_second_factors(
    app_state: AppStateDep, session: SessionDep, user: SignedInUser
) -> bodies.SecondFactors:
    """Return the second factors of the user."""
    return await second_factors.describe(app_state, session, user)


@router.post("/totp")
async def begin_totp(
    app_state: AppStateDep, caller: ConfirmedCaller, tasks: BackgroundTasks
) -> bodies.TotpSetup:
    """Create the secret of a new authenticator app. Signing in asks for it after `confirm`."""
    async with app_state.database.writing() as session:
        if await totp.is_confirmed(session, caller.user.id):
            await second_factors.remove_totp(app_state, session, caller.user)
            await notices.schedule(app_state, tasks, caller.user, notices.TOTP_DISABLED)
        return await totp.begin(app_state, session, caller.user)


@router.post("/totp/confirm")
async def confirm_totp(
    body: bodies.TotpConfirmation,
    app_state: AppStateDep,
    session: SessionDep,
    user: SignedInUser,
    rate_limit: RateLimit,
    tasks: BackgroundTasks,
) -> bodies.RecoveryCodes:
    """Confirm the new app with a code that it shows. The answer has the recovery codes, once."""
    await rate_limit.check(user.username)
    fresh = await second_factors.confirm_totp(app_state, session, user, body.code)
    await notices.schedule(app_state, tasks, user, notices.TOTP_ENABLED)
    return bodies.RecoveryCodes(recovery_codes=fresh)


@router.delete("/totp", status_code=204)
async def remove_totp(app_state: AppStateDep, caller: ConfirmedCaller, tasks: BackgroundTasks) -> None:
    """Remove the authenticator app."""
    async with app_state.database.writing() as session:
        await second_factors.remove_totp(app_state, session, caller.user)
    await notices.schedule(app_state, tasks, caller.user, notices.TOTP_DISABLED)


@router.post("/recovery-codes")
async def new_recovery_codes(
    app_state: AppStateDep, caller: ConfirmedCaller, tasks: BackgroundTasks
) -> bodies.RecoveryCodes:
    """Replace the recovery codes. Only this response contains them."""
    async with app_state.database.writing() as session:
        fresh = await second_factors.new_recovery_codes(app_state, session, caller.user)
    await notices.schedule(app_state, tasks, caller.user, notices.RECOVERY_CODES_CREATED)
    return bodies.RecoveryCodes(recovery_codes=fresh)


@router.post("/passkeys/options")
async def passkey_registration_options(
    app_state: AppStateDep, caller: ConfirmedCaller
) -> bodies.PasskeyOptions:
    """Return a challenge for a new passkey, bound to this session."""
    async with app_state.database.writing() as session:
        return await passkeys.registration_options(app_state, session, caller.user, _binding(caller))


@router.post("/passkeys", status_code=201)
async def add_passkey(
    body: bodies.NewPasskey,
    app_state: AppStateDep,
    caller: SignedInCaller,
    rate_limit: RateLimit,
    tasks: BackgroundTasks,
) -> bodies.PasskeyCreated:
    """Store a new passkey. The answer has the recovery codes if it is the first second factor."""
    await rate_limit.check(caller.user.username)
    challenge = await passkeys.take_challenge(
        app_state, body.challenge_id, passkeys.REGISTER, _binding(caller)
    )
    async with app_state.database.writing() as session:
        created = await second_factors.add_passkey(app_state, session, caller.user, body, challenge)
    await notices.schedule(app_state, tasks, caller.user, notices.PASSKEY_ADDED, created.name)
    return created


@router.patch("/passkeys/{passkey_id}")
async def rename_passkey(
    passkey_id: str, body: bodies.PasskeyRename, session: SessionDep, user: SignedInUser
) -> bodies.PasskeyInfo:
    """Rename a passkey."""
    return await second_factors.rename_passkey(session, user, passkey_id, body.name)


@router.delete("/passkeys/{passkey_id}", status_code=204)
async def remove_passkey(
    passkey_id: str, app_state: AppStateDep, caller: ConfirmedCaller, tasks: BackgroundTasks
) -> None:
    """Remove a passkey."""
    async with app_state.database.writing() as session:
        name = await second_factors.remove_passkey(app_state, session, caller.user, passkey_id)
    await notices.schedule(app_state, tasks, caller.user, notices.PASSKEY_REMOVED, name)


def _binding(caller: Caller) -> str:
    return f"{caller.user.id} {caller.session_id}"
