"""Endpoints of the OpenID Connect sign-in. A browser follows their redirects."""

from typing import Annotated

import structlog
from fastapi import APIRouter, BackgroundTasks, Cookie, Request
from fastapi.responses import RedirectResponse

from impasto_server.container import AppStateDep
from impasto_server.http.errors import NotFound, Problem
from impasto_server.identity import notices
from impasto_server.identity.oidc import service as oidc
from impasto_server.identity.schemas import OidcProvider
from impasto_server.identity.sessions import cookies
from impasto_server.identity.sessions.devices import CurrentDevice, set_device_cookie

log = structlog.get_logger()
_COOKIE = "impasto_oidc"
_COOKIE_SECONDS = 600
_COOKIE_PATH = "/api/v1/identity"
_START = "/api/v1/identity/oidc/start"
# The sign-in page says why, by the value of `failed`.
_FAILURES = {"account_suspended": "suspended", "sign_up_refused": "sign_up"}

router = APIRouter(prefix="/identity", tags=["identity"])


@router.get("/providers")
async def providers(app_state: AppStateDep) -> list[OidcProvider]:
    """List the OpenID Connect providers that users can sign in with: none, or the configured one."""
    if not app_state.oidc_client.issuer:
        return []
    return [OidcProvider(name=app_state.settings.oidc_name, start_url=_START)]


@router.get("/oidc/start", status_code=302, response_class=RedirectResponse, include_in_schema=False)
@router.get("/outside/start", status_code=302, response_class=RedirectResponse, include_in_schema=False)
async def oidc_start(request: Request, app_state: AppStateDep, return_to: str = "/") -> RedirectResponse:
    """Redirect the browser to the provider."""
    if not app_state.oidc_client.issuer:
        raise NotFound
    # Providers compare the redirect URI with the registered one: each path leads back to its own callback.
    callback = app_state.settings.origin + request.url.path.removesuffix("start") + "callback"
    url, sealed = await oidc.start_sign_in(app_state, return_to, callback)
    response = RedirectResponse(url, 302)
    response.set_cookie(
        _COOKIE,
        sealed,
        max_age=_COOKIE_SECONDS,
        path=_COOKIE_PATH,
        secure=app_state.settings.origin.startswith("https://"),
        httponly=True,
        samesite="lax",  # the provider sends the browser back from another site
    )
    return response


@router.get("/oidc/callback", status_code=302, response_class=RedirectResponse, include_in_schema=False)
@router.get("/outside/callback", status_code=302, response_class=RedirectResponse, include_in_schema=False)
async def oidc_callback(
    app_state: AppStateDep,
    device: CurrentDevice,
    tasks: BackgroundTasks,
    state: str = "",
    code: str = "",
    sealed: Annotated[str, Cookie(alias=_COOKIE, include_in_schema=False)] = "",
) -> RedirectResponse:
    """Redirect the browser to the page it came from, signed in, or to the sign-in page with an error."""
    if not app_state.oidc_client.issuer:
        raise NotFound
    try:
        issued, return_to = await oidc.complete_sign_in(app_state, sealed, state, code, device)
    except Problem as problem:
        log.warning("OIDC sign-in failed", code=problem.code)
        response = RedirectResponse(f"/login?failed={_FAILURES.get(problem.code, 'oidc')}", 302)
    else:
        response = RedirectResponse(return_to, 302)
        cookies.set_refresh_cookie(app_state, response, issued.refresh_token)
        set_device_cookie(app_state, response, device)
        if issued.is_new_device:
            await notices.schedule(app_state, tasks, issued.user, notices.NEW_DEVICE)
    response.delete_cookie(_COOKIE, path=_COOKIE_PATH, httponly=True, samesite="lax")
    return response
