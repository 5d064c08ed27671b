"""The refresh token's cookie: HttpOnly, SameSite=Strict, sent to the identity endpoints only."""

from fastapi import Response

from impasto_server.container import AppState

NAME = "impasto_refresh"
_PATH = "/api/v1/identity"


def set_refresh_cookie(app_state: AppState, response: Response, refresh_token: str) -> None:
    """Set the cookie to a refresh token."""
    response.set_cookie(
        NAME,
        refresh_token,
        max_age=app_state.settings.refresh_token_days * 86_400,
        path=_PATH,
        secure=app_state.settings.origin.startswith("https://"),
        httponly=True,
        samesite="strict",
    )


def delete_refresh_cookie(response: Response) -> None:
    """Delete the cookie in the browser."""
    response.delete_cookie(NAME, path=_PATH, httponly=True, samesite="strict")
