"""The cookie that carries a refresh token: out of reach of scripts and of other sites."""

from fastapi import Response

from impasto_server.container import Parts

NAME = "impasto_refresh"
_PATH = "/api/v1/identity"


def give(parts: Parts, response: Response, refresh_token: str) -> None:
    """Hand a refresh token to the browser."""
    response.set_cookie(
        NAME,
        refresh_token,
        max_age=parts.settings.refresh_token_days * 86_400,
        path=_PATH,
        secure=parts.settings.origin.startswith("https://"),
        httponly=True,
        samesite="strict",
    )


def take_back(response: Response) -> None:
    """Make the browser forget its refresh token."""
    response.delete_cookie(NAME, path=_PATH, httponly=True, samesite="strict")
