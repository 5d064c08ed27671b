"""The cookie that carries a refresh token: out of reach of scripts and of other sites."""

from fastapi import Response

from impasto_server.container import AppState

NAME = "impasto_refresh"
_PATH = "/api/v1/identity"


def give(app_state: AppState, response: Response, refresh_token: str) -> None:
    """Hand a refresh token to the browser."""
    response.set_cookie(
        NAME,
        refresh_token,
        max_age=app_state.settings.refresh_token_days * 86_400,
        path=_PATH,
        secure=app_state.settings.origin.startswith("https://"),
        httponly=True,
        samesite="strict",
    )


def take_back(response: Response) -> None:
    """Make the browser forget its refresh token."""
    response.delete_cookie(NAME, path=_PATH, httponly=True, samesite="strict")
