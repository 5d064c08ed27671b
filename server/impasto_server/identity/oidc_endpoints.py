"""The calls of signing in through an outside provider. A browser walks through them by redirects."""

from typing import Annotated

import structlog
from fastapi import APIRouter, Cookie
from fastapi.responses import RedirectResponse

from impasto_server.container import AppStateDep
from impasto_server.http.errors import NotFound, Problem
from impasto_server.identity import cookies, oidc
from impasto_server.identity.schemas import OutsideProvider

log = structlog.get_logger()
_COOKIE = "impasto_outside"
_PATH = "/api/v1/identity/outside"
_FAILED = "/login?failed=outside"

router = APIRouter(prefix="/identity", tags=["identity"])


@router.get("/providers")
async def providers(app_state: AppStateDep) -> list[OutsideProvider]:
    """List the outside providers that people may sign in through: none, or the one configured."""
    if not app_state.oidc_client.issuer:
        return []
    return [OutsideProvider(name=app_state.settings.oidc_name, start_url=f"{_PATH}/start")]


@router.get("/outside/start", status_code=302, response_class=RedirectResponse, include_in_schema=False)
async def outside_start(app_state: AppStateDep, return_to: str = "/") -> RedirectResponse:
    """Send the browser to the provider."""
    if not app_state.oidc_client.issuer:
        raise NotFound
    url, sealed = await oidc.begin(app_state, return_to)
    answer = RedirectResponse(url, 302)
    secure = app_state.settings.origin.startswith("https://")
    # Lax: the provider sends the browser back from another site.
    answer.set_cookie(_COOKIE, sealed, max_age=600, path=_PATH, secure=secure, httponly=True, samesite="lax")
    return answer


@router.get("/outside/callback", status_code=302, response_class=RedirectResponse, include_in_schema=False)
async def outside_callback(
    app_state: AppStateDep,
    state: str = "",
    code: str = "",
    sealed: Annotated[str, Cookie(alias=_COOKIE, include_in_schema=False)] = "",
) -> RedirectResponse:
    """Take the browser back from the provider, signed in, or to the sign-in page with the failure said."""
    if not app_state.oidc_client.issuer:
        raise NotFound
    try:
        opened, return_to = await oidc.finish(app_state, sealed, state, code)
    except Problem as problem:
        log.warning("outside sign-in failed", code=problem.code)
        answer = RedirectResponse(_FAILED, 302)
    else:
        answer = RedirectResponse(return_to, 302)
        cookies.give(app_state, answer, opened.refresh_token)
    answer.delete_cookie(_COOKIE, path=_PATH, httponly=True, samesite="lax")
    return answer
